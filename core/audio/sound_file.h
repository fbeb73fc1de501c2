// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audio/audio_file.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <sndfile.h>

namespace headroom {

/// An open audio file, and the sentences for what is wrong with it. Internal to core/audio. One thread each;
/// opening is serialised inside.
class SoundFile {
public:
    /// Throws Error "audio.missing", "audio.empty", "audio.notAudio", "audio.unreadable" or "audio.badRate".
    explicit SoundFile(const std::filesystem::path& file);

    const std::string& name() const { return m_name; }
    const SF_INFO& info() const { return m_info; }
    double duration(std::int64_t frames) const { return static_cast<double>(frames) / m_info.samplerate; }
    /// Reads at most so many frames (one sample per channel each). Returns 0 at the end and after damage.
    sf_count_t read(float* block, sf_count_t frames);
    /// Moves to a frame. Formats whose decoder could land beside it are decoded from the start instead.
    /// Returns false if the file ends before.
    bool moveTo(std::int64_t frame);
    /// What stopped the reading, or an empty string.
    const std::string& damage() const { return m_damage; }
    /// Returns a warning "audio.truncated" if a reading that ended after `frames` frames ended early.
    std::optional<Warning> truncation(std::int64_t frames) const;

    [[noreturn]] void fail(const char* code, const std::string& sentence) const;
    [[noreturn]] void failTooLong() const;
    /// A recording of more than six hours is read in parts only.
    bool isTooLong(std::int64_t frames) const;

private:
    [[noreturn]] void failRate(std::int64_t rate) const;
    void open(const std::filesystem::path& file);

    struct Closer {
        void operator()(SNDFILE* file) const { sf_close(file); }
    };
    std::string m_name;
    std::string m_damage;
    SF_INFO m_info{};
    std::unique_ptr<SNDFILE, Closer> m_file;
};

} // namespace headroom
