// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/quick_end.h"
#include "tests/support/runner.h"

#ifdef HEADROOM_GUI_TESTS
#include <QApplication>
#else
#include <QCoreApplication>
#endif
#include <QTest>

#ifdef HEADROOM_TORCH_TESTS
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headroom::testing {
namespace {

/// Function-local, so that it exists when the first test is added.
std::map<std::string, MakeTest>& tests() {
    static std::map<std::string, MakeTest> byName;
    return byName;
}

} // namespace

bool addTest(const char* file, MakeTest make) {
    const std::string name = std::filesystem::path(file).stem().string();
    if (!tests().emplace(name, make).second) {
        std::fprintf(stderr, "Two tests of this program are named %s.\n", name.c_str());
        std::abort();
    }
    return true;
}

} // namespace headroom::testing

/// Libraries that keep memory until the process ends: fontconfig what it read of the machine's fonts, ALSA the
/// plug-ins that it opened. LeakSanitizer asks here before it reports a leak.
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions();
const char* __lsan_default_suppressions() {
    return "leak:libfontconfig\nleak:snd_dlopen\n";
}

int main(int argc, char** argv) {
    using headroom::testing::tests;
    headroom::endBeforeLibraries();
    std::vector<char*> arguments(argv, argv + argc);
    auto chosen = tests().end();
    if (argc > 1 && (chosen = tests().find(argv[1])) != tests().end())
        arguments.erase(arguments.begin() + 1);
    else if (argc > 1 && argv[1][0] != '-') {
        std::fprintf(stderr, "There is no test %s here. The tests are:\n", argv[1]);
        for (const auto& [name, make] : tests())
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    arguments.push_back(nullptr);
    // The models that somebody has downloaded play no part in a test.
    ::setenv("HF_HUB_CACHE", "/nonexistent/headroom-tests", 1);
    int count = static_cast<int>(arguments.size()) - 1;

    // As QTEST_MAIN does: pictures do not depend on the screen's resolution.
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi, true);
#ifdef HEADROOM_GUI_TESTS
    const QApplication application(count, arguments.data());
#else
    const QCoreApplication application(count, arguments.data());
#endif
    int failures = 0;
    for (auto test = tests().begin(); test != tests().end(); ++test) {
        if (chosen != tests().end() && test != chosen)
            continue;
        // Settings and caches of tests that run at the same time stay apart.
        QCoreApplication::setApplicationName(QString::fromStdString(test->first));
#ifdef HEADROOM_TORCH_TESTS
        // Torch begins with another seed in every process: a test would have other numbers each time, and now and then a
        // difference beyond its limit.
        at::manual_seed(20);
        // As under ctest, which sets OMP_NUM_THREADS: on more threads a sum of floats has another order and other last digits, and
        // what is compared with a study would differ from it, because a study measures each utterance on one.
        at::set_num_threads(1);
#endif
        const std::unique_ptr<QObject> object(test->second());
        failures += QTest::qExec(object.get(), count, arguments.data());
    }
    return failures;
}
