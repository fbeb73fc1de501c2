// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace headroom::training {

// What `headroom-worker places follow` writes on its standard output while a run grows: a first line, then
// frames. A frame is one line of JSON, then as many bytes as its "size" says (none without). Anything before
// the first line, as the greeting of a login shell, is passed over. README.md of this folder lists the
// frames.

inline constexpr const char* kStreamStart = "headroom-follow 1\n";
inline constexpr std::size_t kMostChunk = 1u << 20; ///< bytes of one frame

struct Frame {
    nlohmann::json head;
    std::string bytes;
};

/// The bytes of a frame; "size" is added to the head.
std::string frameText(nlohmann::json head, std::string_view bytes = {});

/// Takes frames out of a growing buffer. Not thread-safe.
class FrameReader {
public:
    /// Removes one frame from the front of `buffer`; nullopt until it is whole. Throws Error "stream.bad" for
    /// what is no frame, and for a size above kMostChunk.
    std::optional<Frame> take(std::string& buffer);
    bool hasStarted() const { return m_started; }

private:
    bool m_started = false;
};

/// A version of a file: both differ if it was written again.
struct FileMark {
    std::uint64_t size = 0;
    std::int64_t time = 0; ///< of its last change, ns since 1970
    bool operator==(const FileMark&) const = default;
};
/// nullopt: no regular file.
std::optional<FileMark> markOf(const std::string& file);

/// Whether a run may hold a file of this name, and whether it is written whole, grows or is a link: the only
/// names that either side takes from the other.
enum class FileKind { None, Document, Growing, Weights, Link };
FileKind kindOf(const std::string& name);

/// Whether run.json of a run's folder is there and itself says “running”, whoever holds the run. Throws Error "run.badJson".
bool saysRunning(const std::filesystem::path& run);

} // namespace headroom::training
