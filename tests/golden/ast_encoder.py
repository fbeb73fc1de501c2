# SPDX-License-Identifier: GPL-3.0-or-later
"""A small random AST as Hugging Face saves it, and what the library computes from 0.4 s of the demo: features, states,
maps, contributions. Everything is in the library's order: two class tokens, then the patches band by band.

Its window has 48 frames, of which 38 belong to the recording: 6 of 7 columns of 4 bands, 24 of 30 tokens."""

import numpy as np
import torch
import transformers

from conformer_encoders import decomposed
from encoders import randomise
from files import RATE, demo_samples, write_array, write_json

SEED = 2021
WIDTH, INNER, LAYERS, HEADS = 8, 12, 2, 2
BINS, WINDOW, PATCH, ACROSS, ALONG = 24, 48, 8, 5, 6


def made_model():
    torch.manual_seed(SEED)
    model = transformers.ASTForAudioClassification(transformers.ASTConfig(
        hidden_size=WIDTH, intermediate_size=INNER, num_hidden_layers=LAYERS, num_attention_heads=HEADS, num_labels=3,
        num_mel_bins=BINS, max_length=WINDOW, patch_size=PATCH, frequency_stride=ACROSS, time_stride=ALONG,
        layer_norm_eps=1e-6, attn_implementation="eager")).eval()
    randomise(model, SEED)
    return model


@torch.no_grad()
def make(out, repository):
    folder = out / "ast-small"
    expected = folder / "expected"
    model = made_model()
    model.save_pretrained(folder)
    extractor = transformers.ASTFeatureExtractor(num_mel_bins=BINS, max_length=WINDOW)
    extractor.save_pretrained(folder)
    samples = demo_samples(repository)[6000:12400].astype(np.float32) / 32768  # audio/short.wav
    features = extractor(samples, sampling_rate=RATE, return_tensors="pt")["input_values"]
    encoder = model.audio_spectrogram_transformer
    states, inputs = [], []
    for layer in encoder.layers:
        layer.register_forward_pre_hook(lambda _, given: states.append(given[0][0]) if not states else None)
        layer.register_forward_hook(lambda _, given, result: states.append(result[0]) and None)
        layer.layernorm_before.register_forward_pre_hook(lambda _, given: inputs.append(given[0][0].double().numpy()))
    answer = encoder(features, output_attentions=True)
    attention = np.stack([maps[0].numpy() for maps in answer.attentions])
    contributions, relevance = [], []
    for layer, x, maps in zip(encoder.layers, inputs, attention.astype(np.float64)):
        double = lambda module: (module.weight.double().numpy(), module.bias.double().numpy())
        norm, block = layer.layernorm_before, layer.attention
        c, h = decomposed(x, maps, double(norm), double(block.v_proj), double(block.o_proj)[0], norm.eps)
        contributions.append(c)
        relevance.append(h)
    bands, columns = (BINS - PATCH) // ACROSS + 1, (WINDOW - PATCH) // ALONG + 1
    frames = 1 + (len(samples) - 400) // 160
    own = (frames - PATCH) // ALONG + 1
    assert attention.shape[-1] == bands * columns + 2 and own < columns
    single = lambda arrays: np.stack(arrays).astype(np.float32)
    write_array(expected / "input_values.npy", features[0, :frames + 1].numpy())
    write_array(expected / "hidden_states.npy", single([state.numpy() for state in states]))
    write_array(expected / "encoder_output.npy", answer.last_hidden_state[0].numpy())
    write_array(expected / "attention.npy", attention)
    write_array(expected / "contribution.npy", single(contributions))
    write_array(expected / "head_relevance.npy", single(relevance))
    first = 160.0 * ALONG * np.arange(own)  # of the first sample of each column; the last, exclusive; the centre
    length = 160.0 * (PATCH - 1) + 400
    write_array(expected / "clock.npy", np.stack([first, first + length, first + length / 2], axis=1))
    write_json(expected / "expected.json", {
        "audio": "../../audio/short.wav", "bands": bands, "columns": columns, "valid_columns": own, "layers": LAYERS,
        "heads": HEADS})
