// SPDX-License-Identifier: GPL-3.0-or-later
// A run that starts with the weights of a model with other positions, more layers or no CTC output says so, and trains.
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::start_positions_test {

class StartPositionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatTheModelDoesNotStartIsNoted() {
        QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString();
        const ToneCorpus corpus(root / "tones", 6, 2);
        TinyTraining tiny(root / "runs", corpus.folder());
        tiny.recipe.length.maxUpdates = tiny.recipe.validation.everyUpdates = 1;
        const Finished base = runWorkerProgram(tiny.arguments("base"));
        QVERIFY2(base.status == 0, base.err.c_str());
        const QStringList from{"--start-from", TinyTraining::text(RunPaths{tiny.run("base")}.model()) + ":encoder"};
        const std::string note = "The encoder of the start model was trained with sinusoidal positions, but this architecture has rotary positions.";
        const Finished same = runWorkerProgram(tiny.arguments("same", from));
        QVERIFY2(same.status == 0 && !same.says(note), same.err.c_str());
        const QStringList fromWhole{"--start-from", TinyTraining::text(RunPaths{tiny.run("base")}.model())};
        const std::string ctc = "The CTC output starts from random weights, because the start model has none."; // loss.ctcWeight is 0.3
        QVERIFY(!same.says(ctc));
        const Finished whole = runWorkerProgram(tiny.arguments("whole", fromWhole));
        QVERIFY2(whole.status == 0 && whole.says(ctc), whole.err.c_str());
        QVERIFY(readSmallFile(RunPaths{tiny.run("whole")}.log(), "test").find(ctc) != std::string::npos);
        const std::filesystem::path document = root / "runs/architecture.json";
        std::string text = readSmallFile(document, "test");
        const std::string last = R"(, { "heads": "2 local 5" })";
        std::string shorter = text;
        writeFile(document, shorter.erase(shorter.find(last), last.size()));
        const Finished fewer = runWorkerProgram(tiny.arguments("fewer", from));
        const std::string leftOut = "Encoder layer 2 of the start model is left out, because this architecture has 1.";
        QVERIFY2(fewer.status == 0 && fewer.says(leftOut), fewer.err.c_str());
        QVERIFY(readSmallFile(RunPaths{tiny.run("fewer")}.log(), "test").find(leftOut) != std::string::npos);
        writeFile(document, text.replace(text.find("sinusoidal"), 10, "rotary"));
        const Finished other = runWorkerProgram(tiny.arguments("other", from));
        QVERIFY2(other.status == 0 && other.says(note), other.err.c_str());
        QVERIFY(readSmallFile(RunPaths{tiny.run("other")}.log(), "test").find(note) != std::string::npos);
    }
};

HEADROOM_TEST(StartPositionsTest)

} // namespace headroom::testing::start_positions_test

#include "start_positions_test.moc"
