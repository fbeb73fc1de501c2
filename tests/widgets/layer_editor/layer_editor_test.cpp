// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "tests/widgets/layer_editor/editor_owner.h"
#include "widgets/layer_editor/head_chip.h"
#include "widgets/layer_editor/heads_field.h"
#include "widgets/layer_editor/layer_editor.h"
#include "widgets/layer_editor/layer_editor_delegate.h"
#include "widgets/layer_editor/suggestion_list.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QAbstractItemModelTester>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::layer_editor_test {

using namespace headroom::widgets;

using Owner = EditorOwner;

class LayerEditorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }
    void narrowChipsTellSmoothedFromSuppressed() {
        const auto sign = [](const char* cell) { return modifierSign(chipText(cell).modifiers); };
        QCOMPARE(sign("full smoothed"), QStringLiteral("∗"));
        QCOMPARE(sign("full suppressed 0.5"), QStringLiteral("↓"));
        QCOMPARE(sign("full relaxed 0.01"), QStringLiteral("γ"));
        QCOMPARE(sign("full relaxed 0.01 matched"), QStringLiteral("γ m")); // another model
        QCOMPARE(sign("full"), QString());
    }

    /// As under the maps of Analyse: 0 where nothing is left out.
    void aLossOfAWindowHasItsDecimals() {
        LayerEditorModel model;
        model.setGrid(HeadGrid({{parseHeads("4 full")}, {parseHeads("4 local 5")}}));
        LayerFacts nothingLost;
        nothingLost.loss = 0.0;
        model.setFacts({nothingLost, nothingLost});
        const auto loss = [&](int layer) { return model.index(LayerEditorModel::rowOf(layer), model.lossColumn()).data().toString(); };
        QCOMPARE(loss(1), QStringLiteral("0"));
        QCOMPARE(loss(2), QStringLiteral("0.000"));
    }

    void theModelKeepsQtsRules();
    void itSaysWhatAHeadIs();
    void reachIsReadFromTheValidHeads();
    void chipsStayInLineAndTheSentenceStandsBelow();
    void aReusedMapIsOneChip();
    void typingSetsTheHeadUnderTheCursor();
    void aBeginningIsEnoughWhereTheSuggestionGoesOn();
    void aWrongTextIsTakenAndRinged();
    void escapeGivesUp();
    void draggingOverSeveralHeadsSetsThemAll();
    void theLayersNumberStandsForAllItsHeads();
    void bracketsStepLocalWindowsAndGoOn();
    void aKeyWithControlTakesTheSelectionWithIt();
    void f8WalksThroughTheMistakes();
    void theMistakeOfTheCurrentHeadIsSaid();
    void aMistakeThatHasRoomIsSaidWhole();
    void shapeChangesAreFollowed();
    void aSelectedAndAMistakenChipDifferInMoreThanTheirGround();
    void picture();
};

void LayerEditorTest::theModelKeepsQtsRules() {
    LayerEditorModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    std::vector<Architecture::Layer> layers{{parseHeads("4 full")}, {parseHeads("2 local 5 + 2 full")}};
    HeadGrid grid(layers);
    model.setGrid(grid);
    model.setFrame(QStringLiteral("front"), QStringLiteral("decoder"));
    model.setFacts({LayerFacts{}, LayerFacts{}});
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.columnCount(), 2 + 4 + 3);
    QSignalSpy entered(&model, &LayerEditorModel::textEntered);
    QVERIFY(model.setData(model.index(2, 3), QStringLiteral("local 9")));
    QCOMPARE(entered.count(), 1);
    QCOMPARE(entered.first(), (QVariantList{2, 2, QStringLiteral("local 9")}));
    QVERIFY(!model.setData(model.index(0, 3), QStringLiteral("local 9"))); // the front end is no head
    layers.push_back({parseHeads("8 full")});
    model.setGrid(HeadGrid(layers));
    QCOMPARE(model.columnCount(), 2 + 8 + 3);
    QVERIFY(!model.isHead(model.index(1, LayerEditorModel::columnOf(5)))); // the first layer has four
    model.setGrid(HeadGrid());
    QCOMPARE(model.rowCount(), 0);
}

void LayerEditorTest::itSaysWhatAHeadIs() {
    Owner owner({"4 full", "4 local 15"});
    const auto* model = owner.editor.gridModel();
    QCOMPARE(model->data(owner.at(2, 3), Qt::AccessibleTextRole).toString(),
             QStringLiteral("Layer 2, head 3: local 15"));
    QCOMPARE(model->data(owner.at(2, 3), Qt::ToolTipRole).toString(),
             QStringLiteral("local 15: ±7 tokens, ±280\u202Fms"));
    QCOMPARE(model->headerData(LayerEditorModel::columnOf(2), Qt::Horizontal).toString(),
             QStringLiteral("Head 2"));
}

void LayerEditorTest::reachIsReadFromTheValidHeads() {
    Owner owner({"4 full", "4 local 5", "4 reuse 2", "3 local 9 + 1 conv 5/2", "4 local 64 block"});
    const auto* model = owner.editor.gridModel();
    QCOMPARE(model->reachText(1), QStringLiteral("all"));
    QCOMPARE(model->reachText(2), QStringLiteral("±80\u202Fms"));
    QCOMPARE(model->reachText(3), QStringLiteral("±80\u202Fms"));
    QCOMPARE(model->reachText(4), QStringLiteral("all"));
    QCOMPARE(model->reachText(5), QStringLiteral("±1,640\u202Fms")); // blocks of 21: up to 41 tokens away
    // Every number has room in its column.
    for (const auto& [window, reach] : {std::pair(499, "±9,960\u202Fms"), std::pair(501, "±10.0\u202Fs"), std::pair(9999, "±200.0\u202Fs"),
                                        std::pair(99999, "±2,000.0\u202Fs")}) {
        Owner wide({qPrintable(QStringLiteral("4 local %1").arg(window))});
        wide.show();
        QCOMPARE(wide.editor.gridModel()->reachText(1), QString::fromUtf8(reach));
        const int column = wide.editor.gridModel()->reachColumn();
        const QModelIndex index = wide.editor.gridModel()->index(LayerEditorModel::rowOf(1), column);
        QVERIFY2(wide.editor.sizeHintForIndex(index).width() <= wide.editor.columnWidth(column), reach);
    }
}

void LayerEditorTest::chipsStayInLineAndTheSentenceStandsBelow() {
    const QRect cell(100, 200, 140, 50);
    const QRect rest = LayerEditorDelegate::chipRect(cell, false),
                moved = LayerEditorDelegate::chipRect(cell, true);
    QCOMPARE(rest.size(), moved.size());
    QCOMPARE(rest.center().y(), cell.center().y());
    QVERIFY(moved.top() < rest.top());
    QVERIFY(cell.contains(moved));
    const QRect sentence = LayerEditorDelegate::sentenceRect(cell);
    QVERIFY(sentence.top() > moved.bottom());
    QVERIFY(cell.contains(sentence));
    QVERIFY(sentence.height() >= QFontMetrics(Sizes::small()).ascent());
}

void LayerEditorTest::aReusedMapIsOneChip() {
    Owner owner({"4 local 5", "4 reuse 1"});
    QCOMPARE(owner.editor.columnSpan(LayerEditorModel::rowOf(2), LayerEditorModel::FirstHead), 4);
    QCOMPARE(owner.editor.visualRect(owner.at(2, 1)), owner.editor.headsRect(2));
    owner.show();
    QTest::mouseClick(owner.editor.viewport(), Qt::LeftButton, {}, owner.editor.headsRect(2).center());
    QCOMPARE(owner.editor.selectedHeads(), (std::vector<CellEdit>{{2, 1, 4, {}}}));
    owner.editor.writeSelected(QStringLiteral("local 7"));
    QCOMPARE(owner.text(2), QStringLiteral("4 local 7"));
    QCOMPARE(owner.editor.columnSpan(LayerEditorModel::rowOf(2), LayerEditorModel::FirstHead), 1);
}

void LayerEditorTest::typingSetsTheHeadUnderTheCursor() {
    Owner owner({"4 full", "4 full"});
    owner.show();
    QTest::mouseClick(owner.editor.viewport(), Qt::LeftButton, {}, owner.chip(2, 3));
    QTest::keyClicks(owner.editor.viewport(), QStringLiteral("l"));
    auto* field = owner.editor.findChild<HeadsField*>();
    QVERIFY(field);
    QTest::keyClicks(field, QStringLiteral("ocal 17"));
    QCOMPARE(field->text(), QStringLiteral("local 17"));
    QVERIFY(field->suggestionList()->isVisible());
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(owner.text(2), QStringLiteral("2 full + 1 local 17 + 1 full"));
    QCOMPARE(owner.count, 1);
    QVERIFY(!owner.wentOn);
    QTest::keyClick(owner.editor.viewport(), Qt::Key_Up); // the grid has the keys again
    QCOMPARE(owner.editor.currentLayer(), 1);
}

void LayerEditorTest::aBeginningIsEnoughWhereTheSuggestionGoesOn() {
    Owner owner({"4 local 9"});
    owner.show();
    owner.editor.selectHeads(1, 1, 4);
    QTest::keyClicks(owner.editor.viewport(), QStringLiteral("f"));
    QTest::keyClick(owner.editor.findChild<HeadsField*>(), Qt::Key_Return);
    QCOMPARE(owner.text(1), QStringLiteral("4 full"));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // the field of before
    QTest::keyClicks(owner.editor.viewport(), QStringLiteral("b"));
    QTest::keyClick(owner.editor.findChild<HeadsField*>(), Qt::Key_Return);
    QCOMPARE(owner.text(1), QStringLiteral("4 local 64 block"));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QTest::keyClicks(owner.editor.viewport(), QStringLiteral("2"));
    auto* field = owner.editor.findChild<HeadsField*>();
    QVERIFY(field);
    QTest::keyClicks(field, QStringLiteral("3"));
    QTest::keyClick(field, Qt::Key_Down); // the second: block-local
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(owner.text(1), QStringLiteral("4 local 23 block"));
}

void LayerEditorTest::aWrongTextIsTakenAndRinged() {
    Owner owner({"4 local 13"});
    owner.show();
    owner.editor.selectHeads(1, 4, 4);
    QTest::keyClicks(owner.editor.viewport(), QStringLiteral("l"));
    auto* field = owner.editor.findChild<HeadsField*>();
    field->setText(QStringLiteral("local 14"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(owner.text(1), QStringLiteral("3 local 13 + 1 local 14"));
    QVERIFY(owner.editor.gridModel()->mistakeAt(owner.at(1, 4)));
    QVERIFY(!owner.editor.gridModel()->mistakeAt(owner.at(1, 3)));
    QCOMPARE(owner.editor.gridModel()->data(owner.at(1, 4), Qt::ToolTipRole).toString(),
             QStringLiteral("local 14\n14 is even: use 13 or 15"));
}

void LayerEditorTest::escapeGivesUp() {
    Owner owner({"4 full"});
    owner.show();
    owner.editor.selectHeads(1, 1, 1);
    QTest::keyClicks(owner.editor.viewport(), QStringLiteral("x"));
    QTest::keyClick(owner.editor.findChild<HeadsField*>(), Qt::Key_Escape);
    QCOMPARE(owner.count, 0);
    QCOMPARE(owner.text(1), QStringLiteral("4 full"));
}

void LayerEditorTest::draggingOverSeveralHeadsSetsThemAll() {
    Owner owner({"4 full", "4 full", "4 full"});
    owner.show();
    QWidget* viewport = owner.editor.viewport();
    QTest::mousePress(viewport, Qt::LeftButton, {}, owner.chip(1, 2));
    QTest::mouseMove(viewport, owner.chip(2, 3));
    QTest::mouseMove(viewport, owner.chip(2, 4));
    QTest::mouseRelease(viewport, Qt::LeftButton, {}, owner.chip(2, 4));
    QCOMPARE(owner.editor.selectedHeads(), (std::vector<CellEdit>{{1, 2, 4, {}}, {2, 2, 4, {}}}));
    QCOMPARE(owner.editor.selectionText(), QStringLiteral("6 heads in layers 1 and 2"));
    QTest::keyClicks(viewport, QStringLiteral("9"));
    QTest::keyClick(owner.editor.findChild<HeadsField*>(), Qt::Key_Return);
    QCOMPARE(owner.count, 1);
    QCOMPARE(owner.text(1), QStringLiteral("1 full + 3 local 9"));
    QCOMPARE(owner.text(2), QStringLiteral("1 full + 3 local 9"));
    QCOMPARE(owner.text(3), QStringLiteral("4 full"));
    QTest::mouseClick(viewport, Qt::LeftButton, {}, owner.chip(1, 1));
    QTest::mouseClick(viewport, Qt::LeftButton, Qt::ControlModifier, owner.chip(3, 2));
    QCOMPARE(owner.editor.selectionText(), QStringLiteral("2 heads in layers 1 and 3"));
    QTest::mouseClick(viewport, Qt::LeftButton, Qt::ControlModifier, owner.chip(2, 2));
    QCOMPARE(owner.editor.selectionText(), QStringLiteral("3 heads in layers 1 to 3"));
}

void LayerEditorTest::theLayersNumberStandsForAllItsHeads() {
    Owner owner({"4 full", "4 full"});
    owner.show();
    const QRect number =
        owner.editor.visualRect(owner.editor.gridModel()->index(LayerEditorModel::rowOf(2), 0));
    QTest::mouseClick(owner.editor.viewport(), Qt::LeftButton, {}, number.center());
    QCOMPARE(owner.editor.selectedHeads(), (std::vector<CellEdit>{{2, 1, 4, {}}}));
    QCOMPARE(owner.editor.selectionText(), QStringLiteral("Layer 2, heads 1 to 4"));
    // The menu of a number is of its layer, or of what is selected there already.
    const QRect other = owner.editor.visualRect(owner.editor.gridModel()->index(LayerEditorModel::rowOf(1), 0));
    QTest::mouseClick(owner.editor.viewport(), Qt::RightButton, {}, other.center());
    QCOMPARE(owner.editor.selectedHeads(), (std::vector<CellEdit>{{1, 1, 4, {}}}));
    owner.editor.selectHeads(1, 2, 3);
    QTest::mouseClick(owner.editor.viewport(), Qt::RightButton, {}, other.center());
    QCOMPARE(owner.editor.selectedHeads(), (std::vector<CellEdit>{{1, 2, 3, {}}}));
}

void LayerEditorTest::bracketsStepLocalWindowsAndGoOn() {
    Owner owner({"2 local 17 relaxed 0.1 + 1 full + 1 local 1"});
    owner.show();
    owner.editor.selectHeads(1, 1, 4);
    QTest::keyClick(owner.editor.viewport(), Qt::Key_BracketLeft);
    QVERIFY(owner.wentOn);
    QCOMPARE(owner.text(1), QStringLiteral("2 local 15 relaxed 0.1 + 1 full + 1 local 1"));
    QTest::keyClick(owner.editor.viewport(), Qt::Key_BracketRight, Qt::ShiftModifier);
    QCOMPARE(owner.text(1), QStringLiteral("2 local 25 relaxed 0.1 + 1 full + 1 local 11"));
    QTest::keyClick(owner.editor.viewport(), Qt::Key_Delete);
    QCOMPARE(owner.text(1), QStringLiteral("4 full"));
    QVERIFY(!owner.wentOn);
}

void LayerEditorTest::aKeyWithControlTakesTheSelectionWithIt() {
    Owner owner({"4 local 5", "4 local 7", "4 local 9"});
    owner.show();
    owner.editor.selectHeads(1, 1, 1);
    QTest::keyClick(owner.editor.viewport(), Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(owner.editor.currentLayer(), 2);
    QCOMPARE(owner.editor.selectedHeads(), (std::vector<CellEdit>{{2, 1, 1, {}}}));
    QTest::keyClick(owner.editor.viewport(), Qt::Key_Backspace);
    QCOMPARE(owner.text(1), QStringLiteral("4 local 5")); // where the frame is not, nothing changes
    QCOMPARE(owner.text(2), QStringLiteral("1 full + 3 local 7"));
}

void LayerEditorTest::f8WalksThroughTheMistakes() {
    Owner owner({"4 full", "4 full", "4 full"});
    owner.grid.write(1, 2, 2, "local 14");
    owner.grid.write(3, 1, 4, "reuse 7");
    owner.grid.settle();
    owner.editor.setGrid(owner.grid);
    owner.editor.selectNextMistake();
    QCOMPARE(owner.editor.selectedHeads(), (std::vector<CellEdit>{{1, 2, 2, {}}}));
    owner.editor.selectNextMistake();
    QCOMPARE(owner.editor.selectedHeads(), (std::vector<CellEdit>{{3, 1, 4, {}}}));
    owner.editor.selectNextMistake();
    QCOMPARE(owner.editor.selectedHeads(), (std::vector<CellEdit>{{1, 2, 2, {}}}));
}

/// Of two in a row, only the first was ever said.
void LayerEditorTest::theMistakeOfTheCurrentHeadIsSaid() {
    Owner owner({"4 full", "4 full"});
    owner.grid.write(2, 3, 3, "suppressed");
    owner.grid.write(2, 4, 4, "locl 9");
    owner.grid.settle();
    owner.editor.setGrid(owner.grid);
    owner.show();
    const auto shows = [&](const char* text) { return owner.editor.shownMistakes().join(u'\n').contains(QLatin1String(text)); };
    owner.editor.selectNextMistake();
    QVERIFY2(shows("suppressed") && !shows("locl"), qPrintable(owner.editor.shownMistakes().join(u'\n')));
    owner.editor.selectNextMistake();
    QVERIFY2(shows("locl") && !shows("suppressed"), qPrintable(owner.editor.shownMistakes().join(u'\n')));
    owner.editor.resize(6000, 700); // there is room for both
    QTRY_VERIFY2_WITH_TIMEOUT(shows("suppressed") && shows("locl"), qPrintable(owner.editor.shownMistakes().join(u'\n')), 60000);
}

/// "5 heads are named, but the layer has…": a text is up to a pixel wider than its width in whole pixels.
void LayerEditorTest::aMistakeThatHasRoomIsSaidWhole() {
    Owner owner({"4 full", "4 full", "4 full", "4 full", "4 full"});
    owner.editor.resize(1600, 900);
    owner.show();
    for (const int count : {5, 11, 19}) {
        QStringList sentences;
        for (int layer = 1; layer <= 5; ++layer)
            owner.grid.write(layer, 1, 4, std::to_string(count * layer) + " full");
        owner.grid.settle();
        owner.editor.setGrid(owner.grid);
        for (const HeadMistake& mistake : owner.grid.mistakes())
            sentences << QString::fromStdString(mistake.sentence);
        QCOMPARE(sentences.size(), 5);
        QCOMPARE(owner.editor.shownMistakes(), sentences);
    }
}

void LayerEditorTest::shapeChangesAreFollowed() {
    Owner owner({"4 full", "4 full", "4 reuse 1"});
    owner.show();
    owner.editor.setGrid(HeadGrid({{parseHeads("2 full")}}));
    QCOMPARE(owner.editor.gridModel()->rowCount(), 3);
    QCOMPARE(owner.editor.columnSpan(1, LayerEditorModel::FirstHead), 1);
    owner.editor.setGrid(HeadGrid());
    owner.editor.setEmptySentence(QStringLiteral("Nothing."));
    QVERIFY(!owner.editor.grab().isNull());
}

void LayerEditorTest::aSelectedAndAMistakenChipDifferInMoreThanTheirGround() {
    for (const char* theme : {"light", "dark"}) {
        Theme::apply(QString::fromLatin1(theme));
        const auto picture = [](ChipState state) {
            QImage image(140, 30, QImage::Format_RGB32);
            image.fill(Theme::current().panel);
            QPainter painter(&image);
            paintChip(painter, QRectF(0, 0, 140, 30), chipText("local 17"), state);
            return image;
        };
        const QImage rest = picture({}), selected = picture({.selected = true}),
                     wrong = picture({.mistaken = true});
        QCOMPARE(selected.pixelColor(70, 1), Theme::current().accent);
        QCOMPARE(wrong.pixelColor(70, 1), Theme::current().error);
        QVERIFY(rest != selected && rest != wrong);
        const QImage both = picture({.selected = true, .mistaken = true}); // F8 goes from one to the next
        QCOMPARE(both.pixelColor(70, 0), Theme::current().error);
        QVERIFY(both != wrong && both != selected);
        QVERIFY(rest.pixelColor(100, 25) != picture({.hovered = true}).pixelColor(100, 25));
    }
    Theme::apply(QStringLiteral("light"));
}

void LayerEditorTest::picture() {
    // A picture of all states, kept where HEADROOM_PICTURES names a folder.
    const QString folder = qEnvironmentVariable("HEADROOM_PICTURES");
    if (folder.isEmpty())
        QSKIP("HEADROOM_PICTURES names no folder.");
    for (const char* theme : {"light", "dark"}) {
        Theme::apply(QString::fromLatin1(theme));
        Owner owner({"4 full", "4 local 5", "4 reuse 2", "2 local 9 + 2 conv 5/2", "4 local 13",
                     "2 local 64 block + 2 conv 5/2", "4 local 15", "4 local 17 relaxed 0.01", "4 full"});
        owner.grid.write(5, 4, 4, "local 14");
        owner.grid.write(9, 1, 4, "reuse 13");
        owner.grid.settle();
        owner.editor.setGrid(owner.grid);
        std::vector<LayerFacts> facts(9);
        for (std::size_t i = 0; i < facts.size(); ++i) {
            facts[i].macs = 1.0 - 0.03 * double(i);
            facts[i].attention = 0.3 - 0.03 * double(i);
            facts[i].loss = 0.1 * double(i % 3);
        }
        owner.editor.setFacts(facts);
        owner.show();
        owner.editor.selectHeads(7, 2, 4);
        QTest::keyClicks(owner.editor.viewport(), QStringLiteral("l"));
        QTest::keyClicks(owner.editor.findChild<HeadsField*>(), QStringLiteral("ocal 15"));
        QVERIFY(owner.editor.grab().save(
            QStringLiteral("%1/layer-editor-%2.png").arg(folder, QString::fromLatin1(theme))));
    }
    Theme::apply(QStringLiteral("light"));
}

HEADROOM_TEST(LayerEditorTest)

} // namespace headroom::testing::layer_editor_test

#include "layer_editor_test.moc"
