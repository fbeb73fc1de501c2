# SPDX-License-Identifier: GPL-3.0-or-later
"""Contributions of the small model's encoder layers, and what is measured on them, in double precision.

    T_ij = sum_h A^h_ij (v^h_j W_O^h), plus x_i where i = j; b_V inside v, b_O left out      (Kobayashi et al.)
    C_ij = ||T_ij||_2 / sum_j ||T_ij||_2

The [N, N, width] tensor is written out, so nothing here shares a derivation with the product's Gram matrices.
  ID.contribution.npy [layers, N, N]; of `long` the layers and rows in summary.json
  ID.diagonal_profile.npy [layers, 2N - 1]   ID.diagonality.npy [layers, 2N]   ID.cad.npy [layers, heads]
  ID.head_relevance.npy [layers, N, heads]
"""

import numpy as np
import torch

from files import write_array, write_json
from model_outputs import encoded, long_features

HEADS = 4


def layer_norm(x, weight, bias):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * weight + bias


def analyse(layer, x):
    """(C [N, N], head relevance [N, heads], attentions [heads, N, N]) of one Pre-LN layer with input x."""
    part = {name: tensor.double().numpy() for name, tensor in layer.state_dict().items()}
    n, width = x.shape
    size = width // HEADS
    y = layer_norm(x, part["self_attn_layer_norm.weight"], part["self_attn_layer_norm.bias"])

    def projected(which):
        full = y @ part[f"self_attn.{which}_proj.weight"].T + part[f"self_attn.{which}_proj.bias"]
        return full.reshape(n, HEADS, size).transpose(1, 0, 2)  # [heads, N, size]

    q, k, v = projected("q") / np.sqrt(size), projected("k"), projected("v")
    scores = q @ k.transpose(0, 2, 1)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    output = part["self_attn.out_proj.weight"].reshape(width, HEADS, size)  # [width, heads, size]
    values = np.einsum("hjs,whs->hjw", v, output)
    terms = np.einsum("hij,hjw->ijw", weights, values)
    heads = np.linalg.norm(np.einsum("hij,hjw->hiw", weights, values), axis=-1).T
    terms[np.arange(n), np.arange(n)] += x
    norms = np.linalg.norm(terms, axis=-1)
    return norms / norms.sum(-1, keepdims=True), heads / heads.sum(-1, keepdims=True), weights


def algorithm1(profile, n, threshold=0.01):
    """Alastruey et al. 2022: 2 i_last, 2 i_last + 1, and how near any mean came to the threshold."""
    last, misses, margin = 0, 0, np.inf
    for i in range(n):
        means = [profile[n - 1 + sign * i] / (n - i) for sign in (1, -1)]
        margin = min(margin, *(abs(mean - threshold) for mean in means))
        if max(means) > threshold:
            last, misses = i, 0
        else:
            misses += 1
        if misses >= n / 10:
            break
    return {"i_last": last, "raw_statistic": 2 * last, "as_printed": 2 * last + 1, "smallest_margin": margin}


def measured(c):
    """Profile, D(1) ... D(2N) and the figures of one contribution matrix."""
    n = len(c)
    profile = np.array([np.trace(c, offset=k) for k in range(1 - n, n)])
    distance = np.abs(np.arange(n)[:, None] - np.arange(n))
    d = np.array([c[distance <= w // 2].sum() / n for w in range(1, 2 * n + 1)])
    return profile, d, {
        "ccd": d.mean(), "ccd_trapezoid": np.trapezoid(d) / (2 * n - 1), "diagonal_share": np.trace(c) / n,
        "cl": {w: 1 - d[w - 1] for w in (5, 17, 33)}, "algorithm1": algorithm1(profile, n)}


def make(parity, made):
    model, _ = made
    features = {name: np.load(parity / "fbank" / f"{name}.cmvn.npy") for name in ("short", "medium")}
    features["long"] = long_features()
    summary = {}
    for name, frames in features.items():
        inputs = [state[0].double().numpy() for state in encoded(model, frames).hidden_states[:HEADS]]
        layers = [analyse(layer, x) for layer, x in zip(model.model.encoder.layers, inputs)]
        n = len(inputs[0])
        stored = [0, 3] if name == "long" else [0, 1, 2, 3]
        rows = sorted({*range(0, n, 16), n - 1}) if name == "long" else "all"
        maps = np.stack([layers[layer][0] if rows == "all" else layers[layer][0][rows] for layer in stored])
        figures = [measured(c) for c, _, _ in layers]
        distance = np.abs(np.arange(n)[:, None] - np.arange(n))
        out = parity / "contributions"
        write_array(out / f"{name}.contribution.npy", maps if name == "short" else maps.astype(np.float32))
        write_array(out / f"{name}.diagonal_profile.npy", np.stack([profile for profile, _, _ in figures]))
        write_array(out / f"{name}.diagonality.npy", np.stack([d for _, d, _ in figures]))
        write_array(out / f"{name}.head_relevance.npy", np.stack([heads for _, heads, _ in layers]))
        write_array(out / f"{name}.cad.npy",
                    np.stack([1 - (a * distance).sum((1, 2)) / n / (n - 1) for _, _, a in layers]))
        summary[name] = {"N": n, "layers_stored": stored, "rows_stored": rows}
        for key in ("ccd", "ccd_trapezoid", "diagonal_share", "algorithm1"):
            summary[name][key] = [figure[key] for _, _, figure in figures]
        summary[name]["cl"] = {str(w): [figure["cl"][w] for _, _, figure in figures] for w in (5, 17, 33)}
        assert min(a["smallest_margin"] for a in summary[name]["algorithm1"]) > 1e-6
    write_json(parity / "contributions" / "summary.json", summary)
