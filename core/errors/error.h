// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace headroom {

/// An error in the input or of the machine.
/// - `code` is stable and dotted ("audio.truncated"). The window may translate by it, and tests compare it.
/// - `values` has the numbers and names of the sentence as JSON.
/// - `what()` is an English sentence that names the file and the problem, and ends with a full stop.
///
/// core, models and training throw this type for invalid input; std::logic_error and asserts are for bugs of
/// our own. A value, safe to copy between threads.
class Error : public std::runtime_error {
public:
    Error(std::string code, const std::string& sentence, nlohmann::json values = nlohmann::json::object())
        : std::runtime_error(sentence)
        , m_code(std::move(code))
        , m_values(std::move(values)) {}

    const std::string& code() const { return m_code; }
    const nlohmann::json& values() const { return m_values; }

private:
    std::string m_code;
    nlohmann::json m_values;
};

/// A problem that did not stop the work: "NAME ends at 2.10 s, although its header promises 4.80 s. …".
struct Warning {
    std::string code;
    std::string sentence;
};

} // namespace headroom
