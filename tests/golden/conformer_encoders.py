# SPDX-License-Identifier: GPL-3.0-or-later
"""Two small random conformers as published models are stored, and what transformers computes from the start of the demo recording.

    wav2vec2-bert-small   Wav2Vec2BertForCTC, float32: narrow reach, other epsilon, half feed-forward, two adapter layers of another width
    parakeet-small        ParakeetForCTC, bfloat16: 32 mel bins, factor 4, no biases, no input scale

Each folder is what save_pretrained writes (and tokenizer files written by hand); its expected/ holds
  input_features.npy   hidden_states.npy [layers + 1, tokens, width]   attention.npy [layers, heads, tokens, tokens]   logits.npy
  contribution.npy [layers, V, V] and head_relevance.npy [layers, V, heads] over the V valid tokens, in double   expected.json
"""

import numpy as np
import soundfile
import torch
from transformers import (ParakeetCTCConfig, ParakeetEncoderConfig, ParakeetFeatureExtractor, ParakeetForCTC,
                          SeamlessM4TFeatureExtractor, Wav2Vec2BertConfig, Wav2Vec2BertForCTC)

from files import RATE, demo_samples, write_array, write_json

SAMPLES = 19_300  # an odd number of Kaldi frames, and a NeMo frame behind the last hop that makes a token: both end in a masked one
LETTERS = list("abcdefghijklmnopqrstuvwxyz") + ["'"]


def randomise(model, seed):
    """Weights that make maps neither uniform nor single points."""
    generator = torch.Generator().manual_seed(seed)
    for name, tensor in list(model.named_parameters()) + list(model.named_buffers()):
        if not tensor.is_floating_point() or "inv_freq" in name:
            continue
        noise = torch.randn(tensor.shape, generator=generator)
        if "running_var" in name:
            value = 0.5 + noise.abs()
        elif tensor.dim() < 2:
            value = (1 if name.endswith("weight") else 0) + 0.2 * noise
        else:
            value = noise * 1.2 / np.sqrt(tensor[0].numel())
        with torch.no_grad():
            tensor.copy_(value)


def decomposed(x, attention, norm, v, out, epsilon):
    """(C, head relevance) of x + MHA(LN(x)) in double: the [N, N, width] tensor is written out."""
    heads, n = attention.shape[0], len(x)
    weight, bias = norm
    y = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + epsilon) * weight + bias
    values = (y @ v[0].T + v[1]).reshape(n, heads, -1)
    output = out.reshape(len(out), heads, -1)
    moved = np.einsum("jhs,whs->hjw", values, output)
    terms = np.einsum("hij,hjw->ijw", attention, moved)
    each = np.linalg.norm(np.einsum("hij,hjw->hiw", attention, moved), axis=-1).T
    terms[np.arange(n), np.arange(n)] += x
    norms = np.linalg.norm(terms, axis=-1)
    return norms / norms.sum(-1, keepdims=True), each / each.sum(-1, keepdims=True)


def expected(folder, model, features, mask, attentions_of, valid, blank, decode, epsilon, names, masked_is_blank=False):
    states, inputs, hooks = [], [], []
    layers = list(attentions_of(model))
    for layer in layers:
        norm = getattr(layer, names["norm"])
        hooks.append(norm.register_forward_pre_hook(lambda _, a: inputs.append(a[0][0].double().numpy())))
        hooks.append(layer.register_forward_hook(
            lambda _, a, out: states.append((out[0] if isinstance(out, tuple) else out).reshape(-1, out[0].shape[-1]))))
        hooks.append(layer.register_forward_pre_hook(
            lambda _, a, k: states.append((a[0] if a else k["hidden_states"])[0]) if not states else None,
            with_kwargs=True))
    with torch.no_grad():
        result = model(input_features=features, attention_mask=mask, output_attentions=True)
    for hook in hooks:
        hook.remove()
    attention = np.stack([a[0].numpy() for a in result.attentions[:len(layers)]])
    contributions, relevance = [], []
    for layer, x, maps in zip(layers, inputs, attention.astype(np.float64)):
        part = {name: tensor.double().numpy() for name, tensor in layer.state_dict().items()}
        v = (part[names["v"] + ".weight"], part.get(names["v"] + ".bias", 0))
        c, share = decomposed(x[:valid], maps[:, :valid, :valid], (part[names["norm"] + ".weight"], part[names["norm"] + ".bias"]),
                              v, part[names["out"] + ".weight"], epsilon)
        contributions.append(c)
        relevance.append(share)
    logits = result.logits[0].numpy()
    ids = logits.argmax(-1)
    heard = ids.copy()
    if masked_is_blank:
        heard[valid:] = blank
    best = np.sort(logits, -1)
    assert (best[:, -1] - best[:, -2]).min() > 1e-3, "two best labels too close: another seed"
    collapsed = [int(i) for place, i in enumerate(heard) if i != blank and (place == 0 or i != heard[place - 1])]
    write_array(folder / "expected/input_features.npy", features[0].numpy())
    write_array(folder / "expected/hidden_states.npy", torch.stack(states).numpy())
    write_array(folder / "expected/attention.npy", attention)
    write_array(folder / "expected/logits.npy", logits)
    write_array(folder / "expected/contribution.npy", np.stack(contributions).astype(np.float32))
    write_array(folder / "expected/head_relevance.npy", np.stack(relevance).astype(np.float32))
    write_json(folder / "expected/expected.json",
               {"audio": "../../audio/demo.wav", "samples": SAMPLES, "tokens": attention.shape[-1], "valid_tokens": valid,
                "ctc": {"blank": blank, "ids": ids.tolist(), "collapsed": collapsed, "text": decode(collapsed)}})


def wav2vec2_bert(folder, samples):
    config = Wav2Vec2BertConfig(
        vocab_size=len(LETTERS) + 5, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24,
        left_max_position_embeddings=5, right_max_position_embeddings=3, conv_depthwise_kernel_size=7, layer_norm_eps=1e-3,
        use_intermediate_ffn_before_adapter=True, add_adapter=True, num_adapter_layers=2, output_hidden_size=12,
        adapter_kernel_size=3, adapter_stride=2, adapter_act="gelu", hidden_act="swish", pad_token_id=29, bos_token_id=30,
        eos_token_id=31, mask_time_prob=0.05)
    config._attn_implementation = "eager"
    model = Wav2Vec2BertForCTC(config).eval()
    randomise(model, 5)
    model.save_pretrained(folder)
    extractor = SeamlessM4TFeatureExtractor(feature_size=80, num_mel_bins=80, padding_value=1.0, stride=2)
    extractor.save_pretrained(folder)
    pieces = LETTERS + ["|", "[UNK]", "[PAD]"]
    write_json(folder / "vocab.json", {piece: i for i, piece in enumerate(pieces)})
    write_json(folder / "added_tokens.json", {"<s>": 30, "</s>": 31})
    write_json(folder / "tokenizer_config.json", {
        "tokenizer_class": "Wav2Vec2CTCTokenizer", "word_delimiter_token": "|", "pad_token": "[PAD]", "unk_token": "[UNK]",
        "bos_token": "<s>", "eos_token": "</s>", "do_lower_case": False, "replace_word_delimiter_char": " "})
    given = extractor(samples, sampling_rate=RATE, return_tensors="pt")
    pieces += ["<s>", "</s>"]
    expected(folder, model, given.input_features, given.attention_mask, lambda m: m.wav2vec2_bert.encoder.layers,
             int(given.attention_mask.sum()), 29, lambda ids: "".join(pieces[i] for i in ids).replace("|", " ").strip(), 1e-3,
             {"norm": "self_attn_layer_norm", "v": "self_attn.linear_v", "out": "self_attn.linear_out"})


def parakeet(folder, samples):
    pieces = ["<unk>"] + ["▁" + c for c in LETTERS] + LETTERS + ["▁the", "an", "he", "<pad>"]
    blank = len(pieces) - 1
    config = ParakeetCTCConfig(
        vocab_size=len(pieces), pad_token_id=blank,
        encoder_config=ParakeetEncoderConfig(
            hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24, attention_bias=False,
            convolution_bias=False, conv_kernel_size=5, subsampling_factor=4, subsampling_conv_channels=4, num_mel_bins=32,
            scale_input=False, hidden_act="silu"))
    config._attn_implementation = "eager"
    model = ParakeetForCTC(config).eval()
    randomise(model, 7)
    model.to(torch.bfloat16).save_pretrained(folder)
    # Read again: the conversion rounded the frequencies of the positions, which are in no file.
    model = ParakeetForCTC.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    extractor = ParakeetFeatureExtractor(feature_size=32)
    extractor.save_pretrained(folder)
    merges = [["a", "n"], ["h", "e"], ["▁t", "he"]]
    write_json(folder / "tokenizer.json", {
        "version": "1.0", "added_tokens": [{"id": 0, "content": "<unk>", "special": True}, {"id": blank, "content": "<pad>", "special": True}],
        "normalizer": None, "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "model": {"type": "BPE", "unk_token": "<unk>", "vocab": {p: i for i, p in enumerate(pieces)}, "merges": merges}})
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": "ParakeetTokenizer", "pad_token": "<pad>", "unk_token": "<unk>"})
    given = extractor(samples, sampling_rate=RATE, return_tensors="pt")
    valid = len(samples) // 160
    for _ in range(2):
        valid = (valid - 1) // 2 + 1
    expected(folder, model, given.input_features, given.attention_mask, lambda m: m.encoder.layers, valid, blank,
             lambda ids: "".join(pieces[i] for i in ids).replace("▁", " ").strip(), 1e-5,
             {"norm": "norm_self_att", "v": "self_attn.v_proj", "out": "self_attn.o_proj"}, masked_is_blank=True)  # as generate()


def make(out, repository):
    torch.manual_seed(1)
    pcm = demo_samples(repository)[:SAMPLES]
    (out / "audio").mkdir(parents=True, exist_ok=True)
    soundfile.write(out / "audio/demo.wav", pcm, RATE, subtype="PCM_16")
    samples = pcm.astype(np.float32) / 32768
    wav2vec2_bert(out / "wav2vec2-bert-small", samples)
    parakeet(out / "parakeet-small", samples)
