// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/devices/audio_devices.h"
#include "core/devices/playback.h"
#include "core/devices/quiet_libraries.h"
#include "core/devices/sample_ring.h"

#include <atomic>
#include <mutex>

#include <portaudio.h>

namespace headroom {

namespace {

constexpr const char* kWorksWithout = " You can still open and analyse recordings.";

[[noreturn]] void failed(const std::string& what, PaError error) {
    throw Error("devices.failed", what + ": " + Pa_GetErrorText(error) + ".",
                {{"reason", Pa_GetErrorText(error)}});
}

/// PortAudio, initialised as long as somebody needs it.
class Session {
public:
    Session() {
        const std::lock_guard lock(s_mutex);
        silenceSoundLibraries();
        if (!soundConfigurationIsUsable())
            throw Error("devices.none",
                        std::string("ALSA, the sound system, has no configuration on this machine.") +
                            kWorksWithout);
        if (const PaError error = Pa_Initialize(); error != paNoError)
            failed("The sound system did not start", error);
    }
    ~Session() {
        const std::lock_guard lock(s_mutex);
        Pa_Terminate();
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

private:
    inline static std::mutex s_mutex; // Pa_Initialize counts without a lock
};

/// An open stream, closed with its owner. Its callback gets the owner.
class Stream {
public:
    explicit Stream(void* owner) : m_owner(owner) {}
    ~Stream() { close(); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    void close() {
        if (m_stream)
            Pa_CloseStream(m_stream);
        m_stream = nullptr;
        m_active = false;
    }
    void open(const PaStreamParameters* input, const PaStreamParameters* output, SampleRate rate,
              PaStreamCallback* callback) {
        close();
        const PaError error = Pa_OpenStream(&m_stream, input, output, rate.hertz(),
                                            paFramesPerBufferUnspecified, paNoFlag, &Stream::render, this);
        if (error != paNoError) {
            m_stream = nullptr;
            failed("The sound device could not be opened", error);
        }
        m_callback = callback;
        // Called when the last sample is out, and when the card goes away.
        Pa_SetStreamFinishedCallback(m_stream,
                                     [](void* self) { static_cast<Stream*>(self)->m_active = false; });
    }
    void start() {
        m_active = true;
        if (const PaError error = Pa_StartStream(m_stream); error != paNoError) {
            close();
            failed("The sound device did not start", error);
        }
    }
    bool active() const { return m_active; } ///< from any thread
    Seconds outputLatency() const {
        const PaStreamInfo* info = m_stream ? Pa_GetStreamInfo(m_stream) : nullptr;
        return Seconds(info ? info->outputLatency : 0);
    }

private:
    static int render(const void* input, void* output, unsigned long frames,
                      const PaStreamCallbackTimeInfo* time, PaStreamCallbackFlags flags, void* self) {
        auto* stream = static_cast<Stream*>(self);
        return stream->m_callback(input, output, frames, time, flags, stream->m_owner);
    }

    void* m_owner;
    PaStream* m_stream = nullptr;
    PaStreamCallback* m_callback = nullptr;
    std::atomic<bool> m_active{false};
};

PaStreamParameters mono(PaDeviceIndex device, double latency) {
    PaStreamParameters parameters{};
    parameters.device = device;
    parameters.channelCount = 1;
    parameters.sampleFormat = paFloat32;
    parameters.suggestedLatency = latency;
    return parameters;
}

class CardPlayer : public Player {
public:
    CardPlayer(std::shared_ptr<Session> session, PaDeviceIndex device)
        : m_session(std::move(session))
        , m_device(device) {}
    ~CardPlayer() override { m_stream.close(); }

    void play(const Sound& sound, Seconds from, std::optional<TimeRange> loop) override {
        m_stream.close();
        const PaDeviceInfo* info = Pa_GetDeviceInfo(m_device);
        const auto output = mono(m_device, info->defaultLowOutputLatency);
        Sound playable = sound;
        if (sound.samples &&
            Pa_IsFormatSupported(nullptr, &output, sound.rate.hertz()) != paFormatIsSupported) {
            const SampleRate native(static_cast<int>(info->defaultSampleRate));
            playable.samples =
                std::make_shared<const std::vector<float>>(resample(*sound.samples, sound.rate, native));
            playable.rate = native;
        }
        m_playback.load(playable, from, loop);
        if (!m_playback.render({}, 0))
            return;
        m_stream.open(nullptr, &output, playable.rate, &CardPlayer::callback);
        m_delay = playable.rate.nearest(m_stream.outputLatency()).value();
        m_stream.start();
    }
    void setLoop(std::optional<TimeRange> loop) override { m_playback.setLoop(loop); }
    void stop() override { m_stream.close(); }
    bool playing() const override { return m_stream.active(); }
    Seconds position() const override { return m_playback.position(); }

private:
    static int callback(const void*, void* output, unsigned long frames, const PaStreamCallbackTimeInfo*,
                        PaStreamCallbackFlags, void* owner) {
        auto* self = static_cast<CardPlayer*>(owner);
        return self->m_playback.render({static_cast<float*>(output), frames}, self->m_delay) ? paContinue
                                                                                             : paComplete;
    }

    std::shared_ptr<Session> m_session;
    PaDeviceIndex m_device;
    std::int64_t m_delay = 0;
    Playback m_playback;
    Stream m_stream{this};
};

class CardRecorder : public Recorder {
public:
    CardRecorder(std::shared_ptr<Session> session, PaDeviceIndex device)
        : m_session(std::move(session))
        , m_device(device)
        , m_rate(rateOf(device))
        , m_ring(static_cast<std::size_t>(m_rate.hertz()) * 60) {}
    ~CardRecorder() override { m_stream.close(); }

    void start() override {
        m_stream.close();
        m_ring.clear();
        const auto input = mono(m_device, Pa_GetDeviceInfo(m_device)->defaultLowInputLatency);
        m_stream.open(&input, nullptr, m_rate, &CardRecorder::callback);
        m_stream.start();
    }
    void stop() override { m_stream.close(); }
    bool recording() const override { return m_stream.active(); }
    SampleRate rate() const override { return m_rate; }
    void take(std::vector<float>& samples) override { m_ring.take(samples); }
    float level() override { return m_ring.level(); }
    std::int64_t dropped() const override { return m_ring.dropped(); }

private:
    /// 16 kHz where the card can, else its own rate.
    static SampleRate rateOf(PaDeviceIndex device) {
        const PaDeviceInfo* info = Pa_GetDeviceInfo(device);
        const auto input = mono(device, info->defaultLowInputLatency);
        if (Pa_IsFormatSupported(&input, nullptr, kModelSampleRate.hertz()) == paFormatIsSupported)
            return kModelSampleRate;
        return SampleRate(static_cast<int>(info->defaultSampleRate));
    }
    static int callback(const void* input, void*, unsigned long frames, const PaStreamCallbackTimeInfo*,
                        PaStreamCallbackFlags, void* owner) {
        if (input)
            static_cast<CardRecorder*>(owner)->m_ring.push({static_cast<const float*>(input), frames});
        return paContinue;
    }

    std::shared_ptr<Session> m_session;
    PaDeviceIndex m_device;
    SampleRate m_rate;
    SampleRing m_ring;
    Stream m_stream{this};
};

class SoundCards : public AudioDevices {
public:
    SoundCards() : m_session(std::make_shared<Session>()) {
        if (Pa_GetDeviceCount() <= 0)
            throw Error("devices.none", std::string("This machine has no sound card.") + kWorksWithout);
    }
    std::vector<AudioDeviceInfo> list() const override {
        std::vector<AudioDeviceInfo> result;
        for (PaDeviceIndex i = 0; i < Pa_GetDeviceCount(); ++i) {
            const PaDeviceInfo* info = Pa_GetDeviceInfo(i);
            const PaHostApiInfo* api = Pa_GetHostApiInfo(info->hostApi);
            result.push_back({i, std::string(info->name) + (api ? std::string(" (") + api->name + ")" : ""),
                              info->maxOutputChannels > 0, info->maxInputChannels > 0,
                              i == Pa_GetDefaultOutputDevice(), i == Pa_GetDefaultInputDevice()});
        }
        return result;
    }
    std::unique_ptr<Player> makePlayer(int index) override {
        const PaDeviceIndex device = index < 0 ? Pa_GetDefaultOutputDevice() : index;
        const PaDeviceInfo* info = device < Pa_GetDeviceCount() ? Pa_GetDeviceInfo(device) : nullptr;
        if (!info || info->maxOutputChannels < 1)
            throw Error("devices.none",
                        std::string("This machine has no sound card that can play.") + kWorksWithout);
        return std::make_unique<CardPlayer>(m_session, device);
    }
    std::unique_ptr<Recorder> makeRecorder(int index) override {
        const PaDeviceIndex device = index < 0 ? Pa_GetDefaultInputDevice() : index;
        const PaDeviceInfo* info = device < Pa_GetDeviceCount() ? Pa_GetDeviceInfo(device) : nullptr;
        if (!info || info->maxInputChannels < 1)
            throw Error("devices.none", std::string("This machine has no microphone.") + kWorksWithout);
        return std::make_unique<CardRecorder>(m_session, device);
    }

private:
    std::shared_ptr<Session> m_session;
};

} // namespace

std::unique_ptr<AudioDevices> openSoundCards() {
    return std::make_unique<SoundCards>();
}

} // namespace headroom
