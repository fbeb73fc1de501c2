// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/serve/server.h"

#include <array>
#include <cerrno>
#include <iostream>
#include <unistd.h>

namespace headroom::training {

namespace {

constexpr std::size_t kMaximumWaitingBytes = std::size_t(1) << 30; ///< of arrays whose requests have not come

} // namespace

Server::~Server() {
    stopRequests();
}

int Server::run() {
    m_requestThread = std::thread([this] { workThroughRequests(); });
    std::array<char, 1 << 16> bytes{};
    while (!m_outgoing.broken()) {
        const auto count = ::read(m_in, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        m_reader.push({bytes.data(), static_cast<std::size_t>(count)});
        if (const auto status = takeFrames()) {
            stopRequests();
            return *status;
        }
    }
    stopRequests();
    if (m_reader.pending() > 0) {
        std::cerr << "The conversation ended inside a frame." << std::endl;
        return 1;
    }
    return 0;
}

std::optional<int> Server::takeFrames() {
    try {
        while (auto frame = m_reader.next()) {
            if (auto* array = std::get_if<protocol::ArrayFrame>(&*frame))
                takeArray(std::move(*array));
            else if (const auto status = takeMessage(std::get<nlohmann::json>(*frame)))
                return status;
        }
        return std::nullopt;
    } catch (const Error& error) {
        // Nobody knows where the next frame begins: say so and end.
        m_outgoing.error(nullptr, ErrorCode::Parse, error.what(), error.code(), error.values());
        std::cerr << error.what() << std::endl;
        return 1;
    }
}

std::optional<int> Server::takeMessage(const nlohmann::json& message) {
    protocol::Call call;
    try {
        call = protocol::readCall(message);
    } catch (const Error& error) {
        const auto id = message.find("id");
        const bool isKnown = id != message.end() && id->is_number_integer();
        m_outgoing.error(isKnown ? *id : nlohmann::json(nullptr), ErrorCode::InvalidRequest, error.what(),
                         error.code());
        return std::nullopt;
    }
    if (call.id) {
        takeRequest(*call.id, call.method, call.params);
        return std::nullopt;
    }
    if (call.method == protocol::Exit::kMethod)
        return m_shutDown ? 0 : 1;
    if (call.method == protocol::Cancel::kMethod)
        cancel(call.params);
    else
        std::cerr << "The notification " << call.method << " is unknown." << std::endl;
    return std::nullopt;
}

void Server::takeArray(protocol::ArrayFrame&& frame) {
    m_arrayBytes += frame.tensor.bytes.size();
    if (m_arrayBytes > kMaximumWaitingBytes)
        throw Error("protocol.malformed", "More than 1 GiB of arrays arrived without their request.");
    auto& place = m_arrays[frame.request][frame.name];
    m_arrayBytes -= place.bytes.size();
    place = std::move(frame.tensor);
}

void Server::takeRequest(std::int64_t id, const std::string& method, const nlohmann::json& params) {
    if (method == protocol::Initialize::kMethod)
        return initialize(id, params);
    if (!m_initialized)
        return m_outgoing.error(id, ErrorCode::NotInitialized, "The first request must be initialize.",
                                "protocol.notInitialized");
    if (method == protocol::Shutdown::kMethod)
        return shutDown(id);
    if (!Handlers::knows(method))
        return m_outgoing.error(id, ErrorCode::MethodNotFound, "The worker has no method " + method + ".",
                                "protocol.noSuchMethod", {{"method", method}});
    if (m_shutDown)
        return m_outgoing.error(id, ErrorCode::InvalidRequest, "The worker has shut down.",
                                "protocol.shutDown");
    enqueue(id, method, params);
}

void Server::initialize(std::int64_t id, const nlohmann::json& params) {
    const auto version = params.find("protocol");
    if (version == params.end() || *version != protocol::kVersion)
        return m_outgoing.error(
            id, ErrorCode::NotInitialized,
            "The window uses version " + (version == params.end() ? "–" : version->dump()) +
                " of the protocol, this worker version " + std::to_string(protocol::kVersion) + ".",
            "protocol.version", {{"worker", protocol::kVersion}});
    m_initialized = true;
    m_outgoing.result(id, describeWorker().toJson());
}

void Server::enqueue(std::int64_t id, const std::string& method, const nlohmann::json& params) {
    auto request = std::make_shared<Request>();
    request->id = id;
    request->method = method;
    request->params = params;
    if (method == protocol::Analyse::kMethod)
        request->tag = protocol::Analyse::tagOf(params);
    if (const auto arrays = m_arrays.find(id); arrays != m_arrays.end()) {
        request->arrays = std::move(arrays->second);
        m_arrays.erase(arrays);
        for (const auto& [name, tensor] : request->arrays)
            m_arrayBytes -= tensor.bytes.size();
    }
    findSound(*request);
    if (!request->tag.empty())
        supersede(request->tag);
    const std::lock_guard lock(m_mutex);
    m_queue.push_back(std::move(request));
    m_wake.notify_one();
}

/// Keeps a sound that was sent with its hash, and finds one that is only named.
void Server::findSound(Request& request) {
    const auto named = request.params.find(protocol::kSoundKey);
    if (named == request.params.end() || !named->is_string())
        return;
    const auto hash = named->get<std::string>();
    request.params.erase(named);
    if (const auto sent = request.arrays.find("samples"); sent != request.arrays.end()) {
        if (m_soundList.remember(hash, sent->second.bytes.size()))
            m_sounds[hash] = sent->second;
        std::erase_if(m_sounds, [&](const auto& kept) { return !m_soundList.holds(kept.first); });
    } else if (const auto kept = m_sounds.find(hash); kept != m_sounds.end()) {
        request.arrays["samples"] = kept->second;
    }
}

void Server::supersede(const std::string& tag) {
    const std::lock_guard lock(m_mutex);
    if (m_running && m_running->tag == tag) {
        m_running->superseded = true;
        m_running->stop = true;
    }
    std::erase_if(m_queue, [&](const std::shared_ptr<Request>& request) {
        if (request->tag != tag)
            return false;
        request->superseded = true;
        refuse(*request);
        return true;
    });
}

void Server::cancel(const nlohmann::json& params) {
    std::int64_t id = 0;
    try {
        id = protocol::Cancel::from(params).request;
    } catch (const Error& error) { // a notification has no answer
        std::cerr << error.what() << std::endl;
        return;
    }
    const std::lock_guard lock(m_mutex);
    if (m_running && m_running->id == id)
        m_running->stop = true;
    std::erase_if(m_queue, [&](const std::shared_ptr<Request>& request) {
        if (request->id != id)
            return false;
        refuse(*request);
        return true;
    });
}

void Server::refuse(const Request& request) {
    m_outgoing.error(request.id, ErrorCode::Cancelled,
                     request.superseded ? "The request was superseded by a newer one." : "The request was cancelled.",
                     request.superseded ? "superseded" : "cancelled");
}

void Server::shutDown(std::int64_t id) {
    m_shutDown = true;
    stopRequests();
    m_outgoing.result(id, nullptr);
}

void Server::stopRequests() {
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
        if (m_running)
            m_running->stop = true;
        for (const auto& request : m_queue)
            refuse(*request);
        m_queue.clear();
        m_wake.notify_one();
    }
    if (m_requestThread.joinable())
        m_requestThread.join();
}

void Server::workThroughRequests() {
    for (;;) {
        std::shared_ptr<Request> request;
        {
            std::unique_lock lock(m_mutex);
            m_running.reset();
            m_wake.wait(lock, [this] { return m_ending || !m_queue.empty(); });
            if (m_queue.empty())
                return;
            request = m_running = m_queue.front();
            m_queue.pop_front();
        }
        m_handlers.run(*request);
    }
}

} // namespace headroom::training
