// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace headroom::training {

/// What a command says: results on standard output (text, or one JSON document with --json), everything else
/// on standard error. One thread.
class Console {
public:
    explicit Console(bool json);
    ~Console();

    /// One line of the result in words; nothing where --json was asked for.
    void line(const std::string& text);
    /// The result as a document; nothing unless --json was asked for. Call it once.
    void document(const nlohmann::json& document);
    /// A bad input: its sentence goes to standard error, and the exit status becomes 1.
    void problem(const std::string& sentence);
    /// Worth saying, but not a reason to fail.
    void note(const std::string& sentence);
    /// A bar on a terminal, a line otherwise: "2 of 5  NAME". `done` counts what is finished.
    void progress(std::int64_t done, std::int64_t total, const std::string& what);
    bool isTerminal() const { return m_terminal; } ///< whether progress is a bar
    /// Ends the bar and flushes. 0, or 1 after a problem or where standard output could not be written.
    int finish();

private:
    void clearBar();

    bool m_json;
    bool m_terminal;
    bool m_barShown = false;
    int m_status = 0;
};

} // namespace headroom::training
