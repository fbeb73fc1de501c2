// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "training/ranks/ranks_implementation.h"

#include <algorithm>

namespace headroom::training {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kRound{1};    ///< between two signs of life
constexpr seconds kSilence{20}; ///< without one, a rank is lost

std::string nameOf(int rank) {
    return "Rank " + std::to_string(rank);
}

} // namespace

void Ranks::Implementation::startWatching() {
    answered = Clock::now();
    watcher = std::thread([this] { watch(); });
    clock = std::thread([this] { measure(); });
}

void Ranks::Implementation::setLost(const std::string& sentence) {
    std::vector<Sum> given;
    std::string why;
    {
        const std::lock_guard guard(mutex);
        if (lost.empty())
            lost = sentence;
        why = lost;
        given.swap(open);
        changed.notify_all();
    }
    for (const Sum& sum : given)
        sum->setError(std::make_exception_ptr(Error("ranks.lost", why)));
    if (gpus)
        gpus->abort(); // who waits for the GPU would wait for the lost rank
}

void Ranks::Implementation::watch() {
    std::vector<std::int64_t> beats(static_cast<std::size_t>(place.world), -1);
    std::vector<Clock::time_point> heard(beats.size(), Clock::now());
    std::unique_lock lock(mutex);
    while (!stopping && lost.empty()) {
        lock.unlock();
        try {
            watched->add("beat/" + std::to_string(place.rank), 1);
            for (int rank = 0; rank < place.world; ++rank) {
                const std::string key = std::to_string(rank);
                if (rank != place.rank && watched->check({"failed/" + key})) {
                    const auto why = watched->get("failed/" + key);
                    setLost(nameOf(rank) + " failed: " + std::string(why.begin(), why.end()));
                    break;
                }
                const auto i = static_cast<std::size_t>(rank);
                const std::int64_t beat = watched->add("beat/" + key, 0);
                if (beat != beats[i])
                    heard[i] = Clock::now();
                beats[i] = beat;
                if (rank != place.rank && Clock::now() - heard[i] > kSilence)
                    setLost(nameOf(rank) + " no longer answers.");
            }
        } catch (const std::exception&) { // of c10d: the connection to rank 0 is gone
            setLost("Rank 0 no longer answers.");
        }
        lock.lock();
        answered = Clock::now();
        changed.wait_for(lock, kRound, [&] { return stopping; });
    }
}

void Ranks::Implementation::measure() {
    std::unique_lock lock(mutex);
    while (!stopping && lost.empty()) {
        changed.wait_for(lock, milliseconds(200), [&] { return stopping || !lost.empty(); });
        const auto now = Clock::now();
        const bool silent = now - answered > kSilence;
        const bool nobodys = broken && now - *broken > kSilence + 3 * kRound; // the watcher should have found out whose
        if (stopping || !lost.empty() || open.empty() || !(silent || nobodys))
            continue;
        lock.unlock();
        setLost(silent ? "Rank 0 no longer answers." : "The connection to another rank broke.");
        return;
    }
}

Ranks::Implementation::Sum Ranks::Implementation::begin(c10d::Backend& backend, const at::Tensor& tensor) {
    const auto sum = c10::make_intrusive<c10::ivalue::Future>(c10::TensorType::get());
    {
        const std::lock_guard guard(mutex);
        if (!lost.empty())
            throw Error("ranks.lost", lost);
        open.push_back(sum);
    }
    std::vector<at::Tensor> one{tensor};
    backend.allreduce(one)->getFuture()->addCallback([this, sum, tensor](c10::ivalue::Future& done) {
        {
            const std::lock_guard guard(mutex);
            const auto found = std::find(open.begin(), open.end(), sum);
            if (found == open.end())
                return; // given up
            if (done.hasError()) { // a closed connection; the watcher finds out whose
                if (!broken)
                    broken = Clock::now();
                return;
            }
            open.erase(found);
        }
        sum->markCompleted(tensor);
    });
    return sum;
}

Ranks::Implementation::Sum Ranks::Implementation::beginGradients(const at::Tensor& tensor) {
    if (!gpus || !tensor.is_cuda())
        return begin(*gradients, tensor.cpu());
    refuseIfLost();
    std::vector<at::Tensor> one{tensor};
    return gpus->allreduce(one)->getFuture();
}

void Ranks::Implementation::refuseIfLost() {
    const std::lock_guard guard(mutex);
    if (!lost.empty())
        throw Error("ranks.lost", lost);
}

void Ranks::Implementation::sum(at::Tensor& tensor) {
    if (gpus && tensor.is_cuda()) { // what follows on the stream waits; this thread does not
        beginGradients(tensor)->wait();
        return;
    }
    const at::Tensor near = tensor.cpu();
    begin(*group, near)->waitAndThrow();
    if (!tensor.is_cpu())
        tensor.copy_(near);
}

} // namespace headroom::training
