// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/serve/outgoing.h"

#include "core/protocol/framing.h"

#include <cerrno>
#include <unistd.h>

namespace headroom::training {

void Outgoing::result(std::int64_t id, nlohmann::json result) {
    write(protocol::encodeMessage(protocol::resultMessage(id, std::move(result))));
}

void Outgoing::error(const nlohmann::json& id, ErrorCode code, const std::string& sentence,
                     const std::string& dataCode, nlohmann::json values) {
    write(protocol::encodeMessage(protocol::failureMessage(
        id, {static_cast<int>(code), sentence, dataCode, std::move(values)})));
}

void Outgoing::notify(const std::string& method, nlohmann::json params) {
    write(protocol::encodeMessage(protocol::notificationMessage(method, std::move(params))));
}

void Outgoing::array(std::int64_t request, const std::string& name, const TensorView& tensor) {
    write(protocol::encodeArray(request, name, tensor));
}

void Outgoing::write(const std::string& frame) {
    const std::lock_guard lock(m_mutex);
    for (std::size_t done = 0; done < frame.size() && !m_broken;) {
        const auto count = ::write(m_descriptor, frame.data() + done, frame.size() - done);
        if (count >= 0)
            done += static_cast<std::size_t>(count);
        else if (errno != EINTR)
            m_broken = true;
    }
}

} // namespace headroom::training
