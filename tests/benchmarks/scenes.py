"""Synthetic moving scenes with exact box truth, hard in the ways real footage is hard.

Every scene is a textured backdrop seen by a moving camera, one followed object, and what disturbs
it: turning, scaling, soft deformation, swinging limbs, occluders, look-alikes, leaving and
returning, blur, light, and H.264 compression. Truth is the box of the whole object (hidden parts
included) cut to the picture, found on the unblurred outline with sub-pixel edges.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.media.decode.convert import CompactImage
from annotator.media.index.frame_table import Orientation

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SceneSpec:
    """What happens in a scene. Lengths are shares of the object's size unless said otherwise."""

    name: str
    seed: int
    size: tuple[int, int] = (640, 360)
    n_frames: int = 121
    object_px: float = 70.0
    aspect: float = 1.0
    travel: float = 1.6  # amplitude of the path in object sizes
    tempo: float = 1.0  # 1 = the path's main period is about 105 frames
    spin: float = 0.0  # amplitude of rotation in radians
    zoom: float = 0.15  # amplitude of the logarithm of the object's scale
    turn: float = (
        0.0  # amplitude of out-of-plane turning (0..1): the object narrows and changes face
    )
    soft: float = 0.0  # amplitude of the outline's deformation
    limbs: int = 0  # swinging limbs on the body
    camera: float = 0.0  # amplitude of camera motion in pixels
    shake: float = 0.0  # camera shake in pixels
    contrast: float = 1.0  # 1 = object stands out, 0 = same colors as the backdrop
    blur: float = 0.0  # shutter share 0..1
    light: float = 0.0  # amplitude of brightness change
    occluders: int = 0
    occluder_size: float = 1.0
    distractors: int = 0
    leaves: bool = False
    crf: int = 27


@dataclass(frozen=True, slots=True)
class DecodedPictures:
    """Pictures as the program reads them from a file: YUV 4:2:0, and RGB made from it."""

    name: str
    pictures: list[CompactImage]

    def __len__(self) -> int:
        return len(self.pictures)

    def image(self, index: int) -> Image:
        return self.pictures[index].rgb()

    def compact(self, index: int) -> CompactImage:
        return self.pictures[index]


@dataclass(frozen=True, slots=True)
class Scene(DecodedPictures):
    """Decoded pictures and the truth: `boxes[n, 4]`, NaN where the object is out of view."""

    boxes: Floats


def make_scene(spec: SceneSpec) -> Scene:
    """Render, compress and decode one scene. The same spec gives the same pictures."""
    return _Renderer(spec).run()


def benchmark_specs() -> list[SceneSpec]:
    """The scenes of the box benchmark: 28, from easy to unkind."""
    hd, md, sd = (1280, 720), (640, 360), (480, 360)
    return [
        SceneSpec("plain", 1, md, travel=1.2),
        SceneSpec("quick", 2, md, travel=2.0, tempo=1.7, blur=0.6),
        SceneSpec("spin", 3, md, spin=1.1, aspect=1.6, travel=0.9),
        SceneSpec("turn", 4, md, turn=0.8, aspect=1.2, object_px=90, travel=0.7),
        SceneSpec("turn-hd", 5, hd, turn=0.8, object_px=190, camera=70, travel=0.7),
        SceneSpec("zoom", 6, md, zoom=0.55, tempo=1.2, travel=0.8),
        SceneSpec("zoom-blur", 7, sd, zoom=0.4, blur=0.7, travel=1.0, tempo=1.2, shake=1.5),
        SceneSpec("soft", 8, md, soft=0.35, object_px=90, travel=0.6),
        SceneSpec("soft-low", 9, sd, soft=0.25, contrast=0.5, camera=40, object_px=80, travel=0.6),
        SceneSpec("walker", 10, md, limbs=4, aspect=0.5, travel=0.9, object_px=80),
        SceneSpec("walker-hd", 11, hd, limbs=3, aspect=0.6, object_px=160, camera=90, shake=2,
                  travel=0.8, tempo=0.9),
        SceneSpec("dancer", 12, sd, limbs=5, soft=0.2, spin=0.3, object_px=80, travel=0.7),
        SceneSpec("behind", 13, md, occluders=2, occluder_size=0.4, travel=1.4, spin=0.3),
        SceneSpec("hidden", 14, md, occluders=1, occluder_size=1.1, travel=1.5),
        SceneSpec("hidden-soft", 15, hd, occluders=2, occluder_size=0.8, soft=0.2, object_px=120,
                  travel=1.0),
        SceneSpec("crowd", 16, md, distractors=4, travel=1.4, object_px=56, turn=0.4),
        SceneSpec("crowd-camera", 17, hd, distractors=5, camera=70, object_px=90, turn=0.6,
                  travel=0.8),
        SceneSpec("leaves", 18, md, leaves=True),
        SceneSpec("leaves-soft", 19, sd, leaves=True, soft=0.2, spin=0.4, camera=30, travel=0.6),
        SceneSpec("small", 20, hd, object_px=24, travel=2.0, camera=20, turn=0.4),
        SceneSpec("tiny-quick", 21, md, object_px=16, travel=2.5, tempo=1.2),
        SceneSpec("dim", 22, md, contrast=0.25, light=0.35, blur=0.4, crf=33, spin=0.5, travel=0.7),
        SceneSpec("large", 23, hd, object_px=330, travel=0.5, turn=0.6, tempo=1.1, zoom=0.35),
        SceneSpec("shaky", 24, md, shake=4.0, camera=50, tempo=1.2, blur=0.6, spin=0.5, travel=0.7),
        SceneSpec("mixed", 25, hd, turn=0.6, soft=0.2, occluders=1, camera=50, object_px=130,
                  distractors=2, travel=0.8, occluder_size=0.7),
        SceneSpec("unkind", 26, md, turn=0.7, soft=0.25, occluders=2, distractors=3, camera=40,
                  blur=0.5, spin=0.6, contrast=0.6, zoom=0.4, travel=0.8, crf=32,
                  occluder_size=0.8),
        SceneSpec("slow", 27, md, travel=0.5, tempo=0.6, turn=0.8, spin=0.5),
        SceneSpec("slow-soft", 28, hd, travel=0.4, tempo=0.6, soft=0.3, limbs=3, object_px=150),
    ]  # fmt: skip


class _Renderer:
    def __init__(self, spec: SceneSpec) -> None:
        self.spec = spec
        self.rng = np.random.default_rng(spec.seed)
        self.width, self.height = spec.size
        margin = int(spec.camera * 1.3 + spec.shake * 4 + 24)
        self.margin = margin
        self.backdrop = _backdrop(self.rng, self.width + 2 * margin, self.height + 2 * margin)
        self.faces = [_face(self.rng, self.backdrop, spec.contrast) for _ in range(2)]
        self.outline = _outline(self.rng)
        self.paths = [_Path(self.rng, spec) for _ in range(1 + spec.distractors)]
        self.limb_phase = self.rng.uniform(0, 2 * np.pi, max(spec.limbs, 1))
        self.shake = _smooth_noise(self.rng, spec.n_frames, 2) * spec.shake
        self.drift = _Wave(self.rng, 70.0, 2), _Wave(self.rng, 90.0, 2)
        self.occluders = [self._occluder(i) for i in range(spec.occluders)]

    def run(self) -> Scene:
        n = self.spec.n_frames
        boxes = np.full((n, 4), np.nan)
        images: list[Image] = []
        for t in range(n):
            image, box = self._frame(t)
            images.append(image)
            if box is not None:
                boxes[t] = box
        return Scene(self.spec.name, _compress(images, self.spec.crf), boxes)

    def _camera(self, t: float) -> tuple[float, float]:
        index = min(int(t), self.spec.n_frames - 1)
        shake = self.shake[index]
        amplitude = self.spec.camera
        return (
            self.margin + amplitude * self.drift[0](t) + shake[0],
            self.margin + 0.5 * amplitude * self.drift[1](t) + shake[1],
        )

    def _frame(self, t: int) -> tuple[Image, Floats | None]:
        camera = self._camera(t)
        matrix = np.array([[1, 0, -camera[0]], [0, 1, -camera[1]]], np.float64)
        picture = cv2.warpAffine(
            self.backdrop, matrix, self.spec.size, flags=cv2.INTER_LINEAR
        ).astype(np.float32)
        box: Floats | None = None
        for number in range(len(self.paths) - 1, -1, -1):
            box = self._draw_object(picture, number, t, camera)
        for draw in self.occluders:
            draw(picture, t, camera)
        light = 1.0 + self.spec.light * np.sin(2 * np.pi * t / 47.0)
        noise = self.rng.normal(0, 2.0, picture.shape[:2]).astype(np.float32)[..., None]
        return np.clip(picture * light + noise, 0, 255).astype(np.uint8), box

    def _draw_object(
        self, picture: NDArray[np.float32], number: int, t: int, camera: tuple[float, float]
    ) -> Floats | None:
        path = self.paths[number]
        pose = path(t)
        here = pose.xy + self.margin - np.array(camera)
        before = path(t - 1.0)
        moved = (pose.xy - before.xy) - (np.array(camera) - np.array(self._camera(t - 1.0)))
        layer, alpha, corner = self._sprite(pose, here, number)
        box = _alpha_box(alpha, corner, (self.width, self.height))
        length = float(np.hypot(*moved)) * self.spec.blur
        if length > 1.5:
            kernel = _streak(moved, length)
            layer = cv2.filter2D(layer * alpha[..., None], -1, kernel)
            alpha = cv2.filter2D(alpha, -1, kernel)
        else:
            layer = layer * alpha[..., None]
        _paste(picture, layer, alpha, corner)
        return box

    def _sprite(
        self, pose: _Pose, here: Floats, number: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], tuple[int, int]]:
        """One object on its own canvas: colors, alpha and the canvas's top-left in the picture."""
        radius = 0.5 * self.spec.object_px * pose.scale
        reach = int(np.ceil(radius * (2.6 if self.spec.limbs else 1.9))) + 4
        x0, y0 = int(here[0]) - reach, int(here[1]) - reach
        ys, xs = np.mgrid[0 : 2 * reach, 0 : 2 * reach].astype(np.float32)
        dx, dy = (xs + 0.5 + x0 - here[0]) / radius, (ys + 0.5 + y0 - here[1]) / radius
        c, s = np.cos(pose.angle), np.sin(pose.angle)
        u, v = c * dx + s * dy, -s * dx + c * dy
        root = np.sqrt(self.spec.aspect)
        u, v = u / (root * pose.narrow), v * root
        if self.spec.soft:
            bend = self.spec.soft
            u, v = (
                u + bend * np.sin(2.1 * v + pose.wobble[0]) * np.sin(pose.wobble[1]),
                v + bend * np.sin(1.7 * u + pose.wobble[1]) * np.sin(pose.wobble[2]),
            )
        alpha = self._body(u, v, 1.0 / radius)
        for limb in range(self.spec.limbs):
            alpha = np.maximum(alpha, self._limb(u, v, limb, pose, 1.0 / radius))
        face_a, face_b = self.faces
        side = face_a.shape[0]
        mx = ((u / 3.2 + 0.5 + pose.slide) * side).astype(np.float32)
        my = ((v / 3.2 + 0.5) * side).astype(np.float32)
        colors = cv2.remap(face_a, mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        if pose.face > 0.01:
            other = cv2.remap(face_b, mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
            colors = colors * (1 - pose.face) + other * pose.face
        if number:
            colors = colors * (0.9 + 0.05 * number)
        return colors.astype(np.float32), alpha.astype(np.float32), (x0, y0)

    def _body(self, u: Floats, v: Floats, pixel: float) -> Floats:
        angle = np.arctan2(v, u)
        rim = np.full_like(u, 0.86 if not self.spec.limbs else 0.7)
        for order, (a, b) in enumerate(self.outline, start=2):
            rim += a * np.cos(order * angle) + b * np.sin(order * angle)
        return np.clip((rim - np.hypot(u, v)) / pixel + 0.5, 0, 1)

    def _limb(self, u: Floats, v: Floats, limb: int, pose: _Pose, pixel: float) -> Floats:
        base = 2 * np.pi * (limb + 0.5) / self.spec.limbs + 0.4
        swing = base + 0.55 * np.sin(pose.gait + self.limb_phase[limb])
        ax, ay = 0.4 * np.cos(base), 0.4 * np.sin(base)
        ex, ey = ax + 0.95 * np.cos(swing), ay + 0.95 * np.sin(swing)
        lx, ly = ex - ax, ey - ay
        along = np.clip(((u - ax) * lx + (v - ay) * ly) / (lx * lx + ly * ly), 0, 1)
        gap = np.hypot(u - ax - along * lx, v - ay - along * ly)
        return np.clip((0.19 - gap) / pixel + 0.5, 0, 1)

    def _occluder(self, index: int) -> Callable[[NDArray[np.float32], int, tuple], None]:
        spec, rng = self.spec, self.rng
        texture = _backdrop(rng, 260, 520).astype(np.float32)
        half_w = 0.5 * spec.object_px * spec.occluder_size * rng.uniform(0.7, 1.1)
        at = self.paths[0](spec.n_frames * (index + 0.6) / (spec.occluders + 0.3)).xy
        at = at + rng.uniform(-0.2, 0.2, 2) * spec.object_px
        half_h = spec.object_px * rng.uniform(0.9, 1.8)
        glide = _Wave(rng, 80.0, 1)

        def draw(picture: NDArray[np.float32], t: int, camera: tuple[float, float]) -> None:
            x = at[0] + self.margin - camera[0] + 0.25 * spec.object_px * glide(t)
            y = at[1] + self.margin - camera[1]
            w, h = int(2 * half_w), int(2 * half_h)
            patch = cv2.resize(texture, (w, h))
            _paste(picture, patch, np.ones((h, w), np.float32), (int(x - half_w), int(y - half_h)))

        return draw


@dataclass(frozen=True, slots=True)
class _Pose:
    xy: Floats
    angle: float
    scale: float
    narrow: float
    slide: float
    face: float
    wobble: Floats
    gait: float


class _Wave:
    """A smooth wave of mixed periods with values about -1..1."""

    def __init__(self, rng: np.random.Generator, period: float, parts: int) -> None:
        self.periods = period * rng.uniform(0.75, 1.3, parts) / (1 + 0.9 * np.arange(parts))
        self.phases = rng.uniform(0, 2 * np.pi, parts)
        self.weights = 1.0 / (1 + np.arange(parts))
        self.weights /= self.weights.sum()

    def __call__(self, t: float) -> float:
        return float(self.weights @ np.sin(2 * np.pi * t / self.periods + self.phases))


class _Path:
    """Where the object is and how it stands at a time."""

    def __init__(self, rng: np.random.Generator, spec: SceneSpec) -> None:
        self.spec = spec
        period = 105.0 / spec.tempo
        self.x, self.y = _Wave(rng, period * 1.1, 3), _Wave(rng, period, 3)
        self.angle, self.scale = _Wave(rng, period, 2), _Wave(rng, period * 1.1, 2)
        self.turn = _Wave(rng, period, 2)
        self.wobble = [_Wave(rng, period * f, 2) for f in (0.7, 0.9, 1.1)]
        self.gait_period = 44.0 / spec.tempo
        w, h = spec.size
        room = np.array([w, h]) / 2 - 0.55 * spec.object_px
        self.center = np.array([w, h]) / 2 + rng.uniform(-0.35, 0.35, 2) * np.maximum(room, 1)
        self.reach = spec.travel * spec.object_px * np.array([0.75, 0.45])
        self.limit = (np.array([w, h]), 0.5 * spec.object_px)

    def __call__(self, t: float) -> _Pose:
        spec = self.spec
        xy = self.center + self.reach * np.array([self.x(t), self.y(t)])
        (w, h), half = self.limit
        xy = np.clip(xy, half * 0.6, [w - half * 0.6, h - half * 0.6])
        if spec.leaves:  # out through the right edge, away for a while, and back
            phase = np.clip((t / spec.n_frames - 0.35) / 0.4, 0, 1)
            push = np.sin(np.pi * phase)
            xy = xy + np.array([push * (w - xy[0] + 2.6 * half), 0.0])
        turn = spec.turn * self.turn(t)
        swing = self.wobble[0](t), self.wobble[1](t), self.wobble[2](t)
        return _Pose(
            xy=xy,
            angle=spec.spin * self.angle(t),
            scale=float(np.exp(spec.zoom * self.scale(t))),
            narrow=1.0 - 0.55 * abs(turn),
            slide=0.25 * turn,
            face=float(np.clip(1.6 * turn, 0, 1)),
            wobble=np.array(swing) * np.pi,
            gait=2 * np.pi * t / self.gait_period,
        )


def _backdrop(rng: np.random.Generator, width: int, height: int) -> Image:
    image = np.zeros((height, width, 3), np.float32)
    for octave in (3, 9, 30, 90):
        shape = (max(2, height * octave // 360), max(2, width * octave // 360), 3)
        coarse = rng.normal(0, 1, shape).astype(np.float32)
        image += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC) * (
            26.0 / np.sqrt(octave / 3)
        )
    image += rng.uniform(80, 150, 3)
    for _ in range(int(width * height / 9000)):
        center = rng.uniform(0, [width, height])
        shape = center + rng.normal(0, rng.uniform(6, 40), (int(rng.integers(3, 7)), 2))
        color = rng.uniform(30, 220, 3)
        cv2.fillConvexPoly(image, cv2.convexHull(shape.astype(np.int32)), color.tolist())
    return np.clip(cv2.GaussianBlur(image, (0, 0), 0.8), 0, 255).astype(np.uint8)


def _face(rng: np.random.Generator, backdrop: Image, contrast: float) -> NDArray[np.float32]:
    own = _backdrop(rng, 256, 256).astype(np.float32)
    tint = rng.uniform(-70, 70, 3)
    y, x = (int(rng.integers(0, s - 256)) if s > 256 else 0 for s in backdrop.shape[:2])
    like = cv2.resize(backdrop[y : y + 256, x : x + 256], (256, 256)).astype(np.float32)
    return np.clip(contrast * (own + tint) + (1 - contrast) * like, 0, 255).astype(np.float32)


def _outline(rng: np.random.Generator) -> Floats:
    return rng.normal(0, 1, (4, 2)) * np.array([0.10, 0.07, 0.04, 0.03])[:, None]


def _smooth_noise(rng: np.random.Generator, n: int, columns: int) -> Floats:
    raw = rng.normal(0, 1, (n + 4, columns))
    return np.asarray((raw[:-4] + 2 * raw[1:-3] + 2 * raw[2:-2] + raw[3:-1]) / 3.2)


def _streak(direction: Floats, length: float) -> NDArray[np.float32]:
    side = int(length) // 2 * 2 + 3
    kernel = np.zeros((side, side), np.float32)
    unit = direction / max(float(np.hypot(*direction)), 1e-9) * length / 2
    middle = side // 2
    start = (round(middle - unit[0]), round(middle - unit[1]))
    end = (round(middle + unit[0]), round(middle + unit[1]))
    cv2.line(kernel, start, end, 1.0)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _paste(
    picture: NDArray[np.float32],
    layer: NDArray[np.float32],
    alpha: NDArray[np.float32],
    corner: tuple[int, int],
) -> None:
    """Lay premultiplied colors over the picture, cut at its edges."""
    height, width = picture.shape[:2]
    x0, y0 = corner
    left, top = max(0, -x0), max(0, -y0)
    right, bottom = min(alpha.shape[1], width - x0), min(alpha.shape[0], height - y0)
    if right <= left or bottom <= top:
        return
    a = alpha[top:bottom, left:right, None]
    view = picture[y0 + top : y0 + bottom, x0 + left : x0 + right]
    view *= 1 - a
    view += layer[top:bottom, left:right]


def _alpha_box(
    alpha: NDArray[np.float32], corner: tuple[int, int], size: tuple[int, int]
) -> Floats | None:
    """The outline's box cut to the picture; None when less than a sixth of it is inside."""
    x1, x2 = _edges(alpha.max(axis=0))
    y1, y2 = _edges(alpha.max(axis=1))
    whole = np.array([x1, y1, x2, y2]) + np.array([*corner, *corner])
    cut = np.clip(whole, 0, [*size, *size])
    inside = (cut[2] - cut[0]) * (cut[3] - cut[1])
    if inside < (whole[2] - whole[0]) * (whole[3] - whole[1]) / 6:
        return None
    return cut


def _edges(profile: NDArray[np.float32]) -> tuple[float, float]:
    solid = np.flatnonzero(profile >= 0.5)
    first, last = int(solid[0]), int(solid[-1])
    before = float(profile[first - 1]) if first else 0.0
    after = float(profile[last + 1]) if last + 1 < len(profile) else 0.0
    return first - before, last + 1 + after


def _compress(images: list[Image], crf: int) -> list[CompactImage]:
    """Through H.264 and back, so that trackers meet real compression noise."""
    memory = io.BytesIO()
    height, width = images[0].shape[:2]
    with av.open(memory, "w", format="mp4") as out:
        stream = out.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        # x264 shares out bits by memory that it never set, unless it is told not to look ahead so.
        stream.options = {"crf": str(crf), "preset": "veryfast", "g": "60", "mbtree": "0"}
        for image in images:
            out.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")))
        out.mux(stream.encode(None))
    memory.seek(0)
    with av.open(memory) as back:
        return [CompactImage(frame, Orientation()) for frame in back.decode(video=0)]
