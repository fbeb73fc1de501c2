// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/tensor.h"

#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

namespace headroom::training {

/// JSON-RPC error codes of the conversation (core/protocol/README.md).
enum class RpcError : int {
    Parse = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    Internal = -32603,
    BadInput = -32000,
    NotInitialized = -32001,
    Cancelled = -32800,
};

/// Sends whole frames to the window, one after another, from any thread. Writing blocks until the window
/// reads.
class Outgoing {
public:
    explicit Outgoing(int descriptor) : m_descriptor(descriptor) {}

    void result(std::int64_t id, nlohmann::json result);
    /// `id`: the request's, or null if unknown. `dataCode`: the stable code of the message.
    void error(const nlohmann::json& id, RpcError code, const std::string& sentence,
               const std::string& dataCode, nlohmann::json values = nlohmann::json::object());
    void notify(const std::string& method, nlohmann::json params);
    void array(std::int64_t request, const std::string& name, const TensorView& tensor);
    /// The window no longer reads: nothing written arrives.
    bool broken() const { return m_broken; }

private:
    void write(const std::string& frame);

    int m_descriptor;
    std::mutex m_mutex;
    std::atomic<bool> m_broken = false;
};

} // namespace headroom::training
