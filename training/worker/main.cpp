// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/quick_end.h"
#include "training/worker/command_line.h"

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

/// Whether this command computes here, or only starts and watches what does.
bool computesHere(char** argv) {
    const std::string_view command = argv[0] && argv[1] ? argv[1] : "";
    if (command == "places" || command == "queue")
        return false;
    for (char** word = argv; *word; ++word) // another machine computes
        if (const std::string_view text = *word; text == "--place" || text.substr(0, 8) == "--place=")
            return false;
    return true;
}

/// OpenMP's threads wait for one another by spinning, unless told otherwise before the library is loaded,
/// that is before main(). On a machine that has other work too (the window, a training run) the spinning
/// takes the very processor that is waited for: measured, an analysis of 0.35 s took 2 to 10 s beside three
/// compilers. So we start once more, with the policy set; whoever sets it themselves is left alone.
///
/// The loader calls this before the constructors of any library, of which torch's take 0.4 s. Nothing is
/// initialised here, so nothing is used but system calls and memory of our own.
void waitWithoutSpinning(int, char** argv, char** environment) {
    constexpr std::size_t kMost = 8192;
    static char* words[kMost + 2];
    static char program[4096], word[] = "OMP_WAIT_POLICY=PASSIVE";
    std::size_t count = 0;
    for (; environment[count]; ++count) {
        if (count == kMost || std::strncmp(environment[count], word, sizeof "OMP_WAIT_POLICY=" - 1) == 0)
            return;
        words[count] = environment[count];
    }
    words[count] = word;
    if (computesHere(argv) && ::readlink("/proc/self/exe", program, sizeof program - 1) > 0)
        ::execve(program, argv, words); // returns only where it failed: then we go on as we are
}
using Start = void (*)(int, char**, char**);
[[gnu::section(".preinit_array"), gnu::used]] const Start startsOver = waitWithoutSpinning;

/// oneDNN keeps what it compiled for each shape of a convolution, 1,024 of them, and every batch of speech
/// has a shape of its own. Measured: a Conformer of 1.3 M parameters grew by 25 MB an update, to 4.4 GB after
/// 470; twenty updates took 0.97 GB without that memory, 1.45 GB with it, and were no slower. Whoever sets
/// the variable themselves is left alone.
void forgetShapes() {
    ::setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "0", 0);
}

/// Tensors of 2 MB and more lie on large pages: the maps of an analysis are 100 MB a layer, and clearing them in pages of
/// 4 kB took a quarter of it (measured: whisper-small, 2.6 times the forward pass, then 1.9). Training keeps its memory
/// instead (training/loop/kept_memory.h), so commands that train or start training leave the variable alone. So does
/// whoever set it themselves.
///
/// An analysis keeps freed memory for its next layer (models/layers/kept_memory.h). glibc's arenas of other threads, such as the
/// one that answers the window, hold no block of 64 MB, so all threads have the first one.
void takeLargePages(char** argv) {
    const std::string_view command = argv[0] && argv[1] ? argv[1] : "";
    for (const std::string_view trains : {"train", "queue", "places", "experiment"})
        if (command == trains)
            return;
    ::setenv("THP_MEM_ALLOC_ENABLE", "1", 0);
#ifdef __GLIBC__
    ::mallopt(M_ARENA_MAX, 1);
#endif
}

} // namespace

int main(int argc, char** argv) {
    headroom::endBeforeLibraries();
    forgetShapes();
    takeLargePages(argv);
    ::setenv("OMP_WAIT_POLICY", "PASSIVE", 0); // where nothing is computed here: for what is started
    return headroom::training::runWorker(argc, argv);
}
