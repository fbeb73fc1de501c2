// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/rpc.h"
#include "core/tensors/tensor.h"

#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

namespace headroom::training {

using protocol::ErrorCode;

/// Sends whole frames to the window, one after another, from any thread. Writing blocks until the window
/// reads.
class Outgoing {
public:
    explicit Outgoing(int descriptor) : m_descriptor(descriptor) {}

    void result(std::int64_t id, nlohmann::json result);
    /// `id`: the request's, or null if unknown. `dataCode`: the stable code of the message.
    void error(const nlohmann::json& id, ErrorCode code, const std::string& sentence,
               const std::string& dataCode, nlohmann::json values = nlohmann::json::object());
    /// A message of core/protocol/messages.h that is a notification.
    template <class Message>
    void notify(const Message& message) {
        notify(Message::kMethod, message.toJson());
    }
    void array(std::int64_t request, const std::string& name, const TensorView& tensor);
    /// The window no longer reads: nothing written arrives.
    bool broken() const { return m_broken; }

private:
    void notify(const std::string& method, nlohmann::json params);
    void write(const std::string& frame);

    int m_descriptor;
    std::mutex m_mutex;
    std::atomic<bool> m_broken = false;
};

} // namespace headroom::training
