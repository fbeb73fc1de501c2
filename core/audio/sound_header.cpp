// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/sound_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace headroom {

namespace {

struct Named {
    int code;
    const char* name;
};

constexpr std::array kContainers{
    Named{SF_FORMAT_WAV, "WAV"},   Named{SF_FORMAT_WAVEX, "WAV"}, Named{SF_FORMAT_RF64, "RF64"},
    Named{SF_FORMAT_AIFF, "AIFF"}, Named{SF_FORMAT_AU, "AU"},     Named{SF_FORMAT_W64, "W64"},
    Named{SF_FORMAT_CAF, "CAF"},   Named{SF_FORMAT_FLAC, "FLAC"}, Named{SF_FORMAT_OGG, "Ogg"},
    Named{SF_FORMAT_NIST, "NIST"}, Named{SF_FORMAT_MPEG, "MPEG"}};

constexpr std::array kEncodings{
    Named{SF_FORMAT_PCM_S8, "8-bit PCM"},    Named{SF_FORMAT_PCM_U8, "8-bit PCM"},
    Named{SF_FORMAT_PCM_16, "16-bit PCM"},   Named{SF_FORMAT_PCM_24, "24-bit PCM"},
    Named{SF_FORMAT_PCM_32, "32-bit PCM"},   Named{SF_FORMAT_FLOAT, "32-bit float"},
    Named{SF_FORMAT_DOUBLE, "64-bit float"}, Named{SF_FORMAT_ULAW, "µ-law"},
    Named{SF_FORMAT_ALAW, "A-law"},          Named{SF_FORMAT_IMA_ADPCM, "IMA ADPCM"},
    Named{SF_FORMAT_MS_ADPCM, "MS ADPCM"},   Named{SF_FORMAT_VORBIS, "Vorbis"},
    Named{SF_FORMAT_OPUS, "Opus"},           Named{SF_FORMAT_MPEG_LAYER_I, "MP1"},
    Named{SF_FORMAT_MPEG_LAYER_II, "MP2"},   Named{SF_FORMAT_MPEG_LAYER_III, "MP3"}};

template <std::size_t Size>
std::string nameOf(int code, const std::array<Named, Size>& table) {
    for (const Named& entry : table)
        if (entry.code == code)
            return entry.name;
    SF_FORMAT_INFO known{};
    known.format = code;
    if (sf_command(nullptr, SFC_GET_FORMAT_INFO, &known, sizeof(known)) == 0 && known.name)
        return known.name;
    return "unknown";
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<std::int64_t> leadingInteger(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end == text.data())
        return std::nullopt;
    return value;
}

/// A line "key : value (should be actual)" of the log.
struct Line {
    std::int64_t value = 0;
    std::optional<std::int64_t> actual;
};

std::optional<Line> findLine(std::string_view log, std::string_view key) {
    while (!log.empty()) {
        const auto end = log.find('\n');
        const std::string_view line = log.substr(0, end);
        log = end == std::string_view::npos ? std::string_view() : log.substr(end + 1);
        const auto colon = line.find(':');
        if (colon == std::string_view::npos || trimmed(line.substr(0, colon)) != key)
            continue;
        const std::string_view rest = trimmed(line.substr(colon + 1));
        const auto value = leadingInteger(rest);
        if (!value)
            continue;
        Line found{*value, std::nullopt};
        constexpr std::string_view kShould = "(should be ";
        if (const auto at = rest.find(kShould); at != std::string_view::npos)
            found.actual = leadingInteger(rest.substr(at + kShould.size()));
        return found;
    }
    return std::nullopt;
}

/// Writers that cannot know the length write the largest one there is.
bool meansUnknown(std::int64_t bytes) {
    return bytes < 0 || (bytes >= 0xFFFFFF00LL && bytes <= 0xFFFFFFFFLL);
}

/// `read` frames lay in `there` bytes; how many lie in `promised`?
std::optional<std::int64_t> scaled(std::int64_t read, std::int64_t promised, std::int64_t there, int format) {
    if (meansUnknown(promised) || read <= 0 || there <= 0 || promised <= there)
        return std::nullopt;
    if (countsFramesFromBytes(format)) // whole frames: a cut within a sample must not tilt the ratio
        return promised / std::max<std::int64_t>(1, there / read);
    return std::llround(static_cast<double>(read) * static_cast<double>(promised) /
                        static_cast<double>(there));
}

} // namespace

std::string formatName(int sndfileFormat) {
    return nameOf(sndfileFormat & SF_FORMAT_TYPEMASK, kContainers) + ", " +
           nameOf(sndfileFormat & SF_FORMAT_SUBMASK, kEncodings);
}

bool countsFramesFromBytes(int sndfileFormat) {
    const int container = sndfileFormat & SF_FORMAT_TYPEMASK;
    if (container == SF_FORMAT_FLAC || container == SF_FORMAT_OGG || container == SF_FORMAT_MPEG)
        return false;
    switch (sndfileFormat & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8:
    case SF_FORMAT_PCM_U8:
    case SF_FORMAT_PCM_16:
    case SF_FORMAT_PCM_24:
    case SF_FORMAT_PCM_32:
    case SF_FORMAT_FLOAT:
    case SF_FORMAT_DOUBLE:
    case SF_FORMAT_ULAW:
    case SF_FORMAT_ALAW:
        return true;
    default:
        return false;
    }
}

std::optional<std::int64_t> promisedFrames(const SF_INFO& info, const std::string& log, std::int64_t read) {
    const int container = info.format & SF_FORMAT_TYPEMASK;
    for (const char* key : {"data", "SSND", "Data Size"})
        if (const auto line = findLine(log, key); line && line->actual)
            return scaled(read, line->value, *line->actual, info.format);
    if (container == SF_FORMAT_RF64)
        if (const auto line = findLine(log, "Frames"); line && line->value > read)
            return line->value;
    if (container == SF_FORMAT_W64) {
        const auto whole = findLine(log, "riff");
        const auto data = findLine(log, "data");
        constexpr std::int64_t kChunkHeader = 24;
        if (whole && whole->actual && data)
            return scaled(read, data->value - kChunkHeader,
                          data->value - kChunkHeader - (whole->value - *whole->actual), info.format);
    }
    // Without a Xing header the number is an estimate from the first frame's bit rate: no promise.
    if (container == SF_FORMAT_MPEG && log.find("bitrate mode   : constant") != std::string::npos)
        return std::nullopt;
    if (info.frames != std::numeric_limits<sf_count_t>::max() && info.frames > read)
        return info.frames;
    return std::nullopt;
}

bool lacksEndMark(const SF_INFO& info) {
    return (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_OGG &&
           info.frames == std::numeric_limits<sf_count_t>::max();
}

std::optional<std::int64_t> loggedSampleRate(const std::string& log) {
    if (const auto line = findLine(log, "Sample Rate"))
        return line->value;
    return std::nullopt;
}

} // namespace headroom
