// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment at another machine: each kind of step there, the mean of checkpoints and the table here.
#include "core/places/run_place.h"
#include "core/runs/strict_json.h"
#include "tests/support/runner.h"
#include "tests/training/places/loopback_ssh.h"
#include "tests/training/worker/experiments/tiny_experiment.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

namespace headroom::testing::experiment_at_place_test {

namespace fs = std::filesystem;

class ExperimentAtPlaceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyKindOfStepIsDoneThere() {
        LoopbackSsh ssh;
        if (const QString reason = ssh.skipReason(LoopbackSsh::Needs::Rsync); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        writePlaces(ssh.file("places.json").toStdString(), {ssh.place("over there")});
        const ToneCorpus corpus(ssh.folder() / "tones", 10, 2);
        TinyTraining tiny(ssh.folder() / "documents", corpus.folder());
        tiny.recipe.length.maxUpdates = 12;
        tiny.arguments("unused"); // writes both documents
        const QString document = ssh.file("documents/each.json");
        writeFile(document, kEachKind);
        const auto run = [&](const char* out, const QStringList& more) {
            return runWorkerProgram(QStringList{"experiment", document, "--data",
                                         TinyTraining::text(corpus.folder()), "--out", ssh.file(out)} +
                             more);
        };
        const Finished ended = run("elsewhere", {"--place", "loop"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const fs::path out = ssh.folder() / "elsewhere";
        for (const char* step : {"runs/first-seed1", "studies/windows-seed1", "decoded/wer-seed1"}) {
            const auto place = readRunPlace(out / step);
            QVERIFY2(place && place->contact == RunPlace::Contact::Ended, step);
        }
        // All that the recipe keeps came here: their mean is that of an experiment of this machine.
        int kept = 0;
        for (const auto& entry : fs::directory_iterator(out / "runs/first-seed1/checkpoints"))
            kept += entry.is_symlink() ? 0 : 1;
        QVERIFY2(kept >= 3, std::to_string(kept).c_str());
        const Finished here = run("here", {});
        QVERIFY2(here.status == 0, here.err.c_str());
        const auto rows = [&](const char* folder) {
            return readStrictObject(ssh.folder() / folder / "table.json", "test")["rows"];
        };
        QVERIFY2(rows("elsewhere") == rows("here"), rows("elsewhere").dump().c_str());
        QVERIFY(readSmallFile(out / "models/mean-seed1/model.safetensors", "test") ==
                readSmallFile(ssh.folder() / "here/models/mean-seed1/model.safetensors", "test"));
        // Nothing but copies is left there.
        QVERIFY(fs::is_empty(ssh.folder() / "over there/work"));
    }
};

HEADROOM_TEST(ExperimentAtPlaceTest)

} // namespace headroom::testing::experiment_at_place_test

#include "experiment_at_place_test.moc"
