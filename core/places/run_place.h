// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"

#include <optional>

namespace headroom {

struct RunInfo;

/// RUN/place.json: where a run that is mirrored here is computed, and how the contact stands. Written by the
/// one process that mirrors it; a window reads it. A run of this machine has no such file. A value.
struct RunPlace {
    enum class Contact {
        Copying,   ///< data and documents are on their way there
        Waiting,   ///< it is there and has not begun
        Connected, ///< it has begun, and what it writes comes here as it is written
        Lost,      ///< no answer since `since`; the run goes on there
        Ended,     ///< everything that was asked for is here
    };
    Place place;        ///< as it was when the run was started
    std::string folder; ///< the run's folder there, as pathAt() writes it
    std::string data, startFrom; ///< the run's corpus and start model here, as RunInfo has those there; empty: unknown
    bool begun = false; ///< it was handed over: it may be computed there whatever happens here
    bool held = false;  ///< its script is written there, and is handed in when the user says so
    std::string device; ///< as Place::device, where one was named for this run; empty: the place's
    int ranks = 0;      ///< processes that train it together, where a number was named; 0: as the place says
    bool allCheckpoints = false; ///< whether every checkpoint that the run keeps comes here, not only the last and the best
    Contact contact = Contact::Copying;
    std::string since;    ///< UTC; of `contact`. Lost: of the last answer
    std::string sentence; ///< why it waits, why the contact was lost; may be empty
    std::string nextTry;  ///< UTC; Lost: when the next attempt begins; empty: unknown
    /// How far a copy is. Numbers below 0 are unknown.
    struct Copy {
        std::string what;
        double share = -1, bytesPerSecond = -1, secondsLeft = -1;
        bool operator==(const Copy&) const = default;
    };
    std::optional<Copy> copy; ///< Copying: what is being copied
    bool operator==(const RunPlace&) const = default;

    /// The place with the device of this run.
    Place placeToCompute() const {
        Place chosen = place;
        if (!device.empty())
            chosen.device = device;
        return chosen;
    }
};
const char* toText(RunPlace::Contact contact); ///< "copying", "waiting", "connected", "lost", "ended"

/// The file of a run's folder.
inline std::filesystem::path runPlaceFile(const std::filesystem::path& run) {
    return run / "place.json";
}
/// Returns nullopt for a run of this machine. Throws Error "runPlace.badJson" or "place.value", which name
/// the file.
std::optional<RunPlace> readRunPlace(const std::filesystem::path& run);
/// Gives corpus and start model of the run, which RunInfo has as they are called there, their paths here, as far as those are known:
/// the same corpus is the same path.
void takePathsHere(const RunPlace& place, RunInfo& info);
/// Writes atomically and creates the folder. Throws Error "run.unwritable".
void writeRunPlace(const std::filesystem::path& run, const RunPlace& place);

/// The script of a run at a cluster, as it is here: job.sh. While the run is held it is the user's to change.
inline std::filesystem::path runScriptFile(const std::filesystem::path& run) {
    return run / "job.sh";
}

/// Removes what says that a run is elsewhere, for a run of which nothing else is here: place.json, control.json, job.sh, and the folder
/// if it is empty then.
void forgetRunPlace(const std::filesystem::path& run);

/// Asks who watches a run whose contact is lost to try again now. Throws Error "run.unwritable".
void askToReconnect(const std::filesystem::path& run);
/// Returns whether that was asked for, and takes the request.
bool takeReconnect(const std::filesystem::path& run);

} // namespace headroom
