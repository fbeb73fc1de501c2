// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace headroom::training {

/// The output of a command: results on standard output (text, or one JSON document with --json), everything
/// else on standard error. One thread.
class Console {
public:
    explicit Console(bool json);
    ~Console();

    /// Prints one line of the result; nothing with --json.
    void line(const std::string& text);
    /// Prints the result as a document; nothing without --json. Call it once.
    void document(const nlohmann::json& document);
    /// Reports an invalid input on standard error; the exit status becomes 1.
    void problem(const std::string& sentence);
    /// Sets the exit status of a command that a signal ended early; no problem changes it.
    void ended(int status) { m_endedStatus = status; }
    /// Prints a remark that is not a failure.
    void note(const std::string& sentence);
    /// Prints progress: a bar on a terminal, a line otherwise: "2 of 5 recordings". `done` counts finished items.
    void progress(std::int64_t done, std::int64_t total, const std::string& items);
    /// The same with the name of what is being done instead of what is counted: "2 of 5: NAME".
    void progressAt(std::int64_t done, std::int64_t total, const std::string& name);
    bool isTerminal() const { return m_terminal; } ///< whether progress is a bar
    /// Ends the bar and flushes. Returns the exit status: the one of ended() if set, else 0, or 1 after a
    /// problem or if standard output could not be written.
    int finish();

private:
    void showProgress(std::int64_t done, std::int64_t total, const std::string& rest);
    void clearBar();

    bool m_json;
    bool m_terminal;
    bool m_barShown = false;
    int m_status = 0, m_endedStatus = 0;
};

/// A number of a result: null where it is NaN or infinite, which JSON cannot write.
nlohmann::json known(double value);

} // namespace headroom::training
