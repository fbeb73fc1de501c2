// SPDX-License-Identifier: GPL-3.0-or-later
// Paired tests of `score`, as they are printed.
#include "tests/support/runner.h"
#include "tests/training/worker/worker_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::score_command_test {

class ScoreCommandTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QString write(const QString& name, const QByteArray& text) {
        const QString file = m_folder.filePath(name);
        QDir().mkpath(QFileInfo(file).path());
        writeFile(file, text);
        return file;
    }
    static Finished compared(const QString& reference, const QString& one, const QString& two, const QStringList& options) {
        return runWorkerProgram(QStringList{"score", "--reference", reference, "--hypothesis", one, "--hypothesis", two} + options);
    }

private Q_SLOTS:
    /// A copy of a system was significantly different from it, p = 0.0001.
    void identicalOutputsDoNotDiffer() {
        QByteArray references, texts;
        for (int i = 0; i < 300; ++i) {
            references += "the house number " + QByteArray::number(i) + " is large and old\n";
            texts += "the house number " + QByteArray::number(i % 7) + " is old\n";
        }
        const QString reference = write("r.txt", references), one = write("a/hypotheses.txt", texts), two = write("b/hypotheses.txt", texts);
        for (const char* test : {"randomisation", "bootstrap"}) {
            const Finished done = compared(reference, one, two, {"--metric", "bleu,chrf,ter", "--test", test, "--json"});
            QVERIFY2(done.status == 0, done.err.c_str());
            const auto document = done.document();
            QCOMPARE(document["tests"].size(), std::size_t(3));
            for (const auto& metric : document["tests"]) {
                QCOMPARE(metric["p"].get<double>(), 1.0);
                QCOMPARE(metric["differingLines"].get<int>(), 0);
            }
        }
    }

    /// Both were "hypotheses.txt".
    void systemsAreNamedWithTheirFolders() {
        const QString reference = write("r.txt", "a b c d e\nf g h i j\n"), one = write("a/hypotheses.txt", "a b c d x\nf g h i j\n"),
                      two = write("b/hypotheses.txt", "a b c d e\nf g h i j\n");
        const Finished done = compared(reference, one, two, {"--metric", "bleu,wer"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const std::string both = (one + " and " + two + ": ").toStdString();
        for (const std::string& said : {one.toStdString() + ":\n", two.toStdString() + ":\n", "bleu, " + both, "wer, " + both})
            QVERIFY2(done.out.find(said) != std::string::npos, done.out.c_str());
        QVERIFY2(done.out.find("p = 1.0000 (approximate randomisation, 10,000 trials, seed 12345; 1 line is scored differently, so p is 1)") !=
                     std::string::npos,
                 done.out.c_str());
    }

    /// The second took the place of the first.
    void reportsOfFilesOfOneNameAreToldApart() {
        const QString reference = write("r.txt", "a b c d e\n"), one = write("a/hypotheses.txt", "a b c d x\n"),
                      two = write("b/hypotheses.txt", "a b c d e\n"), again = write("c/a/hypotheses.txt", "a\n"), reports = m_folder.filePath("reports");
        const Finished done = compared(reference, one, two, {"--metric", "wer-sclite", "--report", reports});
        QVERIFY2(done.status == 0, done.err.c_str());
        QCOMPARE(QDir(reports).entryList({"*.sys"}, QDir::Files, QDir::Name), (QStringList{"a-hypotheses.sys", "b-hypotheses.sys"}));
        const Finished refused = compared(reference, one, again, {"--metric", "wer-sclite", "--report", reports});
        QVERIFY(refused.status != 0);
        QVERIFY2(refused.err.find("would both be called “a-hypotheses”") != std::string::npos, refused.err.c_str());
    }
};

HEADROOM_TEST(ScoreCommandTest)

} // namespace headroom::testing::score_command_test

#include "score_command_test.moc"
