// SPDX-License-Identifier: GPL-3.0-or-later
// A begun experiment in Train: how far it is, how it ends, and its result.
#include "app/workspaces/train/experiments/experiments_dialog.h"
#include "core/places/run_place.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/study_table/study_table_view.h"

#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QTest>

namespace headroom::testing::followed_experiments_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

fs::path folderOf(const Desk& desk) {
    return desk.shop.path() / "experiments" / "relaxed-7";
}

/// The dialog with the experiment of folderOf() chosen.
ExperimentsDialog* showChosen(Desk& desk) {
    ExperimentsDialog* dialog = desk.workspace->showExperiments();
    dialog->show();
    dialog->setFolders(desk.shop.path(), folderOf(desk));
    dialog->choose(QStringLiteral("relaxed-7"));
    return dialog;
}

} // namespace

class FollowedExperimentsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// A folder in which it was begun: its steps, stop, and the table at the end.
    void anExperimentIsFollowed() {
        Desk desk("good");
        const fs::path out = folderOf(desk);
        ExperimentsDialog* dialog = showChosen(desk);
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
        const fs::path out = folderOf(desk);
        const QPointer<ExperimentsDialog> dialog = showChosen(desk);
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
        const fs::path out = folderOf(desk);
        const QPointer<ExperimentsDialog> dialog = showChosen(desk);
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
};

HEADROOM_TEST(FollowedExperimentsTest)

} // namespace headroom::testing::followed_experiments_test

#include "followed_experiments_test.moc"
