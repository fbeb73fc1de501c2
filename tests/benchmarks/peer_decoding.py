# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches of other libraries: Hugging Face generate (Speech2Text, random weights), pyctcdecode, flashlight-text.

The peer of `headroom-worker bench decoding`, which starts it and asks with one line for one answer {"seconds", "name"}:

    generate BATCH FRAMES TOKENS BEAMS     features of the same shape, exactly so many tokens
    pyctcdecode FILE BEAM                  FILE: ln P [frame, label] as .npy, label 0 is the blank
    pyctcdecode-whole FILE BEAM            the same without its pruning of tokens and beams
    flashlight FILE BEAM                   the same file, no lexicon and no language model, the 100 best labels of a frame

The first call of each question is not timed. A library that is not installed is answered by {"problem"}.
"""
import json
import logging
import sys
import time

import torch
import transformers

THREADS = 2
logging.disable(logging.WARNING)
transformers.logging.set_verbosity_error()


def generate(batch, frames, tokens, beams):
    config = transformers.Speech2TextConfig(
        vocab_size=8000, d_model=256, encoder_layers=12, encoder_ffn_dim=2048, encoder_attention_heads=4, decoder_layers=6,
        decoder_ffn_dim=2048, decoder_attention_heads=4, conv_channels=1024, max_source_positions=6000,
        max_target_positions=1024, tie_word_embeddings=False)
    torch.manual_seed(1)
    model = transformers.Speech2TextForConditionalGeneration(config).eval()
    features = torch.randn(batch, frames, 80)
    mask = torch.ones(batch, frames, dtype=torch.long)

    def search():
        with torch.inference_mode():
            found = model.generate(features, attention_mask=mask, num_beams=beams, max_new_tokens=tokens,
                                   min_new_tokens=tokens, do_sample=False)
        assert found.shape[1] == tokens + 1, found.shape

    return search, f"transformers {transformers.__version__}, torch {torch.__version__} (generate)"


def labels(count):
    return [""] + [chr(0x4e00 + i) for i in range(count - 1)]


def pyctcdecode(file, beam, whole=False):
    import numpy
    import pyctcdecode as library

    scores = numpy.load(file).astype(numpy.float32)
    decoder = library.build_ctcdecoder(labels(scores.shape[1]))
    more = {"token_min_logp": -1e9, "beam_prune_logp": -1e9} if whole else {}
    return (lambda: decoder.decode_beams(scores, beam_width=beam, **more),
            "pyctcdecode 0.5" + (" without pruning" if whole else " with its pruning"))


def flashlight(file, beam):
    import numpy
    from flashlight.lib.text.decoder import CriterionType, LexiconFreeDecoder, LexiconFreeDecoderOptions, ZeroLM

    scores = numpy.ascontiguousarray(numpy.load(file).astype(numpy.float32))
    frames, count = scores.shape
    options = LexiconFreeDecoderOptions(
        beam_size=beam, beam_size_token=min(count, 100), beam_threshold=1e9, lm_weight=0, sil_score=0, log_add=True,
        criterion_type=CriterionType.CTC)
    decoder = LexiconFreeDecoder(options, ZeroLM(), count - 1, 0, [])  # no label is silence, 0 is the blank
    return (lambda: decoder.decode(scores.ctypes.data, frames, count)), "flashlight-text (LexiconFreeDecoder)"


def answer(line, known):
    if line not in known:
        kind, *rest = line.split()
        if kind == "generate":
            known[line] = generate(*map(int, rest))
        elif kind == "flashlight":
            known[line] = flashlight(rest[0], int(rest[1]))
        else:
            known[line] = pyctcdecode(rest[0], int(rest[1]), kind.endswith("whole"))
        known[line][0]()
    search, name = known[line]
    start = time.perf_counter()
    search()
    return {"seconds": time.perf_counter() - start, "name": name}


def main():
    torch.set_num_threads(THREADS)
    print(json.dumps({"torch": torch.__version__, "transformers": transformers.__version__}), flush=True)
    known = {}
    for line in sys.stdin:
        try:
            print(json.dumps(answer(line.strip(), known)), flush=True)
        except ImportError as error:
            print(json.dumps({"problem": str(error)}), flush=True)


if __name__ == "__main__":
    main()
