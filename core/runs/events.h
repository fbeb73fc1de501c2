// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace headroom {

/// Writes events.jsonl: one JSON object per line, handed to the kernel whole with each call. One thread.
class EventWriter {
public:
    /// Opens for appending. A last line without its end (the process was killed in the middle of it) is cut
    /// off first: it was never acknowledged. Throws Error "run.unwritable".
    explicit EventWriter(const std::filesystem::path& file);
    ~EventWriter();
    EventWriter(const EventWriter&) = delete;
    EventWriter& operator=(const EventWriter&) = delete;

    /// Adds "time" (UTC seconds) and writes. NaN and infinite numbers become null, as JSON has none.
    void add(nlohmann::ordered_json event);
    /// On the disk, not only in the kernel: before a checkpoint is acknowledged.
    void flushToDisk();

private:
    [[noreturn]] void fail() const;
    std::filesystem::path m_file;
    int m_descriptor = -1;
};

/// Follows an events.jsonl that grows. Any number of followers, in any process.
class EventFollower {
public:
    explicit EventFollower(std::filesystem::path file) : m_file(std::move(file)) {}

    /// The events that came since the last call; a last line without its end waits for the next call. A file
    /// that is not there has no events. Lines that are not JSON objects are counted and passed over.
    std::vector<nlohmann::json> poll();
    std::int64_t badLines() const { return m_badLines; }

private:
    std::filesystem::path m_file;
    std::uintmax_t m_offset = 0;
    std::int64_t m_badLines = 0;
};

/// The curves of a run: what a plot draws, kept up to date event by event.
class RunCurves {
public:
    struct Point {
        std::int64_t update;
        double value;
        double time; ///< UTC seconds
    };
    /// "loss", "learningRate", "framesPerSecond", "gradientNorm" … of "step" events; "validation.loss",
    /// "validation.wer", "validation.bleu" of "validation" events. A "resumed" event takes back what came
    /// after the checkpoint: those updates are computed again.
    void add(const nlohmann::json& event);
    const std::map<std::string, std::vector<Point>>& series() const { return m_series; }

private:
    friend class CurveReader;
    std::map<std::string, std::vector<Point>> m_series;
};

} // namespace headroom
