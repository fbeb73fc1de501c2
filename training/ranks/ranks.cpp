// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/ranks/ranks.h"

#include "core/errors/error.h"
#include "training/ranks/gloo.h"
#include "training/ranks/nccl.h"
#include "training/ranks/ranks_implementation.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>

#include <algorithm>
#include <csignal>
#include <cstring>

namespace headroom::training {

namespace {

constexpr std::int64_t kBucketValues = 25 * 1024 * 1024 / 4; ///< of one sum, as in PyTorch's DDP

std::vector<std::uint8_t> bytesOf(const std::string& text) {
    return {text.begin(), text.end()};
}

} // namespace

c10::intrusive_ptr<c10d::TCPStore> Ranks::Implementation::connect(bool server, int patience) const {
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(place.port);
    options.isServer = server;
    options.waitWorkers = false;
    options.timeout = std::chrono::seconds(patience);
    return c10::make_intrusive<c10d::TCPStore>(place.address, options);
}

void Ranks::Implementation::meet(int patience) {
    store->set("place/" + std::to_string(place.rank), bytesOf("0 0")); // before anyone looks
    store->set("here/" + std::to_string(place.rank), bytesOf("1"));
    const auto until = Clock::now() + std::chrono::seconds(patience);
    std::string absent;
    do {
        absent.clear();
        for (int rank = 0; rank < place.world; ++rank)
            if (!store->check({"here/" + std::to_string(rank)}))
                absent += (absent.empty() ? "" : ", ") + std::to_string(rank);
        if (absent.empty())
            return;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    } while (Clock::now() < until);
    throw Error("ranks.absent",
                "Of " + std::to_string(place.world) + " ranks, these did not connect within " + std::to_string(patience) +
                    " s: " + absent + ".");
}

Ranks::Ranks(const RankPlace& place, const std::function<void(int)>& listening, int patience)
    : m(new Implementation) {
    ::signal(SIGPIPE, SIG_IGN); // c10d writes to a rank that has died: an error to report, not the end of this one
    m->place = place;
    try {
        m->store = m->connect(place.rank == 0, patience);
        m->place.port = m->store->getPort();
        if (listening)
            listening(m->place.port);
        m->meet(patience);
        m->watched = m->connect(false, patience);
        m->group = glooGroup(m->store, m->place);
        m->gradients = glooGroup(c10::make_intrusive<c10d::PrefixStore>("gradients", m->store), m->place);
    } catch (const c10::Error& error) {
        throw Error("ranks.absent", place.rank == 0
                                        ? "The ranks could not be connected: " + std::string(error.what_without_backtrace())
                                        : "Rank " + std::to_string(place.rank) + " did not reach rank 0 at " + place.address + ", port " +
                                              std::to_string(place.port) + ".");
    }
    m->startWatching();
}

Ranks::~Ranks() {
    {
        const std::lock_guard guard(m->mutex);
        m->stopping = true;
    }
    m->changed.notify_all();
    if (!lost()) {
        m->watcher.join();
        m->clock.join();
        return;
    }
    // Threads of c10d may wait for the lost rank for half an hour; they end with the process.
    m->watcher.detach();
    m->clock.detach();
    m->group.release();
    m->gradients.release();
    m->gpus.release();
    m->store.release();
    m->watched.release();
    m.release();
}

void Ranks::useGpus() {
    m->gpus = ncclGroup(c10::make_intrusive<c10d::PrefixStore>("gpus", m->store), m->place);
}

int Ranks::rank() const {
    return m->place.rank;
}

int Ranks::world() const {
    return m->place.world;
}

Ranks::Updating::Updating(Ranks* ranks)
    : m_ranks(ranks) {
    if (m_ranks)
        m_ranks->m->setUpdating(true);
}

Ranks::Updating::~Updating() {
    if (m_ranks)
        m_ranks->m->setUpdating(false);
}

void Ranks::advanced() {
    m->step();
}

void Ranks::whenHanging(std::function<void(const std::string&)> end) {
    const std::lock_guard guard(m->mutex);
    m->whenHanging = std::move(end);
}

bool Ranks::lost() const {
    return !whyLost().empty();
}

std::string Ranks::whyLost() const {
    const std::lock_guard guard(m->mutex);
    return m->lost;
}

void Ranks::fail(const std::string& sentence) noexcept {
    try {
        m->store->set("failed/" + std::to_string(m->place.rank), bytesOf(sentence));
        if (m->place.rank == 0) // the store ends with this process: leave the others time to read it
            std::this_thread::sleep_for(std::chrono::seconds(2));
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
        m->sum(flat);
        std::int64_t offset = 0;
        for (std::size_t i = first; i < last; ++i) {
            tensors[i].copy_(flat.narrow(0, offset, tensors[i].numel()).view(tensors[i].sizes()));
            offset += tensors[i].numel();
        }
        first = last;
    }
}

void Ranks::sum(at::Tensor& tensor) {
    m->sum(tensor);
}

void Ranks::sum(std::vector<double>& numbers) {
    at::Tensor tensor = at::tensor(numbers, at::kDouble);
    m->sum(tensor);
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
    m->sum(all);
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
