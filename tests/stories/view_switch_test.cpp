// SPDX-License-Identifier: GPL-3.0-or-later
// Encoder | Words | Decoder: what stands under the sound.
#include "app/parts/actions.h"
#include "app/parts/number_text.h"
#include "app/window/find_action.h"
#include "app/window/main_window.h"
#include "app/window/segmented_control.h"
#include "app/window/tool_bar.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/map/read_out_panel.h"
#include "app/workspaces/analyse/words/words_panel.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/text_map/text_map_view.h"

#include <QAction>
#include <QComboBox>
#include <QTest>

namespace headroom::testing::view_switch_test {

using namespace headroom::app;
using headroom::testing::Story;

namespace {

const QString kDemo = QStringLiteral(HEADROOM_SOURCE_DIR "/resources/demo/");

SegmentedControl* switchOf(Story& story) {
    for (auto* one : story.window().findChildren<SegmentedControl*>())
        if (one->accessibleName() == QStringLiteral("Shown under the sound"))
            return one;
    return nullptr;
}

/// "EWD" with those that are not checked as a dot.
QString checked(Story& story) {
    const Actions& a = story.window().actions();
    return QString(a.encoderView->isChecked() ? 'E' : '.') + (a.words->isChecked() ? 'W' : '.') +
           (a.decoderView->isChecked() ? 'D' : '.');
}

} // namespace

class ViewSwitchStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theKeyboardGoesThroughTheSwitch() {
        Story story;
        QVERIFY2(story.openAndWait({kDemo + "demo.wav", Story::model()}), qPrintable(story.messages()));
        SegmentedControl* segments = switchOf(story);
        QVERIFY(segments && segments->isVisible() && (segments->focusPolicy() & Qt::TabFocus));
        const auto* panel = story.part<WordsPanel>();
        QCOMPARE(checked(story), QStringLiteral("E.."));
        segments->setFocus();
        QTest::keyClick(segments, Qt::Key_Right);
        QVERIFY(story.quiet());
        QCOMPARE(checked(story), QStringLiteral(".W."));
        QVERIFY(panel->isVisible() && !panel->isSelf());
        segments->setFocus();
        QTest::keyClick(segments, Qt::Key_Right);
        QVERIFY(story.quiet());
        QCOMPARE(checked(story), QStringLiteral("..D"));
        QVERIFY(panel->isVisible() && panel->isSelf());
        QVERIFY2(panel->map()->accessibleName().contains(QStringLiteral("elf-attention")),
                 qPrintable(panel->map()->accessibleName()));
        segments->setFocus();
        QTest::keyClick(segments, Qt::Key_Left);
        QCOMPARE(checked(story), QStringLiteral(".W."));
        segments->setFocus();
        QTest::keyClick(segments, Qt::Key_Left);
        QCOMPARE(checked(story), QStringLiteral("E.."));
        QVERIFY(!panel->isVisible());
    }

    /// Words and back lost the second map and what had been chosen for it.
    void theSecondMapComesBackAsItWas() {
        Story story;
        QVERIFY2(story.openAndWait({kDemo + "demo.wav", Story::model()}), qPrintable(story.messages()));
        const Actions& a = story.window().actions();
        const Comparison* comparison = story.window().analyse()->comparison();
        story.window().analyse()->comparison()->compareLayer(story.session().currentModelId(), 2);
        QVERIFY(story.quiet());
        QVERIFY(a.compare->isChecked());
        for (QAction* back : {a.words, a.encoderView, a.compare}) { // T again, the switch, C
            a.words->trigger();
            QVERIFY(story.quiet());
            QVERIFY(!a.compare->isChecked() && story.part<WordsPanel>()->isVisible());
            a.decoderView->trigger();
            a.words->trigger();
            back->trigger();
            QVERIFY(story.quiet());
            QVERIFY(a.compare->isChecked() && !story.part<WordsPanel>()->isVisible());
            QVERIFY(comparison->side() && comparison->fixedLayer() == 2);
            QCOMPARE(checked(story), QStringLiteral("E.."));
        }
    }

    /// With B in A's place, the read-out went on with A and did not say so.
    void theReadOutFollowsTheMapThatIsShown() {
        Story story;
        QVERIFY2(story.openAndWait({kDemo + "demo.wav", Story::model()}), qPrintable(story.messages()));
        const Actions& a = story.window().actions();
        const auto* panel = story.part<ReadOutPanel>();
        widgets::TimeAxis* axis = story.window().analyse()->axis();
        axis->setCursor(Seconds(1.2));
        axis->setPointer(Seconds(1.4));
        const auto said = [&](const char* label) {
            for (const ReadOutLine& line : panel->lines())
                if (line.label == QString::fromUtf8(label))
                    return line.value;
            return QString();
        };
        const auto valueOf = [&](int layer) {
            const AnalysisResult& result = *story.result();
            const auto tokenAt = [&](double seconds) { return std::size_t(result.clock.tokenAt(Seconds(seconds), result.tokens).value()); };
            return result.layer(layer)->contributions->level(0).row(tokenAt(1.2))[tokenAt(1.4)];
        };
        story.session().setCurrentLayer(4);
        QVERIFY(story.quiet());
        const QString first = decimals(valueOf(4), 4), second = decimals(valueOf(2), 4);
        QVERIFY(first != second);
        QCOMPARE(said("Contribution"), first);
        story.window().analyse()->comparison()->compareLayer(story.session().currentModelId(), 2);
        QVERIFY(story.quiet());
        QCOMPARE(said("Contribution, A"), first);
        QCOMPARE(said("Contribution, B"), second);
        a.blink->setChecked(true);
        QCOMPARE(said("Contribution, B"), second);
        QVERIFY(!said("Rank in row, B").isEmpty() && !said("Layer 2 sees").isEmpty());
        QVERIFY(said("Contribution, A").isEmpty());
        a.blink->setChecked(false);
        QCOMPARE(said("Contribution, A"), first);
        a.difference->setChecked(true);
        QCOMPARE(said("A − B"), decimals(valueOf(4) - valueOf(2), 4));
        QVERIFY(said("Contribution, B").isEmpty());
        a.compare->setChecked(false);
        QVERIFY(story.quiet());
        QCOMPARE(said("Contribution"), first);
    }

    /// The decoder was fed the text of the whole recording, and its times were compared with places that it had not heard.
    void aSelectionIsGivenItsOwnWords() {
        Story story;
        QVERIFY2(story.openAndWait({kDemo + "demo.wav", Story::model()}), qPrintable(story.messages()));
        story.session().setPart(story.session().currentUtteranceId(), Part{Seconds(1.2), Seconds(2.35)});
        QVERIFY(story.quiet());
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        auto* panel = story.part<WordsPanel>();
        panel->textField()->setCurrentIndex(1); // as given
        Q_EMIT panel->textField()->activated(1);
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        QCOMPARE(panel->text(), QStringLiteral("pictures in the forest"));
        QVERIFY2(panel->note()->sentence().contains(QStringLiteral("(4 words)")), qPrintable(panel->note()->sentence()));
        for (const widgets::TextWord& word : panel->map()->words())
            QVERIFY2(word.reference && word.reference->start.value() >= 1.2, qPrintable(word.label));
    }

    void whereThereIsNoRoomForWordsItHasIcons() {
        Story story;
        QVERIFY2(story.openAndWait({kDemo + "demo.wav", Story::model()}), qPrintable(story.messages()));
        MainWindow& window = story.window();
        const auto* bar = window.findChild<ToolBar*>();
        SegmentedControl* segments = switchOf(story);
        for (const auto& [width, form] : {std::pair{1280, SegmentedControl::Form::Icons},
                                          {1600, SegmentedControl::Form::Words},
                                          {1280, SegmentedControl::Form::Icons}}) {
            window.resize(width, 720);
            QTRY_VERIFY(segments->form() == form);
            QVERIFY(story.quiet());
            QTRY_VERIFY(bar->findField()->isVisible()); // not behind the arrow at the end
            QCOMPARE(bar->width(), width);
        }
        QTest::mouseClick(segments, Qt::LeftButton, {}, {segments->width() - 5, segments->height() / 2});
        QCOMPARE(checked(story), QStringLiteral("..D"));
    }

    void theFieldAndTheComparisonMoveIt() {
        Story story;
        QVERIFY2(story.openAndWait({kDemo + "demo.wav", Story::model()}), qPrintable(story.messages()));
        const Actions& a = story.window().actions();
        a.words->trigger();
        QVERIFY(story.quiet());
        QComboBox* block = story.part<WordsPanel>()->blockField();
        block->setCurrentIndex(1);
        Q_EMIT block->activated(1);
        QCOMPARE(checked(story), QStringLiteral("..D"));
        a.compare->trigger();
        QCOMPARE(checked(story), QStringLiteral("E.."));
        a.decoderView->trigger();
        QCOMPARE(checked(story), QStringLiteral("..D"));
        QVERIFY(!a.compare->isChecked());
        a.decoderView->trigger(); // its key a second time
        QCOMPARE(checked(story), QStringLiteral("E.."));
        a.encoderView->trigger(); // what is there already stays
        QCOMPARE(checked(story), QStringLiteral("E.."));
    }

    void aSessionKeepsIt() {
        Story story;
        QVERIFY2(story.openAndWait({kDemo + "demo.wav", Story::model()}), qPrintable(story.messages()));
        const Actions& a = story.window().actions();
        for (const auto& [view, expected] :
             {std::pair{a.decoderView, "..D"}, {a.words, ".W."}, {a.encoderView, "E.."}}) {
            view->trigger();
            QVERIFY(story.quiet());
            const nlohmann::json saved = story.window().analyse()->viewState();
            (view == a.words ? a.decoderView : a.words)->trigger(); // another one
            QVERIFY(story.quiet());
            story.window().analyse()->restoreView(saved);
            QVERIFY(story.quiet());
            QCOMPARE(checked(story), QLatin1String(expected));
            QCOMPARE(story.part<WordsPanel>()->isVisible(), view != a.encoderView);
        }
    }

    void aNewSessionBeginsWithAViewOfItsOwn() {
        Story story;
        AnalyseWorkspace* analyse = story.window().analyse();
        const nlohmann::json fresh = analyse->viewState();
        QVERIFY2(story.openAndWait({kDemo + "demo.wav", Story::model()}), qPrintable(story.messages()));
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        auto* panel = story.part<WordsPanel>();
        for (const auto& [field, item] : {std::pair{panel->headField(), 3}, {panel->layerField(), 0}}) {
            field->setCurrentIndex(item);
            Q_EMIT field->activated(item);
        }
        QVERIFY(panel->choice() != WordsChoice());
        story.part<MatrixPanel>()->setColourMap(widgets::ColourMap::Name::Grey);
        story.part<MatrixPanel>()->setGamma(0.25);
        for (QAction* one : {story.window().actions().hideDiagonal, story.window().actions().equalAxes})
            one->toggle();
        story.session().clear();
        QVERIFY(story.quiet());
        const nlohmann::json now = analyse->viewState();
        QVERIFY2(now == fresh, qPrintable(QString::fromStdString(nlohmann::json::diff(fresh, now).dump())));
    }

    void aModelWithoutADecoderSaysSo() {
        Story story;
        const Actions& a = story.window().actions();
        QVERIFY(!a.decoderView->isEnabled() && !a.decoderView->toolTip().isEmpty()); // nothing is open
        const QString model = QStringLiteral(HEADROOM_SOURCE_DIR "/tests/data/parity/encoders/wav2vec2");
        QVERIFY2(story.openAndWait({kDemo + "demo.wav", model}), qPrintable(story.messages()));
        QVERIFY(!a.decoderView->isEnabled());
        QVERIFY2(a.decoderView->toolTip().endsWith(QStringLiteral("has no decoder.")),
                 qPrintable(a.decoderView->toolTip()));
        QVERIFY(a.words->isEnabled()); // by its CTC output
        a.words->trigger();
        QVERIFY(story.quiet());
        SegmentedControl* segments = switchOf(story);
        segments->setFocus();
        QTest::keyClick(segments, Qt::Key_Right); // there is nothing that could be chosen
        QCOMPARE(checked(story), QStringLiteral(".W."));
    }
};

HEADROOM_TEST(ViewSwitchStory)

} // namespace headroom::testing::view_switch_test

#include "view_switch_test.moc"
