// SPDX-License-Identifier: GPL-3.0-or-later
// The same settings started three times: what is opened, drawn and removed from their row in Runs.
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/train_actions.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/environment.h"
#include "tests/support/runner.h"
#include "widgets/curves/curve_key.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"

#include <QAction>
#include <QCheckBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::repeated_train_runs_test {

using namespace headroom::app;
namespace fs = std::filesystem;

/// Two finished runs of one seed, and a third one that was stopped.
struct Repeated {
    Desk desk{"good"};
    fs::path first = run("first", RunState::Finished, 10), second = run("second", RunState::Finished, 11), third = run("third", RunState::Stopped, 12);
    widgets::RunTable* table = desk.workspace->runTable();
    TrainWorkspace* train = desk.workspace.get();

    Repeated() {
        QVERIFY(QTest::qWaitFor([&] { return train->store()->runs().size() == 3 && table->runs()->rowCount() == 1; }, 60000));
        train->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(train));
    }
    fs::path run(const std::string& id, RunState state, int hour) const {
        const fs::path folder = desk.shop.run(id, state);
        desk.shop.text(RunPaths{folder}.model() / "model.safetensors", "weights");
        RunInfo info = readRun(folder);
        info.created = "2026-11-21T" + std::to_string(hour) + ":00:00Z";
        if (state != RunState::Finished)
            info.best = nullptr;
        writeRun(folder, info);
        return folder;
    }
    void press(Qt::MouseButton button, int column = widgets::RunTableModel::Name) const {
        QTest::mouseClick(table->viewport(), button, {}, table->visualRect(table->model()->index(0, column)).center());
    }
};

class RepeatedTrainRunsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The stopped run was opened beside the scores of the finished one.
    void theResultIsThatOfTheNumbers() {
        Repeated all;
        all.train->setCurrentRun(all.third); // as it is while one looks at it begin
        QSignalSpy opened(all.train, &TrainWorkspace::openResultRequested);
        QSignalSpy chosen(all.table, &widgets::RunTable::rowPressed);
        all.press(Qt::LeftButton, widgets::RunTableModel::Compared); // ticks, and chooses nothing
        QCOMPARE(all.train->currentRun(), all.third);
        QCOMPARE(chosen.count(), 0);
        auto* button = all.train->findChild<QPushButton*>(QStringLiteral("openResultOfRow"));
        QVERIFY2(button->isEnabled() && button->toolTip().contains(QStringLiteral("run 2")), qPrintable(button->toolTip()));
        button->click();
        QCOMPARE(opened.takeFirst().front().value<fs::path>(), RunPaths{all.second}.model());
        all.train->setCurrentRun(all.third);
        all.press(Qt::RightButton); // with the menu, whose actions are of the current run
        QCOMPARE(all.train->currentRun(), all.second);
        all.train->actions().openResult->trigger();
        QCOMPARE(opened.takeFirst().front().value<fs::path>(), RunPaths{all.second}.model());
        // Each of them is in Queue.
        all.train->queueView()->setCurrentPath(all.third);
        QCOMPARE(all.train->currentRun(), all.third);
        all.train->actions().openResult->trigger();
        QCOMPARE(opened.takeFirst().front().value<fs::path>(), RunPaths{all.third}.model());
    }

    /// The legend spoke of a seed, and the plot was of the run that was stopped.
    void theKeySaysWhichRunIsDrawn() {
        Repeated all;
        const auto* curves = all.train->findChild<CurvesPanel*>();
        all.table->runs()->setCompared(all.table->runs()->groups()[0].key, true);
        const auto detail = [&] {
            for (const auto* key : curves->findChildren<widgets::CurveKey*>())
                if (!key->entries().empty())
                    return key->entries().front().detail;
            return QString();
        };
        QTRY_COMPARE_WITH_TIMEOUT(detail(), QStringLiteral("1 seed, run 2 of 3"), 60000);
        QCOMPARE(curves->plots().front()->valuesHere().size(), 1U);
        auto* mean = [&]() -> QCheckBox* {
            for (auto* box : curves->findChildren<QCheckBox*>())
                if (box->text().startsWith(QStringLiteral("Mean")))
                    return box;
            return nullptr;
        }();
        mean->setChecked(false);
        QCOMPARE(detail(), QStringLiteral("1 seed, 3 runs"));
        QCOMPARE(curves->plots().front()->valuesHere().size(), 3U);
    }

    /// The menu was of the finished run, and the stopped one could be resumed from Queue alone.
    void theMenuOffersTheStoppedRun() {
        Repeated all;
        all.press(Qt::RightButton);
        const TrainActions& a = all.train->actions();
        QCOMPARE(all.train->currentRun(), all.second);
        QVERIFY(!a.resume->isEnabled() && !a.stopOthers->isVisible());
        QVERIFY(a.resumeOthers->isVisible() && a.menu().contains(a.resumeOthers));
        QCOMPARE(a.resumeOthers->text(), QStringLiteral("Resume run 3"));
        a.resumeOthers->trigger();
        const auto third = [&] { return all.train->store()->find(all.third); };
        QVERIFY2(QTest::qWaitFor([&] { return third()->goesOn() && !a.resumeOthers->isVisible(); }, 60000), qPrintable(all.desk.said()));
        all.press(Qt::RightButton); // its row in Queue was chosen meanwhile
        QCOMPARE(all.train->currentRun(), all.second);
        QVERIFY(a.stopOthers->isVisible() && !a.stop->isEnabled());
        QCOMPARE(a.stopOthers->text(), QStringLiteral("Stop run 3"));
        a.stopOthers->trigger();
        QVERIFY2(QTest::qWaitFor([&] { return !third()->goesOn() && a.resumeOthers->isVisible(); }, 60000), qPrintable(all.desk.said()));
        QVERIFY(all.desk.queueEnds());
        all.train->setCurrentRun(all.third); // whose own actions do it
        QVERIFY(!a.resumeOthers->isVisible() && a.resume->isEnabled());
    }

    /// Three runs went where one was meant, and nothing said so before.
    void theWastebasketSaysHowManyItTakes() {
        Repeated all;
        const auto home = toQString(all.desk.shop.path()).toLocal8Bit();
        const ChangedVariable changedHome("HOME", home), changedData("XDG_DATA_HOME", home + "/data");
        const QAction* remove = all.train->actions().remove;
        all.press(Qt::RightButton);
        QVERIFY(all.table->hasFocus());
        QCOMPARE(remove->text(), QStringLiteral("Move 3 runs to the wastebasket"));
        all.train->queueView()->setFocus();
        all.train->queueView()->setCurrentPath(all.third);
        QCOMPARE(remove->text(), QStringLiteral("Move to the wastebasket"));
        QVERIFY2(remove->toolTip().contains(QStringLiteral("run 3")), qPrintable(remove->toolTip()));
        all.train->actions().remove->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(all.train->store()->runs().size(), 2U, 60000);
        const QString name = all.desk.session.models()->find(all.desk.session.openModel(RunPaths{all.second}.model()))->shownName();
        all.table->setFocus();
        QCOMPARE(remove->text(), QStringLiteral("Move 2 runs to the wastebasket"));
        all.train->actions().remove->trigger();
        // It read as a request to open it.
        QVERIFY2(all.desk.said().contains(QStringLiteral("Still open in Analyse, where nothing more can be computed with it: “%1”.").arg(name)), qPrintable(all.desk.said()));
        QTRY_VERIFY_WITH_TIMEOUT(all.train->store()->runs().empty(), 60000);
    }
};

HEADROOM_TEST(RepeatedTrainRunsTest)

} // namespace headroom::testing::repeated_train_runs_test

#include "repeated_runs_test.moc"
