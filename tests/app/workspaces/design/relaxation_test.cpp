// SPDX-License-Identifier: GPL-3.0-or-later
// γ of the selected heads, and the cross-attention of a decoder, which is relaxed as they are.
#include "app/workspaces/design/design_actions.h"
#include "app/workspaces/design/difference.h"
#include "app/workspaces/design/heads_text_field.h"
#include "tests/app/workspaces/design/analysed_design.h"
#include "tests/support/runner.h"
#include "tests/support/typed_number.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QUndoStack>

namespace headroom::testing::relaxation_test {

using namespace headroom::app;

class RelaxationTest : public QObject, AnalysedDesign {
    Q_OBJECT

    QDoubleSpinBox* gamma() const {
        for (auto* field : m_design->findChildren<QDoubleSpinBox*>())
            if (field->accessibleName() == QStringLiteral("Relaxation γ"))
                return field;
        return nullptr;
    }
    Architecture now() const { return m_design->drafts()->architecture(m_design->drafts()->current()); }
    QString cross() const { return QString::fromStdString(toText(now().decoder->crossAttention)); }
    QPoint decoderRow() const {
        const auto* editor = m_design->editor();
        return editor->visualRect(editor->gridModel()->index(editor->gridModel()->decoderRow(), widgets::LayerEditorModel::FirstHead)).center();
    }

    void typeCross(const QString& line) {
        HeadsTextField* text = m_design->headsText();
        text->moveCursor(QTextCursor::End);
        text->moveCursor(QTextCursor::StartOfBlock, QTextCursor::KeepAnchor);
        QTest::keyClicks(text, line);
        text->apply();
    }

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }
    void init() { begin(); }
    void cleanup() { closeAll(); }

    /// The draft may change while γ is typed; it is of the same heads.
    void gammaIsTypedDigitByDigit() {
        showPreset("relaxed-mt-self-matched.json");
        m_design->editor()->selectHeads(2, 1, 4);
        QCOMPARE(typedNumber(gamma(), QStringLiteral("0.125")), QStringLiteral("0.125"));
        QCOMPARE(heads(2), QStringLiteral("4 full relaxed 0.125 matched"));
    }

    /// The first press gave them the γ of the field, which was another, and only the second removed it.
    void onRelaxedHeadsTheButtonRemovesTheRelaxation() {
        showPreset("relaxed-mt-self-matched.json");
        m_design->editor()->selectHeads(2, 1, 4);
        QCOMPARE(gamma()->value(), 0.05); // theirs
        m_design->actions().setRelaxed->trigger();
        QCOMPARE(heads(2), QStringLiteral("4 full"));
        m_design->actions().setRelaxed->trigger();
        QCOMPARE(heads(2), QStringLiteral("4 full relaxed 0.05"));
    }

    void theFieldChangesTheGammaOfRelaxedHeads() {
        showPreset("relaxed-mt-self-matched.json");
        m_design->editor()->selectHeads(2, 1, 2);
        gamma()->selectAll();
        QTest::keyClicks(gamma(), QStringLiteral("0.25"));
        QCOMPARE(heads(2), QStringLiteral("4 full relaxed 0.05 matched")); // half typed
        QTest::keyClick(gamma(), Qt::Key_Return);
        QCOMPARE(heads(2), QStringLiteral("2 full relaxed 0.25 matched + 2 full relaxed 0.05 matched"));
        m_design->editor()->selectHeads(3, 1, 1);
        gamma()->selectAll();
        QTest::keyClicks(gamma(), QStringLiteral("0.1"));
        m_design->actions().setRelaxed->trigger(); // takes what is typed, and does not remove it
        QCOMPARE(heads(3), QStringLiteral("1 full relaxed 0.1 matched + 3 full relaxed 0.05 matched"));
        const int steps = m_session->undoStack()->count();
        showPreset("relaxed-mt-baseline.json"); // nothing is relaxed there
        m_design->editor()->selectHeads(3, 1, 1);
        gamma()->setValue(0.2);
        QCOMPARE(m_session->undoStack()->count(), steps);
    }

    void theCrossAttentionIsRelaxedInItsRow() {
        showPreset("relaxed-mt-baseline.json");
        QCOMPARE(cross(), QStringLiteral("4 full"));
        const auto before = now();
        QTest::mouseClick(m_design->editor()->viewport(), Qt::LeftButton, {}, decoderRow());
        const DesignActions& a = m_design->actions();
        QVERIFY(m_design->editor()->isCrossSelected() && a.setRelaxed->isEnabled());
        QVERIFY(!a.setLocal->isEnabled());
        gamma()->setValue(0.1);
        bool wasDisabled = false; // its button would pass the focus on to the field, which keeps Ctrl+Z for itself
        connect(a.setRelaxed, &QAction::changed, this, [&] { wasDisabled = wasDisabled || !a.setRelaxed->isEnabled(); });
        a.setRelaxed->trigger();
        QVERIFY(!wasDisabled);
        a.setRelaxed->disconnect(this);
        QCOMPARE(cross(), QStringLiteral("4 full relaxed 0.1"));
        QCOMPARE(now().encoder, before.encoder);
        QCOMPARE(app::differenceOf(before, now()).sentence(), QStringLiteral("cross-attention 4 full → 4 full relaxed 0.1"));
        QVERIFY(m_design->drafts()->isEdited(m_design->drafts()->current()));
        gamma()->setValue(0.2);
        QCOMPARE(cross(), QStringLiteral("4 full relaxed 0.2"));
        QVERIFY2(m_session->undoStack()->undoText().startsWith(QStringLiteral("cross-attention of the decoder: 4 full")),
                 qPrintable(m_session->undoStack()->undoText()));
        while (m_session->undoStack()->canUndo())
            m_session->undoStack()->undo();
        QVERIFY(now() == before && !m_design->drafts()->isEdited(m_design->drafts()->current()));
        // With heads selected the row is not meant.
        m_design->editor()->selectAll();
        a.setRelaxed->trigger();
        QCOMPARE(cross(), QStringLiteral("4 full"));
        QVERIFY(heads(1).contains(QStringLiteral("relaxed")));
        a.resetDraft->trigger();
        QVERIFY(now().encoder == before.encoder);
    }

    /// The first heads got the γ of the last ones, which kept theirs.
    void theFieldChangesOnlyTheRelaxedHeadsOfTheCrossAttention() {
        showPreset("relaxed-mt-baseline.json");
        m_design->drafts()->write(m_design->drafts()->current(), {{kCrossAttention, 1, 4, QStringLiteral("1 full + 3 full relaxed 0.1")}});
        m_design->editor()->selectCross();
        QCOMPARE(gamma()->value(), 0.1);
        gamma()->setValue(0.2);
        QCOMPARE(cross(), QStringLiteral("1 full + 3 full relaxed 0.2"));
        m_design->actions().setRelaxed->trigger();
        QCOMPARE(cross(), QStringLiteral("4 full relaxed 0.2"));
        m_design->actions().setRelaxed->trigger();
        QCOMPARE(cross(), QStringLiteral("4 full"));
    }

    void theCrossAttentionIsALineOfTheText() {
        showPreset("relaxed-mt-cross.json");
        m_design->resize(1600, 1200);
        const QString first = cross();
        QTest::mouseDClick(m_design->editor()->viewport(), Qt::LeftButton, {}, decoderRow());
        QVERIFY(m_design->actions().showText->isChecked());
        HeadsTextField* text = m_design->headsText();
        QVERIFY2(text->toPlainText().endsWith(QStringLiteral("\ncross  ") + first), qPrintable(text->toPlainText()));
        QCOMPARE(text->textCursor().blockNumber(), 6);
        QTest::keyClicks(text, QStringLiteral(" matched"));
        text->apply();
        QCOMPARE(cross(), first + QStringLiteral(" matched"));
        m_session->undoStack()->undo();
        QCOMPARE(cross(), first);
        QVERIFY(text->toPlainText().endsWith(first));
        typeCross(QStringLiteral("cross: full"));
        QCOMPARE(cross(), QStringLiteral("4 full"));
        showPreset("wav2vec2-base.json"); // which has no decoder
        QVERIFY(!text->toPlainText().contains(QStringLiteral("cross")));
    }

    /// It was only refused: not underlined, counted nor gone to, and "Enter applies" stayed below the text.
    void aMistakeInTheLineOfTheCrossAttentionIsOneAsInALayer() {
        showPreset("relaxed-mt-cross.json");
        m_design->resize(1600, 1200);
        m_design->actions().showText->setChecked(true);
        const QString first = cross();
        HeadsTextField* text = m_design->headsText();
        const auto counted = [&] {
            const auto* box = m_design->findChild<QWidget*>(QStringLiteral("designMistakes"));
            QString all;
            for (const QLabel* label : box->findChildren<QLabel*>())
                all += label->text();
            return box->isHidden() ? QString() : all;
        };
        struct Wrong {
            const char *typed, *shown, *sentence;
        };
        for (const Wrong& wrong : {Wrong{"cross  4 fullx", "cross  4 fullx", "Cross-attention: There is no kind “fullx”: use full"},
                                   {"cross 4 local 5", "cross  4 local 5", "Cross-attention: Heads of the cross-attention must be full"},
                                   {"Cross-attention: 3 full", "cross  3 full", "Cross-attention: 3 heads are named, but the cross-attention has 4"}}) {
            typeCross(QString::fromLatin1(wrong.typed));
            QVERIFY2(text->toPlainText().endsWith(QStringLiteral("\n") + QString::fromLatin1(wrong.shown)), qPrintable(text->toPlainText()));
            QCOMPARE(text->hint(), QString::fromUtf8(wrong.sentence));
            QCOMPARE(cross(), first); // the last valid one
            QCOMPARE(m_design->drafts()->grid(m_design->drafts()->current()).mistakes().size(), std::size_t(1));
            QCOMPARE(text->extraSelections().size(), 1);
            QCOMPARE(text->extraSelections().front().cursor.selectedText(), QString::fromLatin1(wrong.shown));
            QVERIFY2(counted() == QStringLiteral("<b>1 mistake</b>, in the cross-attention. Costs are those of the last valid heads."), qPrintable(counted()));
            text->moveCursor(QTextCursor::Start);
            QVERIFY(m_design->actions().nextMistake->isEnabled());
            m_design->actions().nextMistake->trigger();
            QCOMPARE(text->textCursor().blockNumber(), 6);
        }
        // It is kept with the session, and comes back on undo.
        m_design->restoreView(m_design->viewState());
        QVERIFY2(text->toPlainText().endsWith(QStringLiteral("\ncross  3 full")), qPrintable(text->toPlainText()));
        typeCross(QStringLiteral("cross ") + first);
        QVERIFY(m_design->drafts()->grid(m_design->drafts()->current()).mistakes().empty() && counted().isEmpty());
        m_session->undoStack()->undo();
        QCOMPARE(text->toPlainText().section(u'\n', -1), QStringLiteral("cross  3 full"));
        // With one in a layer F8 goes round, and in the grid to the decoder's row.
        const DraftKey key = m_design->drafts()->current();
        m_design->drafts()->write(key, {{2, 1, 4, QStringLiteral("4 local 23x")}});
        QVERIFY2(counted().contains(QStringLiteral("<b>2 mistakes</b>, in layer 2 and in the cross-attention.")), qPrintable(counted()));
        text->moveCursor(QTextCursor::Start);
        for (const int line : {1, 6, 1}) {
            m_design->actions().nextMistake->trigger();
            QCOMPARE(text->textCursor().blockNumber(), line);
        }
        QCOMPARE(text->hint(), QStringLiteral("Layer 2: A window in tokens is a whole number: use 23"));
        m_design->actions().showText->setChecked(false);
        for (const bool isCross : {false, true, false}) {
            m_design->actions().nextMistake->trigger();
            QCOMPARE(m_design->editor()->isCrossSelected(), isCross);
            QCOMPARE(m_design->editor()->currentLayer(), isCross ? 0 : 2);
        }
    }

    void theCrossAttentionIsSavedWithItsDraft() {
        showPreset("relaxed-mt-baseline.json");
        const DraftKey key = m_design->drafts()->current();
        m_design->drafts()->write(key, {{kCrossAttention, 1, 4, QStringLiteral("full relaxed 0.1")}});
        const auto view = m_design->viewState();
        m_design->restoreView(view);
        QVERIFY(m_design->drafts()->current() != key);
        QCOMPARE(cross(), QStringLiteral("4 full relaxed 0.1"));
        QVERIFY(m_design->drafts()->isEdited(m_design->drafts()->current()));
        const auto file = m_workshop->path() / "saved.json";
        m_design->drafts()->save(m_design->drafts()->current(), file);
        QCOMPARE(toText(readArchitecture(file).decoder->crossAttention), std::string("4 full relaxed 0.1"));
        QVERIFY(!m_design->drafts()->isEdited(m_design->drafts()->current()));
        // What is not valid is not saved.
        m_design->drafts()->write(m_design->drafts()->current(), {{kCrossAttention, 1, 4, QStringLiteral("4 masked")}});
        QVERIFY(m_design->drafts()->isEdited(m_design->drafts()->current()));
        m_design->drafts()->save(m_design->drafts()->current(), file);
        QCOMPARE(toText(readArchitecture(file).decoder->crossAttention), std::string("4 full relaxed 0.1"));
    }

    /// Four equal full heads had CL 0, and "–" once one of them had another γ.
    void fullHeadsHaveNoLossWhateverTheirGamma() {
        showPreset("relaxed-mt-baseline.json");
        m_design->editor()->selectHeads(2, 1, 1);
        m_design->actions().setRelaxed->trigger();
        const auto* grid = m_design->editor()->gridModel();
        const auto loss = [&](int layer) { return grid->index(widgets::LayerEditorModel::rowOf(layer), grid->lossColumn()).data().toString(); };
        QCOMPARE(loss(2), QStringLiteral("0"));
        m_design->editor()->writeSelected(QStringLiteral("local 5"));
        QCOMPARE(loss(2), QStringLiteral("–"));
    }
};

HEADROOM_TEST(RelaxationTest)

} // namespace headroom::testing::relaxation_test

#include "relaxation_test.moc"
