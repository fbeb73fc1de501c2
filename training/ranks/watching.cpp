// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "training/ranks/ranks_implementation.h"

#include <algorithm>
#include <sstream>
#include <utility>

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

std::string Ranks::Implementation::ownPlace() const {
    return std::to_string(progress) + (updating ? " 1 " : " 0 ") + std::to_string(ownSlowest);
}

namespace {

std::int64_t millisecondsNow() {
    return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void raise(std::atomic<std::int64_t>& most, std::int64_t value) {
    std::int64_t known = most;
    while (value > known && !most.compare_exchange_weak(known, value)) {
    }
}

} // namespace

void Ranks::Implementation::step() {
    const std::int64_t now = millisecondsNow(), before = stepped.exchange(now);
    if (updating) {
        raise(ownSlowest, now - before);
        raise(slowest, now - before);
    }
    ++progress;
}

void Ranks::Implementation::setUpdating(bool on) {
    stepped = millisecondsNow();
    updating = on;
}

milliseconds Ranks::Implementation::patience() const {
    return std::max<milliseconds>(kSilence, milliseconds(4 * slowest));
}

void Ranks::Implementation::look(int rank, Progress& seen) {
    const std::string key = std::to_string(rank);
    if (watched->check({"failed/" + key})) {
        const auto why = watched->get("failed/" + key);
        return setLost(nameOf(rank) + " failed: " + std::string(why.begin(), why.end()));
    }
    const auto now = Clock::now();
    const std::int64_t beat = watched->add("beat/" + key, 0);
    if (beat != seen.beat)
        seen.heard = now;
    seen.beat = beat;
    if (now - seen.heard > kSilence)
        return setLost(nameOf(rank) + " no longer answers.");
    // Its watcher may live while its training hangs.
    const auto told = watched->get("place/" + key);
    const std::string reached(told.begin(), told.end());
    std::istringstream words(reached);
    std::int64_t others = 0, inUpdate = 0, theirSlowest = 0;
    words >> others >> inUpdate >> theirSlowest;
    raise(slowest, theirSlowest);
    if (reached != seen.place || inUpdate == 0 || others >= progress)
        seen.moved = now;
    seen.place = reached;
    if (const auto limit = patience(); now - seen.moved > limit)
        setLost(nameOf(rank) + " hangs: it has not taken part in an update for " +
                std::to_string(std::chrono::duration_cast<seconds>(limit).count()) + " s.");
}

void Ranks::Implementation::watch() {
    std::vector<Progress> seen(static_cast<std::size_t>(place.world));
    std::unique_lock lock(mutex);
    while (!stopping && lost.empty()) {
        lock.unlock();
        try {
            const std::string own = std::to_string(place.rank), reached = ownPlace();
            watched->add("beat/" + own, 1);
            watched->set("place/" + own, std::vector<std::uint8_t>(reached.begin(), reached.end()));
            for (int rank = 0; rank < place.world; ++rank)
                if (rank != place.rank)
                    look(rank, seen[static_cast<std::size_t>(rank)]);
        } catch (const std::exception&) { // of c10d: the connection to rank 0 is gone
            setLost("Rank 0 no longer answers.");
        }
        lock.lock();
        answered = Clock::now();
        changed.wait_for(lock, kRound, [&] { return stopping; });
    }
}

void Ranks::Implementation::measure() {
    std::string own = ownPlace();
    auto moved = Clock::now();
    std::optional<Clock::time_point> lostSince;
    std::unique_lock lock(mutex);
    while (!stopping) {
        changed.wait_for(lock, milliseconds(200), [&] { return stopping || (!lost.empty() && !lostSince); });
        const auto now = Clock::now();
        if (const std::string reached = ownPlace(); reached != own || !updating) {
            own = reached;
            moved = now;
        }
        if (stopping)
            return;
        if (!lost.empty()) {
            if (!lostSince)
                lostSince = now;
            // Who was asked to end and hangs does not hear it.
            if (whenHanging && now - *lostSince > 2 * kRound && now - moved > patience()) {
                const auto end = std::exchange(whenHanging, nullptr);
                const std::string why = lost;
                lock.unlock();
                end(why);
                lock.lock();
            }
            continue;
        }
        const bool silent = now - answered > kSilence;
        const bool nobodys = broken && now - *broken > kSilence + 3 * kRound; // the watcher should have found out whose
        if (open.empty() || !(silent || nobodys))
            continue;
        lock.unlock();
        setLost(silent ? "Rank 0 no longer answers." : "The connection to another rank broke.");
        lock.lock();
    }
}

Ranks::Implementation::Sum Ranks::Implementation::begin(c10d::Backend& backend, const at::Tensor& tensor) {
    const auto sum = c10::make_intrusive<c10::ivalue::Future>(c10::TensorType::get());
    step();
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
    step();
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
