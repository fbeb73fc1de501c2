// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <sndfile.h>

namespace headroom {

/// What a file's header says, beyond SF_INFO. Internal to core/audio.

/// "WAV, 16-bit PCM".
std::string formatName(int sndfileFormat);

/// True where libsndfile derives the number of frames from the bytes that are really there, so it can be
/// believed.
bool countsFramesFromBytes(int sndfileFormat);

/// How many frames the header promises, where it promises more than the `read` ones that were there.
///
/// libsndfile silently lowers a data size that exceeds the file; only its log still tells ("data : 94240
/// (should be 34869)"). Sizes that mean "unknown, read to the end" (streamed files) promise nothing, nor does
/// the estimate that is made for an MP3 file without a Xing header.
std::optional<std::int64_t> promisedFrames(const SF_INFO& info, const std::string& log, std::int64_t read);

/// True where the format has an end mark (Ogg) that this file lacks: cut short, or still being written.
bool lacksEndMark(const SF_INFO& info);

/// The line "   Sample Rate   : N" of libsndfile's log.
std::optional<std::int64_t> loggedSampleRate(const std::string& log);

} // namespace headroom
