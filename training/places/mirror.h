// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/places/run_stream.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::training {

/// The copy of a run's folder on this machine, while the run grows elsewhere. Files that grow are appended
/// to; others appear whole under their name, or not at all. A connection may be cut at any byte: the next one
/// goes on with what is here. Not thread-safe; the process that holds the run's lock has one.
class Mirror {
public:
    /// `allCheckpoints`: every checkpoint that is kept there is kept here, else the last and the best.
    explicit Mirror(std::filesystem::path run, bool allCheckpoints = false) : m_run(std::move(run)), m_allCheckpoints(allCheckpoints) {}

    /// What is here already: {"have": {NAME: [SIZE, TIME]}, "parts": {NAME: [SIZE, TIME, BYTES]}}.
    nlohmann::json state() const;

    /// Writes what a frame brings. Returns false if the frame brings no file. Throws Error "stream.bad" for a
    /// name that a run does not hold or bytes that do not fit what is here, and "run.unwritable".
    bool apply(const Frame& frame);

    /// Removes parts of files that nobody will send any more, when the run has ended.
    void tidy() const;

private:
    void append(const std::string& name, std::uint64_t from, const std::string& bytes) const;
    void addPart(const std::string& name, const FileMark& mark, std::uint64_t from,
                 const std::string& bytes) const;
    void link(const std::string& name, const std::string& target) const;
    void prune(const std::vector<std::string>& keptThere = {}) const; ///< removes checkpoints that no link names
    std::filesystem::path partFile(const std::string& name, const FileMark& mark) const;

    std::filesystem::path m_run;
    bool m_allCheckpoints;
};

} // namespace headroom::training
