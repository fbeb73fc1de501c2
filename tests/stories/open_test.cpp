// SPDX-License-Identifier: GPL-3.0-or-later
// A recording and a model come in: sound, layers, numbers and checks stand on the screen.
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/beyond_session.h"
#include "app/documents/items/messages.h"
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/parts/banner.h"
#include "app/parts/checks_panel.h"
#include "app/parts/dock.h"
#include "app/parts/panel_header.h"
#include "app/window/session_actions.h"
#include "app/window/status_bar.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/map/layers_panel.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "core/analysis/diagonality.h"
#include "core/audio/audio_file.h"
#include "tests/app/documents/located.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"
#include "widgets/tiers/tier_lane.h"
#include "widgets/time_axis/time_axis.h"

#include <QAction>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QPushButton>
#include <QTest>
#include <QUrl>

#include <algorithm>

namespace headroom::testing::open_test {

using namespace headroom::app;
using headroom::testing::Story;

class OpenStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEmptyWindowSaysWhatToDoNext() {
        Story story;
        QVERIFY(story.window().analyse()->startPage()->isVisible());
        QVERIFY(story.quiet(1000));
        QVERIFY(story.window().statusBarWidget()->said().contains(QLatin1String("Drop files")));
        QCOMPARE(story.window().analysis()->current(), nullptr);
    }

    /// Analyse again stayed disabled for a recording whose file was back.
    void analyseAgainFindsAFileThatIsBack() {
        Story story;
        const QString file = story.utterance("one");
        QVERIFY(QFile::rename(file, file + QStringLiteral(".away")));
        QVERIFY(story.openAndWait({Story::model()}));
        const UtteranceId id = story.session().openUtterance(toPath(file)); // as a session does
        story.quiet();
        story.session().setCurrentUtterance(id);
        QVERIFY(story.quiet());
        QVERIFY(story.session().currentUtterance()->isMissing);
        QVERIFY(story.window().actions().analyseAgain->isEnabled());
        story.window().actions().analyseAgain->trigger(); // still away
        QVERIFY(story.quiet());
        QVERIFY(story.session().currentUtterance()->isMissing);
        QVERIFY(QFile::rename(file + QStringLiteral(".away"), file));
        story.window().actions().analyseAgain->trigger();
        QVERIFY(story.quiet());
        QVERIFY(!story.session().currentUtterance()->isMissing);
        QVERIFY2(story.result() && story.result()->state == AnalysisResult::State::Ready, qPrintable(story.messages()));
        QCOMPARE(story.session().messages()->count(Severity::Error), 0);
    }

    /// What was moved could be located from its row alone.
    void theMapOffersToLocateAMissingRecording() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        const UtteranceId gone = story.session().openUtterance(toPath(story.path(QStringLiteral("gone.wav")))); // as a session does
        story.quiet();
        QVERIFY(story.session().utterances()->find(gone)->isMissing);
        story.session().setCurrentUtterance(gone);
        QVERIFY(story.quiet());
        const Banner* banner = story.part<MatrixPanel>()->banner();
        QVERIFY(banner->isVisible());
        QVERIFY2(banner->text().contains(QLatin1String("gone is missing")), qPrintable(banner->text()));
        UtteranceId asked = UtteranceId::None;
        connect(&story.session(), &Session::locateRequested, this, [&](UtteranceId id) { asked = id; });
        for (auto* button : banner->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Locate…"))
                button->click();
        QCOMPARE(asked, gone);
        story.session().setCurrentUtterance(story.session().utterances()->at(0).id);
        QVERIFY(story.quiet());
        QVERIFY(!banner->isVisible());
    }

    /// Another recording showed the range of the missing one alone.
    void theRangeOfAMissingRecordingIsNotThatOfAnother() {
        const auto home = std::make_shared<QTemporaryDir>();
        const auto sound = [&](const QString& name, int samples) {
            const QString file = home->filePath(name);
            saveWav(toPath(file), std::vector<float>(static_cast<std::size_t>(samples), 0.01F), kModelSampleRate);
            return file;
        };
        const QString brief = sound(QStringLiteral("brief.wav"), 16000), moved = home->filePath(QStringLiteral("moved.wav"));
        {
            Story story(home);
            QVERIFY2(story.openAndWait({sound(QStringLiteral("whole.wav"), 48000), brief, Story::model()}), qPrintable(story.messages()));
            story.session().setCurrentUtterance(story.session().utterances()->at(1).id);
            QVERIFY(story.quiet());
            story.window().analyse()->axis()->setVisible({Seconds(0.25), Seconds(0.75)});
            story.answers().file = home->filePath(QStringLiteral("work"));
            story.window().actions().saveSessionAs->trigger();
            QVERIFY(story.window().close());
        }
        QVERIFY(QFile::rename(brief, moved));
        Story story(home);
        story.window().sessionActions()->start({});
        QVERIFY(story.quiet());
        const auto range = [&] { return story.window().analyse()->axis()->visible(); };
        story.session().setCurrentUtterance(story.session().utterances()->at(0).id);
        QVERIFY(story.quiet());
        QCOMPARE(range().start.value(), 0.0);
        QCOMPARE(range().end.value(), 3.0);
        const UtteranceId missing = story.session().utterances()->at(1).id; // and it has its own again
        story.session().setCurrentUtterance(missing);
        locateMissing(&story.session(), missing, toPath(moved));
        QVERIFY(story.quiet());
        QCOMPARE(range().start.value(), 0.25);
        QCOMPARE(range().end.value(), 0.75);
    }

    void aRecordingAndAModelGiveEveryLayer() {
        Story story;
        QVERIFY2(story.openAndWait({story.utterance("one"), Story::model()}), qPrintable(story.messages()));
        QVERIFY(story.result());
        QCOMPARE(story.result()->state, AnalysisResult::State::Ready);
        QCOMPARE(story.result()->readyLayers(), 8);
        QVERIFY(!story.window().analyse()->startPage()->isVisible());
        QCOMPARE(story.part<LayersPanel>()->thumbnails()->count(), 8);
        QVERIFY(!story.part<MatrixPanel>()->matrix()->image(1).isNull());
        // 3 s: 298 frames, 75 tokens.
        QCOMPARE(story.result()->tokens.value(), 75);
        QCOMPARE(story.messages(), QString());
    }

    void oneRecordingIsReadWithoutAQuestion() {
        const auto home = std::make_shared<QTemporaryDir>();
        {
            Story story(home);
            QVERIFY2(story.openAndWait({story.utterance("mine")}), qPrintable(story.messages()));
            QVERIFY(story.result());
            QCOMPARE(story.result()->readyLayers(), 8);
            QCOMPARE(story.answers().asked, 0);
            QVERIFY(story.messages().contains(QLatin1String("the demo model was opened")));
        }
        Story next(home);
        QVERIFY(next.openAndWait({next.utterance("another")}));
        QVERIFY2(next.messages().contains(QLatin1String("the last one used, was opened")), qPrintable(next.messages()));
        QCOMPARE(next.result()->readyLayers(), 8);
    }

    void whatIsNoSoundBringsNoModelAndIsSaid() {
        Story story;
        QFile broken(story.path("notes.wav"));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("not a sound at all, only its name says so");
        broken.close();
        QVERIFY(story.openAndWait({broken.fileName()}));
        QCOMPARE(story.session().models()->count(), 0);
        // Nothing has a row here: the sentence itself must stand somewhere.
        QVERIFY(!story.part<Dock>("messages")->isVisible());
        QVERIFY(story.openAndWait({story.path("no-such.wav")}));
        QVERIFY(story.part<Dock>("messages")->isVisible());
    }

    void aBrokenSessionIsSaidInWords() {
        Story story;
        QVERIFY(QDir().mkpath(story.path("broken.headroom")));
        QFile file(story.path("broken.headroom/session.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"headroom\": ");
        file.close();
        QVERIFY(story.openAndWait({story.path("broken.headroom")}));
        QVERIFY(story.part<Dock>("messages")->isVisible());
        QVERIFY(story.messages().contains(QLatin1String("session.json")));
    }

    void aModelThatCannotBeReadIsNotStillOpening() {
        Story story;
        QVERIFY(QDir().mkpath(story.path("cut-model")));
        for (const QString& name : QDir(Story::model()).entryList(QDir::Files))
            QVERIFY(QFile::copy(Story::model() + '/' + name, story.path("cut-model/" + name)));
        QFile weights(story.path("cut-model/model.safetensors"));
        weights.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        QVERIFY(weights.resize(weights.size() / 2));
        QVERIFY(story.openAndWait({story.path("cut-model"), story.utterance("one")}));
        QCOMPARE(story.session().currentModel()->state, OpenState::Failed);
        const QString detail = story.part<Dock>("layers")->header()->detail();
        QVERIFY2(detail.endsWith(QLatin1String("could not be opened")), qPrintable(detail));
    }

    void aTextGridThatCannotBeReadIsNamedInItsLanes() {
        Story story;
        const QString sound = story.utterance("one");
        QFile grid(story.path("one.TextGrid"));
        QVERIFY(grid.open(QIODevice::WriteOnly | QIODevice::Truncate));
        grid.close();
        QVERIFY(story.openAndWait({sound}));
        auto tiers = story.part<TimeColumn>()->findChildren<widgets::TierLane*>();
        tiers.removeIf([](const widgets::TierLane* tier) { return !tier->isVisible(); }); // of Compare
        QCOMPARE(tiers.size(), 2);
        for (const widgets::TierLane* tier : tiers)
            QCOMPARE(tier->accessibleDescription(), QStringLiteral("one.TextGrid could not be read"));
    }

    void theChecksAreThoseOfTheLayerShown() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        const auto checks = story.part<ChecksPanel>()->checks();
        QCOMPARE(checks.size(), 4);
        for (const Check& check : checks)
            QVERIFY2(check.state == Check::State::Passed, qPrintable(check.name + " " + check.value));
    }

    void whatIsDroppedOnTheWindowIsRead() {
        Story story;
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(story.utterance("dropped")), QUrl::fromLocalFile(Story::model())});
        QDropEvent drop(QPointF(800, 500), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QDragEnterEvent enter(QPoint(800, 500), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&story.window(), &enter);
        QVERIFY(enter.isAccepted());
        QCoreApplication::sendEvent(&story.window(), &drop);
        QVERIFY(story.quiet());
        QCOMPARE(story.session().currentUtterance()->name, QStringLiteral("dropped"));
        QVERIFY(story.result());
        QCOMPARE(story.result()->readyLayers(), 8);
    }

    void badFilesKeepWhatWasOpen() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("good"), Story::model()}));
        const auto kept = story.result()->layer(1)->contributions;
        QFile empty(story.path("empty.wav")), pdf(story.path("notes.wav"));
        QVERIFY(empty.open(QIODevice::WriteOnly) && pdf.open(QIODevice::WriteOnly));
        pdf.write("%PDF-1.7\nnot a sound at all, only its name says so\n");
        empty.close();
        pdf.close();
        QVERIFY(story.openAndWait({empty.fileName(), pdf.fileName()}));
        const UtteranceList* list = story.session().utterances();
        QCOMPARE(list->count(), 3);
        for (int row = 1; row < 3; ++row) {
            QCOMPARE(list->at(row).state, OpenState::Failed);
            const QString sentence = list->at(row).sentence;
            QVERIFY2(sentence.endsWith(QLatin1Char('.')), qPrintable(sentence));
        }
        QCOMPARE(list->at(0).state, OpenState::Ready);
        story.session().setCurrentUtterance(list->at(0).id);
        QVERIFY(story.quiet());
        QVERIFY(story.result()->layer(1)->contributions == kept);
    }

    void theFirstStartIsTheDemoAndTheNextFindsWhatWasLeft() {
        const auto home = std::make_shared<QTemporaryDir>();
        {
            Story first(home);
            first.window().sessionActions()->start({});
            QVERIFY2(first.quiet(), qPrintable(first.messages()));
            QCOMPARE(first.session().name(), QStringLiteral("Demo session"));
            QCOMPARE(first.result()->readyLayers(), 8);
            QCOMPARE(first.messages(), QString());
            first.session().drafts()->setWindow({first.session().currentModelId()}, {1, 21});
            first.window().close();
            first.settings().setWindowGeometry("any");
        }
        Story next(home);
        next.window().sessionActions()->start({});
        QVERIFY2(next.quiet(), qPrintable(next.messages()));
        QCOMPARE(next.session().name(), QStringLiteral("Demo session"));
        QCOMPARE(next.session().drafts()->window({next.session().currentModelId()}, 1), std::optional<int>(21));
        next.window().actions().newSession->trigger();
        QCOMPARE(next.answers().asked, 1); // its changes would be lost
        QVERIFY(next.session().isEmpty());
    }

    /// It stayed, and was counted, while another session was open.
    void whatIsSaidOfASessionGoesWithIt() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one")}));
        story.answers().file = story.path("another.headroom");
        story.window().actions().saveSessionAs->trigger();
        Messages* messages = story.session().messages();
        messages->post(Severity::Error, QStringLiteral("No sound."));
        messages->post(Severity::Error, QStringLiteral("demo: CUDA out of memory."), {}, {}, {kBeyondSession}); // a run goes on
        story.window().sessionActions()->openSession(story.answers().file);
        QCOMPARE(messages->count(Severity::Error), 1);
        messages->settle(kBeyondSession);
        messages->post(Severity::Error, QStringLiteral("No sound."));
        story.window().actions().openDemo->trigger();
        QCOMPARE(messages->count(Severity::Error), 0);
    }

    void aRecordingTooLongForTheModelOffersAPart() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("long", 62), Story::model()}));
        QCOMPARE(story.result()->state, AnalysisResult::State::Failed);
        QCOMPARE(story.result()->code, QStringLiteral("model.tooLong"));
        Banner* banner = story.part<MatrixPanel>()->banner();
        QVERIFY(banner->isVisible());
        story.window().analyse()->axis()->setSelection(widgets::TimeSpan{Seconds(10), Seconds(14)});
        const auto buttons = banner->findChildren<QPushButton*>();
        const auto offer = std::find_if(buttons.begin(), buttons.end(), [](const QPushButton* button) {
            return button->text().startsWith(QLatin1String("Analyse the selection"));
        });
        QVERIFY(offer != buttons.end());
        (*offer)->click();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        QCOMPARE(story.result()->state, AnalysisResult::State::Ready);
        QCOMPARE(story.result()->readyLayers(), 8);
        QVERIFY(!banner->isVisible());
        // Its tokens stand where the part stands, not at the start.
        QVERIFY(story.result()->clock.centre(Tokens(0)).value() >= 10);
        QVERIFY(story.result()->clock.centre(story.result()->tokens - Tokens(1)).value() < 14);
    }

    void aPartIsOfferedWhereTheCursorIsNow() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("long", 130), Story::model()}));
        widgets::TimeAxis* axis = story.window().analyse()->axis();
        const auto buttonOf = [&](QWidget* place) {
            for (QPushButton* button : place->findChildren<QPushButton*>())
                if (button->isVisible() && button->text().startsWith(QLatin1String("Analyse")))
                    return button;
            return static_cast<QPushButton*>(nullptr);
        };
        Banner* banner = story.part<MatrixPanel>()->banner();
        axis->setCursor(Seconds(20));
        QPushButton* offer = buttonOf(banner);
        QVERIFY(offer);
        QCOMPARE(offer->text(), QStringLiteral("Analyse 60.02\u202Fs from the cursor"));
        offer->click();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        const auto part = [&] { return story.session().currentUtterance()->part; };
        QCOMPARE(part()->start.value(), 20.0);
        QCOMPARE(story.result()->readyLayers(), 8);

        QWidget* row = story.part<MatrixPanel>()->rowProfile();
        QVERIFY(!buttonOf(row)); // the cursor is at the start of the part
        axis->setCursor(Seconds(100));
        QVERIFY(buttonOf(row));
        QCOMPARE(buttonOf(row)->text(), QStringLiteral("Analyse the last 60.02\u202Fs"));
        buttonOf(row)->click();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        QCOMPARE(part()->end.value(), axis->extent().value());
        QVERIFY(part()->start < Seconds(100));
        QVERIFY(!buttonOf(row));
    }

    void aSessionIsFoundAgainWithItsWindows() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.session().setCurrentLayer(3);
        story.session().drafts()->setWindow({story.session().currentModelId()}, {3, 17});
        story.answers().file = story.path("kept.headroom");
        QVERIFY(story.window().sessionActions()->save());
        story.session().clear();
        QVERIFY(story.quiet());
        QVERIFY(story.window().analyse()->startPage()->isVisible());
        story.window().sessionActions()->openSession(story.path("kept.headroom"));
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        QCOMPARE(story.session().currentLayer(), 3);
        QCOMPARE(story.session().drafts()->window({story.session().currentModelId()}, 3), std::optional<int>(17));
        QCOMPARE(story.result()->readyLayers(), 8);
    }
};

HEADROOM_TEST(OpenStory)

} // namespace headroom::testing::open_test

#include "open_test.moc"
