"""Sound files for the tests: a signal that tells its own place, in many codecs and containers."""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np

RATE = 48000


def signal(seconds, rate=RATE, seed=1):
    """A rising tone under noise below 4 kHz: correlates with itself at one place only."""
    n = round(seconds * rate)
    t = np.arange(n) / rate
    noise = np.random.default_rng(seed).standard_normal(n)
    spectrum = np.fft.rfft(noise)
    spectrum[round(4000 * seconds) :] = 0
    smooth = np.fft.irfft(spectrum, n)
    tone = np.sin(2 * np.pi * (300 * t + 20 * t * t))
    return (0.2 * tone + 0.1 * smooth / smooth.std()).astype(np.float32)


def lag(heard, truth, at, length=9600, reach=4000):
    """By how many samples `heard` is late against `truth` around sample `at`."""
    piece = truth[at : at + length]
    window = heard[at - reach : at + length + reach]
    n = 1 << (len(window) + length).bit_length()
    product = np.fft.rfft(window, n) * np.conj(np.fft.rfft(piece, n))
    return int(np.argmax(np.fft.irfft(product, n)[: 2 * reach])) - reach


def write_sound(
    path, samples, codec, *, rate=RATE, layout="mono", starts=((0, 0.0),), container_format=None
):
    """Encode `samples` (mono [n] or [n, channels]).

    `starts` lists (index of a sample, the time in seconds where it belongs): later ones make gaps.
    """
    samples = samples.reshape(len(samples), -1)
    with av.open(str(path), "w", format=container_format) as out:
        stream = out.add_stream(codec, rate=rate)
        stream.layout = layout
        context = stream.codec_context
        kind = context.format.name if context.format else context.codec.audio_formats[0].name
        step = 960
        resampler = av.AudioResampler(format=kind, layout=layout, rate=rate)
        bounds = [*(first for first, _ in starts[1:]), len(samples)]
        for (first, time_s), last in zip(starts, bounds, strict=True):
            for at in range(first, last, step):
                block = np.ascontiguousarray(samples[at : min(at + step, last)])
                frame = av.AudioFrame.from_ndarray(block.reshape(1, -1), "flt", layout)
                frame.sample_rate = rate
                frame.time_base = Fraction(1, rate)
                frame.pts = round(time_s * rate) + at - first
                for ready in resampler.resample(frame):
                    out.mux(stream.encode(ready))
        out.mux(stream.encode(None))
    return path


def write_film(path, samples, *, sound_at_s, picture_at_s=0.0, rate=RATE, seconds=2):
    """A small video whose sound starts at another time than its picture."""
    with av.open(str(path), "w") as out:
        picture = out.add_stream("mpeg4", rate=25)
        picture.width = picture.height = 64
        picture.pix_fmt = "yuv420p"
        sound = out.add_stream("aac", rate=rate, layout="mono")
        for number in range(25 * seconds):
            image = np.full((64, 64, 3), number * 4 % 256, np.uint8)
            frame = av.VideoFrame.from_ndarray(image, "rgb24")
            frame.time_base = Fraction(1, 1000)
            frame.pts = round(picture_at_s * 1000) + number * 40
            out.mux(picture.encode(frame))
        out.mux(picture.encode(None))
        for at in range(0, len(samples), 1024):
            frame = av.AudioFrame.from_ndarray(samples[None, at : at + 1024], "fltp", "mono")
            frame.sample_rate = rate
            frame.time_base = Fraction(1, rate)
            frame.pts = round(sound_at_s * rate) + at
            out.mux(sound.encode(frame))
        out.mux(sound.encode(None))
    return path


def write_two_streams(path, first, second, *, rate=RATE):
    """Two mono FLAC streams: English without a title, and a German commentary."""
    with av.open(str(path), "w") as out:
        streams = [out.add_stream("flac", rate=rate, layout="mono") for _ in range(2)]
        streams[0].metadata.update({"language": "eng"})
        streams[1].metadata.update({"language": "deu", "title": "Commentary"})
        for at in range(0, max(len(first), len(second)), 960):
            for stream, samples in zip(streams, (first, second), strict=True):
                block = (samples[None, at : at + 960] * 32767).astype(np.int16)
                if block.size:
                    frame = av.AudioFrame.from_ndarray(block, "s16", "mono")
                    frame.sample_rate, frame.time_base = rate, Fraction(1, rate)
                    frame.pts = at
                    out.mux(stream.encode(frame))
        for stream in streams:
            out.mux(stream.encode(None))
    return path
