// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/test_classes.h"

#include <QCoreApplication>
#include <QTest>

#include <memory>

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    const std::unique_ptr<QObject> test(headroom::testing::makeCostsTest());
    return QTest::qExec(test.get(), argc, argv);
}
