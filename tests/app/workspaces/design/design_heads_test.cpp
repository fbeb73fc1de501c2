// SPDX-License-Identifier: GPL-3.0-or-later
// Heads in Design: edited in the grid, with keys and as text.
#include "app/parts/action_button.h"
#include "app/workspaces/design/design_actions.h"
#include "app/workspaces/design/heads_text_field.h"
#include "core/architecture/costs.h"
#include "tests/app/workspaces/design/analysed_design.h"
#include "tests/support/runner.h"
#include "widgets/layer_editor/heads_field.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QTest>

namespace headroom::testing::design_heads_test {

using namespace headroom::app;

class DesignHeadsTest : public QObject, AnalysedDesign {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }
    void init() { begin(); }
    void cleanup() { closeAll(); }
    void theFirstLetterOfAKindTypesIt();
    void leavingAFieldTakesWhatEnterWould();
    void headsThatAreNotSeenAreNotEdited();
    void headsAreRelaxedAndBack();
    void relaxedConvGroupsStayApart();
    void theTextIsTheGrid();
    void headsOfAPresetOfAnotherShapeAreNotOffered();
    void bracketsAreOneStepWhileTheyFollow();
};

void DesignHeadsTest::theFirstLetterOfAKindTypesIt() {
    openBoth();
    int keys = 0;
    const QStringList kinds = QStringLiteral("full local block conv masked reuse").split(QLatin1Char(' '));
    for (const ActionButton* chip : m_design->findChildren<ActionButton*>()) {
        if (!kinds.contains(chip->text()) || !++keys)
            continue;
        const QString key = chip->text().left(1);
        QVERIFY2(chip->keyText().isEmpty(), qPrintable(chip->keyText())); // a cap would say that the key alone does what the button does
        m_design->editor()->selectHeads(3, 1, 4);
        QVERIFY(m_design->findChild<QAction*>(QStringLiteral("copyHeads"))->isEnabled());
        QTest::keyClicks(m_design->editor()->viewport(), key.toLower());
        QTest::keyClick(m_design->editor()->findChild<widgets::HeadsField*>(), Qt::Key_Return);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        const QString typed = heads(3);
        QVERIFY2(m_design->drafts()->grid(m_design->drafts()->current()).mistakes().empty(), qPrintable(typed));
        QVERIFY2(typed.contains(chip->text()), qPrintable(key + QStringLiteral(": ") + typed));
        m_design->drafts()->write(m_design->drafts()->current(), {{3, 1, 4, QStringLiteral("full")}});
    }
    QCOMPARE(keys, 6);
}

/// The key opens a field with the beginning of a kind; a click elsewhere once wrote that beginning into every head.
void DesignHeadsTest::leavingAFieldTakesWhatEnterWould() {
    openBoth();
    m_design->editor()->selectHeads(3, 1, 4);
    m_design->editor()->setFocus();
    QTest::keyClicks(m_design->editor()->viewport(), QStringLiteral("l"));
    const QModelIndex elsewhere = m_design->editor()->gridModel()->index(
        widgets::LayerEditorModel::rowOf(5), widgets::LayerEditorModel::columnOf(1));
    QTest::mouseClick(m_design->editor()->viewport(), Qt::LeftButton, {},
                      m_design->editor()->visualRect(elsewhere).center());
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(m_design->drafts()->grid(m_design->drafts()->current()).mistakes().empty());
    QVERIFY2(heads(3).startsWith(QStringLiteral("4 local ")), qPrintable(heads(3)));
}

/// From the menu in Analyse, an edit came into heads that had been selected in another model's draft.
void DesignHeadsTest::headsThatAreNotSeenAreNotEdited() {
    openBoth();
    const DesignActions& a = m_design->actions();
    const QList<QAction*> edits{a.setFull, a.setLocal, a.setBlock, a.setConv, a.setMasked, a.setReuse, a.setRelaxed, a.narrower, a.wider};
    m_design->editor()->selectHeads(4, 1, 2);
    QVERIFY(a.setLocal->isEnabled());
    m_design->hide(); // another workspace is shown
    for (const QAction* edit : edits) {
        QVERIFY2(!edit->isEnabled(), qPrintable(edit->text()));
        QCOMPARE(edit->toolTip(), QStringLiteral("Select heads in the grid of Design first."));
    }
    m_design->show();
    QVERIFY(a.setLocal->isEnabled());
    a.showText->trigger(); // where the grid is not seen either
    QVERIFY(!a.setLocal->isEnabled() && !a.narrower->isEnabled());
    a.showGrid->trigger();
    QVERIFY(a.setLocal->isEnabled());
}

void DesignHeadsTest::headsAreRelaxedAndBack() {
    openBoth();
    m_design->editor()->selectHeads(3, 1, 2);
    m_design->actions().setRelaxed->trigger();
    QCOMPARE(heads(3), QStringLiteral("2 full relaxed 0.01 + 2 full"));
    m_design->editor()->selectHeads(3, 1, 4); // not all are: the rest follows
    m_design->actions().setRelaxed->trigger();
    QCOMPARE(heads(3), QStringLiteral("4 full relaxed 0.01"));
    m_design->actions().setRelaxed->trigger();
    QCOMPARE(heads(3), QStringLiteral("4 full"));
    QCOMPARE(m_session->undoStack()->count(), 3);
}

/// Two groups of conv heads have two convolutions each, four heads of one group share theirs: another model.
void DesignHeadsTest::relaxedConvGroupsStayApart() {
    openBoth();
    const auto written = [&](const char* text) {
        m_design->editor()->selectHeads(3, 1, 4);
        m_design->editor()->writeSelected(QString::fromLatin1(text));
        return heads(3);
    };
    const auto parameters = [&] { return parameterCosts(m_session->drafts()->architecture(m_session->drafts()->current())).parameters; };
    (void)written("4 conv 5/2");
    const auto shared = parameters();
    QCOMPARE(written("2 conv 5/2 + 2 conv 5/2"), QStringLiteral("2 conv 5/2 + 2 conv 5/2"));
    const auto apart = parameters();
    QVERIFY(apart != shared);
    m_design->editor()->selectHeads(3, 1, 4);
    m_design->actions().setRelaxed->trigger();
    QCOMPARE(heads(3), QStringLiteral("2 conv 5/2 relaxed 0.01 + 2 conv 5/2 relaxed 0.01"));
    QCOMPARE(parameters(), apart);
    m_design->actions().setRelaxed->trigger();
    QCOMPARE(heads(3), QStringLiteral("2 conv 5/2 + 2 conv 5/2"));
    m_design->editor()->selectHeads(3, 2, 3); // of each group one head, which is then a group of its own
    m_design->actions().setRelaxed->trigger();
    QCOMPARE(heads(3), QStringLiteral("1 conv 5/2 + 1 conv 5/2 relaxed 0.01 + 1 conv 5/2 relaxed 0.01 + 1 conv 5/2"));
    QCOMPARE(written("2 full + 2 full"), QStringLiteral("2 full + 2 full"));
    m_design->actions().setRelaxed->trigger(); // the same model either way
    QCOMPARE(heads(3), QStringLiteral("4 full relaxed 0.01"));
}

void DesignHeadsTest::theTextIsTheGrid() {
    openBoth();
    m_design->actions().showText->trigger();
    HeadsTextField* text = m_design->headsText();
    QVERIFY(text->toPlainText().startsWith(QStringLiteral(" 1  4 full\n 2  4 full\n")));
    QTextCursor cursor(text->document());
    cursor.setPosition(0);
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    cursor.insertText(QStringLiteral("1 2 local 9 + 2 full"));
    text->apply();
    QCOMPARE(heads(1), QStringLiteral("2 local 9 + 2 full"));
    QCOMPARE(m_session->undoStack()->count(), 1);
    m_session->undoStack()->undo();
    QVERIFY(text->toPlainText().startsWith(QStringLiteral(" 1  4 full\n")));
    // Ctrl+Enter applies, too, and a line with a mistake is underlined.
    cursor.setPosition(0);
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    cursor.insertText(QStringLiteral("1 4 local 13x"));
    QVERIFY(text->extraSelections().isEmpty());
    QTest::keyClick(text, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(text->extraSelections().size(), 1);
    QCOMPARE(text->extraSelections().front().cursor.blockNumber(), 0);
    m_session->undoStack()->undo();
    QVERIFY(text->extraSelections().isEmpty());
    cursor.setPosition(0);
    cursor.insertText(QStringLiteral("what\n"));
    text->apply();
    QCOMPARE(m_session->undoStack()->index(), 0);
    QVERIFY(m_session->messages()->at(0).sentence.contains(QStringLiteral("Layer 1 has two lines, “what” and “1 4 full”")));
}

void DesignHeadsTest::headsOfAPresetOfAnotherShapeAreNotOffered() {
    m_design->startFrom(0);
    const QString own = heads(5);
    m_design->putHeads(1);
    QVERIFY(heads(5) != own); // twelve layers both
    QCOMPARE(m_session->undoStack()->count(), 1);
}

void DesignHeadsTest::bracketsAreOneStepWhileTheyFollow() {
    m_design->startFrom(1);
    m_design->editor()->selectHeads(12, 1, 4);
    const QString before = heads(12);
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(m_design->editor(), Qt::Key_BracketRight);
    QVERIFY(heads(12) != before);
    QCOMPARE(m_session->undoStack()->count(), 1);
    m_session->undoStack()->undo();
    QCOMPARE(heads(12), before);
}

HEADROOM_TEST(DesignHeadsTest)

} // namespace headroom::testing::design_heads_test

#include "design_heads_test.moc"
