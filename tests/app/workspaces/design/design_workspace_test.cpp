// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/drafts.h"
#include "app/parts/action_button.h"
#include "app/studies/study_evidence.h"
#include "app/workspaces/design/cost_panel.h"
#include "app/workspaces/design/design_actions.h"
#include "app/workspaces/design/design_workspace.h"
#include "app/workspaces/design/difference_panel.h"
#include "app/workspaces/design/heads_text_field.h"
#include "core/architecture/costs.h"
#include "tests/app/jobs/fake_worker_options.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/layer_editor/heads_field.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QSpinBox>
#include <QKeyEvent>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

namespace headroom::testing::design_workspace_test {

using namespace headroom::app;
using headroom::testing::Workshop;

/// The workspace with a session, an utterance and a fake worker whose layers all look at their neighbours.
class DesignWorkspaceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }
    void init();
    void cleanup();
    void withoutAnArchitectureItSaysWhatToDo();
    void anOpenedModelIsShownWithItsLossesAndMaps();
    void typingChangesDraftCostAndDifferenceInTheSameFrame();
    void anArchitectureOfOneLengthSaysSo();
    void aMistakeIsSaidAndTheCostKeepsTheLastValidText();
    void suggestedWindowsAreOneStepAndLeaveLayersFullAboveTheLoss();
    void theFirstLetterOfAKindTypesIt();
    void leavingAFieldTakesWhatEnterWould();
    void theSwitchSaysWhatIsShown();
    void theSwitchIsWholeInASmallWindow();
    void headsThatAreNotSeenAreNotEdited();
    void headsAreRelaxedAndBack();
    void relaxedConvGroupsStayApart();
    void theTextIsTheGrid();
    void headsOfAPresetOfAnotherShapeAreNotOffered();
    void bracketsAreOneStepWhileTheyFollow();
    void copySaveAndOpenAreTheSameText();
    void whatCannotBeCountedIsShownAllTheSame();

private:
    void openBoth();
    QString heads(int layer) const {
        return QString::fromStdString(
            toText(m_design->drafts()->grid(m_design->drafts()->current()).layer(layer).heads));
    }
    std::unique_ptr<Workshop> m_workshop;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<WorkerProcess> m_worker;
    std::unique_ptr<AnalysisService> m_analysis;
    StudyEvidence m_evidence;
    std::unique_ptr<Actions> m_actions;
    std::unique_ptr<DesignWorkspace> m_design;
};

void DesignWorkspaceTest::init() {
    m_workshop = std::make_unique<Workshop>();
    m_session = std::make_unique<Session>();
    m_worker = std::make_unique<WorkerProcess>(fakeWorker());
    m_analysis = std::make_unique<AnalysisService>(m_session.get(), m_worker.get());
    m_actions = std::make_unique<Actions>(m_session->undoStack(), nullptr);
    m_design = std::make_unique<DesignWorkspace>(
        DesignWorkspace::Parts{m_session.get(), m_analysis.get(), &m_evidence, m_session->drafts(), m_actions.get(), {}, {}});
    m_design->resize(1600, 900);
    m_design->show();
}

void DesignWorkspaceTest::cleanup() {
    m_design.reset();
    m_actions.reset();
    m_analysis.reset();
    m_worker.reset();
    m_session.reset();
}

void DesignWorkspaceTest::openBoth() {
    m_session->open({m_workshop->wav("a.wav", 3), m_workshop->model("m")});
    QVERIFY(QTest::qWaitFor(
        [&] {
            return !m_session->isReading() && !m_analysis->isBusy() && m_analysis->current() &&
                   m_analysis->current()->state == AnalysisResult::State::Ready && !m_design->isPending();
        },
        60000));
    QCoreApplication::processEvents();
}

void DesignWorkspaceTest::withoutAnArchitectureItSaysWhatToDo() {
    QCOMPARE(m_design->editor()->gridModel()->rowCount(), 0);
    QVERIFY(m_design->statusText().contains(QStringLiteral("preset")));
    for (QAction* action : {m_design->actions().useSuggested, m_design->actions().copyAsText,
                            m_design->actions().setFull, m_design->actions().resetDraft})
        QVERIFY(!action->isEnabled());
    QVERIFY(!m_design->findChild<QAction*>(QStringLiteral("copyHeads"))->isEnabled());
    QVERIFY(!m_design->grab().isNull());
}

void DesignWorkspaceTest::anOpenedModelIsShownWithItsLossesAndMaps() {
    openBoth();
    const auto* model = m_design->editor()->gridModel();
    QCOMPARE(model->grid().layerCount(), 6);
    QVERIFY(!model->facts(3).map.isNull());
    QCOMPARE(*model->facts(3).loss, 0.0);
    m_session->drafts()->setWindow({m_session->currentModelId()}, {3, 1}); // the band, in the other workspace
    QVERIFY(*model->facts(3).loss > 0.01);                   // what the neighbours hold is lost
    QCOMPARE(model->facts(3).window, 1);
    QVERIFY(m_design->differencePanel()->accessibleDescription().startsWith(
        QStringLiteral("4 of 24 heads differ in 1 layer")));
}

void DesignWorkspaceTest::typingChangesDraftCostAndDifferenceInTheSameFrame() {
    openBoth();
    const QString before = m_design->costPanel()->asText();
    m_design->editor()->selectHeads(2, 1, 4);
    m_design->editor()->setFocus();
    QTest::keyClicks(m_design->editor()->viewport(), QStringLiteral("5"));
    QTest::keyClick(m_design->editor()->findChild<widgets::HeadsField*>(), Qt::Key_Return);
    QCOMPARE(heads(2), QStringLiteral("4 local 5"));
    QVERIFY(m_design->costPanel()->asText() != before);
    const Architecture draft = m_session->drafts()->architecture({m_session->currentModelId()});
    QCOMPARE(toText(draft.encoder.layers[1].heads), std::string("4 local 5"));
    const auto costs = encoderCosts(draft, (m_design->costPanel()->tokens() - 1) * 4 + 1);
    QVERIFY(m_design->costPanel()->asText().contains(QString::number(costs.macs)));
    QVERIFY(m_design->costPanel()->asText().contains(QString::number(parameterCosts(draft).parameters)));
    m_design->costPanel()->lengthField()->setValue(500);
    QVERIFY(m_design->costPanel()->asText().contains(QString::number(encoderCosts(draft, 499 * 4 + 1).macs)));
}

/// The field shows the length that is counted, not the one that was chosen for the other architectures.
void DesignWorkspaceTest::anArchitectureOfOneLengthSaysSo() {
    openBoth();
    CostPanel* cost = m_design->costPanel();
    cost->lengthField()->setValue(500);
    const auto whisper = readArchitecture(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources/architectures/whisper-small.json");
    m_design->drafts()->setCurrent(m_design->drafts()->newDocument(whisper, QStringLiteral("whisper")));
    QTRY_COMPARE(cost->lengthField()->value(), 1500);
    QVERIFY(!cost->lengthField()->isEnabled() && cost->lengthField()->toolTip().contains(QLatin1String("one length")));
    QVERIFY2(cost->asText().contains(QStringLiteral("MACs, 1,500 tokens\t%1").arg(encoderCosts(whisper, 3000).macs)), qPrintable(cost->asText()));
    // Its memory is smaller than its maps, which “kept for the backward pass” contradicted.
    const auto costs = encoderCosts(whisper, 3000);
    QVERIFY(whisper.encoder.attentionDropout == 0 && costs.activationBytes < costs.attentionMapBytes);
    QString tips;
    for (const auto* one : cost->findChildren<QWidget*>())
        tips += one->toolTip() + QLatin1Char('\n');
    QVERIFY2(tips.contains(QStringLiteral("without storing their map")) && tips.contains(QStringLiteral("positions is not counted")), qPrintable(tips));
    QCOMPARE(tips.count(QStringLiteral("local 64 block")), 1);
    QCOMPARE(m_design->viewState().value("length", 0), 500);
    cost->setChosenLength(700);
    QCOMPARE(cost->lengthField()->value(), 1500);
    m_design->drafts()->setCurrent({m_session->currentModelId()});
    QTRY_COMPARE(cost->lengthField()->value(), 700);
    QVERIFY(cost->lengthField()->isEnabled());
}

void DesignWorkspaceTest::aMistakeIsSaidAndTheCostKeepsTheLastValidText() {
    openBoth();
    const QString before = m_design->costPanel()->asText();
    m_design->editor()->selectHeads(4, 1, 1);
    m_design->editor()->writeSelected(QStringLiteral("local 14"));
    QCOMPARE(m_design->costPanel()->asText(), before);
    const auto* said = m_design->costPanel()->findChild<QWidget*>(QStringLiteral("designMistakes"));
    QVERIFY(said && said->isVisible());
    m_design->editor()->selectHeads(1, 1, 1);
    m_design->actions().nextMistake->trigger();
    QCOMPARE(m_design->editor()->currentLayer(), 4);
    m_session->undoStack()->undo();
    QVERIFY(!said->isVisible());
    QVERIFY(!m_design->actions().nextMistake->isEnabled());
}

void DesignWorkspaceTest::suggestedWindowsAreOneStepAndLeaveLayersFullAboveTheLoss() {
    openBoth();
    QVERIFY(m_design->actions().useSuggested->isEnabled());
    m_design->actions().useSuggested->trigger();
    QCOMPARE(m_session->undoStack()->count(), 1);
    // C[i, i ± 1] = layer / 100: above the threshold of 0.01 from layer 2 on, and nothing lies farther out.
    QCOMPARE(heads(4), QStringLiteral("4 local 3"));
    m_session->undoStack()->undo();
    QCOMPARE(heads(4), QStringLiteral("4 full"));
    m_design->editor()->selectHeads(4, 1, 4);
    m_design->editor()->writeSelected(QStringLiteral("local 9"));
    m_design->fullAboveField()->setValue(0); // whatever loses anything stays full
    m_design->useSuggestedWindows();
    const auto loss = m_design->editor()->gridModel()->facts(4).loss;
    QVERIFY(loss.has_value());
    QCOMPARE(*m_design->editor()->gridModel()->facts(4).suggestedWindow, 3);
}

void DesignWorkspaceTest::theFirstLetterOfAKindTypesIt() {
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
void DesignWorkspaceTest::leavingAFieldTakesWhatEnterWould() {
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

void DesignWorkspaceTest::theSwitchSaysWhatIsShown() {
    m_design->actions().showText->trigger();
    QStringList on;
    for (const QToolButton* button : m_design->findChildren<QToolButton*>())
        if (button->isVisible() && button->property("segment").isValid() && button->isChecked())
            on << button->text();
    QCOMPARE(on, QStringList{QStringLiteral("Text")});
}

void DesignWorkspaceTest::theSwitchIsWholeInASmallWindow() {
    m_design->resize(m_design->minimumSizeHint()); // both buttons read "…"
    QCoreApplication::processEvents();
    int found = 0;
    for (const auto* button : m_design->findChildren<QToolButton*>())
        if (button->property("segment").isValid() && ++found)
            QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
    QCOMPARE(found, 2);
}

/// From the menu in ANALYSE, an edit came into heads that had been selected in another model's draft.
void DesignWorkspaceTest::headsThatAreNotSeenAreNotEdited() {
    openBoth();
    const DesignActions& a = m_design->actions();
    const QList<QAction*> edits{a.setFull, a.setLocal, a.setBlock, a.setConv, a.setMasked, a.setReuse, a.setRelaxed, a.narrower, a.wider};
    m_design->editor()->selectHeads(4, 1, 2);
    QVERIFY(a.setLocal->isEnabled());
    m_design->hide(); // another workspace is shown
    for (const QAction* edit : edits) {
        QVERIFY2(!edit->isEnabled(), qPrintable(edit->text()));
        QCOMPARE(edit->toolTip(), QStringLiteral("Select heads in the grid of DESIGN first."));
    }
    m_design->show();
    QVERIFY(a.setLocal->isEnabled());
    a.showText->trigger(); // where the grid is not seen either
    QVERIFY(!a.setLocal->isEnabled() && !a.narrower->isEnabled());
    a.showGrid->trigger();
    QVERIFY(a.setLocal->isEnabled());
}

void DesignWorkspaceTest::headsAreRelaxedAndBack() {
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
void DesignWorkspaceTest::relaxedConvGroupsStayApart() {
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

void DesignWorkspaceTest::theTextIsTheGrid() {
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
    // Enter applies, too, and a line with a mistake is underlined.
    cursor.setPosition(0);
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    cursor.insertText(QStringLiteral("1 4 local 13x"));
    QVERIFY(text->extraSelections().isEmpty());
    QTest::keyClick(text, Qt::Key_Return);
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

void DesignWorkspaceTest::headsOfAPresetOfAnotherShapeAreNotOffered() {
    m_design->startFrom(0);
    const QString own = heads(5);
    m_design->putHeads(1);
    QVERIFY(heads(5) != own); // twelve layers both
    QCOMPARE(m_session->undoStack()->count(), 1);
}

void DesignWorkspaceTest::bracketsAreOneStepWhileTheyFollow() {
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

void DesignWorkspaceTest::copySaveAndOpenAreTheSameText() {
    m_design->startFrom(1);
    m_design->editor()->selectHeads(1, 1, 4);
    m_design->editor()->writeSelected(QStringLiteral("local 99"));
    const QString file = toQString(m_workshop->path() / "mine.json");
    m_design->askSave = [&](const QString& suggested) {
        return suggested.endsWith(QStringLiteral(".json")) ? file : QString();
    };
    m_design->actions().saveArchitectureAs->trigger();
    QCOMPARE(m_session->messages()->at(0).actionText, QStringLiteral("Show in folder"));
    m_design->actions().copyAsText->trigger();
    QFile saved(file);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(saved.readAll()), QApplication::clipboard()->text());
    const auto architecture = m_design->drafts()->architecture(m_design->drafts()->current());
    m_design->actions().closeDocument->trigger();
    m_design->askOpen = [&] { return file; };
    m_design->actions().openArchitecture->trigger();
    QCOMPARE(m_design->drafts()->architecture(m_design->drafts()->current()), architecture);
    m_design->askOpen = [&] { return toQString(m_workshop->text("bad.json", "[]")); };
    m_design->actions().openArchitecture->trigger();
    QCOMPARE(m_session->messages()->count(Severity::Error), 1);
}

void DesignWorkspaceTest::whatCannotBeCountedIsShownAllTheSame() {
    openBoth();
    Architecture mixed = m_session->currentModel()->info->architecture;
    mixed.name = "mixed";
    mixed.encoder.layers[2].heads = parseHeads("2 full + 2 conv 5/2");
    mixed.encoder.layers[3].heads = parseHeads("4 reuse 3"); // of heads whose keys were shortened
    m_design->drafts()->newDocument(mixed, {});              // it is its own baseline
    QTRY_VERIFY_WITH_TIMEOUT(!m_design->isPending(), 60000);
    QCOMPARE(m_design->editor()->gridModel()->reachText(3), QStringLiteral("all"));
    QVERIFY(!m_design->editor()->gridModel()->facts(3).loss);
    QVERIFY(m_design->costPanel()->asText().contains(QStringLiteral("–")));
}

HEADROOM_TEST(DesignWorkspaceTest)

} // namespace headroom::testing::design_workspace_test

#include "design_workspace_test.moc"
