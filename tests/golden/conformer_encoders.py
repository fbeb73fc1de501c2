# SPDX-License-Identifier: GPL-3.0-or-later
"""Two small random conformers as published models are stored, and what transformers computes from the start of the demo recording.

    wav2vec2-bert-small   Wav2Vec2BertForCTC, float32: narrow reach, other epsilon, half feed-forward, two adapter layers of another width
    parakeet-small        ParakeetForCTC, bfloat16: 32 mel bins, factor 4, no biases, no input scale
    parakeet-tdt          ParakeetForTDT, bfloat16: the same sizes, an LSTM of two layers, durations 0 to 3
    parakeet-rnnt         ParakeetForRNNT, bfloat16: an LSTM of one layer, at most 2 symbols a frame

Each folder is what save_pretrained writes (and tokenizer files written by hand); its expected/ holds
  input_features.npy   hidden_states.npy [layers + 1, tokens, width]   attention.npy [layers, heads, tokens, tokens]   logits.npy
  contribution.npy [layers, V, V] and head_relevance.npy [layers, V, heads] over the V valid tokens, in double   expected.json
The transducers have hidden_states.npy and expected.json only: greedy ids without blanks, the frame of each, and their text.
"""

import numpy as np
import soundfile
import torch
from transformers import (ParakeetCTCConfig, ParakeetEncoderConfig, ParakeetFeatureExtractor, ParakeetForCTC,
                          ParakeetForRNNT, ParakeetForTDT, ParakeetRNNTConfig, ParakeetTDTConfig, SeamlessM4TFeatureExtractor, Wav2Vec2BertConfig, Wav2Vec2BertForCTC)

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


def write_pieces(folder, pieces, special):
    merges = [["a", "n"], ["h", "e"], ["▁t", "he"]]
    space = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    write_json(folder / "tokenizer.json", {
        "version": "1.0", "added_tokens": [{"id": i, "content": pieces[i], "special": True} for i in special],
        "normalizer": None, "pre_tokenizer": space, "decoder": space,
        "model": {"type": "BPE", "unk_token": "<unk>", "vocab": {p: i for i, p in enumerate(pieces)}, "merges": merges}})


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
    write_pieces(folder, pieces, [0, blank])
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": "ParakeetTokenizer", "pad_token": "<pad>", "unk_token": "<unk>"})
    given = extractor(samples, sampling_rate=RATE, return_tensors="pt")
    valid = len(samples) // 160
    for _ in range(2):
        valid = (valid - 1) // 2 + 1
    expected(folder, model, given.input_features, given.attention_mask, lambda m: m.encoder.layers, valid, blank,
             lambda ids: "".join(pieces[i] for i in ids).replace("▁", " ").strip(), 1e-5,
             {"norm": "norm_self_att", "v": "self_attn.v_proj", "out": "self_attn.o_proj"}, masked_is_blank=True)  # as generate()


def transducer(folder, samples, durations, seed):
    """TDT with durations, RNN-T without."""
    pieces = ["<unk>"] + ["▁" + c for c in LETTERS] + LETTERS + ["▁the", "an", "he", "<pad>", "<blank>"]
    blank = len(pieces) - 1
    shape = dict(
        vocab_size=len(pieces), pad_token_id=blank - 1, blank_token_id=blank, decoder_hidden_size=12,
        num_decoder_layers=2 if durations else 1, max_symbols_per_step=10 if durations else 2, hidden_act="relu",
        encoder_config=ParakeetEncoderConfig(
            hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=24, attention_bias=False,
            convolution_bias=False, conv_kernel_size=5, subsampling_factor=4, subsampling_conv_channels=4, num_mel_bins=32,
            scale_input=False, hidden_act="silu"))
    config = ParakeetTDTConfig(**shape, durations=durations) if durations else ParakeetRNNTConfig(**shape)
    config._attn_implementation = "eager"
    model = (ParakeetForTDT if durations else ParakeetForRNNT)(config).eval()
    randomise(model, seed)
    with torch.no_grad():  # letters that depend on those before them, and blanks, as trained models give them
        model.decoder.decoder_projector.weight.mul_(6)
        model.joint.head.bias[blank] += 1.5
        model.joint.head.bias[len(pieces):len(pieces) + 1] -= 1.5  # of the duration 0
    model.generation_config.decoder_start_token_id = blank
    model.generation_config.suppress_tokens = [len(pieces) + i for i in range(len(durations or []))] or None  # durations are no labels
    model.to(torch.bfloat16).save_pretrained(folder)
    model = type(model).from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    ParakeetFeatureExtractor(feature_size=32).save_pretrained(folder)
    write_pieces(folder, pieces, [0, blank - 1, blank])
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": "ParakeetTokenizer", "pad_token": "<pad>", "unk_token": "<unk>"})
    given = ParakeetFeatureExtractor(feature_size=32)(samples, sampling_rate=RATE, return_tensors="pt")
    best = []
    def margins(_, __, out):
        for part in (out[..., :len(pieces)], out[..., len(pieces):]):
            if part.shape[-1]:
                top = part.flatten().topk(2).values
                best.append(float(top[0] - top[1]))
    model.joint.register_forward_hook(margins)
    with torch.no_grad():
        states = model.encoder(**given).last_hidden_state[0].numpy()
        out = model.generate(**given)
    assert min(best) > 1e-3, "two best labels too close: another seed"
    steps = out.sequences[0].tolist()[1:]
    moves = out.durations[0].tolist()[1:]
    frames = np.cumsum([0] + moves[:-1]).tolist()
    heard = [(i, frame) for i, frame in zip(steps, frames) if i not in (blank, blank - 1)]
    assert len(steps) < 100 and len({i for i, _ in heard}) > 5 and steps.count(blank) > 3, "nothing heard, or no pause: another seed"
    write_array(folder / "expected/hidden_states.npy", states)
    text = "".join(pieces[i] for i, _ in heard).replace("▁", " ").strip()
    write_json(folder / "expected/expected.json",
               {"audio": "../../audio/demo.wav", "samples": SAMPLES, "blank": blank, "ids": [i for i, _ in heard],
                "frames": [frame for _, frame in heard], "text": text})


def make(out, repository):
    torch.manual_seed(1)
    pcm = demo_samples(repository)[:SAMPLES]
    (out / "audio").mkdir(parents=True, exist_ok=True)
    soundfile.write(out / "audio/demo.wav", pcm, RATE, subtype="PCM_16")
    samples = pcm.astype(np.float32) / 32768
    wav2vec2_bert(out / "wav2vec2-bert-small", samples)
    parakeet(out / "parakeet-small", samples)
    transducer(out / "parakeet-tdt", samples, [0, 1, 2, 3], 90)
    transducer(out / "parakeet-rnnt", samples, None, 12)
