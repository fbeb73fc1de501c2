# SPDX-License-Identifier: GPL-3.0-or-later
"""fairseq's transformer_iwslt_de_en trained in plain PyTorch eager, the usual way; a module of peer_s2t.py's kind.

The peer of `headroom-worker bench train` with a text model: source tokens are the "features" of its batches.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

from peer_s2t import PADDING, Attention, FeedForward, main, sinusoidal


class Layer(nn.Module):
    """Post-norm; `cross`: attends to the encoder too."""

    def __init__(self, width, inner, heads, dropout, attention_dropout, cross):
        super().__init__()
        self.own, self.inner, self.dropout = Attention(width, heads, attention_dropout), FeedForward(width, inner, 0.0), dropout
        self.cross = Attention(width, heads, attention_dropout) if cross else None
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3 if cross else 2))

    def forward(self, x, padded, mask=None, memory=None, memory_padded=None):
        drop = lambda y: F.dropout(y, self.dropout, self.training)
        x = self.norms[0](x + drop(self.own(x, x, padded, mask)))
        if self.cross is not None:
            x = self.norms[1](x + drop(self.cross(x, memory, memory_padded)))
        return self.norms[-1](x + drop(self.inner(x)))


class TextModel(nn.Module):
    def __init__(self, width=512, inner=1024, heads=4, layers=6, vocabulary=10000, dropout=0.3, attention_dropout=0.1):
        super().__init__()
        self.width, self.dropout = width, dropout
        self.embedding = nn.Embedding(vocabulary, width, PADDING)  # of both languages and of the output
        nn.init.normal_(self.embedding.weight, std=width ** -0.5)
        self.encoder = nn.ModuleList(Layer(width, inner, heads, dropout, attention_dropout, False) for _ in range(layers))
        self.decoder = nn.ModuleList(Layer(width, inner, heads, dropout, attention_dropout, True) for _ in range(layers))
        self.register_buffer("positions", sinusoidal(1024, width))

    def embedded(self, tokens, padded):  # [batch, token] to [token, batch, width]
        places = (torch.arange(tokens.size(1), device=tokens.device).unsqueeze(0) + PADDING + 1).masked_fill(padded, PADDING)
        x = math.sqrt(self.width) * self.embedding(tokens) + self.positions[places]
        return F.dropout(x, self.dropout, self.training).transpose(0, 1)

    def forward(self, features, lengths, tokens):
        padded = torch.arange(features.size(1), device=features.device).unsqueeze(0) >= lengths.unsqueeze(1)
        source = features[..., 0].long().masked_fill(padded, PADDING)
        memory = self.embedded(source, padded)
        for layer in self.encoder:
            memory = layer(memory, padded)
        x = self.embedded(tokens, tokens == PADDING)
        future = torch.full((tokens.size(1), tokens.size(1)), -math.inf, device=tokens.device).triu(1)
        for layer in self.decoder:
            x = layer(x, None, future, memory, padded)
        return F.linear(x.transpose(0, 1), self.embedding.weight)


if __name__ == "__main__":
    main(TextModel)
