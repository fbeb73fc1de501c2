// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/paths.h"

#include <QLockFile>

#include <filesystem>
#include <memory>
#include <string>

namespace headroom::app {

inline constexpr int kMostPrograms = 20; ///< that are open at the same time

/// "unsaved.headroom", "unsaved 2.headroom" …: each program that is open keeps what is not saved under one of its own.
inline std::filesystem::path numbered(const std::filesystem::path& first, int number) {
    auto name = first.stem();
    name += number == 1 ? std::string() : ' ' + std::to_string(number);
    return first.parent_path() / (name += first.extension());
}

/// Held while a program keeps something there; nullptr: another one does.
inline std::unique_ptr<QLockFile> lockOf(const std::filesystem::path& kept) {
    auto lock = std::make_unique<QLockFile>(toQString(kept) + QStringLiteral(".lock"));
    lock->setStaleLockTime(0); // a program may run for days; one that has ended is found by its process
    if (!lock->tryLock(0) && lock->error() == QLockFile::LockFailedError)
        return nullptr;
    return lock;
}

} // namespace headroom::app
