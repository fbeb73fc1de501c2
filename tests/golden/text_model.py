# SPDX-License-Identifier: GPL-3.0-or-later
"""A small FSMT (translation, post-norm, one vocabulary, all matrices tied; float16) as Hugging Face saves it, and what
the library computes: states, attention, logits, searches; contributions, a padded batch's loss and gradients in float64.

Laid out as parity/decoding/text of the shared data. The library makes its causal mask only with use_cache=False and input_ids;
its mask overflows in float64, so the loss here is computed from a model in float64 with the mask of float32."""

import copy

import numpy as np
import torch
from safetensors.torch import save_file
from transformers import FSMTConfig, FSMTForConditionalGeneration
from transformers.models.fsmt import modeling_fsmt

from files import write_array, write_json

SEED, STEPS = 20, 260
WIDTH, INNER, HEADS, LAYERS, VOCABULARY, PLACES, SMOOTHING = 12, 16, 2, 2, 28, 16, 0.1
LETTERS = "abcdefghij"
MERGES = ["a b", "c d", "ab c</w>", "e f</w>"]
SOURCES = [[9, 14, 22, 5, 26], [20, 7, 11], [4, 18, 25, 8, 13, 24]]
KEPT_GRADIENTS = ("decoder.embed_tokens.weight", "encoder.layers.0.self_attn.q_proj", "encoder.layers.1.fc1",
                  "encoder.layers.0.self_attn_layer_norm", "decoder.layers.0.self_attn.v_proj",
                  "decoder.layers.1.encoder_attn.k_proj.weight", "decoder.layers.1.final_layer_norm")


def write_tokenizer(folder):
    pieces = ["<s>", "<pad>", "</s>", "<unk>", *LETTERS, *(letter + "</w>" for letter in LETTERS),
              *(merge.replace(" ", "") for merge in MERGES)]
    assert len(pieces) == VOCABULARY
    for name in ("vocab-src.json", "vocab-tgt.json"):
        write_json(folder / name, {piece: i for i, piece in enumerate(pieces)})
    (folder / "merges.txt").write_text("".join(f"{merge} {9 - i}\n" for i, merge in enumerate(MERGES)), encoding="utf-8")
    write_json(folder / "tokenizer_config.json",
               {"langs": ["en", "de"], "model_max_length": PLACES, "do_lower_case": True, "tokenizer_class": "FSMTTokenizer"})


def made_model():
    config = FSMTConfig(
        langs=["en", "de"], src_vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY, d_model=WIDTH, encoder_layers=LAYERS,
        decoder_layers=LAYERS, encoder_ffn_dim=INNER, decoder_ffn_dim=INNER, encoder_attention_heads=HEADS,
        decoder_attention_heads=HEADS, max_position_embeddings=PLACES, tie_word_embeddings=True, dropout=0.1,
        attention_dropout=0.0, activation_dropout=0.0, scale_embedding=True, num_beams=5, max_length=40)
    model = FSMTForConditionalGeneration(config).eval()
    generator = torch.Generator().manual_seed(SEED)
    with torch.no_grad():
        for name, tensor in model.named_parameters():
            if "embed_positions" in name:
                continue
            noise = torch.randn(tensor.shape, generator=generator)
            if tensor.dim() > 1:
                noise = noise * (0.3 if "embed_tokens" in name else 1 / np.sqrt(tensor.shape[1]))
            else:
                noise = (1 if "norm" in name and name.endswith("weight") else 0) + 0.1 * noise
            tensor.copy_(noise)
        model.tie_weights()
    learn(model, generator)
    with torch.no_grad():
        for name, tensor in model.named_parameters():
            if "embed_positions" not in name:
                tensor.copy_(tensor.half().float())
    return model


def learn(model, generator):
    """Texts of pieces, each exchanged for the next one, so that the model answers and ends."""
    optimiser = torch.optim.Adam([p for name, p in model.named_parameters() if "embed_positions" not in name], 4e-3)
    for _ in range(STEPS):
        length = int(torch.randint(3, 7, (), generator=generator))
        source = torch.randint(4, VOCABULARY, (32, length), generator=generator)
        end, start = torch.full((32, 1), 2), torch.full((32, 1), 2)
        target = 4 + (source - 3) % (VOCABULARY - 4)
        logits = model(input_ids=torch.cat([source, end], 1), decoder_input_ids=torch.cat([start, target], 1),
                       use_cache=False).logits
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), torch.cat([target, end], 1).flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def heads_of(x, heads):
    return x.reshape(len(x), heads, -1)


def contributions(model, name, x, attention):
    """T' of a post-norm encoder layer: linearised LayerNorm, b_V in, b_O out; rows of L2 norms divided by their sum."""
    part = {k: v.double().numpy() for k, v in model.model.encoder.layers[name].state_dict().items()}
    values = heads_of(x @ part["self_attn.v_proj.weight"].T + part["self_attn.v_proj.bias"], HEADS)
    output = part["self_attn.out_proj.weight"].reshape(WIDTH, HEADS, -1)
    terms = np.einsum("hij,jhs,whs->ijw", attention, values, output)
    terms[np.arange(len(x)), np.arange(len(x))] += x
    total = terms.sum(1) + part["self_attn.out_proj.bias"]
    scale = part["self_attn_layer_norm.weight"] / np.sqrt(total.var(-1, keepdims=True) + 1e-5)
    terms = (terms - terms.mean(-1, keepdims=True)) * scale[:, None]
    norms = np.linalg.norm(terms, axis=-1)
    return norms / norms.sum(-1, keepdims=True)


def generation(model, source):
    runs = []
    for settings in ({"num_beams": 1, "length_penalty": 1.0, "early_stopping": False, "max_new_tokens": 12},
                     {"num_beams": 4, "length_penalty": 1.0, "early_stopping": False, "max_new_tokens": 12},
                     {"num_beams": 3, "length_penalty": 0.6, "early_stopping": True, "max_new_tokens": 3}):
        beams = settings["num_beams"]
        found = model.generate(source, num_beams=beams, num_return_sequences=beams, do_sample=False, forced_eos_token_id=2,
                               length_penalty=settings["length_penalty"], early_stopping=settings["early_stopping"],
                               max_new_tokens=settings["max_new_tokens"], max_length=None, output_scores=True,
                               return_dict_in_generate=True)
        scores = [None] if beams == 1 else found.sequences_scores.tolist()
        hypotheses = [{"ids": [i for i in ids if i != 1], "score": score}
                      for ids, score in zip(found.sequences.tolist(), scores)]
        runs.append({"settings": settings | {"forced_eos_token_id": 2}, "hypotheses": hypotheses})
    return runs


def write_sentence(folder, name, model, source, target):
    inputs, outputs = torch.tensor([source]), torch.tensor([[2, *target[:-1]]])
    result = model(input_ids=inputs, decoder_input_ids=outputs, use_cache=False, output_attentions=True,
                   output_hidden_states=True)
    stacked = {"encoder_states": result.encoder_hidden_states, "decoder_states": result.decoder_hidden_states,
               "encoder_attention": result.encoder_attentions, "decoder_attention": result.decoder_attentions,
               "cross_attention": result.cross_attentions}
    arrays = {key: np.stack([part[0].numpy() for part in parts]) for key, parts in stacked.items()}
    states, maps = arrays["encoder_states"].astype(np.float64), arrays["encoder_attention"].astype(np.float64)
    arrays["contribution"] = np.stack([contributions(model, i, states[i], maps[i]) for i in range(LAYERS)])
    arrays["logits"] = result.logits.numpy()
    for key, array in arrays.items():
        write_array(folder / f"{name}.{key}.npy", array)


def padded(rows):
    longest = max(map(len, rows))
    return [row + [1] * (longest - len(row)) for row in rows]


def write_batch(folder, model, sources, targets):
    model = model.double()
    model.zero_grad()  # what training left
    batch = {"source": padded(sources), "decoder_input": padded([[2, *target[:-1]] for target in targets]),
             "labels": padded(targets)}
    labels = torch.tensor(batch["labels"])
    source = torch.tensor(batch["source"])
    logits = model(input_ids=source, attention_mask=(source != 1).long(),
                   decoder_input_ids=torch.tensor(batch["decoder_input"]), use_cache=False).logits
    rows = torch.log_softmax(logits, -1)[labels != 1]
    nll = -rows.gather(1, labels[labels != 1][:, None]).sum()
    share = SMOOTHING / (VOCABULARY - 1)
    loss = (1 - SMOOTHING - share) * nll + share * -rows.sum()
    tokens = int((labels != 1).sum())
    (loss / tokens).backward()
    gradients = {name: parameter.grad.float().contiguous() for name, parameter in model.named_parameters()
                 if parameter.grad is not None and any(kept in name for kept in KEPT_GRADIENTS)
                 and "encoder.embed" not in name and "embed_positions" not in name}
    save_file(gradients, folder / "batch.gradients.safetensors")
    return batch | {"tokens": tokens, "label_smoothing": SMOOTHING, "loss_sum": loss.item(), "nll_sum": nll.item()}


def make(folder):
    torch.set_num_threads(1)
    model = made_model()
    sentences, sources, targets = [], [], []
    with torch.no_grad():
        for number, ids in enumerate(SOURCES, 1):
            source = [*ids, 2]
            runs = generation(model, torch.tensor([source]))
            target = runs[1]["hypotheses"][0]["ids"][1:]
            write_sentence(folder, f"sentence{number}", model, source, target)
            sentences.append({"name": f"sentence{number}", "source_ids": source, "target_ids": target,
                              "decoder_input_ids": [2, *target[:-1]], "generation": runs})
            sources.append(source)
            targets.append(target)
    (folder / "model").mkdir(parents=True, exist_ok=True)
    copy.deepcopy(model).half().save_pretrained(folder / "model")
    write_tokenizer(folder / "model")
    modeling_fsmt.fill_with_neg_inf = lambda t: t.float().fill_(torch.finfo(torch.float32).min).type_as(t)
    batch = write_batch(folder, model, sources, targets)
    write_json(folder / "sentences.json", {"start": 2, "eos": 2, "pad": 1, "sentences": sentences, "batch": batch})
