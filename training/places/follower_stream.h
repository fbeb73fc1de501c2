// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/places/run_stream.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <poll.h>
#include <string>
#include <vector>

namespace headroom::training {

/// The end of a stream at the place: takes lines, sends frames, shows signs of life. README.md of this folder has the lines and
/// frames. Not thread-safe.
class FollowerStream {
public:
    /// `input`, `output`: descriptors. From here on a reader that is gone is seen when writing, not by SIGPIPE.
    FollowerStream(int input, int output);

    /// Sends the stream's first line. Returns false if the reader is gone.
    bool begin();
    /// Sends a frame. Returns false if the reader is gone.
    bool send(nlohmann::json head, std::string_view bytes = {});
    /// Hands over the lines that came. Returns false when the reader has closed its end. Throws Error "stream.bad" for a line
    /// that is no JSON object, and what `take` throws.
    bool readLines(const std::function<void(const nlohmann::json&)>& take);
    /// Sends a sign of life if nothing was sent for two seconds.
    void live();
    /// Does the same, then waits for a line or one of `others`, for `most` at most.
    void wait(std::chrono::milliseconds most, std::vector<pollfd> others = {});
    bool isGone() const { return m_gone; } ///< the reader

private:
    bool write(std::string_view bytes);

    int m_input, m_output;
    std::string m_lines;
    bool m_gone = false;
    std::chrono::steady_clock::time_point m_alive{};
};

/// Returns what to do if a run or a command ended because its folder could not be written, which `said` or a disk without space says;
/// else an empty text. `place`: as the reader calls this machine.
std::string whyUnwritten(const std::filesystem::path& folder, const std::string& said, const std::string& place);

/// The bytes of a file from a position, `most` at most; fewer at its end, none if it cannot be read.
std::string bytesOf(const std::filesystem::path& file, std::uint64_t from, std::size_t most);

} // namespace headroom::training
