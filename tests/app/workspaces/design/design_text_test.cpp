// SPDX-License-Identifier: GPL-3.0-or-later
// The heads as text in the workspace: what belongs to which architecture, and where mistakes are.
#include "app/documents/drafts/drafts.h"
#include "app/workspaces/design/design_actions.h"
#include "app/workspaces/design/difference_panel.h"
#include "app/workspaces/design/gamma_field.h"
#include "app/workspaces/design/heads_text_field.h"
#include "tests/app/workspaces/design/design_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QTest>
#include <QUndoStack>

namespace headroom::testing::design_text_test {

using namespace headroom::app;

namespace {

/// Shows the text and waits until it has the focus; null: it never got it.
HeadsTextField* focusedText(DesignDesk& desk) {
    desk.design.actions().showText->trigger();
    desk.design.show();
    desk.design.activateWindow();
    HeadsTextField* text = desk.design.headsText();
    text->setFocus();
    return QTest::qWaitFor([text] { return text->hasFocus(); }, 60000) ? text : nullptr;
}

} // namespace

class DesignTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void theStatusBarSpeaksOfTheTextWhereItIsShown() {
        DesignDesk desk;
        desk.design.startFrom(0);
        desk.design.editor()->selectHeads(2, 1, 1);
        QVERIFY2(desk.design.statusText().contains(QStringLiteral("selected")),
                 qPrintable(desk.design.statusText()));
        desk.design.actions().showText->trigger();
        QVERIFY2(
            desk.design.statusText().endsWith(QStringLiteral("A line is a layer: its number and its heads.")),
            qPrintable(desk.design.statusText()));
    }

    /// Its arrows changed the heads that are selected in the grid, which is not in sight then.
    void theNumberOfRelaxationIsOffWhereTheTextIsShown() {
        DesignDesk desk;
        desk.design.startFrom(0);
        desk.design.show();
        const auto* gamma = desk.design.findChild<GammaField*>();
        QVERIFY(gamma->isEnabled());
        desk.design.actions().showText->trigger();
        QVERIFY(!gamma->isEnabled());
        desk.design.actions().showGrid->trigger();
        QVERIFY(gamma->isEnabled());
    }

    void nextMistakeGoesToItsLineWhereTheTextIsShown() {
        DesignDesk desk;
        desk.design.startFrom(0);
        Drafts* drafts = desk.session.drafts();
        drafts->write(drafts->current(), {{3, 1, 1, QStringLiteral("local 20")}, {5, 1, 1, QStringLiteral("local 20")}});
        desk.design.actions().showText->trigger();
        const HeadsTextField* text = desk.design.headsText();
        for (const int layer : {3, 5, 3}) {
            desk.design.actions().nextMistake->trigger();
            QCOMPARE(text->currentLayer(), layer);
            QVERIFY2(text->hint().startsWith(QStringLiteral("Layer %1: ").arg(layer)), qPrintable(text->hint()));
            QCOMPARE(desk.design.differencePanel()->content().currentLayer, layer);
        }
        Q_EMIT desk.design.differencePanel()->layerChosen(8);
        QCOMPARE(text->currentLayer(), 8);
    }

    /// The numbers of the layers were taken for numbers of heads, and the cross-attention for a layer.
    void allRowsGoFromOneViewToTheOther() {
        DesignDesk desk;
        desk.design.startFrom(0);
        Drafts* drafts = desk.session.drafts();
        const DraftKey key = drafts->current();
        drafts->write(key, {{2, 1, 4, QStringLiteral("local 13")}, {3, 1, 1, QStringLiteral("local 9")}});
        QVERIFY(drafts->grid(key).has(kCrossAttention));
        const HeadGrid before = drafts->grid(key);
        const auto change = [&] {
            drafts->write(key, {{2, 1, 4, QStringLiteral("full")}, {kCrossAttention, 1, 4, QStringLiteral("full relaxed 0.1")}});
            QVERIFY(!(drafts->grid(key) == before));
        };
        HeadsTextField* text = desk.design.headsText();
        widgets::LayerEditor* editor = desk.design.editor();
        text->selectAll();
        text->copy();
        change();
        editor->selectHeads(1, 1, 1);
        editor->paste();
        QVERIFY(drafts->grid(key) == before);
        QCOMPARE(desk.session.messages()->rowCount(), 0);

        editor->selectAll();
        editor->copy();
        drafts->write(key, {{2, 1, 4, QStringLiteral("full")}});
        text->selectAll();
        text->paste();
        text->apply();
        QVERIFY(drafts->grid(key) == before);
        QCOMPARE(desk.session.messages()->rowCount(), 0);
    }

    /// Where the grid was shown already, the key left the focus in the list of presets.
    void theKeysOfTheViewsPutTheFocusIntoThem() {
        DesignDesk desk;
        desk.design.startFrom(0);
        desk.design.show();
        desk.design.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&desk.design));
        for (QAction* view : {desk.design.actions().showGrid, desk.design.actions().showGrid, desk.design.actions().showText,
                              desk.design.actions().showText, desk.design.actions().showGrid}) {
            desk.design.fullAboveField()->setFocus();
            QVERIFY(desk.design.fullAboveField()->hasFocus());
            view->trigger();
            QVERIFY(view == desk.design.actions().showGrid ? desk.design.editor()->hasFocus() : desk.design.headsText()->hasFocus());
        }
        QCOMPARE(desk.design.editor()->selectionText(), QStringLiteral("Layer 1, head 1"));
    }

    /// What was wrong with the text was told of after it was corrected and applied.
    void aMistakeOfTheTextIsToldOfUntilItIsCorrected() {
        DesignDesk desk;
        desk.design.startFrom(0);
        desk.design.actions().showText->trigger();
        HeadsTextField* text = desk.design.headsText();
        const auto apply = [&](const QString& line) {
            text->selectAll();
            text->insertPlainText(line);
            text->apply();
        };
        const Messages* messages = desk.session.messages();
        apply(QStringLiteral("99 4 full"));
        QCOMPARE(messages->count(Severity::Warning), 1);
        apply(QStringLiteral("98 4 full"));
        QCOMPARE(messages->count(Severity::Warning), 1);
        QVERIFY2(messages->at(0).sentence.contains(QStringLiteral("98 4 full")), qPrintable(messages->at(0).sentence));
        apply(QStringLiteral("2 4 local 5"));
        QCOMPARE(messages->count(Severity::Warning), 0);
        QCOMPARE(QString::fromStdString(toText(desk.session.drafts()->heads(desk.session.drafts()->current(), 2))), QStringLiteral("4 local 5"));
    }

    /// Two steps take it back: the text's own, then the architecture's, which found the text modified and left the mark.
    void aLineThatIsTakenBackIsNotUnderlined() {
        DesignDesk desk;
        desk.design.startFrom(0);
        HeadsTextField* text = focusedText(desk);
        QVERIFY(text);
        const QString before = text->toPlainText();
        text->goToLayer(7);
        QTest::keyClicks(text, QStringLiteral("x"));
        text->apply();
        QCOMPARE(text->extraSelections().size(), 1);
        QCOMPARE(text->extraSelections().front().cursor.blockNumber(), 6);
        text->undo();
        QCOMPARE(text->toPlainText(), before);
        QVERIFY(text->document()->isModified());
        QCOMPARE(text->extraSelections().size(), 1); // not applied yet
        desk.session.undoStack()->undo();
        QCOMPARE(text->toPlainText(), before);
        QVERIFY(text->extraSelections().isEmpty());
        QVERIFY(!text->document()->isModified());
    }

    /// Other lines may be typed meanwhile: they stay, and what is underlined follows the architecture.
    void linesAreMarkedAnewWhileOthersAreTyped() {
        DesignDesk desk;
        desk.design.startFrom(0);
        Drafts* drafts = desk.session.drafts();
        HeadsTextField* text = focusedText(desk);
        QVERIFY(text);
        text->moveCursor(QTextCursor::Start);
        text->insertPlainText(QStringLiteral("\n")); // each layer is a line lower than its place
        drafts->write(drafts->current(), {{5, 1, 1, QStringLiteral("local 20")}});
        QVERIFY(text->document()->isModified());
        QCOMPARE(text->extraSelections().size(), 1);
        QCOMPARE(text->extraSelections().front().cursor.blockNumber(), 5);
        desk.session.undoStack()->undo();
        QVERIFY(text->document()->isModified());
        QVERIFY(text->toPlainText().startsWith(u'\n'));
        QVERIFY(text->extraSelections().isEmpty());
    }

    /// By whatever another architecture becomes the current one: the text may keep the focus.
    void whatIsTypedBelongsToTheArchitectureThatItWasTypedInto() {
        DesignDesk desk;
        Drafts* drafts = desk.session.drafts();
        desk.design.startFrom(0);
        const DraftKey other = drafts->current();
        desk.design.startFrom(0);
        const DraftKey mine = drafts->current();
        HeadsTextField* text = focusedText(desk);
        QVERIFY(text);
        text->selectAll();
        QTest::keyClicks(text, QStringLiteral("4 4 local 55"));
        drafts->setCurrent(other);
        QVERIFY(text->toPlainText().count(u'\n') > 0); // that of the other
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(toText(drafts->heads(mine, 4))), QStringLiteral("4 local 55"), 60000);
        QTest::keyClick(text, Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(!drafts->isEdited(other));
        QVERIFY(drafts->current() == other);
    }
};

HEADROOM_TEST(DesignTextTest)

} // namespace headroom::testing::design_text_test

#include "design_text_test.moc"
