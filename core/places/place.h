// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

/// A place where runs are computed, besides this machine: a host that ssh reaches, or a Slurm cluster. Holds
/// no secret: keys and passwords are OpenSSH's own. A value.
struct Place {
    enum class Kind { Ssh, Slurm };

    std::string name; ///< what the user calls it; unique
    Kind kind = Kind::Ssh;
    std::string
        host; ///< of ~/.ssh/config, or USER@HOST. Slurm: the login host; empty: sbatch is on this machine
    std::string folder; ///< there: absolute, or below the home folder; holds runs/, data/, models/, worker/
    std::string
        worker; ///< headroom-worker there; empty: FOLDER/worker/bin/headroom-worker, else the one on PATH
    /// What computes there: "auto", "cpu", "cuda", "cuda:K", or "all": every GPU of the host, a rank on each. Of a cluster not
    /// "cuda:K", because Slurm chooses the GPUs; besides "cpu", a rank on each GPU that is asked for.
    std::string device = "auto";

    /// What sbatch is asked for. Only of Kind::Slurm.
    struct Slurm {
        std::string partition; ///< empty: the cluster's default
        int gpus = 0;          ///< per node
        int nodes = 1;
        std::string time;    ///< limit as sbatch takes it: "08:00:00", "2-12:00:00"; empty: the partition's
        std::string account; ///< empty: the user's default
        std::vector<std::string> lines; ///< further options of sbatch: "--constraint=a100"
        bool operator==(const Slurm&) const = default;
    } slurm;

    bool isRemote() const { return !host.empty(); } ///< reached by ssh
    bool operator==(const Place&) const = default;
};

/// The name of the place that is always there and stands in no file.
inline constexpr const char* kThisMachine = "this machine";

const char* toText(Place::Kind kind); ///< "ssh", "slurm"

/// Throws Error "place.value" {place, key} with a sentence that names the first value that cannot be. In
/// particular a host that ssh would take for an option, and values of sbatch that would end a line of the
/// script.
void checkPlace(const Place& place);

/// The place as it is kept in files, and back. placeFrom() throws Error "place.value" as checkPlace() does,
/// also for an unknown or missing key; `name`: of the document, for its sentences.
nlohmann::ordered_json toJson(const Place& place);
Place placeFrom(const nlohmann::json& object, const std::string& name);

/// $HEADROOM_PLACES, else $XDG_CONFIG_HOME/headroom/places.json, else ~/.config/headroom/places.json. Window
/// and worker read and write the same file.
std::filesystem::path placesFile();

/// Reads the places in the order of the file; none if there is no file. Throws Error "places.badJson" or
/// "place.value", which name the file and the place.
std::vector<Place> readPlaces(const std::filesystem::path& file);
/// Writes them atomically, readable by the user alone, and creates the folder. Throws Error
/// "places.unwritable".
void writePlaces(const std::filesystem::path& file, const std::vector<Place>& places);

/// Returns the place with this name. Throws Error "place.unknown", whose sentence lists the names there are.
Place findPlace(const std::vector<Place>& places, const std::string& name);

/// What --device of a single process there is, in a job that the place asks for: "all" is one GPU to it, and a job with a GPU
/// is never computed on a processor unless the place says so.
std::string deviceOfProcess(const Place& place);

/// A path below the place's folder, as commands there take it: relative paths start at the home folder, where
/// ssh begins.
/// "~/" is taken off, and a leading "-" never looks like an option.
std::string pathAt(const Place& place, const std::string& below);

} // namespace headroom
