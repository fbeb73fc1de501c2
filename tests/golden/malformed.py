# SPDX-License-Identifier: GPL-3.0-or-later
"""Model files that must be refused: a pickle that runs a command, and three broken safetensors files."""

import json
import os
import pickle
import struct
import zipfile

import numpy as np


class Command:
    """Unpickling this would run os.system."""

    def __reduce__(self):
        return os.system, ("touch PWNED_BY_PICKLE",)


def safetensors_bytes(header, data, claimed=None):
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", claimed or len(text)) + text + data


def make(folder):
    content = pickle.dumps({"layer_norm.weight": Command()}, protocol=2).replace(b"posix\nsystem", b"os\nsystem")
    with zipfile.ZipFile(folder / "malicious.bin", "w", zipfile.ZIP_STORED) as archive:
        for name, data in (("archive/data.pkl", content), ("archive/byteorder", b"little"),
                           ("archive/version", b"3\n")):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)

    floats = np.arange(32, dtype="<f4").tobytes()
    entry = lambda begin, end: {"dtype": "F32", "shape": [(end - begin) // 4], "data_offsets": [begin, end]}
    whole = safetensors_bytes({"a": entry(0, 64), "b": entry(64, 128)}, floats)
    (folder / "truncated.safetensors").write_bytes(whole[:-63])
    (folder / "overlap.safetensors").write_bytes(
        safetensors_bytes({"a": entry(0, 64), "b": entry(32, 96)}, floats[:96]))
    (folder / "badheader.safetensors").write_bytes(
        safetensors_bytes({"a": entry(0, 96)}, floats[:96], claimed=1 << 40))
