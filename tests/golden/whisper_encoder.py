# SPDX-License-Identifier: GPL-3.0-or-later
"""A small random Whisper as Hugging Face saves it (float16), and what the library computes in float32 from 0.8 s of the demo:
states, maps and contributions of the recording's own tokens, logits and maps of the decoder, text, language, times.

Its window is 30 s like that of every Whisper, so the encoder has 1500 tokens, of which 40 belong to the recording."""

import numpy as np
import soundfile
import torch
from transformers import WhisperConfig, WhisperFeatureExtractor, WhisperForConditionalGeneration

from conformer_encoders import decomposed
from files import RATE, demo_samples, write_array, write_json

SEED = 657
WIDTH, INNER, LAYERS, HEADS, BINS, WINDOW = 16, 24, 2, 2, 80, 30 * RATE
MERGES = ["Ġ t", "h e", "Ġ a", "Ġt he", "i n", "r e", "o n", "e r", "a t", "Ġ s", "o u", "n d", "Ġa nd", "i s", "e n",
          "Ġ w", "o r", "in g", "l e", "Ã ¤", "Ã ¼"]
SPECIALS = ["<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|de|>", "<|translate|>", "<|transcribe|>", "<|startofprev|>",
            "<|nocaptions|>", "<|notimestamps|>"]


def characters_of_bytes():
    """The printable character that stands for each byte in vocab.json, in the order of the ids (Radford et al. 2019)."""
    shown = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return {byte: chr(byte) for byte in shown} | {byte: chr(256 + i) for i, byte in enumerate(hidden)}


CHARACTERS = characters_of_bytes()
PIECES = list(CHARACTERS.values()) + [merge.replace(" ", "") for merge in MERGES]
ID = {piece: i for i, piece in enumerate(PIECES + SPECIALS)}
LANGUAGES = {name: ID[name] for name in ("<|en|>", "<|de|>")}


def write_tokenizer(folder):
    write_json(folder / "vocab.json", {piece: ID[piece] for piece in PIECES})
    write_json(folder / "added_tokens.json", {piece: ID[piece] for piece in SPECIALS})
    (folder / "merges.txt").write_text("#version: 0.2\n" + "\n".join(MERGES) + "\n", encoding="utf-8")


def text_of(ids):
    byte_of = {character: byte for byte, character in CHARACTERS.items()}
    pieces = [PIECES[i] for i in ids if i < len(PIECES)]
    return bytes(byte_of[c] for piece in pieces for c in piece).decode("utf-8", errors="replace")


def made_model(seed):
    """In float16, so that the file is small; far from initial values, so that a forgotten tensor shows."""
    end, start = ID["<|endoftext|>"], ID["<|startoftranscript|>"]
    model = WhisperForConditionalGeneration(WhisperConfig(
        vocab_size=len(ID), num_mel_bins=BINS, d_model=WIDTH, encoder_layers=LAYERS, decoder_layers=2,
        encoder_attention_heads=HEADS, decoder_attention_heads=HEADS, encoder_ffn_dim=INNER, decoder_ffn_dim=INNER,
        max_target_positions=40, bos_token_id=end, eos_token_id=end, pad_token_id=end, decoder_start_token_id=start,
        attn_implementation="eager")).eval()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, tensor in model.named_parameters():
            noise = torch.randn(tensor.shape, generator=generator)
            if name == "model.encoder.embed_positions.weight":
                continue  # sinusoids
            if name == "model.decoder.embed_positions.weight":
                tensor.copy_(1.5 * noise)  # or every token would repeat the one before
            elif tensor.dim() > 1:
                tensor.copy_(noise * 1.5 / np.sqrt(tensor[0].numel()))
            else:
                tensor.copy_((1 if "norm" in name and name.endswith("weight") else 0) + 0.2 * noise)
            tensor.copy_(tensor.half().float())
        model.model.encoder.embed_positions.weight.copy_(model.model.encoder.embed_positions.weight.half().float())
    settings = dict(
        alignment_heads=[[0, 1], [1, 0]], is_multilingual=True, lang_to_id=LANGUAGES, max_length=40,
        task_to_id={"translate": ID["<|translate|>"], "transcribe": ID["<|transcribe|>"]},
        no_timestamps_token_id=ID["<|notimestamps|>"], prev_sot_token_id=ID["<|startofprev|>"],
        suppress_tokens=[1, 2, 7, *range(ID["<|translate|>"], ID["<|notimestamps|>"])],
        begin_suppress_tokens=[ID["Ġ"], end], decoder_start_token_id=start, eos_token_id=end, pad_token_id=end,
        bos_token_id=end, return_timestamps=False)
    for name, value in settings.items():
        setattr(model.generation_config, name, value)
    return model


def inputs_of_attention(model):
    """What each encoder layer reads, kept by hooks."""
    kept = []
    hooks = [layer.register_forward_pre_hook(lambda _, a, k: kept.append((a[0] if a else k["hidden_states"])[0]),
                                             with_kwargs=True) for layer in model.model.encoder.layers]
    return kept, hooks


def stack(parts):
    return np.stack([part[0].numpy() for part in parts])


@torch.no_grad()
def make_one(folder, samples, audio, seed):
    model = made_model(seed)
    extractor = WhisperFeatureExtractor(feature_size=BINS)
    found = extractor(samples / 32768, sampling_rate=RATE, return_tensors="pt", return_attention_mask=True)
    features, mask = found.input_features, found.attention_mask
    frames = -(-len(samples) // extractor.hop_length)
    valid = -(-frames // 2)
    kept, hooks = inputs_of_attention(model)
    encoder = model.model.encoder(features, output_attentions=True, output_hidden_states=True)
    for hook in hooks:
        hook.remove()
    layers, maps = model.model.encoder.layers, stack(encoder.attentions)
    outputs = [*kept[1:], layers[-1](kept[-1][None], None)]
    last = outputs[-1][0] if isinstance(outputs[-1], tuple) else outputs[-1]
    states = np.stack([x[:valid].numpy() for x in [*kept, last.reshape(-1, WIDTH)]])
    cut, relevance, shares = [], [], []
    for layer, x, weights in zip(layers, kept, maps):
        part = {name: tensor.double().numpy() for name, tensor in layer.state_dict().items()}
        c, z = decomposed(
            x.double().numpy(), weights.astype(np.float64),
            (part["self_attn_layer_norm.weight"], part["self_attn_layer_norm.bias"]),
            (part["self_attn.v_proj.weight"], part["self_attn.v_proj.bias"]), part["self_attn.out_proj.weight"], 1e-5)
        own = c[:valid, :valid]
        shares.append(float(1 - own.sum(-1).mean()))
        cut.append(own / own.sum(-1, keepdims=True))
        relevance.append(z[:valid])

    generated = model.generate(features, attention_mask=mask, return_token_timestamps=True, task="transcribe",
                               return_dict_in_generate=True)
    ids, times = generated["sequences"][0].tolist(), generated["token_timestamps"][0].tolist()
    language = model.detect_language(features)[0].item()
    prompt = [ID["<|startoftranscript|>"], language, ID["<|transcribe|>"], ID["<|notimestamps|>"]]
    end = ID["<|endoftext|>"]
    new = ids[len(prompt):] if ids[:len(prompt)] == prompt else ids
    times = times[-len(new):]
    if new[-1] == end:
        new, times = new[:-1], times[:len(new) - 1]
    new.append(end)
    decoder = model.model.decoder(torch.tensor([prompt + new[:-1]]), encoder_hidden_states=encoder.last_hidden_state, output_attentions=True)
    logits = model.proj_out(decoder.last_hidden_state)[0]
    forbidden = model.generation_config.suppress_tokens
    margins = []
    for step, row in enumerate(logits[len(prompt) - 1:]):
        row = row.clone()
        row[forbidden + (model.generation_config.begin_suppress_tokens if step == 0 else [])] = -torch.inf
        best = row.topk(2)
        if best.indices[0] != new[step]:
            return None  # not the greedy path: it met the limit
        margins.append((best.values[0] - best.values[1]).item())
    if not 8 <= len(new) <= 20 or min(margins) < 0.02 or len(set(times)) < 4:
        return None

    folder.mkdir(parents=True, exist_ok=True)
    model.half().save_pretrained(folder)
    extractor.save_pretrained(folder)
    write_tokenizer(folder)
    expected = folder / "expected"
    own = slice(None, valid)
    write_array(expected / "input_features.npy", features[0, :, :frames + 2].numpy())
    write_array(expected / "hidden_states.npy", states)
    write_array(expected / "encoder_output.npy", encoder.last_hidden_state[0, own].numpy())
    write_array(expected / "attention_valid.npy", maps[:, :, own, own])
    write_array(expected / "contribution_cut.npy", np.stack(cut).astype(np.float32))
    write_array(expected / "head_relevance.npy", np.stack(relevance).astype(np.float32))
    write_array(expected / "decoder_logits.npy", logits.numpy())
    write_array(expected / "decoder_attention.npy", stack(decoder.attentions))
    write_array(expected / "cross_attention_valid.npy", stack(decoder.cross_attentions)[..., own])
    assert (features[0, :, frames + 2:] == features[0, 0, -1]).all()
    write_json(expected / "expected.json", {
        "audio": f"../../audio/{audio}", "samples": len(samples), "valid_tokens": valid, "layers": LAYERS, "heads": HEADS,
        "rows": list(range(valid)), "input_features_tail": features[0, 0, -1].item(),
        "contributions": {"share_on_padding_keys_of_valid_queries": shares},
        "decoder": {
            "prompt": prompt, "prompt_text": [list(ID)[i] for i in prompt], "ids": prompt + new, "new_ids": new,
            "text": text_of(new), "detected_language": list(ID)[language], "smallest_margin": min(margins),
            "alignment_heads": model.generation_config.alignment_heads, "frames_of_recording": frames,
            "token_start_seconds": [round(t, 2) for t in times[:len(new) - 1]]}})
    return new


def make(out, repository):
    samples = demo_samples(repository)[6000:18790]
    out.mkdir(parents=True, exist_ok=True)
    (out / "audio").mkdir(exist_ok=True)
    soundfile.write(out / "audio" / "whisper.wav", samples, RATE, subtype="PCM_16")
    assert make_one(out / "whisper-small", samples, "whisper.wav", SEED), "this seed's text meets the limit; choose another"
