// SPDX-License-Identifier: GPL-3.0-or-later
// The workspace on architectures alone: no worker, no utterance.
#include "app/parts/panel_header.h"
#include "app/workspaces/design/cost_panel.h"
#include "app/workspaces/design/design_actions.h"
#include "app/workspaces/design/difference_panel.h"
#include "app/workspaces/design/heads_text_field.h"
#include "app/workspaces/design/presets_panel.h"
#include "tests/app/workspaces/design/design_desk.h"
#include "tests/support/runner.h"
#include "widgets/curves/cost_plot.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <algorithm>

namespace headroom::testing::design_architectures_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class DesignArchitecturesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// *Start from the preset* did nothing while none was selected, and the filter did not lead to the list.
    void aPresetIsFoundAndStartedWithTheKeys() {
        DesignDesk desk;
        DesignWorkspace& design = desk.design;
        const QAction* start = design.actions().startFromPreset;
        design.startFrom(0);
        QTRY_VERIFY(!start->isEnabled()); // the new architecture is selected
        QVERIFY(start->toolTip().contains(QStringLiteral("Select a preset")));
        PresetsPanel* panel = design.presetsPanel();
        auto* filter = panel->findChild<QLineEdit*>();
        filter->setText(QStringLiteral("shim"));
        QTest::keyClick(filter, Qt::Key_Down);
        QVERIFY(panel->selectedPreset() && panel->selectedPreset()->paper.contains(QStringLiteral("Shim")));
        QVERIFY(start->isEnabled());
        const auto before = desk.session.drafts()->keys().size();
        QTest::keyClick(panel->view(), Qt::Key_Return);
        QCOMPARE(desk.session.drafts()->keys().size(), before + 1);
    }

    /// "mv…on" beside the name was all that the header said of a file.
    void aSavedFileIsCalledSavedWhereItsNameHasNoRoom() {
        QTemporaryDir folder;
        DesignDesk desk;
        desk.design.startFrom(1);
        desk.session.drafts()->save(desk.session.drafts()->current(), folder.filePath(QStringLiteral("mv-en-de-local.json")).toStdString());
        const auto headers = desk.design.findChildren<PanelHeader*>();
        const auto header = std::ranges::find_if(headers, [](const auto* one) { return one->detail().endsWith(QStringLiteral("local.json")); });
        QVERIFY(header != headers.end());
        const auto* detail = [&] {
            const auto labels = (*header)->findChildren<QLabel*>();
            return *std::ranges::find_if(labels, [](const QLabel* label) { return label->property("secondary").toBool(); });
        }();
        desk.design.show();
        QStringList said;
        for (int width = 1500; width >= 700; width -= 50) {
            desk.design.resize(width, 700);
            QCoreApplication::processEvents();
            said << detail->text();
        }
        said.removeDuplicates();
        said.removeAll(QString());
        QCOMPARE(said, (QStringList{QStringLiteral("mv-en-de-local.json"), QStringLiteral("saved")}));
    }

    void aFilterThatLeavesNothingSaysSoAndHidesNothingThatIsOpened() {
        DesignDesk desk;
        PresetsPanel* panel = desk.design.presetsPanel();
        auto* filter = panel->findChild<QLineEdit*>();
        const auto* nothing = panel->findChild<QLabel*>(QStringLiteral("noPresets"));
        QVERIFY(nothing->isHidden());
        filter->setText(QStringLiteral("xyzzy"));
        QVERIFY(!nothing->isHidden() && nothing->text().contains(QStringLiteral("“xyzzy”")));
        desk.design.startFrom(0); // which the filter would hide
        QTRY_VERIFY(filter->text().isEmpty());
        QVERIFY(nothing->isHidden());
        QCOMPARE(panel->view()->currentIndex().data().toString(), desk.session.drafts()->name(desk.session.drafts()->current()));
        filter->setText(QStringLiteral("shim"));
        QVERIFY(nothing->isHidden());
    }

    /// Saving made the saved file the baseline, and quitting lost what no step of the undo stack said.
    void savingKeepsTheBaselineAndTheSessionKnows() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("mine.json"));
        DesignDesk desk;
        DesignWorkspace& design = desk.design;
        QVERIFY(!desk.session.isModified());
        design.startFrom(1);
        QVERIFY(desk.session.isModified());
        const DraftKey key = desk.session.drafts()->current();
        desk.session.drafts()->write(key, {{2, 1, 4, QStringLiteral("local 55")}});
        QCOMPARE(design.baselineField()->currentText(), QStringLiteral("Original"));
        int asked = 0;
        design.askSave = [&](const QString&) {
            ++asked;
            return file;
        };
        design.actions().saveArchitecture->trigger(); // it has no file yet
        QCOMPARE(asked, 1);
        QCOMPARE(design.baselineField()->currentText(), QStringLiteral("Original"));
        QVERIFY(!design.actions().saveArchitecture->isEnabled());
        QTRY_VERIFY(design.differencePanel()->accessibleDescription().startsWith(QStringLiteral("4 of 48 heads differ")));
        desk.session.drafts()->write(key, {{3, 1, 4, QStringLiteral("local 55")}});
        desk.session.saveAs(fs::path(folder.filePath(QStringLiteral("s")).toStdString()));
        QVERIFY(!desk.session.isModified());
        QVERIFY(design.actions().saveArchitecture->isEnabled());
        design.actions().saveArchitecture->trigger();
        QCOMPARE(asked, 1); // into its own file
        QVERIFY(desk.session.isModified());
        QVERIFY(!desk.session.drafts()->isEdited(key));
        const auto original = desk.session.drafts()->original(key);
        const auto view = desk.session.drafts()->viewState();
        desk.session.drafts()->restoreView(view);
        QVERIFY(desk.session.drafts()->original(desk.session.drafts()->current()) == original);
        desk.session.clear();
        QCOMPARE(design.baselineField()->currentIndex(), 0);
    }

    void layerOneSaysWhyItCannotReuse() {
        DesignDesk desk;
        DesignWorkspace& design = desk.design;
        design.show();
        design.startFrom(0);
        const QAction* reuse = design.actions().setReuse;
        const QString own = reuse->toolTip();
        design.editor()->selectHeads(1, 1, 1);
        QVERIFY(!reuse->isEnabled());
        QCOMPARE(reuse->toolTip(), QStringLiteral("Layer 1 has no earlier layer whose map it could reuse."));
        QVERIFY(design.actions().setFull->isEnabled());
        design.editor()->selectHeads(2, 1, 1);
        QVERIFY(reuse->isEnabled());
        QVERIFY(reuse->toolTip().contains(QStringLiteral("Shim")));
        QVERIFY(own != reuse->toolTip()); // nothing was selected
        design.editor()->selectionModel()->select(design.editor()->gridModel()->index(1, widgets::LayerEditorModel::FirstHead),
                                                  QItemSelectionModel::Select); // layers 1 and 2
        QVERIFY(!reuse->isEnabled());
    }

    /// The buttons were on, and a click did nothing.
    void headsWithoutAWindowCannotGetWider_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("steps");
        QTest::newRow("full") << "full" << false;
        QTest::newRow("conv") << "conv 5/2" << false;
        QTest::newRow("masked") << "masked" << false;
        QTest::newRow("masked with a window") << "masked 17" << true;
        QTest::newRow("local") << "local 9" << true;
    }
    void headsWithoutAWindowCannotGetWider() {
        QFETCH(QString, text);
        QFETCH(bool, steps);
        DesignDesk desk;
        DesignWorkspace& design = desk.design;
        design.show();
        design.startFrom(0);
        design.editor()->selectHeads(2, 1, 4);
        design.editor()->writeSelected(text);
        for (const QAction* action : {design.actions().narrower, design.actions().wider}) {
            QCOMPARE(action->isEnabled(), steps);
            QCOMPARE(action->toolTip().startsWith(QStringLiteral("Only local heads")), !steps);
        }
        QCOMPARE(design.statusText().contains(QStringLiteral("[ and ]")), steps);
    }

    /// The button wrote what cannot be: a mistake in every masked head.
    void maskedHeadsAreNotRelaxed() {
        DesignDesk desk;
        DesignWorkspace& design = desk.design;
        design.show();
        design.startFrom(0);
        const QAction* relax = design.actions().setRelaxed;
        const auto heads = [&] { return textOf(desk.session.drafts()->grid(desk.session.drafts()->current()).layer(2).cells); };
        design.editor()->selectHeads(2, 3, 4);
        QVERIFY(relax->isEnabled());
        design.editor()->writeSelected(QStringLiteral("masked"));
        QVERIFY(!relax->isEnabled());
        QVERIFY2(relax->toolTip().contains(QStringLiteral("cannot be relaxed")), qPrintable(relax->toolTip()));
        design.editor()->selectHeads(2, 1, 4);
        QVERIFY(relax->isEnabled());
        design.actions().setRelaxed->trigger();
        QCOMPARE(heads(), std::string("2 full relaxed 0.01 + 2 masked"));
        design.actions().setRelaxed->trigger();
        QCOMPARE(heads(), std::string("2 full + 2 masked"));
    }

    void theNameOfAnArchitectureIsOfferedAsThatOfItsFile() {
        DesignDesk desk;
        DesignWorkspace& design = desk.design;
        Architecture model = readArchitecture(HEADROOM_SOURCE_DIR "/resources/recipes/smoke.architecture.json");
        QStringList offered;
        design.askSave = [&](const QString& suggested) {
            offered << suggested;
            return QString();
        };
        for (const char* name : {"Mine (2)", "日本語"}) {
            model.name = name;
            desk.session.drafts()->newDocument(model, QString::fromUtf8(name));
            design.actions().saveArchitectureAs->trigger();
        }
        QCOMPARE(offered, (QStringList{QStringLiteral("mine-2-copy-1.json"), QStringLiteral("copy-1.json")}));
    }

    void whatIsPastedInPartIsSaid() {
        DesignDesk desk;
        desk.design.startFrom(0);
        QApplication::clipboard()->setText(QStringLiteral("4 local 3\n4 local 5\n"));
        desk.design.editor()->selectHeads(12, 1, 4);
        desk.design.editor()->paste();
        QCOMPARE(desk.session.messages()->rowCount(), 1);
        QCOMPARE(desk.session.messages()->at(0).sentence,
                 QStringLiteral("Pasted in part: layer 12 is the last, and 1 of 2 lines was left out."));
    }

    /// Its layers are not in the preset's encoder.
    void aLanguageModelIsComparedWithItsPreset() {
        DesignDesk desk;
        const Architecture model =
            readArchitecture(HEADROOM_SOURCE_DIR "/resources/architectures/relaxed-lm-transformer.json");
        desk.session.drafts()->newDocument(model, {});
        QComboBox* baseline = desk.design.baselineField();
        const auto compareWith = [&](const QString& preset) {
            baseline->setCurrentIndex(baseline->findText(preset));
            return QTest::qWaitFor([&] { return !desk.design.isPending(); }, 60000) &&
                   baseline->currentText() == preset;
        };
        QVERIFY(compareWith(QString::fromStdString(model.name)));
        const auto& content = desk.design.differencePanel()->content();
        QCOMPARE(int(content.difference.layers.size()), model.languageModel->layers);
        QVERIFY(content.whyNoLayers.isEmpty());
        QVERIFY(compareWith(QStringLiteral("S2T Transformer small")));
        QVERIFY(content.difference.layers.empty());
        QVERIFY2(content.whyNoLayers.contains(QStringLiteral("not compared layer by layer")),
                 qPrintable(content.whyNoLayers));
    }

    /// They were those of whichever model was clicked last.
    void mapsOfADocumentAreThoseOfTheModelThatIsLikeIt() {
        DesignDesk desk;
        ModelDescription small;
        small.name = QStringLiteral("small");
        small.architecture =
            readArchitecture(HEADROOM_SOURCE_DIR "/resources/recipes/smoke.architecture.json");
        ModelDescription wide = small;
        wide.name = QStringLiteral("wide");
        wide.architecture.encoder.width *= 2;
        const ModelId first = desk.session.openModel("/models/small"),
                      second = desk.session.openModel("/models/wide");
        desk.session.setModelOpened(first, small);
        desk.session.setModelOpened(second, wide);
        desk.session.setCurrentModel(second);
        Drafts* drafts = desk.session.drafts();
        const DraftKey document = drafts->newDocument(small.architecture, {});
        const DesignFacts facts(&desk.session, &desk.analysis, &desk.evidence);
        QVERIFY(facts.modelFor(*drafts, document) == first);
        const auto headers = desk.design.findChildren<PanelHeader*>();
        QVERIFY(std::any_of(headers.begin(), headers.end(), [](const PanelHeader* header) {
            return header->detail().endsWith(QStringLiteral("maps and CL of small"));
        }));
        desk.session.setCurrentModel(first);
        QVERIFY(facts.modelFor(*drafts, document) == first);
        desk.session.setCurrentModel(second);
        desk.session.closeModel(first);
        QVERIFY(facts.modelFor(*drafts, document) == second); // as many layers at least
    }

    /// It was counted in tokens of the baseline, on an axis of the draft's.
    void theLongestLengthIsInTheTokensOfTheDraft() {
        DesignDesk desk;
        ModelDescription small;
        small.architecture = readArchitecture(HEADROOM_SOURCE_DIR "/resources/recipes/smoke.architecture.json"); // 40 ms per token
        small.maxSourceFrames = 6000;
        const ModelId model = desk.session.openModel("/models/small");
        desk.session.setModelOpened(model, small);
        desk.session.setCurrentModel(model);
        desk.session.drafts()->newDocument(small.architecture, {});
        QComboBox* baseline = desk.design.baselineField();
        for (const char* preset : {"S2T Transformer small", "Parakeet CTC 1.1B"}) { // the second has 80 ms per token
            baseline->setCurrentIndex(baseline->findText(QLatin1String(preset)));
            QCOMPARE(baseline->currentText(), QLatin1String(preset));
            QVERIFY(QTest::qWaitFor([&] { return !desk.design.isPending(); }, 60000));
            const QString said = desk.design.findChild<widgets::CostPlot*>()->accessibleDescription();
            QVERIFY2(said.contains(QStringLiteral("model's limit 1,500.")), qPrintable(said));
        }
    }

    void aPresetIsTheStartOfADocument() {
        DesignDesk desk;
        const auto& presets = desk.design.presetsPanel()->presets();
        QVERIFY(presets.size() >= 4);
        desk.design.startFrom(1);
        QCOMPARE(desk.design.editor()->gridModel()->grid().layerCount(), 12);
        QCOMPARE(desk.design.drafts()->origin(desk.design.drafts()->current()),
                 QStringLiteral("from %1").arg(presets[1].name));
        QVERIFY(!desk.design.actions().useSuggested->isEnabled()); // nobody has read anything
        QVERIFY(desk.design.actions().closeDocument->isEnabled());
        desk.design.actions().closeDocument->trigger();
        QVERIFY(desk.design.drafts()->current().isNone());
        QTRY_COMPARE_WITH_TIMEOUT(desk.design.editor()->gridModel()->rowCount(), 0, 60000);
    }

    void theBaselineCanBeAPreset() {
        DesignDesk desk;
        desk.design.startFrom(1);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.design.isPending(), 60000);
        QCOMPARE(desk.design.differencePanel()->accessibleDescription(), QStringLiteral("No difference"));
        desk.design.baselineField()->setCurrentIndex(desk.design.baselineField()->findData(0));
        QTRY_VERIFY_WITH_TIMEOUT(desk.design.differencePanel()->accessibleDescription().startsWith(
            QStringLiteral("36 of 48 heads differ")), 60000);
    }

    void backToWhereItBegan() {
        DesignDesk desk;
        desk.design.startFrom(1);
        QVERIFY(!desk.design.actions().resetDraft->isEnabled());
        desk.design.editor()->selectHeads(1, 1, 4);
        desk.design.editor()->writeSelected(QStringLiteral("local 14"));
        QVERIFY(desk.design.actions().resetDraft->isEnabled());
        desk.design.actions().resetDraft->trigger();
        QVERIFY(!desk.design.drafts()->isEdited(desk.design.drafts()->current()));
        QCOMPARE(desk.session.undoStack()->count(), 2);
    }

    void theViewComesBack() {
        DesignDesk desk;
        desk.design.startFrom(1);
        desk.design.costPanel()->lengthField()->setValue(750);
        desk.design.fullAboveField()->setValue(0.3);
        const auto view = desk.design.viewState();
        desk.design.restoreView({});
        QCOMPARE(desk.design.costPanel()->tokens(), 1000);
        QVERIFY(desk.design.drafts()->current().isNone());
        desk.design.restoreView(view);
        QCOMPARE(desk.design.costPanel()->tokens(), 750);
        QCOMPARE(desk.design.fullAboveField()->value(), 0.3);
        QCOMPARE(desk.design.drafts()->keys().size(), std::size_t(1));
    }

    void whatASessionCannotReadIsSavedFromItsMessage() {
        QTemporaryDir folder;
        DesignDesk desk;
        desk.design.restoreView({{"drafts", {{"documents", {{{"architecture", R"({ "name": "Wide, copy 1", "colour": 1 })"}}}}}}});
        QCOMPARE(desk.session.messages()->at(0).actionText, QStringLiteral("Save as a file…"));
        QString suggested, file;
        desk.design.askSave = [&](const QString& name) {
            suggested = name;
            return file;
        };
        desk.session.messages()->trigger(0);
        QCOMPARE(suggested, QStringLiteral("wide-copy-1.json"));
        QVERIFY(desk.design.drafts()->hasUnread()); // given up
        file = folder.filePath(suggested);
        desk.session.messages()->trigger(0);
        QVERIFY(fs::exists(file.toStdString()) && !desk.design.drafts()->hasUnread());
        QCOMPARE(desk.session.messages()->rowCount(), 1);
        QVERIFY(desk.session.messages()->at(0).sentence.startsWith(QStringLiteral("Saved ")));
    }
};

HEADROOM_TEST(DesignArchitecturesTest)

} // namespace headroom::testing::design_architectures_test

#include "design_architectures_test.moc"
