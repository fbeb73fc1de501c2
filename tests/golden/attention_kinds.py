# SPDX-License-Identifier: GPL-3.0-or-later
"""Every attention kind in plain NumPy, double precision, on random q, k, v with 4 heads of 4 channels.

Sets n1, n7, n64 whole and n166 as 200 sampled entries and a sum; a padded batch with lengths 24, 11, 3, whose
inputs beyond the lengths are arbitrary numbers. Inputs are float32, outputs float64 (the batch float32).
The formulas stand in kinds.json.
"""

import numpy as np

from files import write_array, write_json

HEADS, CHANNELS, KERNEL, STRIDE = 4, 4, 5, 2
LENGTHS = (24, 11, 3)
FORMULAS = {
    "full": "softmax(e) v, e = q k^T / sqrt(head_dim)",
    "local_W": "softmax over |i - j| <= floor(W / 2)",
    "block_64": "blocks of 21 tokens from token 0; a query sees its own block and both neighbours",
    "relaxed": "((1 - g) A + g / T) v, g = 0.25, T = valid keys",
    "smoothed_focus": "sigmoid(e) / (sum sigmoid(e) + 1e-9)",
    "was": "p = softmax(e); keys with p < 1/T - 0.5 std(p) removed (std with T - 1); softmax again",
    "conv": "keys and values through a depthwise convolution, kernel 5, stride 2, zero padding 1 on both sides, after "
            "zeros on the right until (L - 5) is a multiple of 2 (L at least 5); valid keys max(1, floor((L - 3) / 2 + 1)); "
            "padded frames set to zero before it",
    "conv_released": "the same without setting padded frames to zero"}


def softmax(scores):
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def masked(scores, allowed):
    return softmax(np.where(allowed, scores, -np.inf))


def suppressed(scores):
    weights, count = softmax(scores), scores.shape[-1]
    if count == 1:
        return weights
    threshold = 1 / count - 0.5 * weights.std(-1, ddof=1, keepdims=True)
    nearest = np.abs(weights - threshold).min()
    assert nearest > 5e-8, nearest
    return masked(scores, weights >= threshold)


def weights_of(kind, scores):
    """Attention map of one utterance without padding. scores [heads, N, N]"""
    n = scores.shape[-1]
    i, j = np.arange(n)[:, None], np.arange(n)
    if kind.startswith("local_"):
        return masked(scores, np.abs(i - j) <= int(kind[6:]) // 2)
    if kind == "block_64":
        return masked(scores, np.abs(i // 21 - j // 21) <= 1)
    if kind == "relaxed":
        return 0.75 * softmax(scores) + 0.25 / n
    if kind == "smoothed_focus":
        open_ = 1 / (1 + np.exp(-scores))
        return open_ / (open_.sum(-1, keepdims=True) + 1e-9)
    return {"full": softmax, "was": suppressed}[kind](scores)


def convolved(x, weight, bias, valid):
    """[heads, keys, channels] of x [heads, L, channels]; the first max(1, ...) keys count."""
    length = x.shape[1]
    padded = max(length, KERNEL)
    padded += (padded - KERNEL) % STRIDE
    room = np.zeros((HEADS, padded + 2, CHANNELS))
    room[:, 1:1 + length] = x
    keys = (padded + 2 - KERNEL) // STRIDE + 1
    result = np.stack([(room[:, STRIDE * t:STRIDE * t + KERNEL] * weight[:, 0].T).sum(1) + bias for t in range(keys)], 1)
    return result[:, :max(1, (valid + 2 - KERNEL) // STRIDE + 1)]


def attend(kind, q, k, v, convolutions, length):
    """(output, map) of the first `length` queries; q, k, v [heads, L, channels] in double."""
    if kind.startswith("conv"):
        keep = (np.arange(q.shape[1]) < length)[:, None] if kind == "conv" else 1
        k, v = (convolved(x * keep, *convolutions[name], length) for name, x in (("conv_k", k), ("conv_v", v)))
        q = q[:, :length]
        weights = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(CHANNELS))
    else:
        q, k, v = q[:, :length], k[:, :length], v[:, :length]
        weights = weights_of(kind, q @ k.transpose(0, 2, 1) / np.sqrt(CHANNELS))
    return weights @ v, weights


def make(folder):
    random = np.random.default_rng(6)
    kinds = ["full", "local_1", "local_5", "local_17", "block_64", "relaxed", "smoothed_focus", "was", "conv"]
    convolutions = {}
    for name in ("conv_k", "conv_v"):
        stored = [random.standard_normal(shape).astype(np.float32) for shape in ((CHANNELS, 1, KERNEL), CHANNELS)]
        for part, values in zip(("weight", "bias"), stored):
            write_array(folder / f"{name}.{part}.npy", values)
        convolutions[name] = [values.astype(np.float64) for values in stored]

    def drawn(shape):
        return {which: (random.standard_normal(shape) * (1.5 if which == "q" else 1)).astype(np.float32)
                for which in "qkv"}

    summary = {}
    for n in (1, 7, 64, 166):
        stored = drawn((HEADS, n, CHANNELS))
        for which, values in stored.items():
            write_array(folder / f"n{n}.{which}.npy", values)
        index = np.stack([random.integers(0, high, 200) for high in (HEADS, n, CHANNELS)], 1).astype(np.int32)
        for kind in kinds:
            output, weights = attend(kind, *(x.astype(np.float64) for x in stored.values()), convolutions, n)
            if n == 166:
                write_array(folder / f"n166.{kind}.sample.npy", output[tuple(index.T)])
                summary[kind] = {"sum": output.sum(), "keys": weights.shape[-1]}
            else:
                write_array(folder / f"n{n}.{kind}.npy", output)
            if n == 7:
                write_array(folder / f"n7.{kind}.map.npy", weights)
        if n == 166:
            write_array(folder / "n166.sample_index.npy", index)

    stored = drawn((len(LENGTHS), HEADS, LENGTHS[0], CHANNELS))
    for which, values in stored.items():
        write_array(folder / f"batch.{which}.npy", values)
    for kind in kinds + ["conv_released"]:
        output = np.zeros(stored["q"].shape)
        for item, length in enumerate(LENGTHS):
            output[item, :, :length] = attend(
                kind, *(x[item].astype(np.float64) for x in stored.values()), convolutions, length)[0]
        write_array(folder / f"batch.{kind}.npy", output.astype(np.float32))
    write_json(folder / "kinds.json", {"heads": HEADS, "head_dim": CHANNELS, "lengths": LENGTHS,
                                       "formulas": FORMULAS, "summary_n166": summary})
