// SPDX-License-Identifier: GPL-3.0-or-later
// Windows over long recordings: transcribe and evaluate.
#include "core/audio/audio_file.h"
#include "core/runs/evaluations.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"
#include "training/decoding/long_recording.h"

#include <cmath>
#include <csignal>
#include <memory>
#include <QDeadlineTimer>
#include <QTemporaryDir>
#include <QThread>
#include <QtTest>

namespace headroom::testing::long_recording_command_test {

namespace fs = std::filesystem;

class LongRecordingCommandTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::unique_ptr<ToneCorpus> m_corpus;
    fs::path root() const { return m_folder.path().toStdString(); }
    QString named(const char* name) const { return QString::fromStdString((root() / name).string()); }
    nlohmann::json transcribed(const QStringList& more) const {
        const Finished found = runWorkerProgram(
            QStringList{"transcribe", "--model", kModel, named("long.wav"), "--max-tokens", "12", "--json"} +
            more);
        if (found.status != 0)
            throw std::runtime_error(found.err);
        return found.document()["utterances"][0];
    }

private Q_SLOTS:
    void initTestCase() {
        writeSound((root() / "long.wav").string(), 4.5);
        m_corpus = std::make_unique<ToneCorpus>(root() / "tones", 2, 4);
    }

    void aRecordingUnderOneWindowIsAsBefore() {
        const auto whole = transcribed({}), windowed = transcribed({"--window", "5"});
        QVERIFY2(whole == windowed, windowed.dump().c_str());
        QVERIFY(transcribed({"--beam", "3"}) ==
                transcribed({"--beam", "3", "--window", "4.5", "--overlap", "1"}));
    }

    void windowsAreDecodedAloneAndStitched() {
        const auto row = transcribed({"--window", "2", "--overlap", "0.5"});
        const auto& windows = row["windows"];
        QCOMPARE(windows.size(), std::size_t(3)); // 0 - 2, 1.5 - 3.5, 3 - 4.5
        QCOMPARE(windows[1]["start"].get<double>(), 1.5);
        QCOMPARE(windows[2]["end"].get<double>(), 4.5);
        std::vector<std::string> texts;
        for (const auto& window : windows) {
            const auto samples = loadRecording(root() / "long.wav").samples;
            const auto from = static_cast<std::ptrdiff_t>(std::lround(window["start"].get<double>() * 16000));
            const auto to = static_cast<std::ptrdiff_t>(std::lround(window["end"].get<double>() * 16000));
            saveWav(root() / "part.wav", std::vector<float>(samples.begin() + from, samples.begin() + to),
                    kModelSampleRate);
            const Finished alone = runWorkerProgram(
                {"transcribe", "--model", kModel, named("part.wav"), "--max-tokens", "12", "--json"});
            QVERIFY(alone.document()["utterances"][0]["hypotheses"][0]["text"] == window["text"]);
            texts.push_back(window["text"]);
        }
        QCOMPARE(row["hypotheses"][0]["text"].get<std::string>(), training::stitchTexts(texts, 0.25));
    }

    /// The text is that of the best texts, and each window has the list that it has alone.
    void eachWindowHasAnNBestList() {
        const QStringList cut{"--window", "2", "--overlap", "0.5", "--beam", "3"};
        const auto row = transcribed(cut + QStringList{"--n-best", "2"}), best = transcribed(cut);
        QCOMPARE(row["hypotheses"].size(), std::size_t(1));
        QVERIFY(row["hypotheses"] == best["hypotheses"]);
        QCOMPARE(row["windows"].size(), std::size_t(3));
        for (std::size_t i = 0; i < row["windows"].size(); ++i) {
            const auto &window = row["windows"][i], &list = window["hypotheses"];
            QCOMPARE(list.size(), std::size_t(2));
            QVERIFY(list[0]["text"] == window["text"] && window["text"] == best["windows"][i]["text"]);
            QVERIFY(list[0]["ids"] != list[1]["ids"]);
            QVERIFY(list[0]["score"].get<double>() >= list[1]["score"].get<double>());
            QVERIFY(!best["windows"][i].contains("hypotheses"));
        }
        const Finished plain = runWorkerProgram(QStringList{"transcribe", "--model", kModel, named("long.wav"), "--max-tokens", "12", "--n-best", "2"} + cut);
        QVERIFY2(plain.status == 0, plain.err.c_str());
        QCOMPARE(std::count(plain.out.begin(), plain.out.end(), '\n'), 1);
        QVERIFY2(plain.says("--json has the n-best list of each"), plain.err.c_str());
        const Finished done = runWorkerProgram({"evaluate", "--model", kModel, "--data", QString::fromStdString(m_corpus->folder().string()), "--split", "dev",
                                                "--max-tokens", "8", "--out", named("lists"), "--json", "--window", "1", "--overlap", "0.25", "--beam", "3",
                                                "--n-best", "2"});
        QVERIFY2(done.status == 0, done.err.c_str());
        QCOMPARE(done.document()["window"].get<double>(), 1.0); // tells it from one of whole recordings
        const auto utterances = done.document()["utterances"]; // a copy: the document ends with its line
        for (const auto& utterance : utterances) {
            QVERIFY(utterance.contains("windows") != utterance.contains("hypotheses"));
            for (const auto& window : utterance.value("windows", nlohmann::json::array())) {
                QVERIFY(window["end"].get<double>() - window["start"].get<double>() <= 1.0 + 1e-9);
                QCOMPARE(window["hypotheses"].size(), std::size_t(2));
            }
        }
    }

    void evaluateDoesTheSame() {
        const auto evaluated = [&](const QStringList& more) {
            const Finished done =
                runWorkerProgram(QStringList{"evaluate", "--model", kModel, "--data",
                                             QString::fromStdString(m_corpus->folder().string()), "--split",
                                             "dev", "--max-tokens", "8", "--out", named("scored"), "--json"} +
                                 more);
            if (done.status != 0)
                throw std::runtime_error(done.err);
            return done.document();
        };
        const auto whole = evaluated({});
        auto wide = evaluated({"--window", "60"});
        QCOMPARE(wide["window"].get<double>(), 60.0); // the option, whose only trace that is
        wide.erase("window");
        QVERIFY(whole == wide);
        const auto narrow = evaluated({"--window", "1", "--overlap", "0.25"});
        QCOMPARE(narrow["utterances"].size(), whole["utterances"].size());
        const bool all = std::all_of(m_corpus->utterances("dev").begin(), m_corpus->utterances("dev").end(),
                                     [](const Utterance& one) { return one.frames->value() > 100; });
        QCOMPARE(narrow["nll"].is_null(), all);
        QVERIFY(narrow["wer"].is_number());
    }

    /// Nothing looked for a request to stop, and nothing counted, while recordings were decoded in windows.
    void evaluateCountsAndStopsBetweenWindows_data() {
        QTest::addColumn<QStringList>("recordings");
        QTest::newRow("all are long") << QStringList{"long.wav", "long.wav"};
        QTest::newRow("none is") << QStringList{"short.wav", "short.wav"};
        QTest::newRow("one is") << QStringList{"long.wav", "short.wav"}; // the short ones are decoded first
    }
    void evaluateCountsAndStopsBetweenWindows() {
        QFETCH(const QStringList, recordings);
        const fs::path corpus = root() / QTest::currentDataTag(), out = corpus / "out";
        fs::create_directories(corpus);
        writeSound((corpus / "short.wav").string(), 0.8);
        writeSound((corpus / "long.wav").string(), 4.5);
        std::string table = "id\taudio\ttext\n";
        for (const QString& one : recordings)
            table += std::to_string(table.size()) + "\t" + one.toStdString() + "\ther village\n";
        writeFile(corpus / "manifest.tsv", table);
        QProcess process;
        process.start(kWorker, {"evaluate", "--beam", "5", "--model", kModel, "--data", QString::fromStdString(corpus.string()), "--split", "all",
                                "--out", QString::fromStdString(out.string()), "--window", "1"});
        QVERIFY(process.waitForStarted(60000));
        for (QDeadlineTimer limit(60000); !fs::exists(EvaluationPaths{out}.progress()) && !limit.hasExpired();) // SIGTERM is caught by then
            QThread::msleep(1);
        process.terminate();
        QVERIFY(process.waitForFinished(60000));
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 128 + SIGTERM && said.contains("The evaluation was stopped. No scores were written."), said.constData());
        const EvaluationInfo info = readEvaluation(out);
        QVERIFY(info.state == EvaluationInfo::State::Stopped);
        QCOMPARE(info.total, std::int64_t(recordings.size()));
    }

    void mistakesAreSaid() {
        const auto refused = [&](const QStringList& more, const char* sentence) {
            const Finished found =
                runWorkerProgram(QStringList{"transcribe", "--model", kModel, named("long.wav")} + more);
            return found.status != 0 && found.says(sentence);
        };
        QVERIFY(refused({"--overlap", "1"}, "needs --window"));
        QVERIFY(refused({"--window", "2", "--overlap", "1.5"}, "is more than half of --window"));
        QVERIFY(refused({"--window", "2", "--beam", "3", "--n-best", "4"}, "requested"));
        QVERIFY(refused({"--window", "2", "--timestamps"}, "cannot be combined"));
    }
};

HEADROOM_TEST(LongRecordingCommandTest)

} // namespace headroom::testing::long_recording_command_test

#include "long_recording_command_test.moc"
