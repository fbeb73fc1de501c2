// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/quiet_libraries.h"

#include <dlfcn.h>
#include <initializer_list>

namespace headroom {

namespace {

void ignoreAlsa(const char*, int, const char*, int, const char*, ...) {}
void ignoreJack(const char*) {}

} // namespace

// Looked up instead of linked: which of them PortAudio was built with is the distribution's business.
void silenceSoundLibraries() {
    using AlsaHandler = void (*)(const char*, int, const char*, int, const char*, ...);
    if (void* symbol = dlsym(RTLD_DEFAULT, "snd_lib_error_set_handler"))
        reinterpret_cast<int (*)(AlsaHandler)>(symbol)(&ignoreAlsa);
    using JackHandler = void (*)(const char*);
    for (const char* name : {"jack_set_error_function", "jack_set_info_function"})
        if (void* symbol = dlsym(RTLD_DEFAULT, name))
            reinterpret_cast<void (*)(JackHandler)>(symbol)(&ignoreJack);
}

bool soundConfigurationIsUsable() {
    const auto update = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "snd_config_update"));
    const auto search =
        reinterpret_cast<int (*)(void*, const char*, void**)>(dlsym(RTLD_DEFAULT, "snd_config_search"));
    auto** top = static_cast<void**>(dlsym(RTLD_DEFAULT, "snd_config"));
    if (!update || !search || !top)
        return true; // PortAudio without ALSA
    void* devices = nullptr;
    return update() >= 0 && *top && search(*top, "pcm", &devices) >= 0;
}

} // namespace headroom
