// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/console.h"

#include "core/errors/count_text.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <unistd.h>

namespace headroom::training {

Console::Console(bool json) : m_json(json), m_terminal(::isatty(STDERR_FILENO) == 1) {}

Console::~Console() {
    clearBar();
}

void Console::line(const std::string& text) {
    if (m_json)
        return;
    clearBar();
    std::cout << text << std::endl; // there at once, also in a pipe
}

void Console::document(const nlohmann::json& document) {
    if (!m_json)
        return;
    clearBar();
    // A file's name may hold any bytes; JSON may not.
    std::cout << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
}

void Console::problem(const std::string& sentence) {
    note(sentence);
    m_status = 1;
}

void Console::note(const std::string& sentence) {
    clearBar();
    std::cerr << sentence << std::endl;
}

void Console::progress(std::int64_t done, std::int64_t total, const std::string& items) {
    showProgress(done, total, " " + items);
}

void Console::progressAt(std::int64_t done, std::int64_t total, const std::string& name) {
    showProgress(done, total, ": " + name);
}

void Console::showProgress(std::int64_t done, std::int64_t total, const std::string& rest) {
    if (!m_terminal) {
        std::cerr << grouped(done) << " of " << grouped(total) << rest << std::endl;
        return;
    }
    constexpr std::int64_t kWidth = 30;
    const auto filled =
        static_cast<std::size_t>(total > 0 ? std::clamp(done * kWidth / total, std::int64_t(0), kWidth) : 0);
    clearBar();
    std::cerr << '[' << std::string(filled, '=') << std::string(kWidth - filled, ' ') << "] "
              << grouped(done) << " of " << grouped(total) << rest << std::flush;
    m_barShown = true;
}

int Console::finish() {
    clearBar();
    if (!std::cout.flush()) {
        std::cerr << "Standard output could not be written." << std::endl;
        m_status = 1;
    }
    return m_endedStatus != 0 ? m_endedStatus : m_status;
}

void Console::clearBar() {
    if (m_barShown)
        std::cerr << "\r\033[K" << std::flush;
    m_barShown = false;
}

nlohmann::json known(double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
}

} // namespace headroom::training
