// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/command_line.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::command_line_test {

using namespace headroom::app;

class CommandLineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyOptionIsUnderstood() {
        const CommandLine line =
            parseCommandLine({"headroom", "a.wav", "b folder", "--screenshot", "x.png", "--size", "1280x720",
                              "--theme", "dark", "--workspace", "analyse"});
        QCOMPARE(line.mistake, QString());
        QCOMPARE(line.files, QStringList({"a.wav", "b folder"}));
        QCOMPARE(line.screenshot, QStringLiteral("x.png"));
        QCOMPARE(line.size, QSize(1280, 720));
        QCOMPARE(line.theme, QStringLiteral("dark"));
    }

    void withoutOptionsThePictureIs1600By1000() {
        const CommandLine line = parseCommandLine({"headroom"});
        QCOMPARE(line.mistake, QString());
        QCOMPARE(line.size, QSize(1600, 1000));
        QVERIFY(line.screenshot.isEmpty() && line.files.isEmpty());
    }

    void wrongUseIsOneSentence_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("theme") << QStringList{"headroom", "--theme", "pink"};
        QTest::newRow("workspace that does not exist") << QStringList{"headroom", "--workspace", "nowhere"};
        QTest::newRow("size") << QStringList{"headroom", "--size", "big"};
        QTest::newRow("tiny") << QStringList{"headroom", "--size", "10x10"};
        QTest::newRow("huge") << QStringList{"headroom", "--size", "99999x99999"};
        QTest::newRow("unknown option") << QStringList{"headroom", "--frobnicate"};
        QTest::newRow("picture of another format") << QStringList{"headroom", "--screenshot", "x.jpg"};
        QTest::newRow("no value") << QStringList{"headroom", "--screenshot"};
    }
    void wrongUseIsOneSentence() {
        QFETCH(QStringList, arguments);
        const CommandLine line = parseCommandLine(arguments);
        QVERIFY(!line.mistake.isEmpty());
        QVERIFY2(line.mistake.endsWith('.'), qPrintable(line.mistake));
    }
};

HEADROOM_TEST(CommandLineTest)

} // namespace headroom::testing::command_line_test

#include "command_line_test.moc"
