// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <sndfile.h>

namespace headroom {

/// Information in a file's header beyond SF_INFO. Internal to core/audio.

/// Returns, for example, "WAV, 16-bit PCM".
std::string formatName(int sndfileFormat);

/// Returns true if libsndfile derives the number of frames from the actual bytes, so that it can be trusted.
bool countsFramesFromBytes(int sndfileFormat);

/// Returns the number of frames in the header if it exceeds the `read` ones.
///
/// libsndfile silently lowers a data size that exceeds the file; only its log shows it ("data : 94240 (should
/// be 34869)"). Sizes that mean "unknown, read to the end" (streamed files) do not count, nor does the
/// estimate for an MP3 file without a Xing header.
std::optional<std::int64_t> promisedFrames(const SF_INFO& info, const std::string& log, std::int64_t read);

/// Returns true if the format has an end mark (Ogg) that this file lacks: truncated, or still being written.
bool lacksEndMark(const SF_INFO& info);

/// The line "   Sample Rate   : N" of libsndfile's log.
std::optional<std::int64_t> loggedSampleRate(const std::string& log);

} // namespace headroom
