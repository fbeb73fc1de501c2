// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/shell_words.h"
#include "tests/support/runner.h"

#include <QProcess>
#include <QStandardPaths>
#include <QtTest/QtTest>

namespace headroom::testing::shell_words_test {

const std::vector<std::string> kWords{"",
                                      "plain/path-1.txt",
                                      "two words",
                                      "it's",
                                      "say \"hello\"",
                                      "$HOME `id`",
                                      "a;b|c&d",
                                      "line 1\nline 2",
                                      "Grüße 日本",
                                      "back\\slash\\\\",
                                      "no!bang",
                                      "=zsh",
                                      "~root",
                                      "*?[a-z]",
                                      "#comment",
                                      "-n",
                                      "tab\there",
                                      "{a,b}",
                                      "'",
                                      "ends with \\"};

class ShellWordsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyShellReadsTheSameBytes_data() {
        QTest::addColumn<QString>("shell");
        for (const char* shell : {"sh", "bash", "dash", "zsh", "ksh", "fish"})
            QTest::newRow(shell) << shell;
    }
    void everyShellReadsTheSameBytes() {
        QFETCH(QString, shell);
        if (QStandardPaths::findExecutable(shell).isEmpty())
            QSKIP("This shell is not installed.");
        std::vector<std::string> words{"printf", "<%s>\\0"};
        words.insert(words.end(), kWords.begin(), kWords.end());
        QProcess process;
        process.start(shell, {"-c", QString::fromStdString(shellLine(words))});
        QVERIFY(process.waitForFinished(60000));
        QByteArray wanted;
        for (const std::string& word : kWords)
            wanted += '<' + QByteArray::fromStdString(word) + '>' + '\0';
        QCOMPARE(process.readAllStandardOutput(), wanted);
    }
    void bytesThatAreNoTextPass() {
        const std::string word = "caf\xE9 \xFF";
        QProcess process;
        process.start("sh", {"-c", "eval \"$(cat)\""});
        process.write(QByteArray::fromStdString(shellLine({"printf", "%s", word})));
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.readAllStandardOutput(), QByteArray::fromStdString(word));
    }
    void whatNeedsNoQuotesHasNone() {
        QCOMPARE(shellLine({"headroom-worker", "train", "--run", "runs/a_b-1"}),
                 std::string("headroom-worker train --run runs/a_b-1"));
        QCOMPARE(shellWord(""), std::string("''"));
    }
};

HEADROOM_TEST(ShellWordsTest)

} // namespace headroom::testing::shell_words_test

#include "shell_words_test.moc"
