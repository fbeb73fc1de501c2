// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/speech/espeak.h"

#include <cstring>
#include <dlfcn.h>
#include <memory>

namespace headroom::training {

namespace {

// The little of espeak-ng's public interface (espeak-ng/speak_lib.h, API revision 12) that is needed here,
// declared by ourselves because the library is no dependency of the build.
enum EventType : int { kEndOfList = 0, kWord = 1, kPhoneme = 7 };
struct EspeakEvent {
    int type;
    unsigned int uniqueIdentifier;
    int textPosition;
    int length;
    int audioPosition; ///< milliseconds; too coarse for us
    int sample;        ///< the exact place
    void* userData;
    union {
        int number;
        const char* name;
        char string[8]; ///< a phoneme's mnemonic, not terminated where it has eight bytes
    } id;
};
constexpr int kSynchronous = 2;        // AUDIO_OUTPUT_SYNCHRONOUS: the callback runs inside espeak_Synth
constexpr int kPhonemeEvents = 0x0001; // espeakINITIALIZE_PHONEME_EVENTS
constexpr int kDoNotExit = 0x8000;     // espeakINITIALIZE_DONT_EXIT
constexpr int kPositionCharacter = 1;  // POS_CHARACTER
constexpr unsigned kUtf8 = 1;          // espeakCHARS_UTF8
constexpr unsigned kEndPause = 0x1000; // espeakENDPAUSE
constexpr int kParameterRate = 1, kParameterPitch = 3;

struct CloseLibrary {
    void operator()(void* library) const { ::dlclose(library); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

template <class Function>
Function* symbol(void* library, const char* name) {
    auto* found = reinterpret_cast<Function*>(::dlsym(library, name));
    if (!found)
        throw Error("speech.noEspeak",
                    std::string("libespeak-ng.so.1 has no function ") + name +
                        ": version 1.51 or later is needed. Install the package espeak-ng.");
    return found;
}

/// Where the callback collects: espeak passes user data only with events, and the first samples have none.
Speech* collecting = nullptr;

int collect(short* samples, int count, EspeakEvent* events) {
    if (samples && count > 0)
        collecting->samples.insert(collecting->samples.end(), samples, samples + count);
    for (; events && events->type != kEndOfList; ++events) {
        if (events->type == kWord) {
            collecting->events.push_back({Speech::Event::Kind::Word, events->sample, {}});
        } else if (events->type == kPhoneme && events->id.string[0] != 0) {
            const auto* name = events->id.string;
            collecting->events.push_back({Speech::Event::Kind::Phone, events->sample,
                                          std::string(name, ::strnlen(name, sizeof events->id.string))});
        }
    }
    return 0;
}

} // namespace

Speech speakWithEspeak(const std::string& text, const Voice& voice) {
    const Library library(::dlopen("libespeak-ng.so.1", RTLD_NOW | RTLD_LOCAL));
    if (!library)
        throw Error("speech.noEspeak",
                    "espeak-ng is not installed on this machine (libespeak-ng.so.1 was not found). Install "
                    "it with: apt install espeak-ng.");
    auto* const initialize = symbol<int(int, int, const char*, int)>(library.get(), "espeak_Initialize");
    auto* const setCallback =
        symbol<void(int (*)(short*, int, EspeakEvent*))>(library.get(), "espeak_SetSynthCallback");
    auto* const setVoice = symbol<int(const char*)>(library.get(), "espeak_SetVoiceByName");
    auto* const setParameter = symbol<int(int, int, int)>(library.get(), "espeak_SetParameter");
    auto* const synthesise =
        symbol<int(const void*, std::size_t, unsigned, int, unsigned, unsigned, unsigned*, void*)>(
            library.get(), "espeak_Synth");
    auto* const synchronize = symbol<int()>(library.get(), "espeak_Synchronize");
    auto* const terminate = symbol<int()>(library.get(), "espeak_Terminate");

    const int rate = initialize(kSynchronous, 0, nullptr, kPhonemeEvents | kDoNotExit);
    if (rate <= 0)
        throw Error("speech.noEspeak",
                    "espeak-ng found no voices on this machine. Install the package espeak-ng-data.");
    struct Terminator {
        int (*terminate)();
        ~Terminator() { terminate(); }
    } const terminator{terminate};

    Speech speech;
    speech.rate = SampleRate(rate);
    if (setVoice(voice.name.c_str()) != 0)
        throw Error("speech.noVoice", "espeak-ng has no voice " + voice.name +
                                          "; `espeak-ng --voices` lists the available ones.");
    setParameter(kParameterRate, voice.rate, 0);
    setParameter(kParameterPitch, voice.pitch, 0);
    collecting = &speech;
    setCallback(collect);
    const int problem = synthesise(text.c_str(), text.size() + 1, 0, kPositionCharacter, 0, kUtf8 | kEndPause,
                                   nullptr, nullptr);
    synchronize();
    collecting = nullptr;
    if (problem != 0 || speech.samples.empty())
        throw Error("speech.failed", "espeak-ng produced no audio for \"" + text + "\".");
    return speech;
}

} // namespace headroom::training
