// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/places/run_place.h"
#include "core/places/run_text.h"
#include "core/runs/run_folder.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::run_text_test {

namespace fs = std::filesystem;

class RunTextTest : public QObject {
    Q_OBJECT

    static void write(const fs::path& run, const std::string& startFrom) {
        RunInfo info;
        info.id = run.filename().string();
        info.state = RunState::Finished;
        info.data = "/there/corpus";
        info.startFrom = startFrom;
        fs::create_directories(run);
        writeRun(run, info);
    }

private Q_SLOTS:
    /// What the run exported, else what it began with: the model that it started from, or its corpus.
    void aCheckpointWritesWithTheVocabularyOfItsRun() {
        const QTemporaryDir folder;
        const fs::path run = fs::path(folder.path().toStdString()) / "run";
        QVERIFY_EXCEPTION_THROWN(textOfRun(run), Error);
        write(run, {});
        QCOMPARE(textOfRun(run).vocabulary(), fs::path("/there/corpus"));
        write(run, "/there/model:encoder");
        QCOMPARE(textOfRun(run).vocabulary(), fs::path("/there/corpus"));
        QVERIFY(textOfRun(run).startFrom->encoderOnly);
        write(run, "/there/model");
        QCOMPARE(textOfRun(run).vocabulary(), fs::path("/there/model"));
        // A run that is computed elsewhere is mirrored here, and so is what it began with.
        RunPlace place;
        place.place.name = place.place.host = "gpu-1";
        place.place.folder = "~/headroom";
        place.data = "/here/corpus";
        writeRunPlace(run, place);
        QCOMPARE(textOfRun(run).vocabulary(), fs::path("/there/model")); // not known here
        place.startFrom = "/here/model";
        writeRunPlace(run, place);
        QCOMPARE(textOfRun(run).vocabulary(), fs::path("/here/model"));
        QCOMPARE(textOfRun(run).data, fs::path("/here/corpus"));
        fs::create_directories(RunPaths{run}.tokenizer()); // wherever these are now
        QCOMPARE(textOfRun(run).vocabulary(), RunPaths{run}.tokenizer());
        fs::create_directories(RunPaths{run}.model());
        QCOMPARE(textOfRun(run).vocabulary(), RunPaths{run}.model());
    }

    void aStartIsReadAndWritten() {
        QVERIFY(!StartFrom::parse("/models/a").encoderOnly);
        const StartFrom encoder = StartFrom::parse("/models/a:encoder");
        QVERIFY(encoder.encoderOnly);
        QCOMPARE(encoder.model, fs::path("/models/a"));
        QCOMPARE(encoder.text(), std::string("/models/a:encoder"));
        const QTemporaryDir folder; // that is really called so
        const std::string odd = folder.filePath(QStringLiteral("b:encoder")).toStdString();
        fs::create_directories(odd);
        QCOMPARE(StartFrom::parse(odd).model, fs::path(odd));
    }
};

HEADROOM_TEST(RunTextTest)

} // namespace headroom::testing::run_text_test

#include "run_text_test.moc"
