// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/sound_file.h"

#include "core/audio/sound_header.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/errors/first_bytes.h"
#include "core/errors/unread_file.h"
#include "core/time/seconds_text.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace headroom {

namespace {

constexpr double kLongestSeconds = 6 * 3600;
constexpr int kLowestRate = 100;
constexpr int kHighestRate = 1'000'000;

/// libsndfile's sentence without its full stop, its "Error : " and its "Error in WAV file. ".
std::string reasonOf(SNDFILE* file) {
    std::string reason = sf_strerror(file);
    for (const char* prefix : {"Internal error : ", "Error : "})
        if (reason.starts_with(prefix))
            reason.erase(0, std::strlen(prefix));
    if (const auto general = reason.find("file. "); general != std::string::npos)
        reason.erase(0, general + 6);
    while (!reason.empty() && (reason.back() == '.' || reason.back() == '\n' || reason.back() == ' '))
        reason.pop_back();
    // What libsndfile says where the stream ends within its own description, before the first block.
    if (reason == "unknown error in flac decoder")
        return "it is damaged, or it ends too early";
    // It says so too where one stands before the chunk that tells its format, or where there are two of those.
    return reason == "No 'data' chunk marker" ? "it must have one chunk “fmt”, followed by a chunk “data”" : reason;
}

std::string logOf(SNDFILE* file) {
    std::string log(16384, '\0');
    sf_command(file, SFC_GET_LOG_INFO, log.data(), static_cast<int>(log.size()));
    log.resize(std::strlen(log.c_str()));
    return log;
}

/// What videos come in, by the first bytes of a file; null for anything else.
const char* videoContainer(std::string_view bytes) {
    if (bytes.substr(std::min<std::size_t>(4, bytes.size())).starts_with("ftyp"))
        return "an MP4 file (a video, or sound as in M4A)";
    if (bytes.starts_with("\x1a\x45\xdf\xa3"))
        return "a Matroska or WebM file (a video)";
    if (bytes.starts_with("RIFF") && bytes.substr(std::min<std::size_t>(8, bytes.size())).starts_with("AVI "))
        return "an AVI file (a video)";
    return nullptr;
}

} // namespace

SoundFile::SoundFile(const std::filesystem::path& file) : m_name(displayName(file)) {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (status.type() == std::filesystem::file_type::not_found)
        fail("audio.missing", unreadText(file));
    if (status.type() == std::filesystem::file_type::directory)
        fail("audio.notAudio", m_name + " is a folder, not a recording.");
    // A pipe or a device would block for ever.
    if (status.type() != std::filesystem::file_type::regular)
        fail("audio.unreadable", m_name + " cannot be read: it is not a plain file.");
    if (std::filesystem::file_size(file, error) == 0 && !error)
        fail("audio.empty", m_name + " is empty: it has 0 bytes.");
    open(file);
    if (m_info.samplerate < kLowestRate || m_info.samplerate > kHighestRate)
        failRate(m_info.samplerate);
}

sf_count_t SoundFile::read(float* block, sf_count_t frames) {
    if (!m_damage.empty())
        return 0;
    const sf_count_t got = sf_readf_float(m_file.get(), block, frames);
    if (sf_error(m_file.get()) != SF_ERR_NO_ERROR) // forgotten by libsndfile at the next call
        m_damage = reasonOf(m_file.get());
    return got;
}

bool SoundFile::moveTo(std::int64_t frame) {
    // A decoder that starts in the middle of a lossy stream may be off by its look-back.
    const bool exact =
        countsFramesFromBytes(m_info.format) || (m_info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC;
    if (exact)
        return frame <= m_info.frames && sf_seek(m_file.get(), frame, SEEK_SET) == frame;
    std::vector<float> skipped(static_cast<std::size_t>(m_info.channels) * 4096);
    while (frame > 0) {
        const sf_count_t got = read(skipped.data(), std::min<std::int64_t>(frame, 4096));
        if (got <= 0)
            return false;
        frame -= got;
    }
    return true;
}

std::optional<Warning> SoundFile::truncation(std::int64_t frames) const {
    const std::string end = secondsText(Seconds(duration(frames)));
    const auto promised = promisedFrames(m_info, logOf(m_file.get()), frames);
    std::string sentence = m_name;
    if (!m_damage.empty() && promised)
        sentence += " can be read up to " + end + " of the " + secondsText(Seconds(duration(*promised))) +
                    " that its header promises (" + m_damage + "). The part before was loaded.";
    else if (!m_damage.empty())
        sentence += " can be read up to " + end + " (" + m_damage + "). The part before was loaded.";
    else if (promised)
        sentence += " ends at " + end + ", although its header promises " + secondsText(Seconds(duration(*promised))) +
                    ". The available part was loaded.";
    else if (lacksEndMark(m_info))
        sentence +=
            " ends at " + end + " without an end mark, so it is truncated. The available part was loaded.";
    else
        return std::nullopt;
    return Warning{"audio.truncated", sentence};
}

bool SoundFile::isTooLong(std::int64_t frames) const {
    return duration(frames) > kLongestSeconds;
}

void SoundFile::fail(const char* code, const std::string& sentence) const {
    throw Error(code, sentence, {{"file", m_name}});
}

void SoundFile::failTooLong() const {
    throw Error("audio.tooLong",
                m_name + " is longer than 6 hours; select a part of it in an audio editor first.",
                {{"file", m_name}, {"limitSeconds", kLongestSeconds}});
}

void SoundFile::failRate(std::int64_t rate) const {
    if (rate < 0) // libsndfile reads the header's 32 bits with a sign
        rate = static_cast<std::uint32_t>(rate);
    throw Error("audio.badRate",
                m_name + " has a sample rate of " + grouped(rate) + " Hz; " + grouped(kLowestRate) + " to " +
                    grouped(kHighestRate) + " Hz are supported.",
                {{"file", m_name}, {"rate", rate}});
}

void SoundFile::open(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        fail("audio.unreadable", m_name + " cannot be opened: " + std::strerror(errno) + ".");
    // libsndfile keeps the error and the log of a failed open in one place for all threads.
    static std::mutex openMutex;
    const std::lock_guard lock(openMutex);
    // By descriptor: given a name, libsndfile would guess headerless formats from its extension.
    m_file.reset(sf_open_fd(descriptor, SFM_READ, &m_info, SF_TRUE));
    if (m_file)
        return;
    const int code = sf_error(nullptr);
    const std::string reason = reasonOf(nullptr);
    const std::string start = firstBytes(file);
    if (const char* otherwise = notDownloaded(start))
        fail("audio.notAudio", m_name + " " + otherwise + ".");
    if (const char* container = videoContainer(start))
        fail("audio.notAudio", m_name + " is " + container +
                                   ", which cannot be read. Extract the audio as WAV or FLAC first, for example with ffmpeg.");
    if (code == SF_ERR_UNRECOGNISED_FORMAT)
        fail("audio.notAudio", m_name + " is not a recording in a supported format.");
    if (const auto rate = loggedSampleRate(logOf(nullptr));
        rate && (*rate < kLowestRate || *rate > kHighestRate))
        failRate(*rate);
    throw Error("audio.unreadable", m_name + " cannot be read: " + reason + ".",
                {{"file", m_name}, {"reason", reason}});
}

} // namespace headroom
