// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"
#include "tests/training/worker/worker_program.h"
#include "training/worker/console.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <iostream>
#include <sstream>
#include <unistd.h>

namespace headroom::testing::corpus_command_test {

namespace {

QStringList keysOf(const nlohmann::json& object) {
    QStringList keys;
    for (const auto& [key, value] : object.items())
        keys += QString::fromStdString(key);
    return keys;
}

} // namespace

class CorpusCommandTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString write(const char* name, const char* text) const {
        std::ofstream(m_folder.filePath(name).toStdString(), std::ios::binary) << text;
        return m_folder.filePath(name);
    }

private Q_SLOTS:
    void oneEditIsNotSeveral() {
        for (const char* name : {"r.txt", "h.txt"}) {
            QFile file(m_folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(*name == 'r' ? "a b c d e\n" : "a b c d x\n");
        }
        const auto done = runWorkerProgram({"score", "--reference", m_folder.filePath("r.txt"), "--hypothesis", m_folder.filePath("h.txt"), "--metric", "ter"});
        QCOMPARE(done.status, 0);
        QVERIFY2(QString::fromStdString(done.out).contains("(1 edit in 5 words)"), done.out.c_str());
    }

    void corpusSaysWhatItMade() {
        const auto out = m_folder.filePath("demo");
        const auto done =
            runWorkerProgram({"corpus", "demo", "--out", out, "--minutes", "0.3", "--seed", "5", "--json"});
        if (done.says("espeak-ng is not installed")) {
            QVERIFY(done.says("apt install espeak-ng"));
            QCOMPARE(done.status, 1);
            QSKIP("espeak-ng is not installed");
        }
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto document = done.document();
        QCOMPARE(keysOf(document).join(' '),
                 QString("corpus format pieces seconds seed splits utterances version voices words"));
        QCOMPARE(document["format"].get<std::string>(), std::string("headroom/corpus-summary"));
        QCOMPARE(document["version"].get<int>(), 1);
        QVERIFY(document["seconds"].get<double>() >= 18 - 0.01 * document["utterances"].get<double>());
        QCOMPARE(keysOf(document["splits"]).join(' '), QString("dev test train"));
        QCOMPARE(keysOf(document["splits"]["dev"]).join(' '), QString("seconds utterances"));
        QCOMPARE(keysOf(document["pieces"]).join(' '), QString("asr st_de st_es"));
        QVERIFY(done.says("seconds spoken"));
        QVERIFY(Corpus::open(out.toStdString()).problems().empty());

        const auto again = runWorkerProgram({"corpus", "demo", "--out", out});
        QCOMPARE(again.status, 1);
        QVERIFY2(again.says("demo already exists and is not an empty folder."), again.err.c_str());
    }

    void withoutEspeakItSaysWhatToInstall() {
        // An empty file of the library's name comes first in the search and cannot be opened.
        write("libespeak-ng.so.1", "");
        const auto out = m_folder.filePath("silent");
        const auto before = qgetenv("LD_LIBRARY_PATH");
        qputenv("LD_LIBRARY_PATH", m_folder.path().toUtf8() + ':' + before);
        const auto done = runWorkerProgram({"corpus", "demo", "--out", out, "--minutes", "0.1"});
        if (before.isEmpty())
            qunsetenv("LD_LIBRARY_PATH");
        else
            qputenv("LD_LIBRARY_PATH", before);
        QCOMPARE(done.status, 1);
        QVERIFY2(done.says("apt install espeak-ng"), done.err.c_str());
        QVERIFY(!std::filesystem::exists(out.toStdString()));
    }

    void anInterruptedTryIsNoObstacle() {
        const auto out = m_folder.filePath("interrupted"), hidden = m_folder.filePath(".interrupted.making");
        QProcess first;
        first.start(kWorker, {"corpus", "demo", "--out", out, "--minutes", "600"});
        const bool begun = QTest::qWaitFor(
            [&] {
                return first.state() == QProcess::NotRunning ||
                       !QDir(hidden + "/audio").entryList({"*.wav"}).isEmpty();
            },
            30000);
        if (first.state() == QProcess::NotRunning)
            QSKIP("espeak-ng is not installed");
        QVERIFY(begun);
        first.kill();
        QVERIFY(first.waitForFinished(120000));
        QVERIFY(!std::filesystem::exists(out.toStdString()));
        const auto second = runWorkerProgram({"corpus", "demo", "--out", out, "--minutes", "0.2"});
        QVERIFY2(second.status == 0, second.err.c_str());
        QVERIFY(Corpus::open(out.toStdString()).problems().empty());
        QVERIFY(!std::filesystem::exists(hidden.toStdString()));
    }

    void scoreSaysErrorsAndSignatures() {
        const auto reference = write("r.txt", "The cat sat on the mat.\nA dog, a bird!\n");
        const auto hypothesis = write("h.txt", "the cat sat on a mat\r\nA dog a bird\r\n");
        const auto done = runWorkerProgram({"score", "--reference", reference, "--hypothesis", hypothesis,
                                            "--metric", "wer,wer-plain,bleu,chrf,ter", "--json"});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto document = done.document();
        QCOMPARE(keysOf(document).join(' '), QString("format hypothesis lines reference scores version"));
        QCOMPARE(document["format"].get<std::string>(), std::string("headroom/scores"));
        QCOMPARE(document["lines"].get<int>(), 2);
        const auto& scores = document["scores"];
        QCOMPARE(keysOf(scores).join(' '), QString("bleu chrf ter wer wer-plain"));
        QCOMPARE(keysOf(scores["wer"]).join(' '),
                 QString("deletions errors hits insertions percent referenceWords rule substitutions"));
        QCOMPARE(scores["wer"]["errors"].get<int>(), 1);
        QCOMPARE(scores["wer"]["percent"].get<double>(), 10.0);
        QCOMPARE(scores["wer-plain"]["errors"].get<int>(), 5);
        QCOMPARE(
            keysOf(scores["bleu"]).join(' '),
            QString(
                "brevityPenalty counts hypothesisLength precisions referenceLength score signature totals"));
        QCOMPARE(scores["bleu"]["signature"].get<std::string>(),
                 std::string("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"));

        const auto lines = runWorkerProgram({"score", "--reference", reference, "--hypothesis", hypothesis});
        QVERIFY2(lines.out.starts_with(
                     "WER = 10.00 (1 error in 10 words: 1 substitution, 0 deletions, 0 insertions;"),
                 lines.out.c_str());
        QVERIFY2(lines.out.find("\nBLEU = ") != std::string::npos, lines.out.c_str());
    }

    void scoreAgreesWithTheGoldenResults_data() { addGoldenFolders(); }
    void scoreAgreesWithTheGoldenResults() {
        const auto folder = QString::fromStdString((goldens() / "parity/scoring").string());
        const auto expected = nlohmann::json::parse(std::ifstream((folder + "/expected.json").toStdString()));
        const auto done = runWorkerProgram(
            {"score", "--reference", folder + "/ref.txt", "--hypothesis", folder + "/hyp.txt"});
        QCOMPARE(done.status, 0);
        QVERIFY2(done.out.find(expected["bleu"]["printed"].get<std::string>()) != std::string::npos,
                 done.out.c_str());
        const auto& wer = expected["fairseq_wer"];
        const auto line = QStringLiteral("WER = %1 (%2 errors in %3 words")
                              .arg(wer["wer_percent"].get<double>(), 0, 'f', 2)
                              .arg(wer["errors"].get<int>())
                              .arg(wer["reference_words"].get<int>());
        QVERIFY2(done.out.starts_with(line.toStdString()), done.out.c_str());
        if (goldens() != repositoryGoldens()) {
            QCOMPARE(expected["bleu"]["printed"].get<std::string>(),
                     std::string("BLEU = 54.40 77.2/58.9/48.3/39.8 (BP = 1.000 ratio = 1.024 hyp_len = 514 "
                                 "ref_len = 502)"));
            QCOMPARE(line, QString("WER = 27.21 (114 errors in 419 words"));
        }
    }

    void anEmptyReferenceHasNoRate() {
        const auto empty = write("empty.txt", "\n"), some = write("some.txt", "words\n");
        const auto done = runWorkerProgram(
            {"score", "--reference", empty, "--hypothesis", some, "--metric", "wer", "--json"});
        QCOMPARE(done.status, 0);
        QVERIFY(done.document()["scores"]["wer"]["percent"].is_null());
    }

    void badInputsAreNamed() {
        const auto one = write("one.txt", "a\n"), two = write("two.txt", "a\nb\n");
        const auto lines = runWorkerProgram({"score", "--reference", one, "--hypothesis", two});
        QCOMPARE(lines.status, 1);
        QVERIFY2(lines.says("one.txt has 1 line and two.txt 2"), lines.err.c_str());
        const auto missing = runWorkerProgram({"score", "--reference", one, "--hypothesis", "/nowhere.txt"});
        QCOMPARE(missing.status, 1);
        QVERIFY2(missing.says("nowhere.txt does not exist."), missing.err.c_str());
        QCOMPARE(
            runWorkerProgram({"score", "--reference", one, "--hypothesis", two, "--metric", "rouge"}).status,
            2);
        QCOMPARE(runWorkerProgram({"corpus"}).status, 2);
        QCOMPARE(runWorkerProgram({"corpus", "demo", "--out", "x", "--minutes", "-1"}).status, 2);
    }

    /// "1620 of 1800  seconds spoken" stood beside “8,000 pieces”, with two spaces.
    void progressIsWrittenAsOtherCounts() {
        std::ostringstream said;
        auto* before = std::cerr.rdbuf(said.rdbuf());
        training::Console(false).progress(1620, 1800, "seconds spoken");
        training::Console(false).progressAt(2, 3, "tone.wav");
        std::cerr.rdbuf(before);
        if (isatty(STDERR_FILENO) == 0)
            QCOMPARE(said.str(), std::string("1,620 of 1,800 seconds spoken\n2 of 3: tone.wav\n"));
        QVERIFY(said.str().find("1,620 of 1,800 seconds spoken") != std::string::npos);
    }
};

HEADROOM_TEST(CorpusCommandTest)

} // namespace headroom::testing::corpus_command_test

#include "corpus_command_test.moc"
