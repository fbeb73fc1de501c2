// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/ranks/place.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace at {
class Tensor;
}

namespace headroom::training {

/// The processes that train one model together, over c10d: a TCPStore at rank 0, Gloo between all of them, and NCCL between
/// their GPUs.
///
/// Every rank calls the same operations in the same order. Sums are the same bits on every rank. An operation throws
/// Error "ranks.lost" when another rank has failed, died, not answered for 20 s, or hung in an update; the sentence names it,
/// with the reason it gave. After that no operation can be used. One thread.
class Ranks {
public:
    /// Meets the other ranks; waits up to `seconds` for them. Rank 0 listens, at any free port if place.port is 0, and
    /// calls `listening` with the port before it waits. Throws Error "ranks.absent", which names those that did not
    /// come.
    explicit Ranks(const RankPlace& place, const std::function<void(int port)>& listening = {}, int seconds = 300);
    ~Ranks();

    /// Tensors on GPUs are summed there, through NCCL, from now on; every rank calls it before anything else. Throws Error
    /// "ranks.noNccl", which says what is missing.
    void useGpus();

    int rank() const;
    int world() const;

    /// Replaces each tensor (float32, on one device) by its sum over the ranks. Shapes must be the same everywhere.
    void sum(std::vector<at::Tensor>& tensors);
    /// Replaces one tensor of any type by its sum, in place.
    void sum(at::Tensor& tensor);
    /// Replaces each number by its sum.
    void sum(std::vector<double>& numbers);
    /// Returns what each rank gave, by rank.
    std::vector<std::string> gather(const std::string& own);
    /// Returns what rank 0 gave.
    std::string fromFirst(const std::string& own);

    /// While it lives, this rank makes an update: it begins its sums soon after the others (watching.cpp), or it is lost. Outside (reading,
    /// writing, validating) the others wait as long as it takes. Null: nothing.
    class Updating {
    public:
        explicit Updating(Ranks* ranks);
        ~Updating();
        Updating(const Updating&) = delete;
        Updating& operator=(const Updating&) = delete;

    private:
        Ranks* m_ranks;
    };
    /// Says that an update has gone on by one batch.
    void advanced();
    /// `end` is called, on another thread, with the sentence of whyLost() when a rank is lost and this one has hung in an update
    /// for 20 s, so that nobody else can end it. Called once, before the first update.
    void whenHanging(std::function<void(const std::string& sentence)> end);

    /// Tells the others why this rank ends; they throw "ranks.lost" with this sentence.
    void fail(const std::string& sentence) noexcept;
    /// Whether another rank was lost. Its connections cannot be closed in order: end the process with std::_Exit.
    bool lost() const;
    /// Which rank, and why; empty: none.
    std::string whyLost() const;

private:
    friend class GradientSums;
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom::training
