// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/ranks/ranks.h"

#include <memory>
#include <vector>

namespace headroom::training {

/// Sums gradients over the ranks while the backward pass computes more of them: c10d's Reducer, as in PyTorch's DDP. One
/// thread; every rank calls the same functions in the same order. Lives as long as its parameters learn, and ends before
/// `ranks`.
///
/// A backward pass that nobody announced adds to the gradients of this rank. After one that was announced, the gradients
/// of all passes since the last are sums over the ranks, the same bits on each; a parameter that no rank used since then has
/// none. The pass throws Error "ranks.lost" as Ranks does.
class GradientSums {
public:
    /// `parameters`: the leaves that learn, in the order in which a forward pass uses them. They may cease to learn for a
    /// while.
    GradientSums(Ranks& ranks, const std::vector<at::Tensor>& parameters);
    ~GradientSums();

    /// Returns `loss` as a tensor of the same value, whose backward pass comes next and is announced. Where parameters that
    /// learn are not in its graph, the pass waits for the other ranks to say whether they used them, and so for a GPU.
    at::Tensor expect(const at::Tensor& loss);
    /// Takes part instead of it at a rank that has nothing to learn from; what it has from passes before counts.
    void passNothing();

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom::training
