// SPDX-License-Identifier: GPL-3.0-or-later
// Global CMVN from the recipe to the model that is used.
#include "core/architecture/architecture.h"
#include "core/features/features.h"
#include "core/features/global_cmvn.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <cmath>
#include <memory>
#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::global_cmvn_command_test {

namespace fs = std::filesystem;

class GlobalCmvnCommandTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::unique_ptr<ToneCorpus> m_corpus;
    std::unique_ptr<TinyTraining> m_tiny;

private Q_SLOTS:
    void initTestCase() {
        const fs::path root = m_folder.path().toStdString();
        m_corpus = std::make_unique<ToneCorpus>(root / "tones", 12, 3);
        m_tiny = std::make_unique<TinyTraining>(root / "runs", m_corpus->folder());
        m_tiny->recipe.length.maxUpdates = 6;
        m_tiny->recipe.validation.everyUpdates = 3;
        m_tiny->recipe.data.cmvn = "global";
    }

    void theModelHasTheNumbersOfTheTrainingData() {
        const Finished trained = runWorkerProgram(m_tiny->arguments("global"));
        QVERIFY2(trained.status == 0, trained.err.c_str());
        const fs::path model = RunPaths{m_tiny->run("global")}.model();
        const auto found = readArchitecture(model / "architecture.json").frontEnd.cmvn;
        QVERIFY(found.has_value());
        CmvnSums sums;
        LogMelFilterbank filterbank;
        const Corpus corpus = Corpus::open(m_corpus->folder());
        for (const Utterance& one : corpus.utterances("train", "asr"))
            sums.add(filterbank.compute(loadRecording(one.audio).samples));
        const GlobalCmvn expected = sums.result();
        for (std::size_t bin = 0; bin < 80; ++bin) {
            QVERIFY(std::abs(found->mean[bin] - expected.mean[bin]) < 1e-9);
            QVERIFY(std::abs(found->deviation[bin] - expected.deviation[bin]) < 1e-9);
        }
        QVERIFY(readSmallFile(model / "front_end.json", "test").find("\"cmvn\": \"global\"") !=
                std::string::npos);
    }

    void itIsUsedWhereTheModelIs() {
        const fs::path model = RunPaths{m_tiny->run("global")}.model();
        const Corpus corpus = Corpus::open(m_corpus->folder());
        const Utterance utterance = corpus.utterances("dev", "asr").front();
        const QString out = TinyTraining::text(m_tiny->run("analysed"));
        const Finished analysed = runWorkerProgram({"analyse", "--model", TinyTraining::text(model),
                                          TinyTraining::text(utterance.audio), "--out", out});
        QVERIFY2(analysed.status == 0, analysed.err.c_str());
        const auto arrays = arraysOf(out.toStdString() + "/" + utterance.audio.stem().string() + ".npz");
        const auto seen = toDoubles(arrays.at("features").view());
        Matrix<float> expected = LogMelFilterbank().compute(loadRecording(utterance.audio).samples);
        applyGlobalCmvn(expected, *readArchitecture(model / "architecture.json").frontEnd.cmvn);
        QCOMPARE(seen.size(), expected.values().size());
        for (std::size_t i = 0; i < seen.size(); ++i)
            QVERIFY(std::abs(seen[i] - static_cast<double>(expected.values()[i])) < 1e-5);
    }

    /// cmvn.ark of a Kaldi folder is taken on import, and training uses it.
    void kaldisStatisticsAreUsed() {
        const auto statistics = [](int bins) {
            std::string sums = " [\n ", squares = "\n ";
            for (int bin = 0; bin < bins; ++bin) { // mean `bin`, deviation 2, over 10 frames
                sums += " " + std::to_string(10 * bin);
                squares += " " + std::to_string(10 * (bin * bin + 4));
            }
            return sums + " 10" + squares + " 0 ]\n";
        };
        const fs::path root = m_folder.path().toStdString(), kaldi = root / "kaldi/train", read = root / "read";
        fs::create_directories(kaldi);
        std::ofstream scp(kaldi / "wav.scp"), text(kaldi / "text");
        const Corpus corpus = Corpus::open(m_corpus->folder());
        for (const Utterance& one : corpus.utterances("train", "asr")) {
            scp << one.id << " " << fs::absolute(one.audio).string() << "\n";
            text << one.id << " " << one.text << "\n";
        }
        scp.close();
        text.close();
        std::ofstream(kaldi / "cmvn.ark") << statistics(80);
        const Finished imported = runWorkerProgram({"corpus", "kaldi", "--from", TinyTraining::text(root / "kaldi"), "--out",
                                          TinyTraining::text(read), "--pieces", "0"});
        QVERIFY2(imported.status == 0, imported.err.c_str());
        QVERIFY2(imported.says("Global CMVN was taken from") && imported.says("80 features, 10 frames"),
                 imported.err.c_str());
        QVERIFY(fs::exists(read / "cmvn.ark"));
        const Finished again = runWorkerProgram({"corpus", "headroom", "--from", TinyTraining::text(read), "--out",
                                                 TinyTraining::text(root / "again"), "--pieces", "0"});
        QVERIFY2(again.status == 0 && again.says("80 features, 10 frames"), again.err.c_str());
        QVERIFY(fs::exists(root / "again/cmvn.ark")); // as its pieces, a corpus keeps its statistics
        fs::copy_file(read / "cmvn.ark", m_corpus->folder() / "cmvn.ark");
        m_tiny->recipe.data.cmvn = "global";
        const Finished trained = runWorkerProgram(m_tiny->arguments("kaldi"));
        QVERIFY2(trained.status == 0, trained.err.c_str());
        QVERIFY2(trained.says("cmvn.ark, over 10 frames"), trained.err.c_str());
        const auto found = readArchitecture(RunPaths{m_tiny->run("kaldi")}.model() / "architecture.json").frontEnd.cmvn;
        QCOMPARE(found->mean[7], 7.0);
        QCOMPARE(found->deviation[7], 2.0);
        std::ofstream(m_corpus->folder() / "cmvn.ark") << statistics(13);
        const Finished other = runWorkerProgram(m_tiny->arguments("other"));
        fs::remove(m_corpus->folder() / "cmvn.ark");
        QCOMPARE(other.status, 1);
        QVERIFY2(other.says("has statistics of 13 features, and the model reads 80"), other.err.c_str());
    }

    void whatStartsFromItKeepsTheNumbers() {
        m_tiny->recipe.data.cmvn = "utterance"; // the weights know the others
        const QString from = TinyTraining::text(RunPaths{m_tiny->run("global")}.model());
        const Finished trained = runWorkerProgram(m_tiny->arguments("further", {"--start-from", from}));
        QVERIFY2(trained.status == 0, trained.err.c_str());
        QVERIFY2(trained.says("Global CMVN is that of the start model"), trained.err.c_str());
        QVERIFY(
            readArchitecture(RunPaths{m_tiny->run("further")}.model() / "architecture.json").frontEnd.cmvn ==
            readArchitecture(RunPaths{m_tiny->run("global")}.model() / "architecture.json").frontEnd.cmvn);
        // Without a start model nothing is global.
        QVERIFY(runWorkerProgram(m_tiny->arguments("utterance")).status == 0);
        QVERIFY(!readArchitecture(RunPaths{m_tiny->run("utterance")}.model() / "architecture.json")
                     .frontEnd.cmvn);
    }
};

HEADROOM_TEST(GlobalCmvnCommandTest)

} // namespace headroom::testing::global_cmvn_command_test

#include "global_cmvn_command_test.moc"
