// SPDX-License-Identifier: GPL-3.0-or-later
// The line below a figure of the tab Windows, and what the suggestions on the maps are said to be over.
#include "tests/app/studies/made_study.h"
#include "tests/app/workspaces/analyse/windows_desk.h"
#include "tests/support/runner.h"
#include "widgets/curves/windows_table.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/window_band.h"

#include <QLabel>
#include <QTest>

namespace headroom::testing::windows_caption_test {

using namespace headroom::app;

class WindowsCaptionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// Of the models in the plot only the current one had its hash and N.
    void everyModelThatIsDrawnIsNamed() {
        WindowsDesk desk;
        QVERIFY(desk.settle());
        const auto caption = [&] { return desk.panel()->figureCaption(); };
        const ModelId first = desk.session.currentModelId();
        QVERIFY(!caption().contains(u';') && caption().contains(QStringLiteral(" tokens. Recording: a")));
        const ModelId other = desk.session.openModel(desk.workshop.model("other"));
        desk.session.setModelEnabled(other, true);
        QVERIFY(desk.settle());
        QTRY_VERIFY_WITH_TIMEOUT(desk.analysis.result(desk.session.currentUtteranceId(), other) && caption().contains(u';'), 60000);
        for (const ModelId id : {first, other}) {
            const OpenModel* model = desk.session.models()->find(id);
            QVERIFY(!model->info->hash.isEmpty());
            const auto tokens = desk.analysis.result(desk.session.currentUtteranceId(), id)->tokens.value();
            const QString named = QStringLiteral("%1 (SHA-256 %2), N = %3 tokens").arg(model->shownName(), model->info->hash.left(12)).arg(tokens);
            QCOMPARE(caption().count(named), 1);
        }
    }

    /// A window of several utterances stood beside CL of one, and nothing said so.
    void theBandsSayOverWhatTheirWindowsAre() {
        WindowsDesk desk;
        QVERIFY(desk.settle());
        const widgets::WindowBand* band = desk.map.band();
        QVERIFY2(band->suggestedOver().isEmpty(), qPrintable(band->suggestedOver()));
        desk.session.open({desk.workshop.wav("b.wav", 5)});
        QVERIFY(desk.settle());
        QTRY_COMPARE(band->suggestedOver(), QStringLiteral("over 2 open utterances"));
        desk.session.setPart(desk.session.currentUtteranceId(), Part{Seconds(1), Seconds(3)});
        QVERIFY(desk.settle());
        QTRY_COMPARE(band->suggestedOver(), QStringLiteral("over 2 open utterances, 1 of them a selection"));
        const widgets::WindowsModel* table = desk.panel()->table()->windows();
        const auto tip = [&] { return table->data(table->index(0, widgets::WindowsModel::SuggestedLoss), Qt::ToolTipRole).toString(); };
        QTRY_VERIFY2(tip().endsWith(QStringLiteral(" over 2 utterances, 1 of them a selection.")), qPrintable(tip()));
    }

    /// It was called “text 2”, which stands nowhere: list and header show its words.
    void theNoteNamesNoTextByItsNumber() {
        WindowsDesk desk;
        QVERIFY(desk.settle());
        desk.session.open({desk.workshop.wav("b.wav", 5)});
        QVERIFY(desk.settle());
        const auto from = [&] { return desk.panel()->findChild<QLabel*>(QStringLiteral("suggestedFrom"))->text(); };
        QTRY_VERIFY2(from().contains(QStringLiteral(" CCD: b alone.")), qPrintable(from()));
        const UtteranceId text = desk.session.addText(QStringLiteral("the big man looks for rest at night"));
        desk.session.setCurrentUtterance(text);
        QTRY_VERIFY2(from().contains(QStringLiteral(" CCD: “the big man looks for rest at night” alone.")), qPrintable(from()));
    }

    /// The tag of A said “full, suggested 3”, that of B “full” of the same layer.
    void theMapBesideHasTheSuggestionOfItsLayer() {
        WindowsDesk desk;
        widgets::WindowBand beside;
        QTabWidget tabs;
        const WindowsController windows(
            WindowsController::Parts{&desk.session, &desk.analysis, &desk.actions, &desk.evidence, &desk.map, &desk.comparison, &tabs, &beside});
        desk.session.setCurrentLayer(1);
        desk.session.setFullAbove(1);
        QVERIFY(desk.settle());
        desk.comparison.compareLayer(desk.session.currentModelId(), 4);
        desk.map.refresh();
        QCOMPARE(std::optional(beside.suggestedWindow()), windows.suggestions().at(3));
        QVERIFY(beside.suggestedWindow() > 0 && beside.suggestedWindow() != desk.map.band()->suggestedWindow());
        desk.comparison.compareLayer(desk.session.currentModelId(), 1);
        desk.map.refresh();
        QCOMPARE(beside.suggestedWindow(), desk.map.band()->suggestedWindow());
    }

    /// A's window was the mean over all open utterances, B's that of the one on the map, and nothing said so.
    void bothMapsHaveOneBasisOrTheTagNamesIt() {
        WindowsDesk desk;
        widgets::WindowBand beside;
        QTabWidget tabs;
        const WindowsController windows(
            WindowsController::Parts{&desk.session, &desk.analysis, &desk.actions, &desk.evidence, &desk.map, &desk.comparison, &tabs, &beside});
        const ModelId current = desk.session.currentModelId(), other = desk.session.openModel(desk.workshop.model("other"));
        desk.session.setCurrentModel(current);
        desk.session.setCurrentLayer(4);
        desk.session.setFullAbove(1);
        desk.session.open({desk.workshop.wav("b.wav", 5)});
        desk.comparison.compareModel(other);
        QVERIFY(desk.settle());
        const auto basis = [&] { return beside.tag().lines.size() > 2 ? beside.tag().lines.back().text : QString(); };
        QCOMPARE(desk.map.band()->suggestedOver(), QStringLiteral("over 2 open utterances"));
        QTRY_COMPARE(basis(), QStringLiteral("suggested over 1 open utterance"));
        desk.analysis.alsoAnalyse({UtteranceId::None, other}); // what CompareController does
        QVERIFY(desk.settle());
        QTRY_COMPARE(beside.suggestedOver(), QStringLiteral("over 2 open utterances"));
        QCOMPARE(basis(), QString());
        // A study speaks for every model that it measured.
        ModelDescription info = *desk.session.models()->find(other)->info;
        info.hash = QString(64, QLatin1Char('a'));
        desk.session.setModelOpened(other, info);
        const auto folder = desk.workshop.path() / "studied";
        makeWindowsStudy(folder, 6, 3); // of these weights
        desk.evidence.add(openStudy(folder));
        QVERIFY(desk.settle());
        QCOMPARE(beside.suggestedOver(), QStringLiteral("over 3 utterances of the study “studied”"));
        QCOMPARE(beside.foundWindow(), 9);
        info.hash = QString(64, QLatin1Char('b'));
        desk.session.setModelOpened(other, info);
        desk.map.refresh();
        QVERIFY(desk.settle());
        QTRY_COMPARE(basis(), QStringLiteral("suggested over 2 open utterances"));
    }
};

HEADROOM_TEST(WindowsCaptionTest)

} // namespace headroom::testing::windows_caption_test

#include "windows_caption_test.moc"
