// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/devices/audio_devices.h"
#include "core/devices/playback.h"
#include "core/devices/sample_ring.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace headroom {

namespace {

/// Calls work(block number) every 10 ms until it returns false or the pacer is stopped. The end of block n is
/// due at start + (n + 1) · 10 ms, so being late once does not slow the clock.
class Pacer {
public:
    explicit Pacer(double speed) : m_period(0.010 / speed) {}
    ~Pacer() { stop(); }

    void start(std::function<bool()> work) {
        stop();
        m_stopping = false;
        m_running = true;
        m_thread = std::thread([this, work = std::move(work)] {
            const auto begin = std::chrono::steady_clock::now();
            for (std::int64_t n = 1;; ++n) {
                std::unique_lock lock(m_mutex);
                const auto due =
                    begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(m_period * n);
                if (m_wake.wait_until(lock, due, [this] { return m_stopping; }))
                    break;
                lock.unlock();
                if (!work())
                    break;
            }
            m_running = false;
        });
    }
    void stop() {
        {
            const std::lock_guard lock(m_mutex);
            m_stopping = true;
        }
        m_wake.notify_all();
        if (m_thread.joinable())
            m_thread.join();
    }
    bool running() const { return m_running; }

private:
    std::chrono::duration<double> m_period;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stopping = false;
    std::atomic<bool> m_running{false};
    std::thread m_thread;
};

class FilePlayer : public Player {
public:
    explicit FilePlayer(double speed) : m_pacer(speed) {}
    void play(const Sound& sound, Seconds from, std::optional<TimeRange> loop) override {
        m_pacer.stop();
        m_playback.load(sound, from, loop);
        m_block.assign(static_cast<std::size_t>(std::max(1, sound.rate.hertz() / 100)), 0.0F);
        if (!m_playback.render({}, 0)) // nothing there to be heard
            return;
        m_pacer.start([this] {
            const bool more = m_playback.render(m_block, 0);
            // The block has been heard, because this is called when it is over.
            return m_playback.render({}, 0) && more;
        });
    }
    void setLoop(std::optional<TimeRange> loop) override { m_playback.setLoop(loop); }
    void stop() override { m_pacer.stop(); }
    bool playing() const override { return m_pacer.running(); }
    Seconds position() const override { return m_playback.position(); }

private:
    Playback m_playback;
    std::vector<float> m_block;
    Pacer m_pacer; // last: its thread uses the others
};

class FileRecorder : public Recorder {
public:
    FileRecorder(std::shared_ptr<const std::vector<float>> input, double speed)
        : m_input(std::move(input))
        , m_ring(60 * 16000)
        , m_pacer(speed) {}
    void start() override {
        m_pacer.stop();
        m_ring.clear();
        m_next = 0;
        m_pacer.start([this] {
            std::array<float, 160> block{};
            for (float& sample : block)
                sample = m_next < m_input->size() ? (*m_input)[m_next++] : 0.0F;
            m_ring.push(block);
            return true;
        });
    }
    void stop() override { m_pacer.stop(); }
    bool recording() const override { return m_pacer.running(); }
    SampleRate rate() const override { return kModelSampleRate; }
    void take(std::vector<float>& samples) override { m_ring.take(samples); }
    float level() override { return m_ring.level(); }
    std::int64_t dropped() const override { return m_ring.dropped(); }

private:
    std::shared_ptr<const std::vector<float>> m_input;
    std::size_t m_next = 0;
    SampleRing m_ring;
    Pacer m_pacer; // last: its thread uses the others
};

class FileDevices : public AudioDevices {
public:
    explicit FileDevices(const FileDeviceSettings& settings) : m_settings(settings) {
        auto samples = settings.input.empty() ? std::vector<float>() : loadRecording(settings.input).samples;
        m_input = std::make_shared<const std::vector<float>>(std::move(samples));
    }
    std::vector<AudioDeviceInfo> list() const override {
        const std::string name = m_settings.input.empty() ? "Silence" : m_settings.input.filename().string();
        return {{0, name, true, true, true, true}};
    }
    std::unique_ptr<Player> makePlayer(int) override {
        return std::make_unique<FilePlayer>(m_settings.speed);
    }
    std::unique_ptr<Recorder> makeRecorder(int) override {
        return std::make_unique<FileRecorder>(m_input, m_settings.speed);
    }

private:
    FileDeviceSettings m_settings;
    std::shared_ptr<const std::vector<float>> m_input;
};

} // namespace

std::unique_ptr<AudioDevices> openFileDevices(const FileDeviceSettings& settings) {
    return std::make_unique<FileDevices>(settings);
}

std::unique_ptr<AudioDevices> openAudioDevices(const std::string& choice) {
    if (choice.empty())
        return openSoundCards();
    if (choice.starts_with("file:"))
        return openFileDevices({choice.substr(5), 1});
    throw Error("devices.unknown", "“" + choice +
        "” is not a sound device. Leave it empty, or use file:PATH.",
                {{"choice", choice}});
}

} // namespace headroom
