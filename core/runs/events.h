// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Writes events.jsonl: one JSON object per line, passed to the kernel as a whole on each call. One thread.
class EventWriter {
public:
    /// Opens for appending. First removes an incomplete last line (the process was killed while writing it),
    /// which was never acknowledged. Throws Error "run.unwritable".
    explicit EventWriter(const std::filesystem::path& file);
    ~EventWriter();
    EventWriter(const EventWriter&) = delete;
    EventWriter& operator=(const EventWriter&) = delete;

    /// Adds "time" (UTC seconds) and writes. NaN and infinity become null, as JSON has neither.
    void add(nlohmann::ordered_json event);
    /// Flushes to disk, before a checkpoint is acknowledged.
    void flushToDisk();

private:
    [[noreturn]] void fail() const;
    std::filesystem::path m_file;
    int m_descriptor = -1;
};

/// Follows a growing events.jsonl. Any number of followers, in any process.
class EventFollower {
public:
    explicit EventFollower(std::filesystem::path file) : m_file(std::move(file)) {}

    /// Returns the events since the last call. An incomplete last line waits for the next call. A missing
    /// file has no events. Lines that are not JSON objects are counted and ignored.
    std::vector<nlohmann::json> poll();
    std::int64_t badLines() const { return m_badLines; }

private:
    std::filesystem::path m_file;
    std::uintmax_t m_offset = 0;
    std::int64_t m_badLines = 0;
};

/// The curves of a run for plotting, updated event by event.
class RunCurves {
public:
    struct Point {
        std::int64_t update;
        double value;
        double time; ///< seconds; UTC until the first pause or resume. The clock stands still while the run does
    };
    /// "loss", "learningRate", "framesPerSecond", "gradientNorm" … of "step" events; "validation.loss",
    /// "validation.wer", "validation.bleu" of "validation" events. A "resumed" event removes the points after
    /// the checkpoint, because those updates are computed again. The time since that checkpoint, when the run stood still
    /// or computed what was lost, is taken from the times of all later points, as is the time from "paused" to "continued".
    void add(const nlohmann::json& event);
    const std::map<std::string, std::vector<Point>>& series() const { return m_series; }
    /// When the run began, on the clock of the points: its first "started" event. 0: older runs wrote none.
    double began() const { return m_began; }

private:
    friend class CurveReader;
    static void dropFrom(std::vector<Point>& points, std::int64_t first);
    void keepClock(std::string_view event, std::int64_t update, double time); ///< 0: not known
    void resume(std::int64_t update, double time);
    bool hasPoints() const;
    std::map<std::string, std::vector<Point>> m_series;
    std::vector<Point> m_checkpoints; ///< a run that is stopped writes one between two steps
    double m_began = 0;
    double m_stopped = 0;             ///< seconds to take from the times of new events
    double m_paused = 0;              ///< when a pause began that goes on
};

} // namespace headroom
