// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_index.h"
#include "app/runs/run_reading.h"
#include "core/corpus/corpus_document.h"
#include "core/places/run_place.h"
#include "core/runs/jobs.h"
#include "tests/app/runs/train_workshop.h"
#include "tests/support/runner.h"

#include <QTest>

#include <cmath>

namespace headroom::testing::run_index_test {

using namespace headroom::app;
using headroom::testing::TrainWorkshop;
namespace fs = std::filesystem;

namespace {

QString indexOf(const TrainWorkshop& shop) {
    return toQString(shop.path() / "index.sqlite");
}

} // namespace

class RunIndexTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunIsReadFromItsFolder() {
        TrainWorkshop shop;
        const auto item = readRunItem(shop.run("a", RunState::Finished, 3));
        QCOMPARE(item.name, QStringLiteral("smoke"));
        QCOMPARE(item.recipe, QStringLiteral("smoke"));
        QCOMPARE(item.data, QStringLiteral("demo"));
        QCOMPARE(item.update, 40);
        QCOMPARE(item.loss, 2.5);
        QCOMPARE(item.secondsLeft, 8.0);
        QCOMPARE(item.bestWer(), 30.0);
        QCOMPARE(item.devSplit, QString::fromStdString(TrainWorkshop::smoke().data.validationSplit));
        QCOMPARE(item.macShare, 1.0);
        QVERIFY(item.parameters > 1000);
        QVERIFY(!item.hasModel);
    }

    /// In bits per piece: of other pieces, and with other smoothing, it is another quantity.
    void aLossIsThatOfItsPieces() {
        TrainWorkshop shop;
        const auto item = [&](const std::string& id, const std::string& pieces, double smoothing) {
            const auto folder = shop.run(id);
            Recipe recipe = TrainWorkshop::smoke();
            recipe.loss.labelSmoothing = smoothing;
            shop.text(std::filesystem::path("runs") / id / "recipe.json", canonicalText(recipe));
            shop.text(std::filesystem::path("runs") / id / "model" / "sentencepiece.model", pieces);
            return readRunItem(folder).lossMeasure;
        };
        const QString one = item("a", "pieces", 0.1);
        QCOMPARE(item("b", "pieces", 0.1), one);
        QVERIFY(item("c", "other pieces", 0.1) != one);
        QVERIFY(item("d", "pieces", 0.2) != one);
        // Until it has exported its model: those of the corpus.
        const std::string task = TrainWorkshop::smoke().task;
        shop.text("corpus/" + corpusTokenizerName(task), "pieces");
        const auto begun = shop.run("e", RunState::Running);
        RunInfo info = readRun(begun);
        info.data = (shop.path() / "corpus").string();
        writeRun(begun, info);
        Recipe recipe = TrainWorkshop::smoke();
        recipe.loss.labelSmoothing = 0.1;
        shop.text("runs/e/recipe.json", canonicalText(recipe));
        QCOMPARE(readRunItem(begun).lossMeasure, one);
    }

    /// WER and BLEU are of the first utterances of the validation split, as many as the recipe says.
    void aScoreIsThatOfTheDecodedUtterances() {
        TrainWorkshop shop;
        const auto folder = shop.run("a");
        Recipe recipe = TrainWorkshop::smoke();
        recipe.validation.maxUtterances = 37;
        shop.text("runs/a/recipe.json", canonicalText(recipe));
        QCOMPARE(readRunItem(folder).decoded, 37);
    }

    void whatIsKeptOfARunIsReadBack() {
        widgets::RunItem item;
        RunInfo& info = item.info;
        std::string* const texts[] = {&info.id,   &info.error,    &info.created, &info.started,           &info.ended,
                                      &info.host, &info.version,  &info.libtorch, &info.parent,           &info.startFrom,
                                      &info.data, &info.note,     &info.decided.precision, &info.decided.device, &info.decided.dataHash};
        std::int64_t* const counts[] = {&info.process,          &info.update,         &info.maxUpdates,         &info.resumed,
                                        &info.earlierSeconds,   &info.predictedBytes, &info.peakBytes,          &info.decided.threads,
                                        &info.decided.ranks,    &info.decided.wantedRanks, &item.update, &item.decoded};
        QString* const words[] = {&item.name, &item.given, &item.recipe, &item.task, &item.data, &item.devSplit, &item.trainSplit, &item.lossMeasure, &item.group, &item.place, &item.contact};
        double* const numbers[] = {&item.parameters, &item.macShare, &item.loss, &item.framesPerSecond, &item.secondsLeft};
        bool* const flags[] = {&item.hasModel, &item.lost, &item.waits, &item.waited, &item.hasScript, &item.isPaused};
        int next = 0; // every field another value
        for (std::string* one : texts)
            *one = "text " + std::to_string(++next);
        for (std::int64_t* one : counts)
            *one = ++next;
        for (QString* one : words)
            *one = QString::number(++next);
        for (double* one : numbers)
            *one = ++next + 0.5;
        for (bool* one : flags)
            *one = true;
        info.state = RunState::Stopped;
        info.seed = 77;
        info.gpus = {"GPU-1", "GPU-2"};
        info.best = {{"update", 3}, {"wer", 12.5}};
        const QByteArray text = itemText(item);
        widgets::RunItem read;
        KnownRecipes recipes;
        QVERIFY(itemFromText(text, read, recipes));
        QCOMPARE(itemText(read), text);
        QCOMPARE(read.info.peakBytes, info.peakBytes);
        QCOMPARE(read.info.predictedBytes, info.predictedBytes);
        QVERIFY(read.info.state == RunState::Stopped && read.info.decided == info.decided && read.contact == item.contact);
        QByteArray earlier = text; // a field had another meaning then
        QVERIFY(!itemFromText(earlier.replace("\"format\":1", "\"format\":0"), read, recipes));
    }

    /// The event of the failure has the update of the last checkpoint; a run that was resumed goes on from there.
    void aFailedRunIsAsFarAsItsLastStep() {
        TrainWorkshop shop;
        const auto folder = shop.run("a", RunState::Failed);
        RunInfo info = readRun(folder);
        info.update = 0;
        writeRun(folder, info);
        std::string events = "{\"event\": \"step\", \"update\": 5, \"loss\": 8.4}\n"
                             "{\"event\": \"failed\", \"update\": 0, \"sentence\": \"no\"}\n";
        writeFile(folder / "events.jsonl", events);
        QCOMPARE(readRunItem(folder).update, 5);
        QCOMPARE(readRunItem(folder).progress(), 5.0 / 120);
        events += "{\"event\": \"resumed\", \"update\": 0}\n";
        writeFile(folder / "events.jsonl", events);
        QCOMPARE(readRunItem(folder).update, 0);
    }

    void seedsAreOneGroupOtherDataIsNot() {
        TrainWorkshop shop;
        const auto first = readRunItem(shop.run("a", RunState::Finished, 1)),
                   second = readRunItem(shop.run("b", RunState::Stopped, 2));
        QCOMPARE(first.group, second.group);
        RunInfo info = second.info;
        info.data = "/corpora/other";
        writeRun(second.folder, info);
        QVERIFY(readRunItem(second.folder).group != first.group);
    }

    void aRunElsewhereHasThePathsOfHere() {
        TrainWorkshop shop;
        const auto here = readRunItem(shop.run("a", RunState::Finished, 1));
        const fs::path folder = shop.run("b", RunState::Finished, 2);
        RunInfo info = readRun(folder);
        info.data = "/data/anna/headroom/data/demo-8a3f/demo";
        writeRun(folder, info);
        RunPlace place;
        place.place.name = place.place.host = "gpu-1";
        place.place.folder = "~/headroom";
        place.data = here.info.data;
        writeRunPlace(folder, place);
        const auto there = readRunItem(folder);
        QCOMPARE(there.info.data, here.info.data);
        QCOMPARE(there.group, here.group);
        QCOMPARE(readRun(folder).data, info.data); // what it is there stays in its own document
        place.data.clear(); // begun by a version that did not keep it
        writeRunPlace(folder, place);
        QCOMPARE(readRunItem(folder).info.data, info.data);
    }

    void whatTheIndexKeepsIsWhatTheFolderSays() {
        TrainWorkshop shop;
        shop.run("a", RunState::Failed, 7, 1.25);
        RunIndex index(indexOf(shop));
        QVERIFY2(index.problem().isEmpty(), qPrintable(index.problem()));
        const auto fresh = index.refresh(shop.runs());
        QCOMPARE(fresh.readAgain, 1);
        QCOMPARE(index.refresh(shop.runs()).readAgain, 0);
        RunIndex next(indexOf(shop)); // another window, or the next start
        const auto kept = next.refresh(shop.runs());
        QCOMPARE(kept.readAgain, 0);
        QCOMPARE(itemText(kept.runs.at(0)), itemText(fresh.runs.at(0)));
        QCOMPARE(kept.runs[0].info.state, RunState::Failed);
        QCOMPARE(kept.runs[0].info.seed, 7U);
        QCOMPARE(kept.runs[0].folder, shop.runs() / "a");
    }

    /// What a preempted run leaves behind says “stopped”; whether it goes on is what its watcher knows.
    void aRunThatWaitsElsewhereGoesOnWhileItIsWatched() {
        TrainWorkshop shop;
        const fs::path run = shop.run("a", RunState::Stopped, 1);
        RunPlace place;
        place.place.name = "cluster";
        place.place.kind = Place::Kind::Slurm;
        place.place.folder = "~/headroom";
        place.folder = "headroom/runs/a";
        place.begun = true;
        place.contact = RunPlace::Contact::Waiting;
        place.since = "2026-11-21T13:01:52Z";
        place.sentence = "Slurm job 7 waits (BeginTime).";
        writeRunPlace(run, place);
        RunIndex index(indexOf(shop));
        std::optional<FileLock> watcher = takeRun(run);
        auto item = index.refresh(shop.runs()).runs.at(0);
        QVERIFY(item.waits && !item.waited && !item.lost && item.goesOn());
        QCOMPARE(item.contact, QString("Slurm job 7 waits (BeginTime)."));
        QCOMPARE(index.refresh(shop.runs()).readAgain, 0);
        watcher.reset(); // it was killed
        item = index.refresh(shop.runs()).runs.at(0);
        QVERIFY(!item.waits && item.lost && item.waited && !item.goesOn());
        watcher = takeRun(run); // found again, and it still waits
        QVERIFY(index.refresh(shop.runs()).runs.at(0).waits);
        place.contact = RunPlace::Contact::Ended;
        place.sentence = "Slurm job 7 was cancelled.";
        writeRunPlace(run, place);
        item = index.refresh(shop.runs()).runs.at(0);
        QVERIFY(!item.waits && !item.waited && !item.lost);
        QCOMPARE(item.contact, QString("Slurm job 7 was cancelled."));
    }

    /// Nobody copies for a job while no queue runs.
    void aJobElsewhereIsCopyingWhileTheQueueRuns() {
        TrainWorkshop shop;
        Launch launch = shop.launch({1});
        launch.place = "gpu-1";
        const fs::path run = readJob(enqueue(launch).front()).run;
        RunPlace place;
        place.place.name = "gpu-1";
        place.place.host = "gpu-1";
        place.place.folder = "~/headroom";
        place.folder = "headroom/runs/a";
        place.since = "2026-11-21T13:01:52Z";
        place.copy = RunPlace::Copy{"demo", 0.25, 1e6, 12};
        writeRunPlace(run, place);
        using There = widgets::WaitingItem::There;
        QVERIFY(readWaiting(shop.runs()).at(0).there == There::No);
        const auto queue = FileLock::tryTake(queueLock(shop.runs()), "test");
        const auto job = readWaiting(shop.runs()).at(0);
        QVERIFY(queue && job.there == There::Copying);
        QCOMPARE(job.copied, 0.25);
        QCOMPARE(job.secondsLeft, 12.0);
        QCOMPARE(job.contact, QString("Copying demo to gpu-1."));
    }

    void aQueuedEvaluationIsCalledWhatItIs() {
        TrainWorkshop shop;
        Job job;
        job.run = shop.runs() / "evaluations" / "a";
        job.place = "gpu-1";
        job.evaluation = EvaluationRequest{"/models/m", "m", "/data/c", "test", "asr"};
        job.evaluation->place = "gpu-1";
        writeJob(nextJobFile(shop.runs(), job.run), job);
        RunPlace place;
        place.place.name = place.place.host = "gpu-1";
        place.place.folder = "~/headroom";
        place.folder = "headroom/work/a";
        place.begun = true;
        place.contact = RunPlace::Contact::Lost;
        place.since = "2026-11-21T13:01:52Z";
        writeRunPlace(job.run, place);
        const QString contact = readWaiting(shop.runs()).at(0).contact;
        QVERIFY2(contact.contains(QStringLiteral("The evaluation continues there.")), qPrintable(contact));
    }

    void aLookMayBeInterrupted() {
        TrainWorkshop shop;
        for (const char* id : {"a", "b", "c"})
            shop.run(id);
        RunIndex index(indexOf(shop));
        const std::atomic<bool> now = true, never = false;
        const auto none = index.refresh(shop.runs(), &now);
        QVERIFY(none.interrupted && none.runs.empty());
        const auto all = index.refresh(shop.runs(), &never);
        QVERIFY(!all.interrupted);
        QCOMPARE(all.runs.size(), 3U);
        QCOMPARE(all.readAgain, 3);
        QCOMPARE(all.dropped, 0);
        // Nothing is taken for gone, and what is gone is found by the next.
        QVERIFY(index.refresh(shop.runs(), &now).interrupted);
        fs::remove_all(shop.runs() / "b");
        const auto less = index.refresh(shop.runs());
        QCOMPARE(less.runs.size(), 2U);
        QCOMPARE(less.dropped, 1);
    }

    void onlyWhatChangedIsReadAgain() {
        TrainWorkshop shop;
        for (const char* id : {"a", "b", "c"})
            shop.run(id);
        RunIndex index(indexOf(shop));
        QCOMPARE(index.refresh(shop.runs()).readAgain, 3);
        shop.text("runs/b/events.jsonl", R"({"event": "step", "update": 60, "time": 2, "loss": 1})"
                                         "\n");
        const auto outcome = index.refresh(shop.runs());
        QCOMPARE(outcome.readAgain, 1);
        QCOMPARE(outcome.runs.size(), 3U);
        fs::remove_all(shop.runs() / "c");
        const auto less = index.refresh(shop.runs());
        QCOMPARE(less.dropped, 1);
        QCOMPARE(less.runs.size(), 2U);
    }

    void anIndexIsMadeAgainFromTheFolders_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("gone") << QByteArray();
        QTest::newRow("no database")
            << QByteArray("this is not SQLite, and long enough to be looked at ").repeated(100);
        QTest::newRow("cut off") << QByteArray("SQLite format 3\0\x10", 17);
    }
    void anIndexIsMadeAgainFromTheFolders() {
        QFETCH(QByteArray, bytes);
        TrainWorkshop shop;
        shop.run("a");
        shop.run("b");
        {
            RunIndex index(indexOf(shop));
            index.refresh(shop.runs());
        }
        for (const char* suffix : {"", "-wal", "-shm"})
            QFile::remove(indexOf(shop) + QLatin1String(suffix));
        if (!bytes.isEmpty())
            shop.text("index.sqlite", bytes.toStdString());
        RunIndex index(indexOf(shop));
        QVERIFY2(index.problem().isEmpty(), qPrintable(index.problem()));
        QCOMPARE(index.refresh(shop.runs()).runs.size(), 2U);
        QCOMPARE(index.refresh(shop.runs()).readAgain, 0);
        QCOMPARE(RunIndex(indexOf(shop)).refresh(shop.runs()).readAgain, 0);
    }

    void withoutAnIndexTheFoldersServe() {
        TrainWorkshop shop;
        shop.run("a");
        shop.text("taken", "a file where a folder would be needed");
        RunIndex index(toQString(shop.path() / "taken" / "index.sqlite"));
        QVERIFY(index.problem().contains(QLatin1String("Runs are read from their folders.")));
        QCOMPARE(index.refresh(shop.runs()).runs.size(), 1U);
    }

    void aKilledRunIsInterruptedAlsoWhenItsFilesDoNotChange() {
        TrainWorkshop shop;
        const auto folder = shop.run("a", RunState::Running);
        RunIndex index(indexOf(shop));
        {
            const FileLock lock = takeRun(folder);
            QCOMPARE(index.refresh(shop.runs()).runs.at(0).info.state, RunState::Running);
            QCOMPARE(index.refresh(shop.runs()).readAgain, 0);
        }
        QCOMPARE(index.refresh(shop.runs()).runs.at(0).info.state, RunState::Interrupted);
    }

    void damagedRunsAreSaidTheOthersStay() {
        TrainWorkshop shop;
        shop.run("good");
        shop.text("runs/bad/run.json", "{ \"format\": ");
        shop.text("runs/odd/notes.txt", "no run at all");
        shop.run("half");
        shop.text("runs/half/architecture.json", "not json");
        RunIndex index(indexOf(shop));
        const auto outcome = index.refresh(shop.runs());
        QCOMPARE(outcome.runs.size(), 2U);
        QCOMPARE(outcome.problems.size(), 1);
        QVERIFY(outcome.problems[0].contains(QLatin1String("run.json")));
        for (const auto& run : outcome.runs)
            if (run.info.id == "half")
                QVERIFY(std::isnan(run.parameters) && run.name == QLatin1String("half"));
    }
};

HEADROOM_TEST(RunIndexTest)

} // namespace headroom::testing::run_index_test

#include "run_index_test.moc"
