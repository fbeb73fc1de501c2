// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/ranks/ranks.h"

#include "core/errors/error.h"
#include "training/ranks/gloo.h"

#include <ATen/core/ivalue.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

namespace headroom::training {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kRound{1};     ///< between two signs of life
constexpr seconds kSilence{20};  ///< without one, a rank is lost
constexpr std::int64_t kBucketValues = 25 * 1024 * 1024 / 4; ///< of one sum, as in PyTorch's DDP

std::vector<std::uint8_t> bytesOf(const std::string& text) {
    return {text.begin(), text.end()};
}

std::string name(int rank) {
    return "Rank " + std::to_string(rank);
}

} // namespace

struct Ranks::Implementation {
    RankPlace place;
    c10::intrusive_ptr<c10d::TCPStore> store, watched; ///< each used by one thread
    c10::intrusive_ptr<c10d::Backend> group;
    std::mutex mutex;
    std::condition_variable changed;
    std::thread watcher;
    bool stopping = false;
    std::string lost;                    ///< which rank, and why; guarded by mutex
    Clock::time_point answered = Clock::now(); ///< when rank 0 last answered the watcher; guarded by mutex

    c10::intrusive_ptr<c10d::TCPStore> connect(bool server, int patience) const {
        c10d::TCPStoreOptions options;
        options.port = static_cast<std::uint16_t>(place.port);
        options.isServer = server;
        options.waitWorkers = false;
        options.timeout = seconds(patience);
        return c10::make_intrusive<c10d::TCPStore>(place.address, options);
    }

    void meet(int patience) {
        store->set("here/" + std::to_string(place.rank), bytesOf("1"));
        const auto until = Clock::now() + seconds(patience);
        std::string absent;
        do {
            absent.clear();
            for (int rank = 0; rank < place.world; ++rank)
                if (!store->check({"here/" + std::to_string(rank)}))
                    absent += (absent.empty() ? "" : ", ") + std::to_string(rank);
            if (absent.empty())
                return;
            std::this_thread::sleep_for(milliseconds(20));
        } while (Clock::now() < until);
        throw Error("ranks.absent", "Of " + std::to_string(place.world) +
                                        " ranks, these did not connect within " + std::to_string(patience) +
                                        " s: " + absent + ".");
    }

    void setLost(const std::string& sentence) {
        const std::lock_guard guard(mutex);
        if (lost.empty())
            lost = sentence;
        changed.notify_all();
    }

    /// Says that this rank lives, and looks after the others, until told to stop.
    void watch() {
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
                        setLost(name(rank) + " failed: " + std::string(why.begin(), why.end()));
                        break;
                    }
                    const auto i = static_cast<std::size_t>(rank);
                    const std::int64_t beat = watched->add("beat/" + key, 0);
                    if (beat != beats[i])
                        heard[i] = Clock::now();
                    beats[i] = beat;
                    if (rank != place.rank && Clock::now() - heard[i] > kSilence)
                        setLost(name(rank) + " no longer answers.");
                }
            } catch (const std::exception&) { // of c10d: the connection to rank 0 is gone
                setLost("Rank 0 no longer answers.");
            }
            lock.lock();
            answered = Clock::now();
            changed.wait_for(lock, kRound, [&] { return stopping; });
        }
    }

    /// Waits for an operation of all ranks to end.
    void finish(const c10::intrusive_ptr<c10d::Work>& work) {
        const auto future = work->getFuture();
        auto done = std::make_shared<bool>(false); // the callback may come after this call was given up
        future->addCallback([this, done](c10::ivalue::Future&) {
            const std::lock_guard guard(mutex);
            *done = true;
            changed.notify_all();
        });
        std::unique_lock lock(mutex);
        while (!*done && lost.empty()) {
            changed.wait_for(lock, milliseconds(200));
            if (Clock::now() - answered > kSilence && lost.empty())
                lost = "Rank 0 no longer answers.";
        }
        if (*done && future->hasError()) // a closed connection; the watcher finds out whose
            changed.wait_for(lock, kSilence + 3 * kRound, [&] { return !lost.empty(); });
        if (*done && !future->hasError())
            return;
        if (lost.empty())
            lost = "The connection to another rank broke.";
        throw Error("ranks.lost", lost);
    }

    /// Gloo adds up on the CPU; what lies on another device makes the way there and back.
    void allReduce(at::Tensor& tensor) {
        std::vector<at::Tensor> one{tensor.cpu()};
        finish(group->allreduce(one));
        if (!tensor.is_cpu())
            tensor.copy_(one.front());
    }
};

Ranks::Ranks(const RankPlace& place, const std::function<void(int)>& listening, int patience)
    : m(new Implementation) {
    m->place = place;
    try {
        m->store = m->connect(place.rank == 0, patience);
        m->place.port = m->store->getPort();
        if (listening)
            listening(m->place.port);
        m->meet(patience);
        m->watched = m->connect(false, patience);
        m->group = glooGroup(m->store, m->place);
    } catch (const c10::Error& error) {
        throw Error("ranks.absent", place.rank == 0
                                        ? "The ranks could not be connected: " + std::string(error.what_without_backtrace())
                                        : name(place.rank) + " did not reach rank 0 at " + place.address + ", port " +
                                              std::to_string(place.port) + ".");
    }
    m->watcher = std::thread([this] { m->watch(); });
}

Ranks::~Ranks() {
    {
        const std::lock_guard guard(m->mutex);
        m->stopping = true;
    }
    m->changed.notify_all();
    if (!lost()) {
        m->watcher.join();
        return;
    }
    // Threads of c10d may wait for the lost rank for half an hour; they end with the process.
    m->watcher.detach();
    m->group.release();
    m->store.release();
    m->watched.release();
    m.release();
}

int Ranks::rank() const {
    return m->place.rank;
}

int Ranks::world() const {
    return m->place.world;
}

bool Ranks::lost() const {
    const std::lock_guard guard(m->mutex);
    return !m->lost.empty();
}

void Ranks::fail(const std::string& sentence) noexcept {
    try {
        m->store->set("failed/" + std::to_string(m->place.rank), bytesOf(sentence));
        if (m->place.rank == 0) // the store ends with this process: leave the others time to read it
            std::this_thread::sleep_for(2 * kRound);
    } catch (const std::exception&) {
        // Rank 0 is gone: there is nobody to tell.
    }
}

void Ranks::sum(std::vector<at::Tensor>& tensors) {
    for (std::size_t first = 0; first < tensors.size();) {
        std::vector<at::Tensor> bucket;
        std::int64_t values = 0;
        std::size_t last = first;
        while (last < tensors.size() && (bucket.empty() || values + tensors[last].numel() <= kBucketValues)) {
            values += tensors[last].numel();
            bucket.push_back(tensors[last++].reshape({-1}));
        }
        at::Tensor flat = at::cat(bucket);
        m->allReduce(flat);
        std::int64_t offset = 0;
        for (std::size_t i = first; i < last; ++i) {
            tensors[i].copy_(flat.narrow(0, offset, tensors[i].numel()).view(tensors[i].sizes()));
            offset += tensors[i].numel();
        }
        first = last;
    }
}

void Ranks::sum(at::Tensor& tensor) {
    m->allReduce(tensor);
}

void Ranks::sum(std::vector<double>& numbers) {
    at::Tensor tensor = at::tensor(numbers, at::kDouble);
    m->allReduce(tensor);
    const double* values = tensor.const_data_ptr<double>();
    numbers.assign(values, values + numbers.size());
}

std::vector<std::string> Ranks::gather(const std::string& own) {
    const auto world = static_cast<std::size_t>(m->place.world);
    const auto mine = static_cast<std::size_t>(m->place.rank);
    std::vector<double> sizes(world);
    sizes[mine] = static_cast<double>(own.size());
    sum(sizes);
    std::vector<std::int64_t> starts(world + 1);
    for (std::size_t i = 0; i < world; ++i)
        starts[i + 1] = starts[i] + static_cast<std::int64_t>(sizes[i]);
    // A sum of bytes that all but one rank leave 0.
    at::Tensor all = at::zeros({std::max<std::int64_t>(starts[world], 1)}, at::kByte);
    std::memcpy(all.mutable_data_ptr<std::uint8_t>() + starts[mine], own.data(), own.size());
    m->allReduce(all);
    const auto* bytes = reinterpret_cast<const char*>(all.const_data_ptr<std::uint8_t>());
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < world; ++i)
        texts.emplace_back(bytes + starts[i], bytes + starts[i + 1]);
    return texts;
}

std::string Ranks::fromFirst(const std::string& own) {
    return gather(m->place.rank == 0 ? own : std::string()).front();
}

} // namespace headroom::training
