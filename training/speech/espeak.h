// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/time/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::training {

/// espeak-ng's output with its events. Samples count at `rate`.
struct Speech {
    struct Event {
        enum class Kind { Word, Phone } kind;
        std::int64_t sample; ///< where it starts
        std::string name;    ///< of a phone: espeak-ng's mnemonic ("aI", "i@3", "_:" for a pause)
    };
    SampleRate rate{22050};
    std::vector<std::int16_t> samples;
    std::vector<Event> events; ///< ordered by time
};

struct Voice {
    std::string name = "en-us";
    int rate =
        175; ///< words a minute; above 450 espeak changes its method and the times of events no longer hold
    int pitch = 50;
};

/// Speaks UTF-8 text with espeak-ng 1.51 or later, which is loaded at run time (libespeak-ng.so.1), because
/// the worker must start on machines without it. The library is initialised and terminated in this call, so
/// that equal calls give equal samples. Throws Error "speech.noEspeak" (says what to install),
/// "speech.noVoice", "speech.failed". One thread of the process at a time.
Speech speakWithEspeak(const std::string& text, const Voice& voice);

} // namespace headroom::training
