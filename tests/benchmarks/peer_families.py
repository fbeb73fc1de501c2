# SPDX-License-Identifier: GPL-3.0-or-later
"""The encoders of wav2vec2-base and whisper-small in Hugging Face transformers (eager, SDPA), random weights.

The peer of `headroom-worker bench families`, which starts it and asks for one forward pass after the other: a line
"wav2vec2" or "whisper" on standard input is answered by {"seconds", "bytes"} on standard output. `bytes`: weights, and how far
the resident set rose during the pass. The first pass of each model is not timed.
"""
import json
import re
import sys
import time

import torch
import transformers

SECONDS, RATE, THREADS = 15, 16000, 2


def wav2vec2():
    model = transformers.Wav2Vec2Model(transformers.Wav2Vec2Config(attn_implementation="sdpa"))
    return model, torch.randn(1, SECONDS * RATE)


def whisper():
    config = transformers.WhisperConfig(
        d_model=768, encoder_layers=12, encoder_attention_heads=12, encoder_ffn_dim=3072, decoder_layers=1,
        decoder_attention_heads=12, decoder_ffn_dim=3072, num_mel_bins=80, attn_implementation="sdpa")
    return transformers.WhisperModel(config).get_encoder(), torch.randn(1, 80, 3000)


def status(field):  # bytes
    with open("/proc/self/status") as file:
        return int(re.search(rf"{field}:\s+(\d+)", file.read()).group(1)) * 1024


def main():
    torch.set_num_threads(THREADS)
    torch.manual_seed(1)
    models = {}
    print(json.dumps({"torch": torch.__version__, "transformers": transformers.__version__}), flush=True)
    for line in sys.stdin:
        name = line.strip()
        if name not in models:
            model, features = {"wav2vec2": wav2vec2, "whisper": whisper}[name]()
            models[name] = model.eval(), features
            with torch.inference_mode():
                model(features)
        model, features = models[name]
        before = status("VmRSS")
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")  # the peak starts again
        with torch.inference_mode():
            start = time.perf_counter()
            model(features)
            seconds = time.perf_counter() - start
        weights = sum(tensor.numel() * tensor.element_size() for tensor in model.parameters())
        print(json.dumps({"seconds": seconds, "bytes": weights + max(0, status("VmHWM") - before)}), flush=True)


if __name__ == "__main__":
    main()
