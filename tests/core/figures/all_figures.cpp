// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/figures/test_classes.h"

#include <QCoreApplication>
#include <QTest>

#include <memory>

/// fontconfig keeps what it read of the machine's fonts until the process ends; LeakSanitizer asks here
/// before it calls that a leak. Ours are reported all the same.
extern "C" const char* __lsan_default_suppressions();
const char* __lsan_default_suppressions() {
    return "leak:libfontconfig\n";
}

int main(int argc, char** argv) {
    using namespace headroom::testing;
    const QCoreApplication application(argc, argv);
    int failures = 0;
    for (QObject* (*make)() : {makePlotTest, makeSceneFilesTest, makeStudyFiguresTest}) {
        const std::unique_ptr<QObject> test(make());
        failures += QTest::qExec(test.get(), argc, argv);
    }
    return failures;
}
