// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::training {

/// This end of a conversation with headroom-worker at a place: a program of its own, or a channel of a
/// session that several conversations share (host_sessions.h). Destroying it ends the conversation. One
/// thread.
class TalkStream {
public:
    virtual ~TalkStream() = default;
    /// Returns false if that end no longer reads.
    virtual bool write(std::string_view bytes) = 0;
    /// Takes in what came, waiting at most this long for the first byte.
    virtual void read(std::chrono::milliseconds patience) = 0;
    /// What came and nobody took yet; the caller removes what it used.
    virtual std::string& out() = 0;
    virtual std::string& err() = 0;
    /// The exit status of that end if it has ended (128 + N after signal N), as far as it is known. Does not
    /// wait.
    virtual std::optional<int> status() = 0;
};

} // namespace headroom::training
