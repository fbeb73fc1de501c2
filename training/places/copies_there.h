// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::training {

/// Something of this machine that lies in the folder of a place. A value.
struct CopyAtPlace {
    enum class Kind { Corpus, Model, Checkpoint, Worker };
    /// A run, or the command of an evaluation or a study, that names the copy.
    struct User {
        std::string name;
        bool inProgress = false; ///< it has not ended, as far as its folder says
        bool operator==(const User&) const = default;
    };

    Kind kind = Kind::Corpus;
    std::string path;        ///< below the folder of the place: "data/demo-0a1b2c3d4e5f"
    std::int64_t bytes = 0;  ///< on its disk
    std::int64_t copied = 0; ///< UTC, seconds
    std::vector<User> users; ///< by name
    bool isLinked = false;   ///< a worker that is used for its version

    /// The name of what was copied, without the hash: "demo", "0.3.0".
    std::string name() const;
    bool isUsed() const; ///< by a user in progress
    bool operator==(const CopyAtPlace&) const = default;
};

/// Whether a path names a copy that Headroom made: a folder of data/, models/ or worker/ whose name ends in the hash of its contents.
bool isCopyPath(std::string_view path);

/// What is there, by path. Only what copies and installations made; folders of other names are the user's own. Throws what the connection
/// throws, and Error "copies.failed".
std::vector<CopyAtPlace> copiesAt(const Place& place);
/// The answer of the script that copiesAt() starts there. Pure.
std::vector<CopyAtPlace> copiesIn(const std::string& answer);

/// Deletes one of them, and the links to it. Throws Error "copies.unknown" if it is not there, and "copies.inUse", which names the run,
/// if something in progress uses it.
void removeCopy(const Place& place, const std::string& path);

nlohmann::json toJson(const CopyAtPlace& copy);

} // namespace headroom::training
