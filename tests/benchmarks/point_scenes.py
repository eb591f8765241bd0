"""Synthetic scenes with exact truth for points on turning, bending, hidden and leaving surfaces.

A textured backdrop under a moving camera; one or two bodies with points on them: balls that turn
points away and back, cards that tilt in perspective, sheets that bend; solid and translucent things
passing in front; H.264. A point is visible when it lies in the picture, faces the camera and
nothing solid covers it. Truth is computed from the same maps that draw the pictures.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.scenes import DecodedPictures, Image, _backdrop, _compress, _paste, _Wave

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_EYE = 3.5  # distance of the camera from a body, in its radii
_SIDE = 420  # texture of a body, in pixels


@dataclass(frozen=True, slots=True)
class PointSceneSpec:
    """What happens in a scene. Lengths are shares of the picture's height."""

    name: str
    seed: int
    kinds: tuple[str, ...] = ("card",)  # ball, card, sheet: one body each, the last in front
    size: tuple[int, int] = (640, 360)
    n_frames: int = 110
    radius: float = 0.2
    travel: float = 0.2
    tempo: float = 1.0
    turn: float = 0.6  # radians out of the picture plane, either way
    spin: float = 0.5  # radians within it
    zoom: float = 0.15
    bend: float = 0.12
    camera: float = 0.06
    passers: int = 1
    veils: int = 0  # translucent things passing
    leaves: bool = False
    light: float = 0.1
    contrast: float = 1.0
    points: int = 10
    crf: int = 27


@dataclass(frozen=True, slots=True)
class PointScene(DecodedPictures):
    """Pictures and truth: ``xy`` [points, frames, 2] in pixels, ``visible`` [points, frames].

    ``body`` [points]: to which body a point belongs.
    """

    xy: Floats
    visible: Bools
    body: NDArray[np.int64]


def make_point_scene(spec: PointSceneSpec) -> PointScene:
    """Render, compress and decode one scene. The same spec gives the same pictures."""
    return _Renderer(spec).run()


def point_specs() -> list[PointSceneSpec]:
    """The scenes of the point benchmark, from kind to unkind."""
    hd, sd = (1280, 720), (480, 360)
    return [
        PointSceneSpec("card", 1, passers=0, turn=0.9),
        PointSceneSpec("card-hd", 2, size=hd, passers=2, turn=0.9),
        PointSceneSpec("spin", 3, spin=1.2, size=sd, turn=0.4),
        PointSceneSpec("ball", 4, ("ball",), turn=1.2, passers=0, radius=0.26),
        PointSceneSpec("ball-hd", 5, ("ball",), hd, turn=1.1, radius=0.28, passers=1, camera=0.12),
        PointSceneSpec("sheet", 6, ("sheet",), passers=1, turn=0.4, radius=0.25),
        PointSceneSpec("sheet-sd", 7, ("sheet",), sd, bend=0.2, passers=0, turn=0.4),
        PointSceneSpec("quick", 8, tempo=1.8, turn=0.8, passers=0),
        PointSceneSpec("hidden", 9, passers=3, turn=0.5),
        PointSceneSpec("hidden-ball", 10, ("ball",), passers=2, turn=0.7),
        PointSceneSpec("leaves", 11, leaves=True, turn=0.4, spin=0.3, passers=0),
        PointSceneSpec("leaves-hd", 12, ("ball",), hd, leaves=True, turn=0.6, spin=0.3),
        PointSceneSpec("pair", 13, ("card", "ball"), passers=1, turn=0.7, points=12),
        PointSceneSpec("pair-veil", 14, ("sheet", "card"), sd, veils=2, passers=1, turn=0.6,
                       points=12),
        PointSceneSpec("veils", 15, ("ball",), veils=3, passers=0, turn=0.7),
        PointSceneSpec("dim", 16, contrast=0.5, light=0.2, crf=30, turn=0.5, passers=1),
        PointSceneSpec("zoom", 17, zoom=0.4, tempo=1.1, passers=1, turn=0.6),
        PointSceneSpec("unkind", 18, ("ball", "sheet"), tempo=1.2, turn=0.8, passers=2, spin=0.8,
                       camera=0.14, contrast=0.6, points=12),
    ]  # fmt: skip


class _Renderer:
    def __init__(self, spec: PointSceneSpec) -> None:
        self.spec = spec
        self.rng = np.random.default_rng(7000 + spec.seed)
        self.width, self.height = spec.size
        self.margin = int(0.35 * self.height)
        side = (self.width + 2 * self.margin, self.height + 2 * self.margin)
        self.backdrop = _backdrop(self.rng, *side)
        self.camera = [_Wave(self.rng, period, 2) for period in (85.0, 100.0, 120.0, 110.0)]
        self.bodies = [_Body(self.rng, spec, kind) for kind in spec.kinds]
        self.passers = [_Passer(self.rng, spec, 1.0) for _ in range(spec.passers)]
        self.passers += [_Passer(self.rng, spec, 0.45) for _ in range(spec.veils)]

    def run(self) -> PointScene:
        n = self.spec.n_frames
        per_body = [self.spec.points // len(self.bodies)] * len(self.bodies)
        seeds = [b.seeds(self.rng, k, n) for b, k in zip(self.bodies, per_body, strict=True)]
        body = np.repeat(np.arange(len(self.bodies)), per_body)
        xy = np.zeros((len(body), n, 2))
        visible = np.zeros((len(body), n), bool)
        images = []
        for t in range(n):
            view = self._view(t)
            images.append(self._picture(t, view))
            places, seen = zip(
                *(b.places(s, t) for b, s in zip(self.bodies, seeds, strict=True)), strict=True
            )
            xy[:, t] = _apply(view, np.concatenate(places))
            visible[:, t] = np.concatenate(seen) & ~self._covered(t, view, xy[:, t], body)
        return PointScene(self.spec.name, _compress(images, self.spec.crf), xy, visible, body)

    def _view(self, t: float) -> Floats:
        """World pixels to picture pixels: pan, roll and zoom, 2 x 3."""
        pan = self.spec.camera * self.height * np.array([self.camera[0](t), self.camera[1](t)])
        roll = 0.6 * self.spec.camera * self.camera[2](t)
        zoom = np.exp(0.6 * self.spec.camera * self.camera[3](t))
        c, s = zoom * np.cos(roll), zoom * np.sin(roll)
        linear = np.array([[c, -s], [s, c]])
        middle = np.array([self.width, self.height]) / 2
        return np.column_stack([linear, middle + pan - linear @ middle])

    def _picture(self, t: int, view: Floats) -> Image:
        shifted = view.copy()
        # The backdrop's pixel centers sit at whole numbers, picture coordinates count from corners.
        shifted[:, 2] += view[:, :2] @ np.full(2, 0.5 - self.margin) - 0.5
        picture = cv2.warpAffine(
            self.backdrop, shifted, self.spec.size, borderMode=cv2.BORDER_REFLECT
        ).astype(np.float32)
        for body in self.bodies:
            colors, alpha, corner = body.sprite(t, view, self.spec.size)
            _paste(picture, colors * alpha[..., None], alpha, corner)
        for passer in self.passers:
            passer.draw(picture, t, view)
        light = 1.0 + self.spec.light * np.sin(2 * np.pi * t / 47.0)
        noise = self.rng.normal(0, 2.0, picture.shape[:2]).astype(np.float32)[..., None]
        return np.clip(picture * light + noise, 0, 255).astype(np.uint8)

    def _covered(self, t: int, view: Floats, xy: Floats, body: NDArray[np.int64]) -> Bools:
        """Out of the picture, behind a body drawn later, or behind something solid passing."""
        covered = (xy < 0).any(axis=1) | (xy >= [self.width, self.height]).any(axis=1)
        for number, other in enumerate(self.bodies):
            covered |= (body < number) & other.holds(_undo(view, xy), t)
        for passer in self.passers:
            if passer.alpha == 1.0:
                covered |= passer.holds(xy, t, view)
        return covered


class _Body:
    """A thing with points on it, in world pixels (the picture of an unmoved camera)."""

    def __init__(self, rng: np.random.Generator, spec: PointSceneSpec, kind: str) -> None:
        self.kind, self.spec = kind, spec
        width, self.height = spec.size
        self.radius = spec.radius * self.height * rng.uniform(0.9, 1.1)
        period = 95.0 / spec.tempo
        self.waves = [_Wave(rng, period * f, 3) for f in (1.1, 0.9)]
        self.turns = [_Wave(rng, period * f, 2) for f in (1.0, 1.2)]
        self.spin, self.scale = _Wave(rng, period, 2), _Wave(rng, period * 1.2, 2)
        self.ripple = [_Wave(rng, period * f, 2) for f in (0.5, 0.7)]
        fine = _backdrop(rng, 2 * _SIDE, 2 * _SIDE)
        own = cv2.resize(fine, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
        plain = own.mean(axis=(0, 1))
        self.texture = plain + spec.contrast * (own - plain) + rng.uniform(-40, 40, 3)
        self.texture = np.clip(self.texture, 0, 255).astype(np.float32)
        self.center = np.array([width, self.height]) * (0.5 + rng.uniform(-0.1, 0.1, 2))
        self.width = width

    def seeds(self, rng: np.random.Generator, count: int, n_frames: int) -> Floats:
        """Places on the surface, unit coordinates [count, 2], seen on the first frame."""
        found = np.zeros((0, 2))
        while len(found) < count:
            new = rng.uniform(-0.8, 0.8, (64, 2))
            new = new[np.hypot(*new.T) < 0.8]
            if self.kind == "ball":
                new = self._turned_back(new, int(rng.integers(0, n_frames // 3)))
            found = np.concatenate([found, new])
        return found[:count]

    def places(self, seeds: Floats, t: float) -> tuple[Floats, Bools]:
        """Where surface points are at a time (world pixels), and whether they face the camera."""
        if self.kind == "ball":
            solid = _on_ball(seeds) @ self._turn(t).T
            return self._from_unit(solid[:, :2], t), solid[:, 2] > 0.12
        flat = np.column_stack([seeds, np.zeros(len(seeds))]) @ self._turn(t).T
        unit = flat[:, :2] * (_EYE / (_EYE - flat[:, 2:]))
        target = unit.copy()
        for _ in range(30):
            unit = target - self._bend(unit, t)
        return self._from_unit(unit, t), np.full(len(seeds), True)

    def holds(self, xy: Floats, t: float) -> Bools:
        """Whether the body covers places in the world."""
        return self._alpha(self._surface(self._to_unit(xy, t), t)) >= 0.5

    def sprite(
        self, t: int, view: Floats, size: tuple[int, int]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], tuple[int, int]]:
        """Colors, alpha and the top-left corner in the picture."""
        middle = _apply(view, self._middle(t)[None])[0]
        reach = int(1.75 * self.radius * self._scale(t) * np.hypot(*view[:, 0])) + 4
        x0, y0 = (int(v) - reach for v in middle)
        x1, y1 = max(x0, 0), max(y0, 0)
        x2, y2 = min(x0 + 2 * reach, size[0]), min(y0 + 2 * reach, size[1])
        if x2 <= x1 or y2 <= y1:
            return np.zeros((1, 1, 3), np.float32), np.zeros((1, 1), np.float32), (0, 0)
        ys, xs = np.mgrid[y1:y2, x1:x2] + 0.5
        world = _undo(view, np.stack([xs.ravel(), ys.ravel()], axis=1))
        surface = self._surface(self._to_unit(world, t), t)
        shape = (y2 - y1, x2 - x1)
        # Beyond the texture it repeats in the mirror; far beyond, that takes for ever.
        flat = np.clip(surface[:, :2], -6.0, 6.0)
        maps = ((flat / 3.0 + 0.5) * _SIDE).astype(np.float32)
        mx, my = maps[:, 0].reshape(shape), maps[:, 1].reshape(shape)
        colors = cv2.remap(self.texture, mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        shade = surface[:, 2].reshape(shape)[..., None]
        alpha = self._alpha(surface).reshape(shape)
        return (colors * shade).astype(np.float32), alpha.astype(np.float32), (x1, y1)

    def _surface(self, unit: Floats, t: float) -> Floats:
        """Seen places to (u, v, shade, edge); edge is positive inside the outline, in pixels."""
        if self.kind == "ball":
            room = 1 - (unit**2).sum(axis=1)
            depth = np.sqrt(np.maximum(room, 1e-9))
            solid = np.column_stack([unit, depth]) @ self._turn(t)
            edge = (1 - np.hypot(*unit.T)) * self.radius
            return np.column_stack([_off_ball(solid), 0.65 + 0.35 * depth, edge])
        bent = unit + self._bend(unit, t)
        turn = self._turn(t)
        # The plane turn @ (u, v, 0), seen from _EYE: solve for (u, v).
        a = _EYE * turn[:2, 0] + bent * turn[2, 0]
        b = _EYE * turn[:2, 1] + bent * turn[2, 1]
        both = np.column_stack([_cross(bent, b), _cross(a, bent)])
        flat = _EYE * both / _cross(a, b)[:, None]
        edge = (1 - np.abs(flat).max(axis=1)) * self.radius
        return np.column_stack([flat, np.full(len(flat), 0.7 + 0.3 * turn[2, 2]), edge])

    def _alpha(self, surface: Floats) -> Floats:
        return np.clip(surface[:, 3] + 0.5, 0, 1)

    def _turned_back(self, unit: Floats, t: int) -> Floats:
        solid = np.column_stack([unit, np.sqrt(1 - (unit**2).sum(axis=1))])
        return _off_ball(solid @ self._turn(t))

    def _turn(self, t: float) -> Floats:
        yaw, pitch = (self.spec.turn * w(t) * f for w, f in zip(self.turns, (1, 0.7), strict=True))
        cy, sy, cp, sp = np.cos(yaw), np.sin(yaw), np.cos(pitch), np.sin(pitch)
        one = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
        return np.array([[1, 0, 0], [0, cp, -sp], [0, sp, cp]]) @ one

    def _bend(self, unit: Floats, t: float) -> Floats:
        if self.kind != "sheet":
            return np.zeros_like(unit)
        a, b = (3 * w(t) for w in self.ripple)
        x, y = unit.T
        return self.spec.bend * np.column_stack(
            [np.sin(2.4 * y + a) * np.cos(b), np.sin(2.1 * x + b) * np.cos(a)]
        )

    def _scale(self, t: float) -> float:
        return float(np.exp(self.spec.zoom * self.scale(t)))

    def _middle(self, t: float) -> Floats:
        reach = self.spec.travel * self.height * np.array([1.5, 0.8])
        xy = self.center + reach * np.array([w(t) for w in self.waves])
        if self.spec.leaves:
            phase = np.clip((t / self.spec.n_frames - 0.3) / 0.45, 0, 1)
            push = float(np.sin(np.pi * phase))
            xy = xy + np.array([push * (self.width - xy[0] + 1.6 * self.radius), 0.0])
        return np.asarray(xy)

    def _from_unit(self, unit: Floats, t: float) -> Floats:
        return np.asarray(self._middle(t) + self.radius * self._scale(t) * unit @ self._spin(t).T)

    def _to_unit(self, xy: Floats, t: float) -> Floats:
        return np.asarray((xy - self._middle(t)) @ self._spin(t) / (self.radius * self._scale(t)))

    def _spin(self, t: float) -> Floats:
        angle = self.spec.spin * self.spin(t)
        return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


class _Passer:
    """A textured board that crosses the picture in front of everything; may let light through."""

    def __init__(self, rng: np.random.Generator, spec: PointSceneSpec, alpha: float) -> None:
        self.alpha = alpha
        width, height = spec.size
        self.half = height * rng.uniform([0.03, 0.15], [0.08, 0.4])
        self.texture = _backdrop(rng, *(int(2 * v) for v in self.half)).astype(np.float32)
        self.wave = _Wave(rng, 75.0, 1), _Wave(rng, 95.0, 1)
        self.center = np.array([width, height]) * (0.5 + rng.uniform(-0.25, 0.25, 2))
        self.reach = height * rng.uniform(0.15, 0.5) * np.array([1.3, 0.3])

    def _corner(self, t: float) -> Floats:
        moved = self.reach * np.array([self.wave[0](t), self.wave[1](t)])
        return np.asarray(np.round(self.center + moved - self.half))

    def draw(self, picture: NDArray[np.float32], t: int, view: Floats) -> None:
        corner = np.round(self._corner(t) + view @ [0, 0, 1])
        alpha = np.full(self.texture.shape[:2], self.alpha, np.float32)
        _paste(picture, self.texture * self.alpha, alpha, (int(corner[0]), int(corner[1])))

    def holds(self, xy: Floats, t: float, view: Floats) -> Bools:
        low = np.round(self._corner(t) + view @ [0, 0, 1])
        high = low + self.texture.shape[1::-1]
        return np.asarray(((xy >= low) & (xy < high)).all(axis=1))


def smaller(spec: PointSceneSpec, n_frames: int, size: tuple[int, int]) -> PointSceneSpec:
    """Return the same scene shorter and smaller, for tests."""
    return replace(spec, n_frames=n_frames, size=size)


def _on_ball(flat: Floats) -> Floats:
    """Surface coordinates of a ball (an equal-distance map of its front) to unit vectors."""
    angle = np.hypot(*flat.T)
    ratio = np.sinc(angle / np.pi)
    return np.column_stack([flat * ratio[:, None], np.cos(angle)])


def _off_ball(solid: Floats) -> Floats:
    angle = np.arccos(np.clip(solid[:, 2], -1, 1))
    ratio = 1 / np.maximum(np.sinc(angle / np.pi), 1e-6)
    return np.asarray(solid[:, :2] * ratio[:, None])


def _cross(a: Floats, b: Floats) -> Floats:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


def _apply(view: Floats, xy: Floats) -> Floats:
    return np.asarray(xy @ view[:, :2].T + view[:, 2])


def _undo(view: Floats, xy: Floats) -> Floats:
    return np.asarray((xy - view[:, 2]) @ np.linalg.inv(view[:, :2]).T)
