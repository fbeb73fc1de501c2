// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/cost_panel.h"
#include "app/workspaces/design/design_actions.h"
#include "app/workspaces/design/difference_panel.h"
#include "core/architecture/costs.h"
#include "tests/app/studies/made_study.h"
#include "tests/app/workspaces/design/analysed_design.h"
#include "tests/support/runner.h"
#include "widgets/layer_editor/heads_field.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

namespace headroom::testing::design_workspace_test {

using namespace headroom::app;

class DesignWorkspaceTest : public QObject, AnalysedDesign {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }
    void init() { begin(); }
    void cleanup() { closeAll(); }
    void withoutAnArchitectureItSaysWhatToDo();
    void anOpenedModelIsShownWithItsLossesAndMaps();
    void typingChangesDraftCostAndDifferenceInTheSameFrame();
    void anArchitectureOfOneLengthSaysSo();
    void aMistakeIsSaidAndTheCostKeepsTheLastValidText();
    void suggestedWindowsAreOneStepAndLeaveLayersFullAboveTheLoss();
    void theLossesAreOfTheStudyThatSuggestsTheWindows();
    void theSwitchSaysWhatIsShown();
    void theSwitchIsWholeInASmallWindow();
    void copySaveAndOpenAreTheSameText();
    void aFileThatAnotherProgramChangedIsNotWrittenOver();
    void whatCannotBeCountedIsShownAllTheSame();
};

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
    cost->setChosenLengths({700, 30});
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

/// "Full above CL" compared numbers of the study that were not shown; beside it stood those of the open utterances.
void DesignWorkspaceTest::theLossesAreOfTheStudyThatSuggestsTheWindows() {
    openBoth();
    const auto folder = m_workshop->path() / "studied";
    Study study = makeWindowsStudy(folder, 6, 5);
    study.models[0].folder = m_session->currentModel()->folder.string();
    study.models[0].weightsHash = m_session->currentModel()->info->hash.toStdString();
    writeStudy(folder, study);
    m_evidence.setCurrentModel(m_session->currentModel()->folder, study.models[0].weightsHash);
    const auto* grid = m_design->editor()->gridModel();
    const auto tip = [&] { return grid->headerData(grid->lossColumn(), Qt::Horizontal, Qt::ToolTipRole).toString(); };
    QVERIFY2(tip().endsWith(QStringLiteral("Over 1 open utterance of at least 1 s.")), qPrintable(tip()));
    m_evidence.add(openStudy(folder));
    m_design->useSuggestedWindows();
    QTRY_VERIFY(!m_design->isPending());
    QTRY_VERIFY2(tip().endsWith(QStringLiteral("over the 5 utterances of the study “studied”.")), qPrintable(tip()));
    QCOMPARE(heads(2), QStringLiteral("4 local 5"));
    QCOMPARE(grid->facts(2).loss, std::optional(0.1)); // of the study's table
    QCOMPARE(heads(6), QStringLiteral("4 full"));      // which loses 0.4 there
    m_session->drafts()->setWindow({m_session->currentModelId()}, {2, 3});
    QTRY_VERIFY(std::abs(grid->facts(2).loss.value() - 0.4) < 1e-9); // 1 − D(3) of the study
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

/// What another program had written was lost without a word.
void DesignWorkspaceTest::aFileThatAnotherProgramChangedIsNotWrittenOver() {
    Architecture mine = Workshop::info(3, "4 local 5").architecture;
    const auto put = [&](const char* heads) {
        mine.encoder.layers[0].heads = parseHeads(heads);
        return toQString(m_workshop->text("mine.json", canonicalText(mine)));
    };
    const QString file = put("4 local 5");
    const auto onDisk = [&] { return QString::fromStdString(toText(readArchitecture(toPath(file)).encoder.layers[0].heads)); };
    m_design->askOpen = [&] { return file; };
    m_design->actions().openArchitecture->trigger();
    m_design->editor()->selectHeads(2, 1, 4);
    m_design->editor()->writeSelected(QStringLiteral("local 9"));
    put("4 local 7");
    int asked = 0;
    auto answer = FileDialogs::Changed::Cancel;
    m_design->askChanged = [&](const QString& name) {
        ++asked;
        return name == QStringLiteral("mine.json") ? answer : FileDialogs::Changed::Overwrite;
    };
    m_design->actions().saveArchitecture->trigger();
    QCOMPARE(onDisk(), QStringLiteral("4 local 7"));
    answer = FileDialogs::Changed::Reload;
    m_design->actions().saveArchitecture->trigger();
    const Drafts* drafts = m_design->drafts();
    QCOMPARE(onDisk(), QStringLiteral("4 local 7"));
    QCOMPARE(QString::fromStdString(toText(drafts->heads(drafts->current(), 1))), QStringLiteral("4 local 7"));
    QCOMPARE(asked, 2);
    m_design->editor()->selectHeads(2, 1, 4);
    m_design->editor()->writeSelected(QStringLiteral("local 11"));
    put("4 local 13");
    answer = FileDialogs::Changed::Overwrite;
    m_design->actions().saveArchitecture->trigger();
    QCOMPARE(onDisk(), QStringLiteral("4 local 7"));
    m_design->editor()->selectHeads(2, 1, 4);
    m_design->editor()->writeSelected(QStringLiteral("local 13"));
    m_design->actions().saveArchitecture->trigger(); // its own file
    QCOMPARE(asked, 3);
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
