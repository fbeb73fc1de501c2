// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace headroom::protocol {

// The JSON-RPC 2.0 envelope around the messages (messages.h). Pure functions and values; thread-safe.

/// Error codes of the conversation (README.md).
enum class ErrorCode : int {
    Parse = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    Internal = -32603,
    BadInput = -32000,
    NotInitialized = -32001,
    Cancelled = -32800,
};

/// Why a request failed: {code, message, data: {code, values}} on the wire.
struct Failure {
    int code = static_cast<int>(ErrorCode::Internal); ///< of ErrorCode, or another version's
    std::string sentence;
    std::string dataCode; ///< the stable code of the sentence: "model.tooLong"
    nlohmann::json values = nlohmann::json::object();
};

nlohmann::json requestMessage(std::int64_t id, const std::string& method, nlohmann::json params);
nlohmann::json notificationMessage(const std::string& method, nlohmann::json params);
nlohmann::json resultMessage(std::int64_t id, nlohmann::json result);
/// `id`: the request's, or null where it is not known.
nlohmann::json failureMessage(const nlohmann::json& id, const Failure& failure);

/// A request, or a notification (no id).
struct Call {
    std::optional<std::int64_t> id;
    std::string method;
    nlohmann::json params; ///< an object; empty where none were given
};
/// Reads what the window says. Throws Error "protocol.badRequest" for a message that is not a JSON-RPC 2.0
/// call with an integer id and named parameters.
Call readCall(const nlohmann::json& message);

/// The answer to a request.
struct Answer {
    std::int64_t id = 0;
    nlohmann::json result; ///< null where it failed
    std::optional<Failure> failure;
};
/// Reads an answer of the worker. Returns nullopt for a message that answers no request (its id is not an
/// integer). Details of a failure that are missing or of another type stay empty: the request has failed either
/// way.
std::optional<Answer> readAnswer(const nlohmann::json& message);

} // namespace headroom::protocol
