# SPDX-License-Identifier: GPL-3.0-or-later
"""What all parts share: writing arrays and JSON, reading the demo recording."""

import json
import pathlib

import numpy as np
import soundfile
import soxr

RATE = 16000


def write_array(path, array):
    """Writes a .npy (version 1.0, little-endian, C order)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, np.ascontiguousarray(array))


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def demo_samples(repository):
    """The demo recording as 16-bit integers at 16 kHz."""
    samples, rate = soundfile.read(pathlib.Path(repository) / "resources/demo/demo.wav", dtype="float64")
    resampled = soxr.resample(samples, rate, RATE, quality="VHQ")
    return np.clip(np.round(resampled * 32768), -32768, 32767).astype(np.int16)
