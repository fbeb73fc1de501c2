# SPDX-License-Identifier: GPL-3.0-or-later
"""Pitch by Kaldi itself: ComputeKaldiPitch and ProcessPitch of the library inside vosk's wheel, which exports them.

Arrays: NAME.npy [frames, 5], float32: normalised cross-correlation, hertz, and the three features of
process-kaldi-pitch-feats with --delta-pitch-noise-stddev=0. Recordings: those of parity/fbank; "all" is five of them
one after the other, longer than the 500 frames after which Kaldi no longer corrects its energy; "click" ends in a click
that changes the energy.
"""

import ctypes
import importlib.util
import pathlib

import numpy as np
import soundfile

from files import RATE, write_array

F, I, B = ctypes.c_float, ctypes.c_int32, ctypes.c_bool


class Extraction(ctypes.Structure):
    _fields_ = [(name, F) for name in (
        "samp_freq", "frame_shift_ms", "frame_length_ms", "preemph_coeff", "min_f0", "max_f0", "soft_min_f0",
        "penalty_factor", "lowpass_cutoff", "resample_freq", "delta_pitch", "nccf_ballast")] + [
        ("lowpass_filter_width", I), ("upsample_filter_width", I), ("max_frames_latency", I), ("frames_per_chunk", I),
        ("simulate_first_pass_online", B), ("recompute_frame", I), ("nccf_ballast_online", B), ("snip_edges", B)]


class Processing(ctypes.Structure):
    _fields_ = [(name, F) for name in (
        "pitch_scale", "pov_scale", "pov_offset", "delta_pitch_scale", "delta_pitch_noise_stddev")] + [
        ("left_context", I), ("right_context", I), ("delta_window", I), ("delay", I),
        ("pov", B), ("normalized_log_pitch", B), ("delta", B), ("raw_log_pitch", B)]


class Vector(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(F)), ("dim", I)]


class Matrix(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(F)), ("columns", I), ("rows", I), ("stride", I)]

    def array(self):
        return np.array([[self.data[row * self.stride + column] for column in range(self.columns)]
                         for row in range(self.rows)], dtype=np.float32)


def library():
    package = pathlib.Path(importlib.util.find_spec("vosk").origin).parent
    return ctypes.CDLL(str(package / "libvosk.so"))


def pitch(kaldi, samples):
    samples = np.ascontiguousarray(samples, dtype=np.float32)
    defaults = Extraction(RATE, 10, 25, 0, 50, 400, 10, 0.1, 1000, 4000, 0.005, 7000, 1, 5, 0, 0, False, 500, False, True)
    processing = Processing(2, 2, 0, 10, 0, 75, 75, 2, 0, True, True, True, False)
    tracked, features = Matrix(), Matrix()
    kaldi._ZN5kaldi17ComputeKaldiPitchERKNS_22PitchExtractionOptionsERKNS_10VectorBaseIfEEPNS_6MatrixIfEE(
        ctypes.byref(defaults), ctypes.byref(Vector(samples.ctypes.data_as(ctypes.POINTER(F)), len(samples))),
        ctypes.byref(tracked))
    kaldi._ZN5kaldi12ProcessPitchERKNS_19ProcessPitchOptionsERKNS_10MatrixBaseIfEEPNS_6MatrixIfEE(
        ctypes.byref(processing), ctypes.byref(tracked), ctypes.byref(features))
    return np.concatenate([tracked.array(), features.array()], axis=1)


def make(folder, fbank):
    kaldi = library()
    recordings = {name: soundfile.read(fbank / f"{name}.wav", dtype="int16")[0]
                  for name in ("medium", "short", "cut", "clipped", "silence", "frame400")}
    recordings["all"] = np.concatenate([recordings[name] for name in ("medium", "short", "cut", "clipped", "silence")])
    click = np.random.default_rng(3).integers(-3, 4, 3200).astype(np.int16)
    click[-3:] = 20000
    folder.mkdir(parents=True)
    soundfile.write(folder / "click.wav", click, RATE, subtype="PCM_16")
    recordings["click"] = click
    for name, samples in recordings.items():
        if name != "short":
            write_array(folder / f"{name}.npy", pitch(kaldi, samples))
