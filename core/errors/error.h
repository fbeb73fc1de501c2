// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace headroom {

/// A mistake in what the user gave us, or in the machine, that has a sentence.
///
/// `code` is stable and dotted ("audio.truncated"): the window may translate by it, tests compare it.
/// `values` holds the numbers and names of the sentence as JSON. `what()` is the whole English sentence: it
/// names the file and what is wrong, and ends with a full stop. Everything in core, models and training
/// throws this type for bad input; std::logic_error and asserts are for our own mistakes. Threads: a value,
/// safe to copy between threads.
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

/// Something worth saying that did not stop the work: "NAME ends at 2.10 s, its header promises 4.80 s. …".
struct Warning {
    std::string code;
    std::string sentence;
};

} // namespace headroom
