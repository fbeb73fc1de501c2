// SPDX-License-Identifier: GPL-3.0-or-later
// A model of 83 features, from its training to what is done with it.
#include "core/architecture/architecture.h"
#include "core/features/kaldi_pitch.h"
#include "core/features/model_input.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <memory>
#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::pitch_command_test {

namespace fs = std::filesystem;

class PitchCommandTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::unique_ptr<ToneCorpus> m_corpus;
    std::unique_ptr<TinyTraining> m_tiny;

    fs::path model(const char* run) const { return RunPaths{m_tiny->run(run)}.model(); }
    fs::path recording() const {
        return Corpus::open(m_corpus->folder()).utterances("dev", "asr").front().audio;
    }

private Q_SLOTS:
    void initTestCase() {
        const fs::path root = m_folder.path().toStdString();
        m_corpus = std::make_unique<ToneCorpus>(root / "tones", 12, 3);
        m_tiny = std::make_unique<TinyTraining>(root / "runs", m_corpus->folder());
        m_tiny->recipe.length.maxUpdates = 6;
        m_tiny->recipe.validation.everyUpdates = 3;
        std::string text = readSmallFile(root / "runs" / "architecture.json", "test");
        text.replace(text.find("\"features\": 80"), 14, "\"features\": 83");
        std::ofstream(root / "runs" / "architecture.json") << text;
    }

    void aModelIsTrainedAndItsFolderSaysWhatItReads_data() {
        QTest::addColumn<QString>("cmvn");
        QTest::newRow("utterance") << "utterance";
        QTest::newRow("global") << "global";
    }

    void aModelIsTrainedAndItsFolderSaysWhatItReads() {
        QFETCH(QString, cmvn);
        m_tiny->recipe.data.cmvn = cmvn.toStdString();
        const Finished trained = runWorkerProgram(m_tiny->arguments(cmvn.toStdString()));
        QVERIFY2(trained.status == 0, trained.err.c_str());
        const fs::path folder = model(qPrintable(cmvn));
        const auto document = nlohmann::json::parse(readSmallFile(folder / "front_end.json", "test"));
        QCOMPARE(document.at("features").at("bins").get<int>(), 80);
        QCOMPARE(document.at("features").at("pitch").get<int>(), 3);
        const auto frontEnd = readArchitecture(folder / "architecture.json").frontEnd;
        QCOMPARE(frontEnd.features, 83);
        if (cmvn == "global")
            QCOMPARE(frontEnd.cmvn.value().mean.size(), std::size_t(83));
    }

    void analysisAndTranscriptionReadTheSame() {
        for (const char* run : {"utterance", "global"}) {
            const QString folder = TinyTraining::text(model(run)), audio = TinyTraining::text(recording());
            const fs::path out = m_tiny->run(std::string("analysed-") + run);
            const Finished analysed =
                runWorkerProgram({"analyse", "--model", folder, audio, "--out", TinyTraining::text(out)});
            QVERIFY2(analysed.status == 0, analysed.err.c_str());
            const auto arrays = arraysOf(out / (recording().stem().string() + ".npz"));
            const auto seen = toDoubles(arrays.at("features").view());
            const auto input = readArchitecture(model(run) / "architecture.json").frontEnd.input();
            const Matrix<float> expected = modelFeatures(loadRecording(recording()).samples, input);
            QCOMPARE(expected.columns(), std::size_t(83));
            QCOMPARE(seen.size(), expected.values().size());
            for (std::size_t i = 0; i < seen.size(); ++i)
                QVERIFY(std::abs(seen[i] - static_cast<double>(expected.values()[i])) < 1e-5);
            const Finished text = runWorkerProgram({"transcribe", "--model", folder, audio});
            QVERIFY2(text.status == 0, text.err.c_str());
        }
    }

    void featuresAreWrittenWithPitch() {
        const fs::path out = m_tiny->run("features");
        const Finished ended = runWorkerProgram({"features", "--raw", "--pitch", TinyTraining::text(recording()),
                                       "--out", TinyTraining::text(out)});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const Tensor written = readNpy(out / (recording().stem().string() + ".npy"));
        LogMelFilterbank filterbank;
        const Matrix<float> expected = kaldiFeatures(filterbank, loadRecording(recording()).samples, 83);
        QVERIFY(toFloats(written.view()) == expected.values());
    }
};

HEADROOM_TEST(PitchCommandTest)

} // namespace headroom::testing::pitch_command_test

#include "pitch_command_test.moc"
