# SPDX-License-Identifier: GPL-3.0-or-later
"""S2T Transformer small (fairseq's s2t_transformer_s) trained in plain PyTorch eager, the usual way.

The peer of `headroom-worker bench train`: the same batches (--batches, written by it), the same updates, timed alike.
It gets its batches ready in memory, so that its time holds no data loading; ours does. Attention is
F.multi_head_attention_forward as in fairseq's modules, which calls scaled_dot_product_attention, dropout where fairseq has it
(embeddings, attention maps, inner layer, what a block adds), loss label-smoothed, optimiser torch.optim.Adam (fused),
gradient clipped. On a GPU (--device) batches lie in pinned memory, and nothing in an update waits for the GPU.
Needs torch and no other package.
"""
import argparse
import ast
import contextlib
import json
import math
import pathlib
import resource
import struct
import time
import zipfile

import torch
import torch.nn.functional as F
from torch import nn

PADDING, END = 1, 2


def sinusoidal(length, width):  # [length, width]
    half = width // 2
    rates = torch.exp(torch.arange(half) * -(math.log(10000) / (half - 1)))
    angles = torch.arange(length).unsqueeze(1) * rates.unsqueeze(0)
    table = torch.cat([torch.sin(angles), torch.cos(angles)], 1)
    table[PADDING] = 0
    return table


class Attention(nn.Module):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.width, self.heads, self.dropout = width, heads, dropout
        self.q_proj, self.k_proj = nn.Linear(width, width), nn.Linear(width, width)
        self.v_proj, self.out_proj = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, query, key, padded=None, mask=None):  # [token, batch, width]
        result, _ = F.multi_head_attention_forward(
            query, key, key, self.width, self.heads, None,
            torch.cat((self.q_proj.bias, self.k_proj.bias, self.v_proj.bias)), None, None, False, self.dropout,
            self.out_proj.weight, self.out_proj.bias, self.training, padded, False, mask,
            use_separate_proj_weight=True, q_proj_weight=self.q_proj.weight, k_proj_weight=self.k_proj.weight,
            v_proj_weight=self.v_proj.weight)
        return result


class FeedForward(nn.Module):
    def __init__(self, width, inner, dropout):
        super().__init__()
        self.fc1, self.fc2, self.dropout = nn.Linear(width, inner), nn.Linear(inner, width), dropout

    def forward(self, x):
        return self.fc2(F.dropout(F.relu(self.fc1(x)), self.dropout, self.training))


class EncoderLayer(nn.Module):
    def __init__(self, width, inner, heads, dropout):
        super().__init__()
        self.attention, self.inner, self.dropout = Attention(width, heads, dropout), FeedForward(width, inner, dropout), dropout
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x, padded):
        normed = self.norm1(x)
        x = x + F.dropout(self.attention(normed, normed, padded), self.dropout, self.training)
        return x + F.dropout(self.inner(self.norm2(x)), self.dropout, self.training)


class DecoderLayer(nn.Module):
    def __init__(self, width, inner, heads, dropout):
        super().__init__()
        self.own, self.cross = Attention(width, heads, dropout), Attention(width, heads, dropout)
        self.inner, self.dropout = FeedForward(width, inner, dropout), dropout
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x, memory, padded, future):
        normed = self.norm1(x)
        x = x + F.dropout(self.own(normed, normed, None, future), self.dropout, self.training)
        x = x + F.dropout(self.cross(self.norm2(x), memory, padded), self.dropout, self.training)
        return x + F.dropout(self.inner(self.norm3(x)), self.dropout, self.training)


class S2T(nn.Module):
    def __init__(self, width=256, inner=2048, heads=4, encoder=12, decoder=6, channels=1024, features=80,
                 vocabulary=8000, dropout=0.1):
        super().__init__()
        self.width, self.dropout = width, dropout
        self.conv1 = nn.Conv1d(features, channels, 5, stride=2, padding=2)
        self.conv2 = nn.Conv1d(channels // 2, width * 2, 5, stride=2, padding=2)
        self.encoder = nn.ModuleList(EncoderLayer(width, inner, heads, dropout) for _ in range(encoder))
        self.decoder = nn.ModuleList(DecoderLayer(width, inner, heads, dropout) for _ in range(decoder))
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.embedding = nn.Embedding(vocabulary, width, PADDING)
        nn.init.normal_(self.embedding.weight, std=width ** -0.5)
        self.register_buffer("positions", sinusoidal(8192, width))

    def encode(self, features, frames):
        x = F.glu(self.conv1(features.transpose(1, 2)), 1)
        x = F.glu(self.conv2(x), 1).permute(2, 0, 1)  # [token, batch, width]
        for _ in range(2):
            frames = (frames - 1) // 2 + 1
        tokens = torch.arange(x.size(0), device=x.device).unsqueeze(0)
        padded = tokens >= frames.unsqueeze(1)  # [batch, token]
        places = (tokens + PADDING + 1).masked_fill(padded, PADDING)
        x = math.sqrt(self.width) * x + self.positions[places].transpose(0, 1)
        x = F.dropout(x, self.dropout, self.training)
        for layer in self.encoder:
            x = layer(x, padded)
        return self.norm1(x), padded

    def forward(self, features, frames, tokens):  # tokens [batch, target]
        memory, padded = self.encode(features, frames)
        length = tokens.size(1)
        places = (torch.arange(length, device=tokens.device).unsqueeze(0) + PADDING + 1).masked_fill(tokens == PADDING, PADDING)
        x = math.sqrt(self.width) * self.embedding(tokens) + self.positions[places]
        x = F.dropout(x, self.dropout, self.training).transpose(0, 1)
        future = torch.full((length, length), -math.inf, device=tokens.device).triu(1)
        for layer in self.decoder:
            x = layer(x, memory, padded, future)
        return F.linear(self.norm2(x).transpose(0, 1), self.embedding.weight)  # [batch, target, vocabulary]


def smoothed_loss(logits, labels, smoothing=0.1):
    rows = F.log_softmax(logits, -1, dtype=torch.float32).view(-1, logits.size(-1))
    labels = labels.view(-1, 1)
    there = labels != PADDING
    nll = -(rows.gather(1, labels) * there).sum()
    smooth = -(rows.sum(1, keepdim=True) * there).sum()
    share = smoothing / (rows.size(1) - 1)
    return (1 - smoothing - share) * nll + share * smooth


def array(data):
    """The numbers of a .npy file, without numpy."""
    start = 10 + struct.unpack_from("<H", data, 8)[0] if data[6] == 1 else 12 + struct.unpack_from("<I", data, 8)[0]
    header = ast.literal_eval(data[10 if data[6] == 1 else 12:start].decode())
    kind = {"<f4": torch.float32, "<i8": torch.int64}[header["descr"]]
    assert not header["fortran_order"]
    return torch.frombuffer(bytearray(data[start:]), dtype=kind).view(header["shape"])


def read(file):
    with zipfile.ZipFile(file) as arrays:
        features, frames, targets = (array(arrays.read(f"{name}.npy")) for name in ("features", "frames", "targets"))
    lengths = (targets >= 0).sum(1)
    padded = targets.masked_fill(targets < 0, PADDING)
    inputs = torch.cat([torch.full((len(padded), 1), END), padded], 1)
    labels = torch.cat([padded, torch.full((len(padded), 1), PADDING)], 1)
    labels[torch.arange(len(padded)), lengths] = END
    return features, frames, inputs, labels, int(frames.sum()), int((labels != PADDING).sum())


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main(make):
    parser = argparse.ArgumentParser()
    parser.add_argument("--batches", required=True, type=pathlib.Path)
    parser.add_argument("--precision", default="fp32", choices=["fp32", "bf16"])
    parser.add_argument("--threads", default=2, type=int)
    parser.add_argument("--device", default="cpu", help="cpu or cuda:K")
    parser.add_argument("--warm-up", default=1, type=int, help="updates that are not measured")
    parser.add_argument("--updates", default=7, type=int, help="that are measured, after them")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    batches = [read(file) for file in sorted(options.batches.glob("batch-*.npz"))[: options.warm_up + options.updates]]
    device = torch.device(options.device)
    on_gpu = device.type != "cpu"
    if on_gpu:
        batches = [(*(tensor.pin_memory() for tensor in batch[:4]), *batch[4:]) for batch in batches]
    finish = (lambda: torch.cuda.synchronize(device)) if on_gpu else (lambda: None)
    model = make().train().to(device)
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-5, betas=(0.9, 0.98), fused=True)
    loss = frames = tokens = 0
    for number, (*tensors, source, target) in enumerate(batches):
        if number == options.warm_up:
            finish()
            start, processor = time.perf_counter(), processor_seconds()
        features, lengths, inputs, labels = (tensor.to(device, non_blocking=True) for tensor in tensors)
        with torch.autocast(device.type, torch.bfloat16) if options.precision == "bf16" else contextlib.nullcontext():
            total = smoothed_loss(model(features, lengths, inputs), labels)
        total.backward()
        for parameter in model.parameters():
            parameter.grad.div_(target)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        loss = total.detach() / target
        if number >= options.warm_up:
            frames, tokens = frames + source, tokens + target
    loss = loss.item()  # waits for all of it
    finish()
    seconds = time.perf_counter() - start
    memory = torch.cuda.max_memory_reserved(device) if on_gpu else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({
        "precision": options.precision, "threads": options.threads, "updates": len(batches) - options.warm_up, "frames": frames,
        "targetTokens": tokens, "seconds": seconds, "processorSeconds": processor_seconds() - processor,
        "framesPerSecond": frames / seconds, "loss": loss,
        "peakBytes": memory, "torch": torch.__version__}))


if __name__ == "__main__":
    main(S2T)
