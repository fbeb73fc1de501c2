// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of the papers in TRAIN: what they would train, how far one is, its result.
#include "app/parts/availability.h"
#include "app/parts/number_text.h"
#include "app/settings/resource_folders.h"
#include "app/workspaces/train/experiments/experiments_dialog.h"
#include "app/workspaces/train/train_actions.h"
#include "core/places/run_place.h"
#include "core/corpus/corpus.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/study_table/study_table_view.h"

#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>

namespace headroom::testing::experiments_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class ExperimentsTest : public QObject {
    Q_OBJECT

    /// A corpus with German and the splits train, dev and test.
    static void makeTested(const fs::path& folder) {
        makeCorpus(folder);
        for (const char* task : {"asr", "st_de"})
            fs::copy_file(folder / (std::string("dev_") + task + ".tsv"), folder / (std::string("test_") + task + ".tsv"));
        CorpusDocument document = readCorpusDocument(folder / "corpus.json");
        document.splits.push_back("test");
        writeCorpusDocument(folder / "corpus.json", document);
    }

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// The list showed none, and the fields beside it were still those of one.
    void aClickBetweenTwoEntriesLeavesTheChoice() {
        Desk desk("good");
        ExperimentsDialog* dialog = desk.workspace->showExperiments();
        dialog->show();
        dialog->choose(QStringLiteral("locality-2"));
        QListWidget* list = dialog->list();
        const QRect first = list->visualItemRect(list->item(0)), second = list->visualItemRect(list->item(1));
        const QPoint between(first.center().x(), (first.bottom() + second.top()) / 2);
        QVERIFY(!list->indexAt(between).isValid());
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, between);
        QCOMPARE(list->selectedItems(), QList<QListWidgetItem*>{list->currentItem()});
    }

    void everyDocumentIsListedAndPlanned() {
        Desk desk("good");
        desk.settings->addRecentCorpus(toQString(desk.shop.path()));
        ExperimentsDialog* dialog = desk.workspace->showExperiments();
        QCOMPARE(desk.workspace->showExperiments(), dialog); // one of them
        dialog->show();
        QVERIFY(dialog->list()->count() >= 14);
        for (int row = 0; row < dialog->list()->count(); ++row) // elided, it stands in the tool tip once
            QCOMPARE(dialog->list()->item(row)->toolTip(), dialog->list()->item(row)->text());
        QVERIFY(dialog->options().data.empty()); // the corpus used last would not be the table's
        QTRY_COMPARE_WITH_TIMEOUT(dialog->sentence(), QStringLiteral("Choose the folder with the corpora."), 60000);
        dialog->setFolders(desk.shop.path(), desk.shop.path() / "out");
        dialog->choose(QStringLiteral("locality-2"));
        dialog->setSeeds(2);
        dialog->setScale(0.01);
        QTRY_VERIFY2_WITH_TIMEOUT(dialog->sentence().endsWith(
                                      QStringLiteral(" has no corpus in the folders en-de, en-es, en-it and is none itself.")),
                                  qPrintable(dialog->sentence()), 60000);
        QVERIFY(!dialog->startButton()->isEnabled());
        makeTested(desk.shop.path() / "en-de");
        dialog->setSeeds(3);
        dialog->setSeeds(2);
        // Of 30 steps, those of Spanish and Italian are left out.
        QTRY_VERIFY2_WITH_TIMEOUT(dialog->sentence().startsWith(QStringLiteral("10 steps (runs: 5, studies: 1, decodings: 4).")),
                     qPrintable(dialog->sentence()), 60000);
        QVERIFY2(dialog->sentence().contains(QStringLiteral("Left out: ")) &&
                     dialog->sentence().contains(QStringLiteral("in the folders en-es, en-it and is none itself.")),
                 qPrintable(dialog->sentence()));
        QVERIFY2(dialog->sentence().contains(QStringLiteral(" 800,000 frames of training")), qPrintable(dialog->sentence()));
        QCOMPARE(dialog->steps()->shownRows(), 30);
        int leftOut = 0;
        for (int row = 0; row < 30; ++row)
            leftOut += dialog->steps()->study()->index(row, 2).data().toString() == QStringLiteral("left out");
        QCOMPARE(leftOut, 20);
        QCOMPARE(dialog->options().name, std::string("locality-2"));
        QCOMPARE(dialog->options().queue, desk.workspace->store()->folder()); // its trainings and those of the queue take turns
        QVERIFY(dialog->startButton()->isEnabled());
        QCOMPARE(dialog->startButton()->text(), QStringLiteral("Start"));
        for (const ListedExperiment& one : listExperiments(resourceFolder()))
            QVERIFY2(one.mistake.isEmpty(), qPrintable(one.mistake));
        qputenv("HEADROOM_WORKER", "/nowhere");
        dialog->startButton()->click();
        QVERIFY2(desk.said().contains(QStringLiteral("/nowhere")), qPrintable(desk.said()));
    }

    /// Frames are those of the corpora in the folder, which `--hours` counts too: here an update takes a whole corpus.
    void framesAreThoseOfTheCorpora() {
        Desk desk("good");
        makeTested(desk.shop.path() / "corpora" / "en-de");
        ExperimentsDialog* dialog = desk.workspace->showExperiments();
        dialog->choose(QStringLiteral("locality-2"));
        dialog->setFolders(desk.shop.path() / "corpora", desk.shop.path() / "out");
        QTRY_COMPARE_WITH_TIMEOUT(dialog->forecast().work.trainings.size(), std::size_t(11), 60000);
        const Corpus corpus = Corpus::open(desk.shop.path() / "corpora" / "en-de");
        double asr = 0, translation = 0;
        for (const headroom::Utterance& utterance : corpus.utterances("train", "asr"))
            asr += static_cast<double>(utterance.frames->value());
        for (const headroom::Utterance& utterance : corpus.utterances("train", "st_de"))
            translation += static_cast<double>(utterance.frames->value());
        QCOMPARE(dialog->forecast().work.frames, 50000 * (asr + 10 * translation));
    }

    /// “0 million frames of training” stood there.
    void fewFramesAreCounted() {
        Desk desk("good");
        makeTested(desk.shop.path() / "corpora" / "en-de");
        ExperimentsDialog* dialog = desk.workspace->showExperiments();
        dialog->choose(QStringLiteral("locality-1"));
        dialog->setScale(0.0001);
        dialog->setSeeds(1);
        dialog->setFolders(desk.shop.path() / "corpora", desk.shop.path() / "out");
        QTRY_VERIFY2_WITH_TIMEOUT(!dialog->isPending() && dialog->forecast().hasData, qPrintable(dialog->sentence()), 60000);
        const double frames = dialog->forecast().work.frames;
        QVERIFY2(frames >= 1000 && frames < 1e6, qPrintable(QString::number(frames)));
        const QString counted = QStringLiteral(" %1 frames of training;").arg(thousands(std::llround(frames)));
        QVERIFY2(dialog->sentence().contains(counted), qPrintable(dialog->sentence()));
    }

    /// The tables of shim-1, shim-5 and multiformer-2 are made from the shipped documents.
    void aTableWithoutTrainingsNeedsNoCorpora() {
        Desk desk("good");
        ExperimentsDialog* dialog = desk.workspace->showExperiments();
        dialog->choose(QStringLiteral("shim-1"));
        QTRY_VERIFY2_WITH_TIMEOUT(dialog->startButton()->isEnabled(), qPrintable(dialog->sentence()), 60000);
        QCOMPARE(dialog->needs(), QStringLiteral("Needs no corpora: nothing is trained."));
#ifdef HEADROOM_REAL_WORKER
        // Its process may end before anybody sees it: the table says so long before “Starting…” is given up.
        qputenv("HEADROOM_WORKER", HEADROOM_REAL_WORKER);
        dialog->show();
        dialog->setOut(desk.shop.path() / "phones");
        QTRY_VERIFY2_WITH_TIMEOUT(!dialog->isPending() && dialog->startButton()->isEnabled(), qPrintable(dialog->sentence()), 60000);
        dialog->startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(dialog->state().result.has_value(), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(dialog->sentence(), QStringLiteral("The table is finished."), 5000);
        QVERIFY2(desk.said().contains(QStringLiteral("Experiment “shim-1”: ") + dialog->sentence()), qPrintable(desk.said()));
        QCOMPARE(reasonOf(dialog->openButton()), QStringLiteral("Nothing is trained, so there is no model."));
#endif
        dialog->setFolders("/nowhere", desk.shop.path() / "out"); // of another table
        QVERIFY(dialog->options().data.empty());
        dialog->choose(QStringLiteral("locality-2"));
        QCOMPARE(dialog->options().data, fs::path("/nowhere"));
        QTRY_COMPARE_WITH_TIMEOUT(dialog->sentence(), QStringLiteral("The folder /nowhere does not exist."), 60000);
        QVERIFY(!dialog->startButton()->isEnabled());
    }

    /// The settings are those with which it was begun, also a scale that the field rounds; another folder takes them back.
    void theFolderOfABegunExperimentSetsTheFields() {
        Desk desk("good");
        makeTested(desk.shop.path() / "corpora" / "en-de");
        const nlohmann::json begun{{"format", kExperimentRunFormat}, {"version", 1}, {"name", "locality-2"}, {"seeds", 1}, {"scale", 0.00005},
                                   {"data", nlohmann::json::object()}, {"folder", (desk.shop.path() / "corpora").string()}};
        desk.shop.text("begun/experiment.json", begun.dump());
        ExperimentsDialog* dialog = desk.workspace->showExperiments();
        dialog->show();
        dialog->choose(QStringLiteral("locality-2"));
        dialog->setScale(0.5);
        dialog->setSeeds(4);
        dialog->setFolders({}, desk.shop.path() / "begun");
        QTRY_COMPARE_WITH_TIMEOUT(dialog->options().scale, 0.00005, 60000);
        QCOMPARE(dialog->options().seeds, std::optional(1));
        QCOMPARE(dialog->options().data, desk.shop.path() / "corpora");
        QTRY_VERIFY2_WITH_TIMEOUT(dialog->sentence().startsWith(QStringLiteral("0 of 6 steps are finished.")), qPrintable(dialog->sentence()), 60000);
        QCOMPARE(dialog->startButton()->text(), QStringLiteral("Continue"));
        QVERIFY(dialog->startButton()->isEnabled());
        dialog->setOut(desk.shop.path() / "fresh");
        QTRY_COMPARE_WITH_TIMEOUT(dialog->options().scale, 0.5, 60000);
        QCOMPARE(dialog->options().seeds, std::optional(4));
        // That of another table is named.
        dialog->choose(QStringLiteral("locality-1"));
        dialog->setOut(desk.shop.path() / "begun");
        QTRY_COMPARE_WITH_TIMEOUT(dialog->sentence(), QStringLiteral("This folder holds the experiment “locality-2”. Choose another folder."), 60000);
        QVERIFY(!dialog->startButton()->isEnabled());
    }

    /// A folder in which it was begun: its steps, stop, and the table at the end.
    void anExperimentIsFollowed() {
        Desk desk("good");
        const fs::path out = desk.shop.path() / "experiments" / "relaxed-7";
        ExperimentsDialog* dialog = desk.workspace->showExperiments();
        dialog->show();
        dialog->setFolders(desk.shop.path(), out);
        dialog->choose(QStringLiteral("relaxed-7"));
        dialog->setSeeds(1);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isPending() && !dialog->state().steps.empty(), 60000);
        QVERIFY(!dialog->state().begun);
        const std::size_t steps = dialog->state().steps.size();
        const ExperimentPaths paths{dialog->options().out};
        QCOMPARE(paths.folder, out);
        const QString first = dialog->steps()->model()->index(0, 0).data().toString();
        desk.shop.text("experiments/relaxed-7/experiment.json", "{}");
        // Its first training is at step 40 of 120, and nobody works on it.
        const fs::path run = desk.shop.run("elsewhere", RunState::Stopped);
        fs::create_directories(out / "runs");
        fs::rename(run, out / "runs" / first.toStdString());
        QTRY_COMPARE_WITH_TIMEOUT(dialog->startButton()->text(), QStringLiteral("Continue"), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(dialog->state().steps.front().state == StepProgress::State::Broken, 60000);
        QCOMPARE(dialog->state().steps.front().done, std::int64_t(40));
        QVERIFY(dialog->sentence().startsWith(QStringLiteral("0 of %1 steps").arg(steps)));
        {
            const auto lock = FileLock::tryTake(paths.lock(), "test");
            QTRY_COMPARE_WITH_TIMEOUT(dialog->startButton()->text(), QStringLiteral("Stop"), 60000);
            QVERIFY2(dialog->sentence().endsWith(QStringLiteral("It is running, and continues when this window is closed.")), // between two steps
                     qPrintable(dialog->sentence()));
            // A step that is quick, or begins, shows in its log alone that it runs.
            const auto logged = [&](const QString& line, const QString& end) {
                desk.shop.text("experiments/relaxed-7/log.txt", "Step 9 of 9: other (decoding)\n" + line.toStdString() + "\n");
                return QTest::qWaitFor([&] { return dialog->sentence().endsWith(end); }, 60000);
            };
            QVERIFY2(logged(QStringLiteral("Step 1 of 9: %1 (run, 600 updates)").arg(first),
                            QStringLiteral("Running %1. It continues when this window is closed.").arg(first)),
                     qPrintable(dialog->sentence()));
            QCOMPARE(dialog->steps()->study()->index(0, 2).data().toString(), QStringLiteral("running"));
            QVERIFY2(logged(first + QStringLiteral(" waits: the queue of /runs computes on this machine."),
                            first + QStringLiteral(" waits, because the queue computes on this machine. It continues when this window is closed.")),
                     qPrintable(dialog->sentence()));
            QCOMPARE(dialog->steps()->study()->index(0, 2).data().toString(), QStringLiteral("to be continued"));
            dialog->startButton()->click();
            QVERIFY(requestOf(out) == RunRequest::Stop);
            // At a place that does not answer, as a run there says it.
            RunPlace place;
            place.place.name = place.place.host = "gpu-1";
            place.place.folder = "~/headroom";
            place.folder = "headroom/runs/a";
            place.begun = true;
            place.contact = RunPlace::Contact::Lost;
            place.since = "2026-11-21T13:01:52Z";
            writeRunPlace(out / "runs" / first.toStdString(), place);
            const auto remark = [&] { return dialog->steps()->study()->index(0, 5).data().toString(); };
            QTRY_VERIFY2_WITH_TIMEOUT(remark().startsWith(QStringLiteral("No contact with gpu-1 since 2026-11-21 ")), qPrintable(remark()), 60000);
            QVERIFY2(remark().contains(QStringLiteral(" ago); ")) && remark().contains(QStringLiteral("The run continues there.")), qPrintable(remark()));
        }
        QTRY_VERIFY_WITH_TIMEOUT(dialog->state().contacts.front().isEmpty(), 60000); // nobody tries
        QTRY_COMPARE_WITH_TIMEOUT(dialog->startButton()->text(), QStringLiteral("Continue"), 60000);
        // How it ended, and what to do.
        const auto ended = [&](const std::string& line, const QString& end) {
            desk.shop.text("experiments/relaxed-7/log.txt", line + "\n");
            return QTest::qWaitFor([&] { return dialog->sentence().endsWith(end); }, 60000);
        };
        QVERIFY2(ended("Step 1 of 9: a (decoding)", QStringLiteral("It ended unexpectedly. Continue resumes it.")), qPrintable(dialog->sentence()));
        QVERIFY2(ended("Stopped. Finished steps are kept; the same command continues.", QStringLiteral("It was stopped. Continue resumes it.")),
                 qPrintable(dialog->sentence()));
        QVERIFY2(ended("The disk is full.", QStringLiteral("The disk is full.")), qPrintable(dialog->sentence()));
        nlohmann::json table{{"title", "T"}, {"labels", {"model"}}, {"notes", {"A note."}}};
        table["columns"].push_back({{"key", "wer"}, {"title", "WER"}, {"decimals", 1}});
        nlohmann::json cells;
        cells["wer"] = {{"printed", "9.5"}, {"printedStd", "0.1"}, {"ours", 10.24}, {"std", 0.5}, {"test", {{"p", 0.03}}}};
        table["rows"].push_back({{"labels", {"full"}}, {"cells", cells}});
        table["rows"].push_back({{"labels", {"empty"}}, {"cells", nlohmann::json::object()}});
        desk.shop.text("experiments/relaxed-7/table.json", table.dump());
        QTRY_VERIFY_WITH_TIMEOUT(dialog->state().result.has_value(), 60000);
        QCOMPARE(dialog->result()->shownRows(), 2);
        const StudyTable& result = *dialog->state().result;
        QCOMPARE(std::get<std::string>(result.rows[0][1]), std::string("9.5 ± 0.1"));
        QCOMPARE(std::get<std::string>(result.rows[0][2]), std::string("10.2 ± 0.5 (p = 0.030)"));
        QCOMPARE(dialog->state().notes, QStringLiteral("A note."));
        // Long notes took the whole tab, and were cut off below.
        std::string note;
        for (int i = 0; i < 60; ++i)
            note += "No result of step " + std::to_string(i) + ", because nothing of it could be decoded. ";
        table["notes"] = {note};
        desk.shop.text("experiments/relaxed-7/table.json", table.dump());
        QTRY_VERIFY_WITH_TIMEOUT(dialog->state().notes.contains(QStringLiteral("step 59")), 60000);
        dialog->findChild<QTabWidget*>()->setCurrentIndex(1);
        auto* notes = dialog->findChild<QScrollArea*>(QStringLiteral("experimentNotes"));
        QVERIFY(notes);
        QTRY_VERIFY_WITH_TIMEOUT(notes->verticalScrollBar()->maximum() > 0, 60000);
        QVERIFY2(notes->height() < dialog->result()->height(), qPrintable(QStringLiteral("%1 of %2").arg(notes->height()).arg(dialog->result()->height())));
        if (const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_EXPERIMENTS"); !picture.isEmpty())
            QVERIFY(dialog->grab().save(picture));
        desk.shop.text("experiments/relaxed-7/table.json", "{}");
        QTRY_VERIFY_WITH_TIMEOUT(dialog->state().notes.contains(QStringLiteral("not the table of an experiment")), 60000);
    }

    /// It went with its window, and nothing said that the experiment had ended.
    void anExperimentThatEndsBehindAClosedWindowIsInMessages() {
        Desk desk("good");
        const fs::path out = desk.shop.path() / "experiments" / "relaxed-7";
        QPointer<ExperimentsDialog> dialog = desk.workspace->showExperiments();
        dialog->show();
        dialog->setFolders(desk.shop.path(), out);
        dialog->choose(QStringLiteral("relaxed-7"));
        desk.shop.text("experiments/relaxed-7/experiment.json", "{}");
        {
            const auto lock = FileLock::tryTake(ExperimentPaths{out}.lock(), "test");
            QTRY_COMPARE_WITH_TIMEOUT(dialog->startButton()->text(), QStringLiteral("Stop"), 60000);
            dialog->close();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QVERIFY(dialog && !dialog->isVisible());
            desk.shop.text("experiments/relaxed-7/log.txt", "The disk is full.\n");
        }
        QTRY_VERIFY2_WITH_TIMEOUT(desk.said().contains(QStringLiteral("Experiment “relaxed-7”: ")) && desk.said().contains(QStringLiteral("The disk is full.")),
                                  qPrintable(desk.said()), 60000);
        QCOMPARE(desk.workspace->showExperiments(), dialog.data());
        dialog->show();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isPending(), 60000);
        dialog->close(); // nothing runs any more
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(!dialog);
    }

    /// Nothing was said of an experiment that ended while another table was chosen.
    void anExperimentThatEndsBehindAnotherTableIsInMessages() {
        Desk desk("good");
        const fs::path out = desk.shop.path() / "experiments" / "relaxed-7";
        QPointer<ExperimentsDialog> dialog = desk.workspace->showExperiments();
        dialog->show();
        dialog->setFolders(desk.shop.path(), out);
        dialog->choose(QStringLiteral("relaxed-7"));
        desk.shop.text("experiments/relaxed-7/experiment.json", "{}");
        {
            const auto lock = FileLock::tryTake(ExperimentPaths{out}.lock(), "test");
            QTRY_COMPARE_WITH_TIMEOUT(dialog->startButton()->text(), QStringLiteral("Stop"), 60000);
            dialog->choose(QStringLiteral("locality-2"));
            QTRY_VERIFY_WITH_TIMEOUT(!dialog->isPending() && dialog->startButton()->text() != QStringLiteral("Stop"), 60000);
            dialog->close();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QVERIFY(dialog); // somebody has to say how it ends
            desk.shop.text("experiments/relaxed-7/log.txt", "The disk is full.\n");
        }
        const QString said = QStringLiteral("Experiment “relaxed-7”: 0 of 55 steps are finished. The disk is full.");
        QTRY_VERIFY2_WITH_TIMEOUT(desk.said().contains(QStringLiteral("The disk is full.")), qPrintable(desk.said()), 60000);
        QVERIFY2(desk.said().contains(QStringLiteral("Experiment “relaxed-7”: ")), qPrintable(desk.said()));
        QTest::qWait(1500);
        QCOMPARE(desk.said().count(QStringLiteral("The disk is full.")), 1);
    }

    /// The window wrote "p = 0.000" where the table in the folder says "p < 0.001", and a column of the paper's where it has none.
    void theTableIsThatOfTheFolder() {
        Desk desk("good");
        const fs::path file = desk.shop.text("table.json", R"({"title": "T", "labels": ["Model"],
            "columns": [{"key": "a", "title": "A", "decimals": 1}, {"key": "b", "title": "B", "decimals": 1}],
            "rows": [{"labels": ["x"], "cells": {"a": {"printed": "3.0", "printedStd": null, "ours": 2.5, "std": 0.25, "test": {"p": 0.0002}},
                                                 "b": {"printed": null, "printedStd": null, "ours": "17", "std": null, "test": {"p": 0.04}}}}],
            "notes": []})");
        QString notes;
        const StudyTable table = resultTable(file, notes);
        QStringList shown;
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            shown << QString::fromStdString(table.columns[i].title + ": " + std::get<std::string>(table.rows[0][i]));
        QVERIFY(table.columns[0].text && !table.columns[1].text && !table.columns[2].text); // numbers stand at the right
        QCOMPARE(shown.join(u';'), QStringLiteral("Model: x;A, paper: 3.0;A, ours: 2.5 ± 0.2 (p < 0.001);B, ours: 17 (p = 0.040)"));
    }

    /// What stood in the fields comes back, and the model of a finished training opens.
    void fieldsAreRememberedAndModelsOpen() {
        Desk desk("good");
        ExperimentsDialog* dialog = desk.workspace->showExperiments();
        dialog->choose(QStringLiteral("relaxed-7"));
        dialog->setFolders(desk.shop.path() / "corpora", desk.shop.path() / "x");
        dialog->setScale(0.05);
        delete dialog;
        dialog = desk.workspace->showExperiments();
        QCOMPARE(dialog->options().name, std::string("relaxed-7"));
        QCOMPARE(dialog->options().scale, 0.05);
        QCOMPARE(dialog->options().out, desk.shop.path() / "x");
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isPending() && !dialog->state().steps.empty(), 60000);
        ExperimentState ended = dialog->state();
        ended.steps.front() = {StepProgress::State::Finished, 120, 600, {}};
        QCOMPARE(std::get<std::string>(stepTable(dialog->forecast(), ended).rows[0][5]), std::string("Its recipe ended it before the last update."));
        ended.steps.front().done = 600;
        QCOMPARE(std::get<std::string>(stepTable(dialog->forecast(), ended).rows[0][5]), std::string());
        const std::string first = dialog->steps()->model()->index(0, 0).data().toString().toStdString();
        desk.shop.text(fs::path("x") / "runs" / first / "model" / "model.safetensors", "weights");
        QSignalSpy opened(desk.workspace.get(), &TrainWorkspace::openResultRequested);
        QVERIFY2(reasonOf(dialog->openButton()).startsWith(QStringLiteral("Choose a step")), qPrintable(reasonOf(dialog->openButton())));
        dialog->steps()->selectRow(1);
        QVERIFY2(reasonOf(dialog->openButton()).contains(QStringLiteral("when it has finished")), qPrintable(reasonOf(dialog->openButton())));
        dialog->steps()->selectRow(0);
        QVERIFY2(dialog->openButton()->isEnabled(), qPrintable(reasonOf(dialog->openButton())));
        dialog->steps()->setCurrentRow(0);
        Q_EMIT dialog->steps()->cellActivated(0, 0);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.front().at(0).value<fs::path>(), desk.shop.path() / "x" / "runs" / first / "model");
    }
};

HEADROOM_TEST(ExperimentsTest)

} // namespace headroom::testing::experiments_test

#include "experiments_test.moc"
