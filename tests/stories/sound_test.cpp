// SPDX-License-Identifier: GPL-3.0-or-later
// Recording and playing, through devices that are files paced by a clock.
#include "app/documents/removals.h"
#include "app/parts/actions.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/sound/recording_bar.h"
#include "app/workspaces/analyse/sound/sound_transport.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"

#include <QAction>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::sound_test {

using namespace headroom::app;
using headroom::testing::Story;

class SoundStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsRecordedIsAnalysedLikeAFile() {
        QTemporaryDir folder;
        {
            Story maker; // only to make the sound that the microphone hears
            QVERIFY(QFile::copy(maker.utterance("heard", 5), folder.filePath("heard.wav")));
        }
        qputenv("HEADROOM_AUDIO", "file:" + folder.filePath("heard.wav").toUtf8());
        Story story;
        QVERIFY(story.openAndWait({Story::model()}));
        SoundTransport* transport = story.part<SoundTransport>();
        double recorded = 0;
        float loudest = 0;
        connect(transport, &SoundTransport::recordingProgressed, this, [&](double seconds, float level) {
            recorded = seconds;
            loudest = std::max(loudest, level);
        });
        story.window().actions().record->trigger();
        QVERIFY2(transport->isRecording(), qPrintable(story.messages()));
        QVERIFY(story.part<RecordingBar>()->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(recorded > 0.6 && loudest > 0.05F, 60000);
        story.window().actions().record->trigger();
        QVERIFY(!transport->isRecording());
        QVERIFY(!story.part<RecordingBar>()->isVisible());
        qunsetenv("HEADROOM_AUDIO");
        QVERIFY(loudest > 0.05F);
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        const app::OpenUtterance* utterance = story.session().currentUtterance();
        QVERIFY(utterance && utterance->isRecorded);
        QVERIFY(utterance->duration().value() > 0.5);
        QVERIFY(story.result());
        QCOMPARE(story.result()->readyLayers(), 8);
        // Saved with the session, in its recordings/.
        story.answers().file = story.path("spoken.headroom");
        story.window().actions().saveSession->trigger();
        const auto files = [&] { return QDir(story.path("spoken.headroom/recordings")).entryList({"*.wav"}); };
        const QStringList saved = files();
        QCOMPARE(saved.size(), 1);
        // Removed, it goes with the next save, and Undo has it for the one after.
        removeUtterances(&story.session(), {utterance->id});
        QCOMPARE(files(), saved);
        story.window().actions().saveSession->trigger();
        QCOMPARE(files(), QStringList());
        QVERIFY2(story.messages().contains(QStringLiteral("to the wastebasket")), qPrintable(story.messages()));
        story.window().actions().undo->trigger();
        story.window().actions().saveSession->trigger();
        QCOMPARE(files(), saved);
    }

    void playingMovesTheCursorAndStopsAtTheSelectionsEnd() {
        qputenv("HEADROOM_AUDIO", "file:");
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one")}));
        widgets::TimeAxis* axis = story.window().analyse()->axis();
        axis->setSelection(widgets::TimeSpan{Seconds(1.0), Seconds(1.5)});
        QSignalSpy moved(axis, &widgets::TimeAxis::cursorChanged);
        story.window().actions().play->trigger();
        SoundTransport* transport = story.part<SoundTransport>();
        QVERIFY2(transport->isPlaying(), qPrintable(story.messages()));
        QVERIFY(QTest::qWaitFor([&] { return !transport->isPlaying(); }, 60000));
        qunsetenv("HEADROOM_AUDIO");
        QVERIFY2(moved.count() > 5, qPrintable(QString::number(moved.count())));
        QVERIFY2(axis->cursor()->value() > 1.4 && axis->cursor()->value() <= 1.5 + 1e-6,
                 qPrintable(QString::number(axis->cursor()->value())));
    }

    void withoutASoundCardASentenceSaysSo() {
        qputenv("HEADROOM_AUDIO", "nonsense");
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one")}));
        story.window().actions().play->trigger();
        qunsetenv("HEADROOM_AUDIO");
        QVERIFY(!story.part<SoundTransport>()->isPlaying());
        QCOMPARE(story.session().messages()->count(Severity::Error), 1);
        story.window().actions().record->trigger();
        QVERIFY(!story.window().actions().record->isChecked());
    }
};

HEADROOM_TEST(SoundStory)

} // namespace headroom::testing::sound_test

#include "sound_test.moc"
