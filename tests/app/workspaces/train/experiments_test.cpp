// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of the papers in Train: what they would train, how far one is, its result.
#include "app/parts/availability.h"
#include "app/parts/number_text.h"
#include "app/settings/resource_folders.h"
#include "app/workspaces/train/experiments/experiments_dialog.h"
#include "app/workspaces/train/train_actions.h"
#include "core/corpus/corpus.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/study_table/study_table_view.h"

#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
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

    /// The folder of several corpora was in the list of corpora, and none itself.
    void onlyACorpusIsRememberedAsOne() {
        Desk desk("good");
        qputenv("HEADROOM_WORKER", "/nowhere");
        const fs::path folder = desk.shop.path() / "corpora";
        makeTested(folder / "en-de");
        ExperimentsDialog* dialog = desk.workspace->showExperiments();
        dialog->choose(QStringLiteral("locality-1"));
        for (const fs::path& data : {folder, folder / "en-de"}) {
            dialog->setFolders(data, desk.shop.path() / "out");
            QTRY_VERIFY2_WITH_TIMEOUT(!dialog->isPending() && dialog->startButton()->isEnabled(), qPrintable(dialog->sentence()), 60000);
            dialog->startButton()->click();
        }
        QVERIFY(!desk.settings->recentCorpora().contains(toQString(folder)));
        QVERIFY(desk.settings->recentCorpora().contains(toQString(folder / "en-de")));
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

    /// The experiment ran in a folder of its own folder, where the window did not look.
    void aRelativeFolderIsRefused() {
        Desk desk("good");
        makeTested(desk.shop.path() / "corpora" / "en-de");
        ExperimentsDialog* dialog = desk.workspace->showExperiments();
        const auto refuses = [&](const char* folder) {
            return QTest::qWaitFor([&] { return !dialog->isPending() && !dialog->startButton()->isEnabled(); }, 60000) &&
                   dialog->sentence() == QStringLiteral("%1 is not a full path. Begin it with / or ~/.").arg(QLatin1String(folder));
        };
        dialog->choose(QStringLiteral("multiformer-2"));
        dialog->setOut("result");
        QVERIFY2(refuses("result"), qPrintable(dialog->sentence()));
        dialog->setOut(desk.shop.path() / "result");
        QTRY_VERIFY2_WITH_TIMEOUT(dialog->startButton()->isEnabled(), qPrintable(dialog->sentence()), 60000);
        dialog->choose(QStringLiteral("locality-1"));
        dialog->setFolders("corpora", desk.shop.path() / "result");
        QVERIFY2(refuses("corpora"), qPrintable(dialog->sentence()));
        dialog->setFolders(desk.shop.path() / "corpora", desk.shop.path() / "result");
        QTRY_VERIFY2_WITH_TIMEOUT(dialog->startButton()->isEnabled(), qPrintable(dialog->sentence()), 60000);
    }

    /// One could be entered where it changed nothing.
    void seedsAreAskedForWhereAStepIsRepeatedForThem() {
        Desk desk("good");
        ExperimentsDialog* dialog = desk.workspace->showExperiments();
        const auto* seeds = dialog->findChild<QSpinBox*>();
        dialog->choose(QStringLiteral("locality-1"));
        QTRY_COMPARE_WITH_TIMEOUT(reasonOf(seeds), QStringLiteral("Every step of this experiment is done once, with one seed."), 60000);
        QVERIFY(!seeds->isEnabled());
        dialog->choose(QStringLiteral("locality-2"));
        QTRY_VERIFY_WITH_TIMEOUT(seeds->isEnabled(), 60000);
        QCOMPARE(reasonOf(seeds), QString());
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
