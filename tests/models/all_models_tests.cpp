// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/test_classes.h"

#include <QCoreApplication>
#include <QTest>

#include <memory>

int main(int argc, char** argv) {
    using namespace headroom::testing;
    const QCoreApplication application(argc, argv);
    int failures = 0;
    for (QObject* (*make)() :
         {makeAnalysisTest, makeCheckpointsTest, makeDecoderAnalysisTest, makeImportTest, makeParityTest}) {
        const std::unique_ptr<QObject> test(make());
        failures += QTest::qExec(test.get(), argc, argv);
    }
    return failures;
}
