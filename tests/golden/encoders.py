# SPDX-License-Identifier: GPL-3.0-or-later
"""Random encoders that read a waveform, as Hugging Face saves them, and what the library computes from 0.4 s of the demo:
states, maps per head, contributions materialised in float64, labels of the CTC output. The layout is that of the larger
set that is not in the repository (data/parity/encoders)."""

import math

import numpy as np
import soundfile
import torch
import transformers

from files import RATE, demo_samples, write_array, write_json

SEED = 20261
WIDTH, INNER = 16, 24
LETTERS = ["<pad>", "<s>", "</s>", "<unk>", "|"] + list("ETAONIHSRDLUMWCFGYPBVK'XJQZ")
SMALL = dict(
    hidden_size=WIDTH, intermediate_size=INNER, num_hidden_layers=2, num_attention_heads=2, vocab_size=len(LETTERS),
    conv_dim=[8] * 7, num_feat_extract_layers=7, num_conv_pos_embedding_groups=4, layerdrop=0.0)
FAMILIES = {
    "wav2vec2": (transformers.Wav2Vec2Config, transformers.Wav2Vec2ForCTC, dict(num_conv_pos_embeddings=16)),
    "wav2vec2-adapters": (transformers.Wav2Vec2Config, transformers.Wav2Vec2ForCTC, dict(
        num_conv_pos_embeddings=15, do_stable_layer_norm=True, feat_extract_norm="layer", conv_bias=True,
        adapter_attn_dim=6, layer_norm_eps=1e-3, hidden_act="gelu_new")),
    "hubert-batch-norm": (transformers.HubertConfig, transformers.HubertForCTC, dict(
        num_conv_pos_embeddings=16, conv_pos_batch_norm=True, feat_proj_layer_norm=False, hidden_act="relu",
        pad_token_id=len(LETTERS) - 1)),
    "wavlm": (transformers.WavLMConfig, transformers.WavLMForCTC, dict(
        num_conv_pos_embeddings=16, do_stable_layer_norm=True, feat_extract_norm="layer", num_buckets=16,
        max_bucket_distance=20)),
    "data2vec-audio": (transformers.Data2VecAudioConfig, transformers.Data2VecAudioForCTC, dict(
        num_conv_pos_embeddings=2, conv_pos_kernel_size=5)),
}


def randomise(model, seed):
    """Far from initial values, so that a swapped or forgotten tensor shows."""
    generator = torch.Generator().manual_seed(seed)
    for name, tensor in list(model.named_parameters()) + list(model.named_buffers()):
        if not tensor.dtype.is_floating_point:
            continue
        noise = torch.randn(tensor.shape, generator=generator)
        with torch.no_grad():
            if "norm" in name and name.endswith("weight"):
                tensor.copy_(1 + 0.3 * noise)
            elif name.endswith("running_var"):
                tensor.copy_(0.5 + noise.abs())
            elif name.endswith("original0") or name.endswith("weight_g"):
                tensor.copy_(1 + noise.abs())
            elif "lm_head" in name:
                tensor.copy_(noise)
            elif tensor.dim() > 1:
                tensor.copy_(noise * 1.6 / math.sqrt(tensor[0].numel()))
            else:
                tensor.copy_(0.3 * noise)


def maps_of(attention, x, bias):
    """Per head, after the softmax; the library gives WavLM's only as their mean."""
    tokens, heads = x.shape[0], attention.num_heads
    cut = lambda y: y.view(tokens, heads, -1).transpose(0, 1)
    scores = cut(attention.q_proj(x)) @ cut(attention.k_proj(x)).transpose(1, 2) / math.sqrt(x.shape[1] // heads)
    if bias is not None:
        gates = attention.gru_rel_pos_linear(cut(x)).view(heads, tokens, 2, 4).sum(-1).sigmoid()
        gate = gates[..., :1] * (gates[..., 1:] * attention.gru_rel_pos_const.view(heads, 1, 1) - 1) + 2
        scores = scores + gate * bias
    return scores.softmax(-1), cut(attention.v_proj(x))


def contributions(maps, values, attention, x, block, norm):
    """C and head relevance, materialised in float64; `norm`: of a post-norm layer, linearised."""
    weight = attention.out_proj.weight.detach().double()
    cut = weight.view(weight.shape[0], maps.shape[0], -1).permute(1, 2, 0)
    u = values.double() @ cut  # [head, key, width]
    terms = torch.einsum("hij,hjd->ijd", maps.double(), u)
    terms += torch.eye(len(x), dtype=torch.float64)[:, :, None] * x.double()[None]
    z = torch.einsum("hij,hjd->hid", maps.double(), u).norm(dim=-1).T
    if norm is not None:
        terms = (terms - terms.mean(-1, keepdim=True)) * norm.weight.detach().double()
        terms /= (block.double().var(-1, unbiased=False, keepdim=True) + norm.eps).sqrt()[:, None]
    sizes = terms.norm(dim=-1)
    return sizes / sizes.sum(-1, keepdim=True), z / z.sum(-1, keepdim=True)


@torch.no_grad()
def make_one(folder, name, audio, samples):
    config_class, model_class, settings = FAMILIES[name]
    torch.manual_seed(SEED)
    config = config_class(**{"pad_token_id": 0, **SMALL, **settings})
    model = model_class(config).eval()
    model.config._attn_implementation = "eager"
    randomise(model, SEED + len(name))
    model.save_pretrained(folder)
    blank = config.pad_token_id
    letters = LETTERS if blank == 0 else LETTERS[1:] + LETTERS[:1]
    write_json(folder / "vocab.json", {letter: i for i, letter in enumerate(letters)})
    write_json(folder / "tokenizer_config.json", {
        "tokenizer_class": "Wav2Vec2CTCTokenizer", "word_delimiter_token": "|", "replace_word_delimiter_char": " ",
        "pad_token": "<pad>", "unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>", "do_lower_case": False})
    normalised = name != "wavlm"
    write_json(folder / "preprocessor_config.json", {
        "feature_extractor_type": "Wav2Vec2FeatureExtractor", "feature_size": 1, "sampling_rate": RATE,
        "do_normalize": normalised})
    x = samples.astype(np.float64) / 32768
    if normalised:
        x = (x - x.mean()) / np.sqrt(x.var() + 1e-7)
    encoder = model.base_model.encoder
    pre = bool(getattr(config, "do_stable_layer_norm", False))
    inputs, outputs, blocks = [], [], []
    for layer in encoder.layers:
        layer.register_forward_hook(lambda _, given, kept, out=None: (
            inputs.append(given[0][0]), outputs.append((kept[0] if isinstance(kept, tuple) else kept).reshape(
                given[0].shape)[0])) and None)
        layer.attention.register_forward_hook(lambda _, given, kwargs, kept: blocks.append(
            (kept[0] if isinstance(kept, tuple) else kept).reshape(-1, WIDTH)) and None, with_kwargs=True)
    answer = model(torch.tensor(x, dtype=torch.float32)[None])
    last = model.base_model(torch.tensor(x, dtype=torch.float32)[None]).last_hidden_state[0]
    count = len(encoder.layers)
    inputs, outputs, blocks = inputs[:count], outputs[:count], blocks[:count]
    bias = None
    if name == "wavlm":
        bias = encoder.layers[0].attention.compute_bias(len(last), len(last))
    all_maps, all_contributions, all_relevance = [], [], []
    for layer, given, attended in zip(encoder.layers, inputs, blocks):
        read = layer.layer_norm(given) if pre else given
        maps, values = maps_of(layer.attention, read, bias)
        joined = layer.attention.out_proj((maps @ values).transpose(0, 1).reshape(len(given), -1))
        assert (joined - attended).abs().max() < 1e-5, name
        c, relevance = contributions(maps, values, layer.attention, given, given + attended,
                                     None if pre else layer.layer_norm)
        all_maps.append(maps)
        all_contributions.append(c)
        all_relevance.append(relevance)
    expected = folder / "expected"
    single = lambda arrays: torch.stack(list(arrays)).numpy().astype(np.float32)
    write_array(expected / "hidden_states.npy", single([inputs[0], *outputs]))
    write_array(expected / "attention.npy", single(all_maps))
    write_array(expected / "contribution.npy", single(all_contributions))
    write_array(expected / "head_relevance.npy", single(all_relevance))
    if pre:
        write_array(expected / "encoder_output.npy", last.numpy())
    first = 320.0 * np.arange(len(last))
    write_array(expected / "clock.npy", np.stack([first, first + 400, first + 200], axis=1))
    ids = answer.logits[0].argmax(-1).tolist()
    collapsed = [i for t, i in enumerate(ids) if i != blank and (t == 0 or i != ids[t - 1])]
    text = "".join(" " if letters[i] == "|" else letters[i] for i in collapsed).strip()
    top = answer.logits[0].topk(2).values
    assert (top[:, 0] - top[:, 1]).min() > 1e-3, (name, "two labels are nearly equal")
    write_json(expected / "expected.json", {
        "audio": f"../../audio/{audio}", "tokens": len(last), "layers": count, "heads": 2,
        "ctc": {"blank": blank, "ids": ids, "collapsed": collapsed, "text": text}})


def make(out, repository):
    samples = demo_samples(repository)[6000:12400]
    out.mkdir(parents=True, exist_ok=True)
    (out / "audio").mkdir(exist_ok=True)
    soundfile.write(out / "audio" / "short.wav", samples, RATE, subtype="PCM_16")
    for name in FAMILIES:
        make_one(out / name, name, "short.wav", samples)
