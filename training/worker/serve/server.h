// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/framing.h"
#include "core/protocol/sounds.h"
#include "training/worker/serve/handlers.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace headroom::training {

/// The worker's side of the protocol (core/protocol/README.md). Two threads: the caller of run() reads,
/// answers requests that need no model, and cancels; the thread of requests does the rest, one request after another.
class Server {
public:
    Server(int in, int out) : m_in(in), m_outgoing(out), m_handlers(m_outgoing) {}
    ~Server();

    /// Runs until `exit`, the end of the stream, a window that no longer reads, or malformed input. Returns
    /// the exit status.
    int run();

private:
    std::optional<int> takeFrames(); ///< the exit status, when the conversation is over
    std::optional<int> takeMessage(const nlohmann::json& message);
    void takeArray(protocol::ArrayFrame&& frame);
    void takeRequest(std::int64_t id, const std::string& method, const nlohmann::json& params);
    void initialize(std::int64_t id, const nlohmann::json& params);
    void enqueue(std::int64_t id, const std::string& method, const nlohmann::json& params);
    void findSound(Request& request);
    void cancel(const nlohmann::json& params);
    void shutDown(std::int64_t id);
    void supersede(const std::string& tag);
    void stopRequests();
    void workThroughRequests();
    void refuse(const Request& request);

    int m_in;
    Outgoing m_outgoing;
    Handlers m_handlers;
    protocol::FrameReader m_reader;
    bool m_initialized = false;
    bool m_shutDown = false;
    std::map<std::int64_t, std::map<std::string, Tensor>> m_arrays; ///< of requests that have not arrived yet
    std::size_t m_arrayBytes = 0;
    protocol::SoundList m_soundList;
    std::map<std::string, Tensor> m_sounds; ///< of the list, by hash

    std::mutex m_mutex; ///< guards what follows
    std::condition_variable m_wake;
    std::deque<std::shared_ptr<Request>> m_queue;
    std::shared_ptr<Request> m_running;
    bool m_ending = false;
    std::thread m_requestThread;
};

} // namespace headroom::training
