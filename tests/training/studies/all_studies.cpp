// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/training/studies/engine_classes.h"

#include <QCoreApplication>
#include <QTest>

#include <memory>

int main(int argc, char** argv) {
    using namespace headroom::testing;
    const QCoreApplication application(argc, argv);
    int failures = 0;
    for (QObject* (*make)() :
         {makeStudyAlignmentTest, makeStudyCacheTest, makeStudyKindsTest, makeStudyRunnerTest}) {
        const std::unique_ptr<QObject> test(make());
        failures += QTest::qExec(test.get(), argc, argv);
    }
    return failures;
}
