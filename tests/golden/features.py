# SPDX-License-Identifier: GPL-3.0-or-later
"""Log-mel features with torchaudio's Kaldi filter bank, and after utterance CMVN.

Arrays: NAME.fbank.npy and NAME.cmvn.npy [frames, 80], float32, natural logarithm, samples scaled by 32768.
"""

import numpy as np
import soundfile
import torch
import torchaudio

from files import RATE, demo_samples, write_array, write_json


def filterbank(samples):
    """[frames, 80] of int16 samples at 16 kHz."""
    waveform = torch.from_numpy(samples.astype(np.float32))[None]
    return torchaudio.compliance.kaldi.fbank(
        waveform, num_mel_bins=80, sample_frequency=float(RATE), dither=0.0).numpy()


def cmvn(features):
    """(x - mean) / sqrt(max(variance, 1e-10)) per bin, population variance over frames, in double."""
    exact = features.astype(np.float64)
    return ((exact - exact.mean(0)) / np.sqrt(np.maximum(exact.var(0), 1e-10))).astype(np.float32)


def cuts(samples):
    """(name, samples, how it was cut). The noise keeps bins of a synthetic voice from lying far below the loudest one,
    where single precision decides the last digits of any filter bank."""
    noise = np.random.default_rng(1).integers(-16, 17, len(samples)).astype(np.int16)
    samples = samples // 2 + noise
    silence = samples[30000:40000].copy()
    silence[3200:6400] = 0
    loud = np.clip(samples[4000:12000].astype(np.int64) * 16, -32768, 32767).astype(np.int16)
    return [("short", samples[:20960], "samples 0..20959"),
            ("medium", samples[:35840], "samples 0..35839"),
            ("cut", samples[9920:17657], "samples 9920..17656, below one second"),
            ("silence", silence, "samples 30000..39999; of these 3200..6399 set to exactly 0"),
            ("clipped", loud, "samples 4000..11999 times 16, limited to 16 bits"),
            ("frame400", samples[17600:18000], "samples 17600..17999: one frame exactly")]


def make(folder, repository):
    folder.mkdir(parents=True)
    utterances = []
    for name, samples, how in cuts(demo_samples(repository)):
        soundfile.write(folder / f"{name}.wav", samples, RATE, subtype="PCM_16")
        features = filterbank(samples)
        write_array(folder / f"{name}.fbank.npy", features)
        write_array(folder / f"{name}.cmvn.npy", cmvn(features))
        utterances.append({"name": name, "audio": f"fbank/{name}.wav", "samples": len(samples),
                           "frames": len(features), "source": "resources/demo/demo.wav at 16 kHz, halved, with noise of at most 16", "how": how})
    write_json(folder / "utterances.json", utterances)
