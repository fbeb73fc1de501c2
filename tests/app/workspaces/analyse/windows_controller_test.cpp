// SPDX-License-Identifier: GPL-3.0-or-later
// Suggested windows in Analyse: the table, the band on the map and the two actions say the same. The fake
// worker's layers look at their neighbours.
#include "app/parts/dock.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/analyse/analyse_actions.h"
#include "app/workspaces/analyse/common/evidence_field.h"
#include "core/analysis/diagonality.h"
#include "core/analysis/masked_loss.h"
#include "tests/app/workspaces/analyse/windows_desk.h"
#include "tests/support/runner.h"
#include "widgets/curves/windows_table.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/window_band.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QTest>
#include <QUndoStack>

namespace headroom::testing::windows_controller_test {

using namespace headroom::app;

namespace {

struct Desk : WindowsDesk {
    std::optional<int> windowOfLayer(int layer) { return session.drafts()->window(draft(), layer); }
    int steps() { return session.undoStack()->count(); }
    QString from() { return panel()->findChild<QLabel*>(QStringLiteral("suggestedFrom"))->text(); }
    widgets::WindowBand* band() { return map.panel()->findChild<widgets::WindowBand*>(); }
};

} // namespace

class WindowsControllerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void theBandAndTheActionSayWhatTheTableSays() {
        Desk desk;
        QVERIFY(desk.settle());
        desk.session.setCurrentLayer(4);
        QVERIFY(desk.settle());
        QCOMPARE(desk.windows.suggestions().at(3), std::optional(3));
        QCOMPARE(desk.band()->suggestedWindow(), 3);
        desk.actions.suggestedWindow->trigger();
        QCOMPARE(desk.windowOfLayer(4), std::optional(3));
        QCOMPARE(desk.steps(), 1);
        desk.session.undoStack()->undo();
        const auto said = [&] {
            return desk.session.messages()->at(0).sentence;
        };
        desk.actions.suggestedWindows->trigger();
        QCOMPARE(desk.windowOfLayer(4), std::optional(3));
        QCOMPARE(desk.steps(), 1);
        // In the view Words nothing else shows the draft.
        QVERIFY2(said().contains(QStringLiteral("The suggested windows changed ")) && said().contains(QStringLiteral(" layers in the draft of “m”")), qPrintable(said()));
        desk.actions.suggestedWindows->trigger();
        QCOMPARE(desk.steps(), 1);
        QVERIFY2(said().contains(QStringLiteral("already has the suggested windows")), qPrintable(said()));
    }

    /// A study's windows could not be used where the chosen text had not been analysed.
    void theActionsFollowTheSuggestions() {
        Desk desk;
        QVERIFY(!desk.actions.suggestedWindows->isEnabled());
        QVERIFY(desk.settle());
        QVERIFY(desk.actions.suggestedWindows->isEnabled() && desk.actions.suggestedWindow->isEnabled());
        desk.session.setCurrentLayer(4);
        QVERIFY(desk.session.drafts()->write(desk.draft(), {{4, 1, 4, QStringLiteral("conv 5/2")}}, EditStep::New));
        QVERIFY(desk.settle());
        QVERIFY(desk.actions.suggestedWindows->isEnabled() && !desk.actions.suggestedWindow->isEnabled());
        QTRY_VERIFY2(desk.actions.suggestedWindow->toolTip().contains(QStringLiteral("no suggestion for this layer")), qPrintable(desk.actions.suggestedWindow->toolTip()));
        AnalyseActions actions({&desk.session, &desk.analysis, &desk.actions, &desk.axis}, &desk.owner);
        desk.session.undoStack()->undo();
        bool offersFull = true, offersSuggested = false;
        connect(&desk.session, &Session::currentUtteranceChanged, &desk.owner, [&] { // nothing of it has been analysed
            actions.update();
            offersFull = desk.actions.fullWindow->isEnabled();
            offersSuggested = desk.actions.suggestedWindows->isEnabled();
        });
        desk.session.open({desk.workshop.wav("b.wav", 5)});
        QVERIFY(desk.settle());
        QVERIFY(!offersFull && offersSuggested);
    }

    /// The band's CL is that of the head, the plot's that of the contributions: each says so.
    void underAHeadEveryLossSaysWhatItIsOf() {
        Desk desk;
        QVERIFY(desk.settle());
        desk.map.edit(9);
        QVERIFY(desk.settle());
        const auto title = [&] { return desk.panel()->diagonality()->titleText(); };
        QVERIFY(desk.band()->tag().lines[1].text.startsWith(QStringLiteral("CL ")));
        QVERIFY2(title().startsWith(QStringLiteral("D(w), layer ")), qPrintable(title()));
        desk.session.setMapSource({MapSource::Kind::Head, 2});
        QVERIFY(desk.settle());
        QTRY_VERIFY(desk.band()->tag().lines[1].text.startsWith(QStringLiteral("head 2: CL ")));
        QTRY_VERIFY2(title().startsWith(QStringLiteral("D(w) of contributions, layer ")), qPrintable(title()));
    }

    void aLayerThatTakesNoWindowHasNoSuggestion() {
        Desk desk;
        QVERIFY(desk.settle());
        desk.session.setCurrentLayer(4);
        QVERIFY(desk.session.drafts()->write(desk.draft(), {{4, 1, 4, QStringLiteral("conv 5/2")}}, EditStep::New));
        QVERIFY(desk.settle());
        QVERIFY(!desk.windows.suggestions().at(3));
        QCOMPARE(desk.band()->suggestedWindow(), 0);
        const auto* table = desk.panel()->table()->windows();
        QCOMPARE(table->index(3, widgets::WindowsModel::Suggested).data().toString(), QStringLiteral("–"));
        desk.actions.suggestedWindow->trigger();
        QCOMPARE(desk.steps(), 1);
        desk.actions.suggestedWindows->trigger();
        QVERIFY(!desk.windowOfLayer(4));
        QCOMPARE(desk.windowOfLayer(5), std::optional(3));
    }

    void theSuggestionDoesNotDependOnWhatWasLookedAt() {
        Desk desk;
        QVERIFY(desk.settle());
        const UtteranceId first = desk.session.currentUtteranceId();
        desk.session.open({desk.workshop.wav("b.wav", 5), desk.workshop.wav("fragment.wav", 0.5)});
        QVERIFY(desk.settle());
        // Every open utterance but the fragment is read, without being clicked.
        const auto chosen = desk.analysis.utterancesForWindows(desk.session.currentModelId());
        QCOMPARE(chosen.size(), std::size_t(2));
        for (const UtteranceId id : chosen)
            QVERIFY(desk.analysis.profiles(id, desk.session.currentModelId()));
        const auto row = [&] { return desk.panel()->table()->windows()->rows().at(3); };
        const widgets::WindowsRow before = row();
        QCOMPARE(before.utterances.size(), std::size_t(2));
        QVERIFY(desk.from() == QStringLiteral("Over 2 open utterances of at least 1 s. Layer 1: with w = 1 a token sees only itself. Plots, small maps, CL here and CCD: %1 alone.")
                    .arg(desk.session.currentUtterance()->name));
        desk.session.setCurrentUtterance(first);
        QVERIFY(desk.settle());
        QCOMPARE(row().mean, before.mean);
        QCOMPARE(row().suggested, before.suggested);
        // What was cancelled was “read so far” for good, and nothing said how to go on.
        desk.session.setPart(chosen.back(), Part{Seconds(0), Seconds(2)});
        desk.analysis.cancel();
        QVERIFY(desk.settle());
        QTRY_VERIFY2(desk.from().contains(QStringLiteral("a selection, 1 read. Choose Analyse again to read the others.")), qPrintable(desk.from()));
        desk.analysis.analyseAgain();
        QVERIFY(desk.settle());
        QTRY_VERIFY2(!desk.from().contains(QStringLiteral(" read")), qPrintable(desk.from()));
        desk.analysis.setMemoryBound(0); // the maps go, the numbers stay
        QCOMPARE(row().suggested, before.suggested);
    }

    /// The list said "elsewhere/a", and the line below "a".
    void theLineBelowNamesARecordingAsTheListDoes() {
        Desk desk;
        QVERIFY(desk.settle());
        desk.session.open({desk.workshop.wav("elsewhere/a.wav", 3)});
        QVERIFY(desk.settle());
        QCOMPARE(desk.session.currentUtterance()->shownName(), QStringLiteral("elsewhere/a"));
        QTRY_VERIFY2(desk.from().remove(QChar(0x200b)).endsWith(QStringLiteral("CCD: elsewhere/a alone.")), qPrintable(desk.from()));
    }

    /// A second of silence opened, and the number beside “open utterances of at least 1 s” stayed.
    void silentRecordingsAreSaidToBeLeftOut() {
        Desk desk;
        QVERIFY(desk.settle());
        const auto silence = [&](const std::string& name, double seconds) {
            const auto file = desk.workshop.path() / name;
            saveWav(file, std::vector<float>(static_cast<std::size_t>(seconds * 16000)), kModelSampleRate);
            return file;
        };
        QVERIFY2(desk.from().startsWith(QStringLiteral("Over 1 open utterance of at least 1 s. Layer ")), qPrintable(desk.from()));
        desk.session.open({silence("none.wav", 1)});
        QVERIFY(desk.settle());
        QTRY_VERIFY2(desk.from().startsWith(QStringLiteral("Over 1 open utterance of at least 1 s. 1 silent recording is left out. Layer ")),
                     qPrintable(desk.from()));
        desk.session.open({silence("nothing.wav", 3), silence("short.wav", 0.5)}); // the short one would be left out anyway
        QVERIFY(desk.settle());
        QTRY_VERIFY2(desk.from().contains(QStringLiteral(" 2 silent recordings are left out. ")), qPrintable(desk.from()));
    }

    void nothingLongEnoughSuggestsNothingAndSaysSo() {
        Desk desk;
        QVERIFY(desk.settle());
        desk.session.open({desk.workshop.wav("fragment.wav", 0.5)});
        QVERIFY(desk.settle());
        desk.session.closeUtterance(desk.session.utterances()->at(0).id);
        QVERIFY(desk.settle());
        QVERIFY(desk.windows.suggestions().empty());
        QCOMPARE(desk.band()->suggestedWindow(), 0);
        QVERIFY(desk.from().contains(QStringLiteral("lasts 1 s or longer")));
        QVERIFY2(desk.actions.suggestedWindows->toolTip().contains(QStringLiteral("lasts 1 s or longer")), qPrintable(desk.actions.suggestedWindows->toolTip()));
        desk.actions.suggestedWindows->trigger();
        QCOMPARE(desk.steps(), 0);
    }

    void theLimitIsOneNumber() {
        Desk desk;
        desk.session.setCurrentLayer(1);
        QVERIFY(desk.settle());
        QDoubleSpinBox* field = desk.panel()->fullAboveField();
        QCOMPARE(field->value(), desk.session.fullAbove());
        // What layer 1 gives its neighbours is too little for Algorithm 1, and is lost.
        const widgets::WindowsRow row = desk.panel()->table()->windows()->rows().front();
        QVERIFY(row.suggested > 0);
        QVERIFY(row.suggestedLoss() > 0);
        QCOMPARE(desk.band()->suggestedWindow(), row.suggested);
        field->setValue(0);
        QCOMPARE(desk.session.fullAbove(), 0.0);
        QCOMPARE(desk.windows.suggestions().front(), std::optional(0));
        QCOMPARE(desk.band()->suggestedWindow(), 0);
        QCOMPARE(desk.band()->tag().lines.front().text, QStringLiteral("full, as suggested"));
        desk.session.setFullAbove(0.25); // Design
        QCOMPARE(field->value(), 0.25);
        QCOMPARE(desk.band()->suggestedWindow(), row.suggested);
    }

    void aSingleUtteranceNeedsNoSecondSentence() {
        Desk desk;
        QVERIFY(desk.settle());
        QCOMPARE(desk.from(),
                 QStringLiteral("Over 1 open utterance of at least 1 s. Layer 1: with w = 1 a token sees only itself."));
        QCOMPARE(desk.panel()->evidenceField()->currentText(), QStringLiteral("Open utterances"));
    }

    void aSelectionThatIsAnalysedIsSaidToBeOne() {
        Desk desk;
        QVERIFY(desk.settle());
        desk.session.setPart(desk.session.currentUtteranceId(), Part{Seconds(0.5), Seconds(2)});
        QVERIFY(desk.settle());
        const QString said = desk.from();
        QVERIFY2(said.startsWith(QStringLiteral("Over 1 open utterance of at least 1 s, a selection.")), qPrintable(said));
    }

    /// In Design a layer that reuses a map had a CL, here a dash; and masked heads had that of local ones in both.
    void masksAndReusedMapsHaveOneLossEverywhere() {
        Desk desk;
        QVERIFY(desk.settle());
        QVERIFY(desk.session.drafts()->write(
            desk.draft(),
            {{2, 1, 4, QStringLiteral("masked 3")}, {3, 1, 4, QStringLiteral("reuse 2")}, {4, 1, 4, QStringLiteral("masked")}}, EditStep::New));
        QVERIFY(desk.settle());
        const WindowSuggestions found =
            windowSuggestions(desk.session, desk.analysis, nullptr, desk.session.currentModelId(), desk.draft());
        const auto expected = [&](std::size_t row, int window) { return maskedContributionLoss(found.rows.at(row).profile, window); };
        QCOMPARE(found.rows.at(1).drawnLoss(), expected(1, 3));
        QVERIFY(expected(1, 3) > contributionLoss(found.rows.at(1).profile, 3));
        QVERIFY(!found.rows.at(2).takesWindow && found.rows.at(2).window == 3);
        QCOMPARE(found.rows.at(2).drawnLoss(), expected(2, 3));
        QCOMPARE(found.rows.at(3).drawnLoss(), expected(3, 0));
        QVERIFY(expected(3, 0) > 0);
        desk.session.setCurrentLayer(4);
        QVERIFY(desk.settle());
        QVERIFY(desk.band()->shape().kind == widgets::BandShape::Kind::Masked);
        QCOMPARE(desk.band()->lossOf(0), expected(3, 0));
        const auto* maps = desk.window.findChild<widgets::LayerThumbnails*>();
        QCOMPARE(maps->lossOf(1), expected(1, 3));
        QCOMPARE(maps->lossOf(3), expected(3, 0));
    }

    void noWindowWiderThanTheModelsOwnIsSuggested() {
        Desk desk;
        QVERIFY(desk.settle());
        const auto own = [&](const char* heads) {
            ModelDescription info = *desk.session.currentModel()->info;
            for (auto& layer : info.architecture.encoder.layers)
                layer.heads = parseHeads(heads);
            desk.session.setModelOpened(desk.session.currentModelId(), info);
            return windowSuggestions(desk.session, desk.analysis, nullptr, desk.session.currentModelId(), desk.draft());
        };
        const WindowSuggestions narrow = own("4 local 1");
        QCOMPARE(narrow.rows.at(3).suggestion(1), std::optional(1));
        QCOMPARE(narrow.rows.at(3).found, 3);
        QVERIFY2(narrow.of.contains(QStringLiteral("keep their own windows")), qPrintable(narrow.of));
        // One head that sees more is enough.
        for (const char* heads : {"3 local 1 + 1 full", "3 local 1 + 1 local 5", "4 local 5"}) {
            const WindowSuggestions wide = own(heads);
            QCOMPARE(wide.rows.at(3).suggestion(1), std::optional(3));
            QVERIFY(!wide.of.contains(QStringLiteral("own window")));
        }
    }

    void theEmptyTabSaysWhy() {
        Desk desk;
        QVERIFY(desk.settle());
        const auto said = [&] { return desk.panel()->findChild<QWidget*>(QStringLiteral("windowsEmpty"))->accessibleName(); };
        const ModelId failed = desk.session.openModel(desk.workshop.path() / "nothing");
        desk.session.setCurrentModel(failed);
        desk.session.setModelFailed(failed, QStringLiteral("nothing is not a model folder."));
        desk.map.refreshSoon();
        QTRY_COMPARE_WITH_TIMEOUT(said(), QStringLiteral("nothing could not be opened. See Models for the reason."), 60000);
    }

    void aKeptCurveIsConfirmed() {
        Desk desk;
        QVERIFY(desk.settle());
        const auto last = [&] { // and what K would do now
            const Messages* all = desk.session.messages();
            return desk.actions.keepCurve->text() + all->index(0, Messages::Sentence).data().toString() +
                   all->index(all->rowCount() - 1, Messages::Sentence).data().toString();
        };
        desk.session.setCurrentLayer(4);
        const QString of = QStringLiteral("The D(w) curve (layer 4, %1, a) ").arg(desk.session.currentModel()->name);
        desk.actions.keepCurve->trigger();
        QVERIFY2(last().contains(of + QStringLiteral("stays in the plot")) && last().startsWith(QStringLiteral("Remove this kept")), qPrintable(last()));
        desk.actions.keepCurve->trigger();
        QVERIFY2(last().contains(of + QStringLiteral("was removed from the plot")) && last().startsWith(QStringLiteral("Keep this")), qPrintable(last()));
        // What can be taken back stands in the status bar; what was offered before is over.
        const Messages* all = desk.session.messages();
        int offers = 0;
        for (int row = 0; row < all->rowCount(); ++row)
            offers += all->at(row).actionText == QStringLiteral("Undo") ? 1 : 0;
        QCOMPARE(offers, 1);
        desk.session.setCurrentLayer(2);
        QVERIFY(desk.settle());
        const auto curves = [&] { return desk.panel()->diagonality()->keyEntries().size(); };
        const auto without = curves();
        desk.session.messages()->trigger(0);
        QTRY_VERIFY_WITH_TIMEOUT(curves() > without && last().startsWith(QStringLiteral("Keep this")), 60000); // it stays after all
    }

    /// With several models in the plot every curve is named by its model, the current one too.
    void curvesOfSeveralModelsAreNamedByTheirModels() {
        Desk desk;
        QVERIFY(desk.settle());
        const ModelId one = desk.session.currentModelId();
        const UtteranceId here = desk.session.currentUtteranceId();
        const std::vector<KeptCurve> kept{{{one, 2, {}, here}, {}}};
        desk.session.setCurrentLayer(4);
        QCOMPARE(comparedCurves(desk.session, desk.analysis, std::nullopt, kept).own.name, QStringLiteral("layer 4"));
        QCOMPARE(comparedCurves(desk.session, desk.analysis, std::nullopt, kept).curves.at(0).name, QStringLiteral("layer 2"));
        desk.session.setModelEnabled(desk.session.openModel(desk.workshop.model("n")), true);
        const ComparedCurves both = comparedCurves(desk.session, desk.analysis, std::nullopt, kept);
        QCOMPARE(both.own.name, desk.session.currentModel()->name + QStringLiteral(", layer 4"));
        QCOMPARE(both.curves.back().name, desk.session.currentModel()->name + QStringLiteral(", layer 2"));
        QVERIFY(both.curves.back().millisecondsPerToken > 0); // so that the plot can place tokens of another length
    }

    /// “Layers 1, 2, 3, 4, 5, 6, 7, 8: with w = 1 …” of all layers of a model.
    void layersInARowAreARange() {
        const auto text = [](std::initializer_list<int> layers) { return WindowsController::layersText(layers); };
        QCOMPARE(text({3}), QStringLiteral("Layer 3"));
        QCOMPARE(text({3, 4}), QStringLiteral("Layers 3, 4"));
        QCOMPARE(text({1, 2, 3, 4, 5, 6, 7, 8}), QStringLiteral("Layers 1–8"));
        QCOMPARE(text({1, 3, 4, 5, 7, 8, 11}), QStringLiteral("Layers 1, 3–5, 7, 8, 11"));
    }

    /// A tenth of the panel showed the map, and the rest nothing.
    void thePartThatIsAnalysedFillsTheMap() {
        Desk desk;
        QVERIFY(desk.settle());
        const widgets::TimeSpan part{Seconds(1), Seconds(2)};
        desk.axis.setSelection(part);
        QVERIFY(desk.settle());
        desk.actions.analyseSelection->trigger();
        QVERIFY(desk.axis.visible() == part);
        QVERIFY(desk.settle());
        desk.actions.analyseWhole->trigger();
        QVERIFY(desk.axis.visible() == (widgets::TimeSpan{Seconds(0), desk.axis.extent()}));
        QVERIFY(desk.settle());
    }

    /// “whisper-tiny-random …” stood beside free room, and what differs from the model itself did not.
    void theHeaderOfTheLayersCutsNamesInTheirMiddle() {
        Desk desk;
        QVERIFY(desk.settle());
        const QString name = QStringLiteral("whisper-tiny-random, layers 2-3 full - 3 local 17 + 1 full, seed 1");
        const ModelId model = desk.session.openModel(desk.workshop.model(name.toStdString()));
        desk.session.setCurrentModel(model);
        QVERIFY(desk.settle());
        QCOMPARE(desk.session.currentModel()->name, name);
        PanelHeader* header = desk.map.docks().layers->header();
        QWidget box;
        header->setParent(&box);
        header->resize(360, header->height());
        box.resize(360, header->height());
        box.show();
        QCoreApplication::processEvents();
        const auto shown = [&] { return header->findChildren<QLabel*>().last()->text(); };
        QVERIFY2(shown().endsWith(QStringLiteral("seed\u00a01")) && shown().startsWith(QStringLiteral("whisper")), qPrintable(shown()));
        desk.session.setMapSource({MapSource::Kind::Head, 1}); // the measure stands before it
        QTRY_VERIFY2(shown().endsWith(QStringLiteral("seed\u00a01")) && shown().startsWith(QStringLiteral("contributions")), qPrintable(shown()));
    }
};

HEADROOM_TEST(WindowsControllerTest)

} // namespace headroom::testing::windows_controller_test

#include "windows_controller_test.moc"
