// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/rpc.h"

namespace headroom::protocol {

using nlohmann::json;

namespace {

json memberOf(const json& object, const char* key) {
    return object.is_object() && object.contains(key) ? object.at(key) : json();
}

std::string textOf(const json& object, const char* key) {
    const json value = memberOf(object, key);
    return value.is_string() ? value.get<std::string>() : std::string();
}

} // namespace

json requestMessage(std::int64_t id, const std::string& method, json params) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

json notificationMessage(const std::string& method, json params) {
    return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

json resultMessage(std::int64_t id, json result) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

json failureMessage(const json& id, const Failure& failure) {
    json error{{"code", failure.code}, {"message", failure.sentence}};
    error["data"] = {{"code", failure.dataCode}, {"values", failure.values}};
    return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(error)}};
}

Call readCall(const json& message) {
    Call call;
    call.method = textOf(message, "method");
    call.params = memberOf(message, "params");
    if (call.params.is_null())
        call.params = json::object();
    const bool hasId = message.is_object() && message.contains("id");
    const json id = memberOf(message, "id");
    if (textOf(message, "jsonrpc") != "2.0" || call.method.empty() || !call.params.is_object() ||
        (hasId && !id.is_number_integer()))
        throw Error("protocol.badRequest",
                    "The message is not a JSON-RPC 2.0 request with an integer id and named parameters.");
    if (hasId)
        call.id = id.get<std::int64_t>();
    return call;
}

std::optional<Answer> readAnswer(const json& message) {
    const json id = memberOf(message, "id");
    if (!id.is_number_integer())
        return std::nullopt;
    Answer answer;
    answer.id = id.get<std::int64_t>();
    const json error = memberOf(message, "error");
    if (!error.is_object()) {
        answer.result = memberOf(message, "result");
        return answer;
    }
    Failure& failure = answer.failure.emplace();
    const json code = memberOf(error, "code"), data = memberOf(error, "data");
    if (code.is_number_integer() && code != 0)
        failure.code = code.get<int>();
    failure.sentence = textOf(error, "message");
    failure.dataCode = textOf(data, "code");
    failure.values = memberOf(data, "values");
    return answer;
}

} // namespace headroom::protocol
