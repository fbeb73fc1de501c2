// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of runs: names, pauses, evaluations.
#include "app/parts/forms/column_scroll.h"
#include "app/runs/run_reading.h"
#include "app/settings/resource_folders.h"
#include "app/workspaces/train/corpus_maker.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/launch_sources.h"
#include "app/workspaces/train/recipe_model.h"
#include "app/workspaces/train/train_actions.h"
#include "core/runs/run_control.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/run_words.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <tuple>

namespace headroom::testing::train_requests_test {

using namespace headroom::app;
using headroom::widgets::QueueModel;
using headroom::widgets::RunTableModel;
namespace fs = std::filesystem;

class TrainRequestsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The form has the run's documents, its corpus, and the checkpoint as the start; a job names it as train takes it.
    void aBranchStartsFromACheckpoint() {
        Desk desk("good");
        const auto run = desk.shop.run("2026-11-21T10-00_old");
        QVERIFY(QTest::qWaitFor([&] { return desk.workspace->store()->find(run) != nullptr; }, 60000));
        desk.workspace->setCurrentRun(run);
        QStringList offered; // the run first
        desk.workspace->askCheckpoint = [&](const QString& of, const QStringList& words) -> std::optional<int> { return offered = QStringList{of} + words, 1; };
        desk.workspace->actions().branch->trigger();
        QVERIFY2(desk.said().contains(QStringLiteral("has no checkpoint here yet")), qPrintable(desk.said()));
        for (const char* name : {"step-000020", "step-000040"})
            desk.shop.text(run / "checkpoints" / (std::string(name) + ".safetensors"), "weights");
        desk.workspace->form()->values()->write(QLatin1String(kUpdatesKey), QStringLiteral("77")); // for another run
        desk.workspace->form()->setSeeds(QStringLiteral("3-5"));
        desk.workspace->actions().branch->trigger();
        QCOMPARE(offered, (QStringList{widgets::runTitle(*desk.workspace->store()->find(run)), "update 40, the best", "update 20"}));
        const nlohmann::json view = desk.workspace->form()->viewState();
        QCOMPARE(view["set"].size(), 0U);
        QCOMPARE(view["seeds"].get<std::string>(), std::to_string(desk.workspace->store()->find(run)->info.seed)); // it offered three runs
        QCOMPARE(view["architecture"].get<std::string>(), (run / "architecture.json").string());
        QCOMPARE(view["recipe"].get<std::string>(), (run / "recipe.json").string());
        QCOMPARE(view["data"].get<std::string>(), std::string("/corpora/demo"));
        desk.workspace->form()->setData(desk.shop.corpus());
        QTRY_VERIFY_WITH_TIMEOUT(!desk.workspace->form()->isPending(), 60000);
        const auto combo = desk.workspace->form()->findChild<QComboBox*>(QStringLiteral("startFrom"));
        QVERIFY2(combo && combo->currentText().contains(QStringLiteral("checkpoint 20, whole model")), qPrintable(combo ? combo->currentText() : QString()));
    }

    /// Two seeds of one start are one experiment, also while the second one waits.
    void aJobHasTheNameThatItsRunWillHave() {
        Desk desk("good");
        desk.shop.run("2026-11-21T10-00_old"); // the same architecture with other data
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(1), 60000);
        QCOMPARE(desk.start({7, 8}), QString());
        const auto names = [&] {
            QStringList found;
            for (const auto& run : desk.workspace->store()->runs())
                if (run.info.seed == 7)
                    found << widgets::runTitle(run);
            for (const auto& job : desk.workspace->store()->waiting())
                found << job.name;
            return found;
        };
        QTRY_VERIFY2_WITH_TIMEOUT(names().size() == 2 && desk.workspace->store()->waiting().size() == 1,
                                  qPrintable(names().join(QStringLiteral("; "))), 60000);
        QVERIFY2(names().first().contains(QStringLiteral(", corpus, ")), qPrintable(names().first()));
        QCOMPARE(names().last(), names().first().replace(QStringLiteral("seed 7"), QStringLiteral("seed 8")));
        const auto seedsOf = [&](std::uint64_t seed) {
            for (const auto& group : widgets::groupRuns(desk.workspace->store()->runs()))
                if (group.runs.front().info.seed == seed)
                    return group.seeds();
            return 0;
        };
        QCOMPARE(seedsOf(7), 2); // "0 of 2", not "0 of 1"
        QCOMPARE(seedsOf(1), 1); // the other experiment, with other data
        desk.allow();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->waiting().empty(), 60000);
    }

    /// A recipe of translation was offered the demo corpus of speech, which has no such task.
    void aTranslationIsOfferedTheCorpusOfTexts() {
        Desk desk("good");
        qputenv("XDG_DATA_HOME", toQString(desk.shop.path() / "user").toLocal8Bit());
        const fs::path speech = demoCorpusFolder(DemoCorpus::Speech), texts = demoCorpusFolder(DemoCorpus::Text);
        makeCorpus(speech);
        makeCorpus(texts);
        LaunchForm* form = desk.workspace->form();
        form->setData(desk.shop.path()); // no corpus
        const auto offered = [&] {
            for (auto* button : form->findChildren<QPushButton*>())
                if (button->text().startsWith(QStringLiteral("Make the demo")) && button->isVisible())
                    return button;
            return static_cast<QPushButton*>(nullptr);
        };
        const fs::path recipes = resourceFolder() / "recipes";
        for (const auto& [recipe, words, folder] : {std::tuple("demo.json", "Make the demo corpus", speech),
                                                    std::tuple("demo-text.json", "Make the demo text corpus", texts)}) {
            form->chooseRecipe(recipes / recipe);
            form->setData(desk.shop.path());
            QTRY_VERIFY_WITH_TIMEOUT(!form->isPending() && offered(), 60000);
            QCOMPARE(offered()->text(), QString::fromLatin1(words));
            const QScrollBar* sideways = form->findChild<ColumnScroll*>()->horizontalScrollBar();
            QTRY_VERIFY2_WITH_TIMEOUT(sideways->maximum() == 0, "the button is wider than the column", 60000);
            QStringList labels;
            for (const QLabel* label : form->findChildren<QLabel*>())
                labels << label->text().remove(u'&'); // its access key
            QVERIFY(labels.contains(folder == texts ? QStringLiteral("Batch, tokens") : QStringLiteral("Batch, frames")));
            offered()->click(); // it is there
            QCOMPARE(form->data(), folder);
        }
        qunsetenv("XDG_DATA_HOME");
    }

    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// F2 names an experiment with all its seeds, for every window and start; an empty name takes it back.
    void anExperimentIsRenamedByKey() {
        Desk desk("good");
        desk.shop.run("2026-11-21T10-31_a_seed-1", RunState::Finished, 1);
        desk.shop.run("2026-11-21T10-31_a_seed-2", RunState::Finished, 2);
        const auto name = [&] {
            const auto* runs = desk.workspace->runTable()->runs();
            return runs->rowCount() == 1 ? runs->groups().front().name : QString();
        };
        QTRY_VERIFY_WITH_TIMEOUT(!name().isEmpty(), 60000);
        const QString before = name();
        QString wanted = QStringLiteral("Baseline"), offered;
        desk.workspace->askName = [&](const QString& now) -> std::optional<QString> { return offered = now, wanted; };
        widgets::RunTable* table = desk.workspace->runTable();
        table->selectRow(0);
        table->setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(!desk.workspace->currentRun().empty(), 60000);
        QTest::keyClick(table, Qt::Key_F2);
        QCOMPARE(offered, before);
        QTRY_COMPARE_WITH_TIMEOUT(name(), wanted, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->statusText().startsWith(QStringLiteral("Baseline, seed")), 60000);
        desk.workspace.reset();
        desk.open(); // the next start
        QTRY_COMPARE_WITH_TIMEOUT(name(), wanted, 60000);
        wanted.clear();
        desk.workspace->askName = [&](const QString&) -> std::optional<QString> { return wanted; };
        desk.workspace->actions().rename->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(name(), before, 60000);
    }

    /// It got its automatic name back, and nothing said why.
    void aNameThatAnotherExperimentHasIsSaid() {
        Desk desk("good");
        const fs::path first = desk.shop.run("2026-11-21T10-31_a_seed-1"), second = desk.shop.run("2026-11-21T10-32_b_seed-2", RunState::Finished, 2);
        RunInfo info = readRun(second);
        info.data = "/corpora/other";
        writeRun(second, info);
        QCOMPARE(desk.workspace->queue()->rename({first}, QStringLiteral("Baseline")), QString());
        const auto* store = desk.workspace->store();
        QTRY_VERIFY_WITH_TIMEOUT(store->find(first) && store->find(first)->name == QStringLiteral("Baseline") && store->find(second), 60000);
        QString wanted = QStringLiteral("Other");
        desk.workspace->askName = [&](const QString&) -> std::optional<QString> { return wanted; };
        desk.workspace->setCurrentRun(second);
        desk.workspace->actions().rename->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(store->find(second)->name, wanted, 60000);
        QCOMPARE(desk.said(), QString());
        wanted = QStringLiteral("Baseline");
        desk.workspace->actions().rename->trigger();
        const QString said = QStringLiteral("Another experiment is called “Baseline” already. The names are followed by what differs.");
        QCOMPARE(desk.said(), said);
        QTRY_COMPARE_WITH_TIMEOUT(store->find(second)->name, QStringLiteral("Baseline, other"), 60000);
        QCOMPARE(store->find(first)->name, QStringLiteral("Baseline, demo"));
        // Now neither is called so, and nothing was said.
        const fs::path third = desk.shop.run("2026-11-21T10-33_c_seed-3", RunState::Finished, 3);
        info = readRun(third);
        info.data = "/corpora/third";
        writeRun(third, info);
        QTRY_VERIFY_WITH_TIMEOUT(store->find(third) && store->find(third)->data == QStringLiteral("third"), 60000);
        desk.session.messages()->putAside();
        desk.workspace->setCurrentRun(third);
        desk.workspace->actions().rename->trigger();
        QCOMPARE(desk.said(), said);
        QTRY_COMPARE_WITH_TIMEOUT(store->find(third)->name, QStringLiteral("Baseline, third"), 60000);
        // One that cannot be written is no such name.
        fs::remove(RunPaths{third}.name());
        fs::create_directories(RunPaths{third}.name() / "held");
        desk.session.messages()->putAside();
        desk.workspace->askName = [](const QString&) -> std::optional<QString> { return QStringLiteral("Baseline, demo"); };
        desk.workspace->actions().rename->trigger();
        QVERIFY2(!desk.said().isEmpty() && !desk.said().contains(QStringLiteral("Another experiment")), qPrintable(desk.said()));
    }

    /// It was said that a finished evaluation had not started.
    void anEvaluationHasTheNameOfItsModel() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1"), folder = evaluationsFolder(desk.shop.runs()) / "2026-11-23_a";
        desk.shop.text(EvaluationPaths{folder}.result(),
                       nlohmann::json{{"model", RunPaths{run}.model().string()}, {"split", "all"}, {"wer", 1}}.dump());
        widgets::QueueView* view = desk.workspace->queueView();
        QTRY_VERIFY_WITH_TIMEOUT(view->queue()->rowOf(folder) >= 0 && view->queue()->rowOf(run) >= 0, 60000);
        bool asked = false;
        desk.workspace->askName = [&](const QString&) -> std::optional<QString> { return asked = true, std::nullopt; };
        desk.workspace->activateWindow();
        view->setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(view->hasFocus(), 60000);
        view->setCurrentIndex(view->queue()->index(view->queue()->rowOf(folder), 0));
        QTest::keyClick(view, Qt::Key_F2);
        QVERIFY2(desk.said().contains(QStringLiteral("An evaluation is named after its model.")), qPrintable(desk.said()));
        QVERIFY(!asked);
        view->setCurrentIndex(view->queue()->index(view->queue()->rowOf(run), 0));
        QTest::keyClick(view, Qt::Key_F2);
        QVERIFY(asked);
    }

    /// Only the queue's log said so.
    void aJobThatWaitsForAnExperimentSaysIt() {
        Desk desk("good");
        enqueue(desk.shop.launch());
        const fs::path queue = queueFolder(desk.shop.runs());
        const auto works = FileLock::tryTake(queueLock(desk.shop.runs()), "test");
        auto experiment = FileLock::tryTake(queue / "turn.lock", "test");
        desk.shop.text(queue / "queue.log", "1_a: /runs/a\n2_b waits: an experiment computes on this machine.\n");
        const QueueModel* model = desk.workspace->queueView()->queue();
        const auto said = [&] { return model->rowCount() == 2 ? model->index(1, QueueModel::Job).data().toString() : QString(); };
        QTRY_COMPARE_WITH_TIMEOUT(said(), QStringLiteral("It waits for an experiment that is running on this machine."), 60000);
        experiment.reset();
        QTRY_COMPARE_WITH_TIMEOUT(model->rowCount(), 1, 60000);
    }

    /// Log, status bar and tool bar stayed with the old one.
    void theRunThatIsStartedBecomesTheCurrentOne() {
        Desk desk("good");
        const fs::path old = desk.shop.run("2026-11-21T10-31_a_seed-1");
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->currentRun() == old, 60000);
        Q_EMIT desk.workspace->form()->startRequested(desk.shop.launch());
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->runs().size() == 2, 60000);
        QVERIFY(desk.workspace->currentRun() != old);
        QCOMPARE(desk.workspace->queueView()->currentPath(), desk.workspace->currentRun());
        desk.workspace->setCurrentRun(old); // whoever turns to another one meanwhile is left there
        desk.allow();
        QVERIFY(desk.queueEnds());
        QTRY_VERIFY_WITH_TIMEOUT(desk.becomes(RunState::Finished), 60000);
        QCOMPARE(desk.workspace->currentRun(), old);
    }

    /// One run, one name: in Train, and in Analyse where its result is open.
    void aModelTakesTheNameOfItsRun() {
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1", RunState::Finished, 1);
        const fs::path again = desk.shop.run("2026-11-21T10-32_a_seed-1", RunState::Finished, 1);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace->store()->find(again) != nullptr, 60000);
        ModelDescription opened;
        opened.architecture = TrainWorkshop::tiny();
        opened.name = QStringLiteral("model");
        const ModelId first = desk.session.openModel(RunPaths{run}.model()),
                      second = desk.session.openModel(RunPaths{again}.model());
        const auto name = [&](ModelId id) { return desk.session.models()->find(id)->name; };
        for (const auto& [id, folder] : {std::pair(first, run), std::pair(second, again)}) {
            desk.session.setModelOpened(id, opened); // the worker does not know that it was run twice
            QCOMPARE(name(id), widgets::runTitle(*desk.workspace->store()->find(folder)));
        }
        QVERIFY(name(first) != name(second));
        QSignalSpy changed(&desk.session, &Session::modelChanged);
        QCOMPARE(desk.workspace->queue()->rename({run}, QStringLiteral("Baseline")), QString());
        QTRY_COMPARE_WITH_TIMEOUT(name(second), QStringLiteral("Baseline, seed 1, run 2"), 60000);
        QCOMPARE(name(first), QStringLiteral("Baseline, seed 1"));
        QVERIFY(changed.size() >= 2);
        QCOMPARE(desk.drafts.name({second, 0}), name(second));
    }

    /// The seed that is added later belongs to the experiment that was named.
    void aLaterSeedTakesTheName() {
        Desk desk("good");
        const fs::path first = desk.shop.run("2026-11-21T10-31_a_seed-1", RunState::Finished, 1);
        QCOMPARE(desk.workspace->queue()->rename({first}, QStringLiteral("  Base\nline ")), QString());
        desk.shop.run("2026-11-21T10-32_a_seed-2", RunState::Finished, 2);
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace->store()->runs().size(), std::size_t(2), 60000);
        for (const auto& run : desk.workspace->store()->runs())
            QCOMPARE(run.name, QStringLiteral("Base line"));
    }

    void filesOfTheSameTickAreSeen() {
        const TrainWorkshop shop;
        const fs::path run = shop.run("2026-11-21T10-31_a_seed-1");
        const RunStamp before = stampOf(run);
        shop.text(RunPaths{run}.name(), "Baseline\n");
        fs::last_write_time(RunPaths{run}.name(), fs::last_write_time(RunPaths{run}.run()));
        QVERIFY(stampOf(run).run != 0);
        QVERIFY(!(stampOf(run) == before));
    }

    void aRunningRunIsPausedResumedAndEvaluated() {
        Desk desk("good");
        QCOMPARE(desk.start(), QString());
        QVERIFY(desk.reaches(1));
        const fs::path run = desk.workspace->store()->runs().front().folder;
        desk.workspace->setCurrentRun(run);
        const TrainActions& a = desk.workspace->actions();
        const auto kind = [&] { return desk.workspace->queueView()->queue()->kindAt(0); };
        QTRY_VERIFY_WITH_TIMEOUT(a.pause->isEnabled() && !a.resume->isEnabled(), 60000);
        a.pause->trigger();
        QCOMPARE(controlOf(run), RunControl::Pause);
        QTRY_COMPARE_WITH_TIMEOUT(kind(), QueueModel::Kind::Paused, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(a.resume->isEnabled() && !a.pause->isEnabled() && !a.evaluate->isEnabled(), 60000);
        QVERIFY2(!a.resume->toolTip().contains(QStringLiteral("last checkpoint")), qPrintable(a.resume->toolTip())); // nothing is lost
        QVERIFY2(a.resume->toolTip().startsWith(a.resume->statusTip()), qPrintable(a.resume->toolTip())); // the key follows
        a.resume->trigger();
        QCOMPARE(controlOf(run), RunControl::None);
        QTRY_COMPARE_WITH_TIMEOUT(kind(), QueueModel::Kind::Running, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(a.evaluate->isEnabled(), 60000);
        a.evaluate->trigger();
        QCOMPARE(controlOf(run), RunControl::Evaluate);
        QVERIFY(waitingJobs(desk.shop.runs()).size() <= 1); // nothing was put into the queue again
        desk.allow();
        QVERIFY(desk.becomes(RunState::Finished));
        QVERIFY(desk.queueEnds());
    }

    /// A request that came meanwhile is not taken for the one that was done.
    void aNewerRequestIsNotLost() {
        const QTemporaryDir folder;
        const fs::path run = toPath(folder.path());
        askToEvaluate(run);
        askToStop(run);
        QVERIFY(!takeRequest(run, RunControl::Evaluate));
        QCOMPARE(requestOf(run), RunRequest::Stop);
        askToPause(run);
        QVERIFY(takeRequest(run, RunControl::Pause));
        QVERIFY(!fs::exists(RunPaths{run}.control()));
    }
};

HEADROOM_TEST(TrainRequestsTest)

} // namespace headroom::testing::train_requests_test

#include "train_requests_test.moc"
