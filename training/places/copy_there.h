// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom::training {

/// Progress of a copy: bytes that are there now, of all, and what is copied.
using CopyProgress = std::function<void(double share, const std::string& what)>;
/// How fast it goes, as rsync says it; called before CopyProgress.
using CopyRate = std::function<void(double bytesPerSecond, double secondsLeft)>;

/// A folder of this machine and where it is, or goes, at a place.
struct FolderThere {
    std::filesystem::path here;
    std::string there, name; ///< path there; name of its copy
    bool isThere = false;    ///< nothing is to be copied
    std::vector<std::string> only = {}; ///< files below it that are copied; empty: all
};

/// Looks for a corpus or a model folder there, in one call, and makes the folder of its copy if there is none. Throws as
/// copyThere() does.
FolderThere findThere(const Place& place, const std::filesystem::path& folder, const std::string& kind);
/// Copies what findThere() has not found; returns its path there.
std::string copyThere(const Place& place, const FolderThere& folder, const CopyProgress& progress,
                      const std::atomic<bool>& stop, const CopyRate& rate = {});

/// Makes a corpus or a model folder available at a place, and returns its path there. A folder that has this
/// path there, with the same tables, is used as it is. Otherwise it is copied by `rsync` to
/// FOLDER/KIND/NAME-HASH/NAME; the hash is of the tables and documents, so that another version of a corpus gets
/// another folder. rsync passes over what is there already, and goes on at the byte where a connection was
/// cut. `kind`: "data" or "models". Throws Error "copy.failed" with rsync's own words, or what the connection
/// throws.
std::string copyThere(const Place& place, const std::filesystem::path& folder, const std::string& kind,
                      const CopyProgress& progress, const std::atomic<bool>& stop, const CopyRate& rate = {});

/// Makes the folder `there` hold what `folder` holds, by `rsync`; what is there besides stays. `name`: of it, for
/// `progress`. Throws as copyThere() does.
void copyFolder(const Place& place, const std::filesystem::path& folder, const std::string& there,
                const std::string& name, const CopyProgress& progress, const std::atomic<bool>& stop,
                const CopyRate& rate = {});

/// Reads speed and time left from a line of `rsync --info=progress2`; nullopt if it does not say them. Pure.
std::optional<std::pair<double, double>> copyRateIn(const std::string& line);

/// Makes the folder here hold what the folder `there` holds, by `rsync`, besides what one of the patterns names; what is here
/// besides stays. Links that leave the folder are not followed. Throws as copyThere() does.
void fetchFolder(const Place& place, const std::string& there, const std::filesystem::path& folder,
                 const std::vector<std::string>& besides);

/// Throws Error "copy.failed" for a folder that could not be made there. `said`: what mkdir said.
[[noreturn]] void refuseFolder(const Place& place, const std::string& folder, const std::string& said);

/// The SHA-256 of the names and contents of a folder's own files, without its sub-folders: 64 hexadecimal
/// digits. The same as `sha256sum` of the output of `sha256sum` of these files in the order of their names.
std::string tablesHash(const std::filesystem::path& folder);

} // namespace headroom::training
