// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/errors/display_name.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <sndfile.h>

namespace headroom {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& reason) {
    throw Error("audio.unwritable", displayName(file) + " could not be written: " + reason + ".",
                {{"file", displayName(file)}, {"reason", reason}});
}

/// A new file beside the final one, removed unless it was renamed.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::filesystem::path& target) {
        static std::atomic<unsigned> counter{0};
        for (int attempt = 0; attempt < 100 && m_descriptor < 0; ++attempt) {
            m_path = target;
            m_path += ".part-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
            // O_EXCL: never through a link that somebody laid there.
            m_descriptor = ::open(m_path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (m_descriptor < 0 && errno != EEXIST)
                break;
        }
        if (m_descriptor < 0)
            refuse(target, std::strerror(errno));
    }
    ~TemporaryFile() {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
        if (!m_path.empty())
            ::unlink(m_path.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    int descriptor() const { return m_descriptor; }
    void renameTo(const std::filesystem::path& target) {
        if (::fsync(m_descriptor) != 0 || ::rename(m_path.c_str(), target.c_str()) != 0)
            refuse(target, std::strerror(errno));
        m_path.clear();
    }

private:
    std::filesystem::path m_path;
    int m_descriptor = -1;
};

short quantised(float sample) {
    if (!(sample == sample))
        return 0;
    // The inverse of how 16-bit files are read (divided by 32768), so that reading and writing again changes
    // nothing.
    return static_cast<short>(std::lrint(std::clamp(sample * 32768.0F, -32768.0F, 32767.0F)));
}

} // namespace

void saveWav(const std::filesystem::path& file, std::span<const float> samples, SampleRate rate) {
    if (rate.hertz() <= 0)
        refuse(file, "its sample rate is " + std::to_string(rate.hertz()) + " Hz");
    if (samples.size() > (0xFFFFFFFFULL - 64) / sizeof(short))
        refuse(file, "a WAV file has at most 4 GB");
    TemporaryFile temporary(file);
    SF_INFO info{};
    info.samplerate = rate.hertz();
    info.channels = 1;
    info.format = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
    SNDFILE* wav = sf_open_fd(temporary.descriptor(), SFM_WRITE, &info, SF_FALSE);
    if (!wav)
        refuse(file, sf_strerror(nullptr));

    std::array<short, 8192> block{};
    bool whole = true;
    for (std::size_t done = 0; whole && done < samples.size();) {
        const std::size_t count = std::min(block.size(), samples.size() - done);
        for (std::size_t i = 0; i < count; ++i)
            block[i] = quantised(samples[done + i]);
        whole = sf_writef_short(wav, block.data(), static_cast<sf_count_t>(count)) ==
                static_cast<sf_count_t>(count);
        done += count;
    }
    const std::string reason = whole ? std::string() : sf_strerror(wav);
    const bool closed = sf_close(wav) == 0;
    if (!whole)
        refuse(file, reason);
    if (!closed)
        refuse(file, std::strerror(errno));
    temporary.renameTo(file);
}

} // namespace headroom
