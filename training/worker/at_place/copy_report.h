// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/run_place.h"
#include "core/runs/run_folder.h"
#include "training/places/conversation.h"
#include "training/worker/place_runs.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

namespace headroom::training {

/// How the copying for a new run stands: told to who watches, and written into place.json once a second. One
/// thread.
class CopyReport {
public:
    CopyReport(std::filesystem::path run, RunPlace& place, const PlaceOutput& output)
        : m_run(std::move(run))
        , m_place(place)
        , m_output(output) {}

    void connected() {
        m_heard = utcNow();
        if (m_place.contact == RunPlace::Contact::Lost)
            changeContact(m_run, m_place, RunPlace::Contact::Copying, {}, m_heard);
    }
    void rate(double bytesPerSecond, double secondsLeft) {
        const bool known = bytesPerSecond > 0; // rsync says 0 until it has measured
        m_copy.bytesPerSecond = known ? bytesPerSecond : -1;
        m_copy.secondsLeft = known ? secondsLeft : -1;
    }
    void progress(double share, const std::string& what) {
        m_heard = utcNow();
        if (m_output.progress)
            m_output.progress(m_run.filename().string(), static_cast<std::int64_t>(share * 100), 100,
                              "per cent of " + what + " are at " + m_place.place.name);
        const auto now = std::chrono::steady_clock::now();
        if (now - m_written < std::chrono::seconds(1) && what == m_copy.what)
            return;
        m_written = now;
        m_copy.what = what;
        m_copy.share = share;
        m_place.copy = m_copy;
        writeRunPlace(m_run, m_place);
    }
    void lost(const std::string& sentence, std::chrono::seconds pause) {
        const bool isNews = m_place.contact != RunPlace::Contact::Lost || m_place.sentence != sentence;
        loseContact(m_run, m_place, sentence, m_heard, pause);
        if (isNews && m_output.note)
            m_output.note(sentence);
    }

private:
    std::filesystem::path m_run;
    RunPlace& m_place;
    const PlaceOutput& m_output;
    RunPlace::Copy m_copy;
    std::string m_heard; ///< UTC of the last sign of the connection
    std::chrono::steady_clock::time_point m_written{};
};

} // namespace headroom::training
