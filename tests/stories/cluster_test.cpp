// SPDX-License-Identifier: GPL-3.0-or-later
// A cluster, from Add place to Open in Analyse, preempted and queued again in the middle: a real Slurm of
// this machine plays it.
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/places/places_dialog.h"
#include "app/window/session_actions.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "core/runs/jobs.h"
#include "core/runs/strict_json.h"
#include "tests/stories/place_story.h"
#include "tests/support/runner.h"
#include "tests/training/places/local_slurm.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_words.h"

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

namespace headroom::testing::cluster_test {

using namespace headroom::app;
using headroom::widgets::QueueModel;
using headroom::widgets::RunItem;
namespace fs = std::filesystem;

class ClusterStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_slurm = std::make_unique<LocalSlurm>();
        if (!m_slurm->skipReason().isEmpty())
            QSKIP(qPrintable(m_slurm->skipReason()));
        qputenv("HEADROOM_PLACES", file("places.json").toUtf8());
        qputenv("HEADROOM_SQUEUE_SECONDS", "0.2");
        qputenv("HEADROOM_RUNS", file("here").toUtf8());
        m_corpus = std::make_unique<ToneCorpus>(m_slurm->folder() / "corpus", 10, 2);
    }
    void cleanupTestCase() { m_slurm.reset(); }

    void fromAddPlaceToOpenInAnalyse() {
        Story story;
        story.window().sessionActions()->openDemo();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        story.window().actions().trainWorkspace->trigger();
        m_train = story.window().train();
        addPlace();
        if (!QTest::currentTestFailed())
            startThere(story);
        if (!QTest::currentTestFailed())
            isPreemptedAndGoesOn(story);
        if (QTest::currentTestFailed())
            return;
        QVERIFY2(QTest::qWaitFor([&] { return run()->info.state == RunState::Finished && run()->hasModel; },
                                 600000),
                 qPrintable(m_train->statusText()));
        QCOMPARE(run()->info.resumed, std::int64_t(1)); // by Slurm alone
        const ModelId before = story.session().currentModelId();
        m_train->setCurrentRun(m_run);
        QVERIFY(m_train->actions().openResult->isEnabled());
        m_train->actions().openResult->trigger();
        QVERIFY2(story.quiet(120000), qPrintable(story.messages()));
        const OpenModel* opened = story.session().currentModel();
        QVERIFY(opened && opened->id != before);
        QCOMPARE(opened->folder, RunPaths{m_run}.model());
        QVERIFY(story.result());
    }

private:
    QString file(const char* name) const {
        return QString::fromStdString((m_slurm->folder() / name).string());
    }
    const RunItem* run() const { return m_train->store()->find(m_run); }
    QString jobThere() const {
        const fs::path job = m_slurm->folder() / "there/runs" / m_run.filename() / "slurm.json";
        return QString::fromStdString(readStrictObject(job, "test")["job"].get<std::string>());
    }
    /// The row of the run in the queue.
    QueueModel* queue() const { return m_train->findChild<widgets::QueueView*>()->queue(); }
    int row() const { return queue()->rowOf(m_run); }

    void addPlace() {
        m_train->actions().places->trigger();
        auto* dialog = m_train->findChild<PlacesDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        const auto write = [&](const char* field, const QString& text) { typeInto(dialog, field, text); };
        write("name", "cluster");
        dialog->findChild<QComboBox*>("kind")->setCurrentIndex(1);
        write("folder", file("there"));
        write("worker", kWorker);
        write("partition", "no-such-partition");
        buttonOf(dialog, "Test")->click();
        QVERIFY(QTest::qWaitFor([&] { return dialog->checks().size() > 4; }, 120000));
        const auto slurm = [&] {
            for (const Check& check : dialog->checks())
                if (check.name == QLatin1String("Slurm"))
                    return check.state;
            return Check::State::Unknown;
        };
        QVERIFY2(slurm() == Check::State::Failed, qPrintable(dialog->sentence()));
        write("partition", "low");
        buttonOf(dialog, "Test")->click();
        QVERIFY2(QTest::qWaitFor([&] { return slurm() == Check::State::Passed; }, 120000),
                 qPrintable(dialog->sentence()));
        buttonOf(dialog, "Save")->click(); // a test keeps nothing
        buttonOf(dialog, "Close")->click();
    }

    void startThere(Story& story) {
        LaunchForm* form = m_train->form();
        TinyTraining tiny(m_slurm->folder() / "documents", m_corpus->folder());
        tiny.recipe.length.maxUpdates = 1500; // far from done when it is preempted
        tiny.recipe.validation.everyUpdates = tiny.recipe.checkpoints.everyUpdates = 300;
        chooseTraining(form, tiny, m_slurm->folder() / "documents", m_corpus->folder(), "cluster");
        if (QTest::currentTestFailed())
            return;
        m_train->findChild<QPushButton*>(QStringLiteral("startRuns"))->click();
        const auto runs = [this]() -> const std::vector<RunItem>& { return m_train->store()->runs(); };
        QVERIFY2(QTest::qWaitFor([&] { return !runs().empty() && runs().front().update > 3; }, 120000),
                 qPrintable(story.messages()));
        m_run = runs().front().folder;
        QCOMPARE(run()->place, QString("cluster"));
        QVERIFY(run()->info.state == RunState::Running && !run()->waits);
    }

    void isPreemptedAndGoesOn(Story& story) {
        m_train->setCurrentRun(m_run);
        LocalSlurm::ask({"sbatch", "--parsable", "--partition=high", "--output=/dev/null", "--wrap=sleep 1"});
        const auto said = [&] {
            return QString("%1 %2 %3")
                .arg(widgets::stateWord(run()->info.state))
                .arg(run()->waits)
                .arg(run()->contact);
        };
        QVERIFY2(
            QTest::qWaitFor([&] { return run()->waits && run()->contact.contains("(BeginTime)"); }, 120000),
            qPrintable(said()));
        QVERIFY2(
            QTest::qWaitFor([&] { return queue()->kindAt(row()) == QueueModel::Kind::Requeued; }, 120000),
            qPrintable(said()));
        QCOMPARE(queue()->index(row() + 1, QueueModel::Job).data().toString(), run()->contact);
        QVERIFY(run()->info.state == RunState::Stopped && run()->info.update > 3); // it saved itself first
        // It waits for Slurm, and nobody else: there is something to stop and nothing to resume.
        QVERIFY(m_train->actions().stop->isEnabled());
        QVERIFY(!m_train->actions().resume->isEnabled() && !m_train->actions().remove->isEnabled());
        QVERIFY(queue()->buttonsAt(row()).contains(QueueModel::Button::Stop));
        QVERIFY(!queue()->buttonsAt(row()).contains(QueueModel::Button::Resume));
        QCOMPARE(queue()->buttonsAt(row() + 1), (QList{QueueModel::Button::Script}));
        QVERIFY2(!story.messages().contains("was stopped"), qPrintable(story.messages()));
        QCOMPARE(waitingJobs(m_train->store()->folder()).size(), std::size_t(1));
        takeGuidePictures(story, "machines-slurm");
        const std::int64_t saved = run()->info.update;
        LocalSlurm::startSoon(jobThere());
        QVERIFY2(QTest::qWaitFor([&] { return run()->update > saved + 3 && !run()->waits; }, 120000),
                 qPrintable(said()));
        QVERIFY2(QTest::qWaitFor(
                     [&] {
                         return queue()->kindAt(row()) == QueueModel::Kind::Running ||
                                queue()->kindAt(row()) == QueueModel::Kind::Finished;
                     },
                     120000),
                 qPrintable(said()));
    }

    std::unique_ptr<LocalSlurm> m_slurm;
    std::unique_ptr<ToneCorpus> m_corpus;
    TrainWorkspace* m_train = nullptr;
    fs::path m_run;
};

HEADROOM_TEST(ClusterStory)

} // namespace headroom::testing::cluster_test

#include "cluster_test.moc"
