// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <utility>

namespace headroom::protocol {

/// The optional parameter of every request that needs the array `samples`: the SHA-256 of its bytes. With it,
/// the array may be left out if the other side was sent it before and it is still in its SoundList.
inline constexpr const char* kSoundKey = "sound";

/// Which sounds a worker keeps: the newest that have room. Both ends keep one and see the same requests, so
/// that both know what is there. A value; not thread-safe.
class SoundList {
public:
    static constexpr std::size_t kMostBytes = std::size_t(256) << 20, kMostSounds = 64;

    /// Returns true if this sound is new: then it has to be sent. The oldest leave for it.
    bool remember(const std::string& hash, std::size_t bytes) {
        for (const auto& known : m_known)
            if (known.first == hash)
                return false;
        m_known.emplace_back(hash, bytes);
        m_bytes += bytes;
        while (m_known.size() > 1 && (m_known.size() > kMostSounds || m_bytes > kMostBytes)) {
            m_bytes -= m_known.front().second;
            m_known.pop_front();
        }
        return true;
    }
    bool holds(const std::string& hash) const {
        for (const auto& known : m_known)
            if (known.first == hash)
                return true;
        return false;
    }

private:
    std::deque<std::pair<std::string, std::size_t>> m_known;
    std::size_t m_bytes = 0;
};

} // namespace headroom::protocol
