// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/run_place.h"
#include "training/places/conversation.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::training {

/// A command of headroom-worker for another place. A value.
struct WorkCommand {
    std::vector<std::string> words;      ///< as they are typed there
    std::map<std::size_t, std::string> paths; ///< positions of words that are paths there → the same paths here
    std::map<std::string, std::string> beside; ///< further files there that its results may name → here
    bool resume = false;                 ///< go on with the study of this folder; no words are needed
};

/// The end on this machine of `evaluate --place` and `study --place`: has the command done there, hands over what it says, and
/// brings what it writes into a folder here. A lost connection is found again, as RunWatch does. OUT/place.json says how it
/// stands. One thread.
class WorkWatch {
public:
    struct Hooks {
        std::function<bool()> stop; ///< whether the command is to stop there; without contact, as soon as there is one
        std::function<bool()> leave = [] { return false; }; ///< whether to wait no longer for a contact, after one more attempt
        std::function<bool()> detach = [] { return false; }; ///< whether to end the watching at once; the command goes on there
        std::function<void(const std::string& sentence)> note;
        std::function<void(std::string_view text)> output, errors; ///< what it says, as it comes
    };
    /// `out`: the folder here, absolute. `place`: with the command's folder there.
    WorkWatch(std::filesystem::path out, RunPlace place, Hooks hooks);

    /// Returns the command's exit status when everything it wrote is here, in `out`: in documents the paths there are replaced by
    /// those here. Returns nullopt if it was to leave and the place cannot be reached, or to detach. Throws Error if
    /// it cannot be started, if it was ended from outside ("work.ended") or nobody knows how it ended ("work.vanished"), and what
    /// fetching throws.
    std::optional<int> watch(const WorkCommand& command);

private:
    bool take(const Frame& frame);
    void takeDocument(const Frame& frame);
    void contact(RunPlace::Contact contact, const std::string& sentence = {});
    void write(const std::string& name, const std::string& text) const;
    void finish();

    std::filesystem::path m_out;
    RunPlace m_place;
    Hooks m_hooks;
    nlohmann::json m_request; ///< what is still to be asked for, or null
    std::map<std::string, std::uint64_t> m_said{{"output", 0}, {"errors", 0}};
    std::map<std::string, std::string> m_here;  ///< paths there → here
    std::map<std::string, std::string> m_parts; ///< documents that are arriving
    std::map<std::string, std::string> m_last;  ///< documents that tell of the end, until the arrays are here
    bool m_answered = false;
    std::string m_problem, m_heard, m_endSentence;
    std::optional<int> m_status;
};

/// Replaces, in every string of a document, the paths on the left by those on the right, where they stand alone or before a slash.
nlohmann::ordered_json withPaths(const nlohmann::ordered_json& document, const std::map<std::string, std::string>& paths);

} // namespace headroom::training
