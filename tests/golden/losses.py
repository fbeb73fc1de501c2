# SPDX-License-Identifier: GPL-3.0-or-later
"""Losses with their gradients, the learning rate schedule, and ten steps of Adam.

label_smoothing.*  fairseq's formula: (1 - eps - eps_i) nll + eps_i sum_v(-log p_v), eps_i = eps / (V - 1), pad 1
ctc.*              torch, blank 0, zero_infinity; entry 3 cannot be aligned, the last target is empty. [tokens, batch, V]
inverse_sqrt.json  learning rate by update
optimiser.*        parameters after each of ten steps, lr 2e-3, betas 0.9 and 0.999, eps 1e-8; torch.optim and, for
                   adam_fairseq, eps added before the bias correction
"""

import numpy as np
import torch

from files import write_array, write_json


def label_smoothing(folder, random):
    logits = torch.tensor(random.standard_normal((3, 6, 10)) * 2, requires_grad=True)
    target = torch.tensor(random.integers(2, 10, (3, 6)))
    target[1, 5:] = 1
    target[2, 4:] = 1
    log_p = torch.log_softmax(logits, -1)
    real = target != 1
    eps, eps_i = 0.1, 0.1 / 9
    nll = -log_p.gather(-1, target[..., None])[..., 0][real]
    smooth = -log_p.sum(-1)[real]
    loss = ((1 - eps - eps_i) * nll + eps_i * smooth).sum()
    loss.backward()
    write_array(folder / "label_smoothing.logits.npy", logits.detach().numpy())
    write_array(folder / "label_smoothing.target.npy", target.numpy())
    write_array(folder / "label_smoothing.gradient.npy", logits.grad.numpy())
    write_json(folder / "label_smoothing.json", {
        "eps": eps, "pad": 1, "tokens": int(real.sum()), "loss_sum": loss.item(), "nll_sum": nll.sum().item()})


def ctc(folder, random):
    logits = torch.tensor(random.standard_normal((12, 5, 7)), requires_grad=True)
    targets = torch.tensor([[1, 2, 3, 4], [5, 5, 6, 0], [2, 0, 0, 0], [3, 3, 3, 3], [0, 0, 0, 0]])
    lengths, target_lengths = torch.tensor([12, 9, 4, 5, 7]), torch.tensor([4, 3, 1, 4, 0])
    loss = torch.nn.functional.ctc_loss(torch.log_softmax(logits, -1), targets, lengths, target_lengths,
                                        reduction="none", zero_infinity=True)
    loss.sum().backward()
    assert loss[3] == 0 and (loss[[0, 1, 2, 4]] > 0).all()
    for name, values in (("logits", logits.detach()), ("targets", targets), ("input_lengths", lengths),
                         ("target_lengths", target_lengths), ("loss_zero_infinity", loss.detach()),
                         ("gradient_zero_infinity", logits.grad)):
        write_array(folder / f"ctc.{name}.npy", values.numpy())


def schedule(folder):
    base, warmup, updates = 2e-3, 10000, [0, 1, 5000, 9999, 10000, 20000, 50000, 123456]
    rates = [base * (u / warmup if u < warmup else (warmup / u) ** 0.5) for u in updates]
    write_json(folder / "inverse_sqrt.json", {"base_lr": base, "warmup_updates": warmup, "updates": updates, "lr": rates})


def torch_adam(kind, decay, start, gradients):
    parameter = torch.nn.Parameter(torch.tensor(start))
    optimiser = kind([parameter], lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=decay, foreach=False)
    steps = []
    for gradient in gradients:
        parameter.grad = torch.tensor(gradient)
        optimiser.step()
        steps.append(parameter.detach().numpy().copy())
    return np.stack(steps)


def fairseq_adam(start, gradients):
    parameter, mean, variance, steps = start.copy(), 0, 0, []
    for step, gradient in enumerate(gradients, 1):
        mean = 0.9 * mean + 0.1 * gradient
        variance = 0.999 * variance + 0.001 * gradient ** 2
        size = 2e-3 * np.sqrt(1 - 0.999 ** step) / (1 - 0.9 ** step)
        parameter = parameter - size * mean / (np.sqrt(variance) + 1e-8)
        steps.append(parameter)
    return np.stack(steps)


def optimisers(folder, random):
    start = random.standard_normal(8)
    gradients = random.standard_normal((10, 8)) * np.array([1, 1, 10, 1e-3, 1e-8, 1, 1e-7, 100.0])
    write_array(folder / "optimiser.start.npy", start)
    write_array(folder / "optimiser.gradients.npy", gradients)
    for bits in (64, 32):
        given = [x.astype(f"float{bits}") for x in (start, gradients)]
        write_array(folder / f"optimiser.adam.float{bits}.npy", torch_adam(torch.optim.Adam, 0, *given))
    for name, decay in (("0.1", 0.1), ("1e-5", 1e-5)):
        write_array(folder / f"optimiser.adamw_{name}.float64.npy",
                    torch_adam(torch.optim.AdamW, decay, start, gradients))
    write_array(folder / "optimiser.adam_fairseq.float64.npy", fairseq_adam(start, gradients))


def make(folder):
    random = np.random.default_rng(7)
    label_smoothing(folder, random)
    ctc(folder, random)
    schedule(folder)
    optimisers(folder, random)
