// SPDX-License-Identifier: GPL-3.0-or-later
// The worker is killed: the user is told, it comes back, the picture is true again.
#include "app/documents/items/paths.h"
#include "app/parts/banner.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"

#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <csignal>

namespace headroom::testing::worker_test {

using namespace headroom::app;
using headroom::testing::Story;

class WorkerStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void killedInTheMiddleItIsToldAndStartedAgain() {
        Story story;
        story.open({story.utterance("long", 40), Story::model()});
        WorkerProcess* worker = story.window().worker();
        QSignalSpy layers(story.window().analysis(), &AnalysisService::layerReady);
        QVERIFY(QTest::qWaitFor([&] { return layers.count() >= 1; }, 60000));
        const qint64 killed = worker->processId();
        QVERIFY(killed > 0);
        QSignalSpy stopped(worker, &WorkerProcess::stoppedUnexpectedly);
        QCOMPARE(::kill(pid_t(killed), SIGKILL), 0);
        QVERIFY(QTest::qWaitFor([&] { return stopped.count() == 1; }, 60000));
        Banner* banner = story.part<MatrixPanel>()->banner();
        QVERIFY(banner->isVisible());
        QVERIFY2(banner->text().contains(QLatin1String("stopped")), qPrintable(banner->text()));
        QVERIFY2(banner->text().contains(QLatin1String("session is safe")), qPrintable(banner->text()));
        QVERIFY2(story.quiet(120000), qPrintable(story.messages()));
        QVERIFY(worker->processId() > 0 && worker->processId() != killed);
        QCOMPARE(story.result()->state, AnalysisResult::State::Ready);
        QCOMPARE(story.result()->readyLayers(), 8);
        QVERIFY(!story.result()->stale);
        QVERIFY(story.session().messages()->count(Severity::Error) > 0);
    }

    /// What was said of the worker kept Locate… away even after its cross was clicked.
    void onceDismissedItMakesRoomForLocate() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        const UtteranceId gone = story.session().openUtterance(toPath(story.path(QStringLiteral("gone.wav")))); // as a session does
        QVERIFY(story.quiet());
        WorkerProcess* worker = story.window().worker();
        QSignalSpy stopped(worker, &WorkerProcess::stoppedUnexpectedly);
        QCOMPARE(::kill(pid_t(worker->processId()), SIGKILL), 0);
        QVERIFY(QTest::qWaitFor([&] { return stopped.count() == 1; }, 60000));
        QVERIFY2(story.quiet(120000), qPrintable(story.messages()));
        story.session().setCurrentUtterance(gone);
        QVERIFY(story.quiet());
        const Banner* banner = story.part<MatrixPanel>()->banner();
        QVERIFY2(banner->isVisible() && banner->text().contains(QLatin1String("stopped")), qPrintable(banner->text())); // until it is read
        for (auto* button : banner->findChildren<QToolButton*>())
            if (button->accessibleName() == QStringLiteral("Dismiss"))
                button->click();
        QVERIFY(banner->isVisible());
        QVERIFY2(banner->text().contains(QLatin1String("gone is missing")), qPrintable(banner->text()));
    }

    void aWorkerThatIsNotThereIsASentenceAndTheSoundStays() {
        qputenv("HEADROOM_WORKER", "/no/such/headroom-worker");
        Story story;
        QVERIFY(!story.openAndWait({story.utterance("one"), Story::model()})); // else stories would fail later, and say nothing of it
        qunsetenv("HEADROOM_WORKER");
        QCOMPARE(story.session().currentUtterance()->state, OpenState::Ready);
        QVERIFY(story.session().currentUtterance()->logMel);
        QVERIFY2(story.messages().contains(QLatin1String("/no/such/headroom-worker")),
                 qPrintable(story.messages()));
    }
};

HEADROOM_TEST(WorkerStory)

} // namespace headroom::testing::worker_test

#include "worker_test.moc"
