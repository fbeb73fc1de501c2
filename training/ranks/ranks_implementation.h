// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/ranks/ranks.h"

#include <ATen/core/ivalue.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace headroom::training {

/// The connections of a rank, and the two threads that find out when another is lost. For this folder only.
struct Ranks::Implementation {
    using Clock = std::chrono::steady_clock;
    using Sum = c10::intrusive_ptr<c10::ivalue::Future>; ///< of a tensor

    RankPlace place;
    c10::intrusive_ptr<c10d::TCPStore> store, watched; ///< each used by one thread
    /// Gradients have connections of their own: their sums go on while the backward pass asks for those of BatchNorm, and a
    /// group matches operations by their order.
    c10::intrusive_ptr<c10d::Backend> group, gradients;
    c10::intrusive_ptr<c10d::Backend> gpus; ///< NCCL, for tensors on GPUs; null: they are summed on the CPU
    std::mutex mutex;
    std::condition_variable changed;
    std::thread watcher, clock;
    bool stopping = false;
    std::string lost;                          ///< which rank, and why; guarded by mutex
    std::vector<Sum> open;                     ///< begun and not yet ended; guarded by mutex
    Clock::time_point answered = Clock::now(); ///< when rank 0 last answered the watcher; guarded by mutex
    /// Sums begun and batches done, which are as many at every rank, and whether this rank makes an update. The watcher tells
    /// the others.
    std::atomic<std::int64_t> progress{0};
    std::atomic<bool> updating{false};
    /// The longest time between two steps of progress within an update, in milliseconds: of this rank, and of any rank.
    std::atomic<std::int64_t> ownSlowest{0}, slowest{0};
    std::atomic<std::int64_t> stepped{0}; ///< when this rank made its last step, in milliseconds of Clock
    void step();                          ///< one more of progress; on any thread
    void setUpdating(bool on);
    /// How long a rank that does not move within an update is waited for: a slow machine takes long for every step.
    std::chrono::milliseconds patience() const;
    std::function<void(const std::string&)> whenHanging; ///< guarded by mutex
    std::optional<Clock::time_point> broken;   ///< when a connection broke, nobody knows yet whose; guarded by mutex

    c10::intrusive_ptr<c10d::TCPStore> connect(bool server, int patience) const;
    void meet(int patience);

    void startWatching();
    /// Ends every sum with an error that says this sentence.
    void setLost(const std::string& sentence);

    /// Begins to replace a tensor on the CPU by its sum over the ranks, and returns at once. The sum ends with Error
    /// "ranks.lost" when another rank is lost.
    Sum begin(c10d::Backend& backend, const at::Tensor& tensor);
    /// Replaces a tensor by its sum. Gloo adds up on the CPU; what lies on a device without a group of its own makes the way
    /// there and back.
    void sum(at::Tensor& tensor);
    /// Begins the sum of gradients, in place where they lie on the CPU or NCCL adds them up. Its value is the sum.
    Sum beginGradients(const at::Tensor& tensor);

private:
    /// How far the watcher saw another rank go.
    struct Progress {
        std::int64_t beat = -1;
        std::string place;                      ///< "PROGRESS 1 SLOWEST" within an update, else "PROGRESS 0 SLOWEST"
        Clock::time_point heard = Clock::now(); ///< when the beat was another
        Clock::time_point moved = Clock::now(); ///< when the place was another, or this rank no further
    };
    void refuseIfLost();
    std::string ownPlace() const;
    void look(int rank, Progress& seen); ///< whether a rank is lost
    void watch();   ///< says that this rank lives, and looks after the others, until told to stop
    void measure(); ///< whether the watcher itself is kept waiting
};

} // namespace headroom::training
