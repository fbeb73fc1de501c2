// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/audio/sound_header.h"
#include "core/audio/stream_resampler.h"
#include "core/errors/display_name.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <unistd.h>

#include <sndfile.h>

namespace headroom {

namespace {

constexpr double kLongestSeconds = 6 * 3600;
constexpr int kLowestRate = 100;
constexpr int kHighestRate = 1'000'000;
/// Below −60 dB of what the channels hold, their mean counts as silence.
constexpr double kSilentShare = 1e-6;

struct SndFileCloser {
    void operator()(SNDFILE* file) const { sf_close(file); }
};

std::string withCommas(std::int64_t value) {
    std::string text = std::to_string(value);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (value < 0 ? 1 : 0); at -= 3)
        text.insert(static_cast<std::size_t>(at), ",");
    return text;
}

std::string seconds(double value) {
    const auto hundredths = std::llround(value * 100);
    std::array<char, 8> fraction{};
    std::snprintf(fraction.data(), fraction.size(), ".%02d", static_cast<int>(hundredths % 100));
    return withCommas(hundredths / 100) + fraction.data() + "\u202Fs";
}

/// An open file, what is said about it, and the sentences for what is wrong with it.
class SoundFile {
public:
    explicit SoundFile(const std::filesystem::path& file) : m_name(displayName(file)) {
        std::error_code error;
        const auto status = std::filesystem::status(file, error);
        if (status.type() == std::filesystem::file_type::not_found)
            fail("audio.missing", m_name + " does not exist.");
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
        if (countsFramesFromBytes(m_info.format) && duration(m_info.frames) > kLongestSeconds)
            failTooLong();
    }

    const std::string& name() const { return m_name; }
    const SF_INFO& info() const { return m_info; }
    double duration(std::int64_t frames) const { return static_cast<double>(frames) / m_info.samplerate; }
    /// At most so many frames; 0 at the end, and after damage.
    sf_count_t read(float* block, sf_count_t frames) {
        if (!m_damage.empty())
            return 0;
        const sf_count_t got = sf_readf_float(m_file.get(), block, frames);
        if (sf_error(m_file.get()) != SF_ERR_NO_ERROR) // forgotten by libsndfile at the next call
            m_damage = reasonOf(m_file.get());
        return got;
    }
    /// What stopped the reading, or an empty string.
    const std::string& damage() const { return m_damage; }
    std::string log() const { return logOf(m_file.get()); }

    [[noreturn]] void fail(const char* code, const std::string& sentence) const {
        throw Error(code, sentence, {{"file", m_name}});
    }
    [[noreturn]] void failTooLong() const {
        throw Error("audio.tooLong",
                    m_name + " is longer than 6 hours; select a part of it in an audio editor first.",
                    {{"file", m_name}, {"limitSeconds", kLongestSeconds}});
    }

private:
    [[noreturn]] void failRate(std::int64_t rate) const {
        throw Error("audio.badRate",
                    m_name + " has a sample rate of " + withCommas(rate) + " Hz; " + withCommas(kLowestRate) +
                        " to " + withCommas(kHighestRate) + " Hz are supported.",
                    {{"file", m_name}, {"rate", rate}});
    }

    void open(const std::filesystem::path& file) {
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
        if (code == SF_ERR_UNRECOGNISED_FORMAT)
            fail("audio.notAudio", m_name + " is not a recording in a supported format.");
        if (const auto rate = loggedSampleRate(logOf(nullptr));
            rate && (*rate < kLowestRate || *rate > kHighestRate))
            failRate(*rate);
        throw Error("audio.unreadable", m_name + " cannot be read: " + reason + ".",
                    {{"file", m_name}, {"reason", reason}});
    }

    /// libsndfile's sentence without its full stop, its "Error : " and its "Error in WAV file. ".
    static std::string reasonOf(SNDFILE* file) {
        std::string reason = sf_strerror(file);
        for (const char* prefix : {"Internal error : ", "Error : "})
            if (reason.starts_with(prefix))
                reason.erase(0, std::strlen(prefix));
        if (const auto general = reason.find("file. "); general != std::string::npos)
            reason.erase(0, general + 6);
        while (!reason.empty() && (reason.back() == '.' || reason.back() == '\n' || reason.back() == ' '))
            reason.pop_back();
        return reason;
    }
    static std::string logOf(SNDFILE* file) {
        std::string log(16384, '\0');
        sf_command(file, SFC_GET_LOG_INFO, log.data(), static_cast<int>(log.size()));
        log.resize(std::strlen(log.c_str()));
        return log;
    }

    std::string m_name;
    std::string m_damage;
    SF_INFO m_info{};
    std::unique_ptr<SNDFILE, SndFileCloser> m_file;
};

/// One pass over the file.
struct Pass {
    std::vector<float> samples; ///< mono, 16 kHz
    std::int64_t frames = 0;    ///< read, at the file's own rate
    std::int64_t notFinite = 0; ///< samples, over all channels
    double meanEnergy = 0;      ///< of the channels' mean
    std::vector<double> channelEnergies;
};

/// Reads all there is; mono is the mean of the channels, or one of them.
Pass readAll(SoundFile& file, std::optional<int> onlyChannel) {
    const int channels = file.info().channels;
    const SampleRate rate(file.info().samplerate);
    const sf_count_t blockFrames = std::max(1, 65536 / channels);
    std::vector<float> block(static_cast<std::size_t>(blockFrames * channels));
    std::vector<float> mono(static_cast<std::size_t>(blockFrames));
    Pass pass;
    pass.channelEnergies.resize(static_cast<std::size_t>(channels));
    if (countsFramesFromBytes(file.info().format)) // else the number is only a claim
        pass.samples.reserve(
            static_cast<std::size_t>(file.duration(file.info().frames) * kModelSampleRate.hertz()) + 32768);
    StreamResampler resampler(rate, kModelSampleRate);

    for (sf_count_t got = 0; (got = file.read(block.data(), blockFrames)) > 0;) {
        for (sf_count_t i = 0; i < got; ++i) {
            float* frame = block.data() + i * channels;
            double sum = 0;
            for (int c = 0; c < channels; ++c) {
                if (!std::isfinite(frame[c])) {
                    frame[c] = 0;
                    ++pass.notFinite;
                }
                sum += frame[c];
                pass.channelEnergies[static_cast<std::size_t>(c)] += static_cast<double>(frame[c]) * frame[c];
            }
            const double mean = sum / channels;
            pass.meanEnergy += mean * mean;
            mono[static_cast<std::size_t>(i)] = onlyChannel ? frame[*onlyChannel] : static_cast<float>(mean);
        }
        pass.frames += got;
        if (file.duration(pass.frames) > kLongestSeconds)
            file.failTooLong();
        resampler.push({mono.data(), static_cast<std::size_t>(got)}, pass.samples);
    }
    resampler.finish(pass.samples);
    return pass;
}

/// The channel to hear instead of the mean, where the channels cancel each other.
std::optional<int> cancelledChannel(const Pass& pass) {
    double mean = 0;
    for (const double energy : pass.channelEnergies)
        mean += energy / static_cast<double>(pass.channelEnergies.size());
    if (mean <= 0 || pass.meanEnergy > kSilentShare * mean)
        return std::nullopt;
    const auto loud = std::ranges::find_if(pass.channelEnergies, [](double energy) { return energy > 0; });
    return static_cast<int>(loud - pass.channelEnergies.begin());
}

std::optional<Warning> truncation(const SoundFile& file, std::int64_t frames) {
    const std::string end = seconds(file.duration(frames));
    const auto promised = promisedFrames(file.info(), file.log(), frames);
    const std::string damage = file.damage();
    std::string sentence = file.name();
    if (!damage.empty() && promised)
        sentence += " can be read up to " + end + " of the " + seconds(file.duration(*promised)) +
                    " that its header promises (" + damage + "). The part before was loaded.";
    else if (!damage.empty())
        sentence += " can be read up to " + end + " (" + damage + "). The part before was loaded.";
    else if (promised)
        sentence += " ends at " + end + ", its header promises " + seconds(file.duration(*promised)) +
                    ". The available part was loaded.";
    else if (lacksEndMark(file.info()))
        sentence +=
            " ends at " + end + " without an end mark, so it is truncated. The available part was loaded.";
    else
        return std::nullopt;
    return Warning{"audio.truncated", sentence};
}

} // namespace

Recording loadRecording(const std::filesystem::path& file) {
    std::optional<SoundFile> sound(std::in_place, file);
    Pass pass = readAll(*sound, std::nullopt);
    if (pass.frames == 0) {
        if (const std::string damage = sound->damage(); !damage.empty())
            sound->fail("audio.unreadable", sound->name() + " cannot be read: " + damage + ".");
        sound->fail("audio.noSamples", sound->name() + " has a header but no samples.");
    }
    if (pass.samples.empty())
        sound->fail("audio.noSamples", sound->name() + " has " + withCommas(pass.frames) + " samples at " +
                                           withCommas(sound->info().samplerate) +
                                           " Hz: less than one sample at 16,000 Hz.");
    Recording recording;
    recording.file = file;
    recording.originalRate = SampleRate(sound->info().samplerate);
    recording.originalChannels = sound->info().channels;
    recording.originalFormat = formatName(sound->info().format);
    if (auto warning = truncation(*sound, pass.frames))
        recording.warnings.push_back(std::move(*warning));
    if (pass.notFinite > 0)
        recording.warnings.push_back(
            {"audio.notFinite",
             sound->name() + " has " +
                 (pass.notFinite == 1 ? "1 sample that is not a finite number; it was set to 0."
                                      : withCommas(pass.notFinite) +
                                            " samples that are not finite numbers; they were set to 0.")});
    if (const auto channel = cancelledChannel(pass)) {
        recording.warnings.push_back(
            {"audio.antiphase", "The " + std::to_string(recording.originalChannels) + " channels of " +
                                    sound->name() + " cancel each other: their mean is silence. Channel " +
                                    std::to_string(*channel + 1) + " is used alone."});
        sound.emplace(file);
        pass = readAll(*sound, channel);
    }
    recording.samples = std::move(pass.samples);
    return recording;
}

} // namespace headroom
