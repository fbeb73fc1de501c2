# SPDX-License-Identifier: GPL-3.0-or-later
"""What Hugging Face transformers computes of the small model: states, attentions, logits, greedy ids.

One utterance at a time, eager attention, eval mode, float32. `short` and `medium` read the features of fbank/;
`long` has features of its own, drawn from a seed. N = tokens of the encoder.
  ID.encoder_layer_inputs.npy [layers, N, 16]    ID.encoder_output.npy [N, 16], after the last LayerNorm
  ID.encoder_attention.npy [layers, heads, rows, N], the layers and rows named in utterances.json
  ID.decoder_logits.npy [1 + tokens, 200], forced decoding: input </s> + tokens
  padded_batch.ID.encoder_output.npy: the three in one zero-padded batch; the convolutions read the padding
"""

import numpy as np
import torch

from files import write_array, write_json

TEXTS = {"short": "THE BIG MAN LOOKS FOR THE PICTURES",
         "medium": "THE BIG MAN LOOKS FOR THE PICTURES IN THE FOREST AT NIGHT",
         "long": "HER QUIET BROTHER REMEMBERS AN OLD QUESTION UNDER A ZIGZAG BRIDGE"}
NEW_TOKENS = 40


def long_features():
    """Features as after CMVN, smooth in time. [420, 80]"""
    random = np.random.default_rng(3)
    features = np.zeros((420, 80))
    for t in range(420):
        features[t] = 0.8 * features[max(t - 1, 0)] + 0.6 * random.standard_normal(80)
    return features.astype(np.float32)


def encoded(model, features):
    with torch.no_grad():
        return model.model.encoder(torch.from_numpy(features)[None], output_attentions=True,
                                   output_hidden_states=True, return_dict=True)


def greedy(model, features):
    """Ids with the start token, the sum of log probabilities, the smallest margin between the best two."""
    ids, total, margin = [2], 0.0, np.inf
    memory = encoded(model, features)
    while len(ids) <= NEW_TOKENS and (len(ids) == 1 or ids[-1] != 2):
        with torch.no_grad():
            logits = model(encoder_outputs=(memory.last_hidden_state,), decoder_input_ids=torch.tensor([ids])).logits
        scores = torch.log_softmax(logits[0, -1].double(), -1)
        best = torch.topk(scores, 2)
        margin = min(margin, float(best.values[0] - best.values[1]))
        total += float(best.values[0])
        ids.append(int(best.indices[0]))
    return {"ids": ids, "ends_with_eos": ids[-1] == 2, "sum_log_prob": total, "smallest_margin": margin}


def make(parity, made):
    model, pieces = made
    out = parity / "s2t-tiny" / "expected"
    features = {name: np.load(parity / "fbank" / f"{name}.cmvn.npy") for name in ("short", "medium")}
    features["long"] = long_features()
    write_array(out / "long.features.npy", features["long"])
    utterances = []
    for name, frames in features.items():
        result = encoded(model, frames)
        states = [state[0].numpy() for state in result.hidden_states]
        count = len(states[0])
        layers = [0, 3] if name == "long" else [0, 1, 2, 3]
        rows = list(range(count)) if name == "short" else sorted({*range(0, count, 9), count - 1})
        tokens = pieces.encode(TEXTS[name])
        assert pieces.decode(tokens) == TEXTS[name]
        with torch.no_grad():
            logits = model(input_features=torch.from_numpy(frames)[None],
                           decoder_input_ids=torch.tensor([[2] + tokens])).logits[0]
        write_array(out / f"{name}.encoder_layer_inputs.npy", np.stack([states[layer] for layer in layers]))
        write_array(out / f"{name}.encoder_output.npy", result.last_hidden_state[0].numpy())
        write_array(out / f"{name}.encoder_attention.npy",
                    np.stack([result.attentions[layer][0].numpy()[:, rows] for layer in layers]))
        write_array(out / f"{name}.decoder_logits.npy", logits.numpy())
        said = greedy(model, frames)
        assert said["smallest_margin"] > 1e-3, (name, said)
        generated = model.generate(torch.from_numpy(frames)[None], num_beams=1, do_sample=False,
                                   max_new_tokens=NEW_TOKENS)[0].tolist()
        assert generated == said["ids"], (generated, said["ids"])
        write_json(out / f"{name}.generation.json", {"greedy": said, "max_new_tokens": NEW_TOKENS})
        utterances.append({"name": name, "frames": len(frames), "tokens_encoder": count, "text": TEXTS[name],
                           "tokens": tokens, "decoder_input_ids": [2] + tokens, "layers_encoder": layers,
                           "rows_encoder": rows})
    write_json(out / "utterances.json", utterances)

    longest = max(len(frames) for frames in features.values())
    batch, mask = np.zeros((3, longest, 80), np.float32), np.zeros((3, longest), np.int64)
    for i, frames in enumerate(features.values()):
        batch[i, :len(frames)], mask[i, :len(frames)] = frames, 1
    with torch.no_grad():
        output = model.model.encoder(torch.from_numpy(batch), attention_mask=torch.from_numpy(mask)).last_hidden_state
    for i, utterance in enumerate(utterances[:2]):
        write_array(out / f"padded_batch.{utterance['name']}.encoder_output.npy",
                    output[i, :utterance["tokens_encoder"]].numpy())
