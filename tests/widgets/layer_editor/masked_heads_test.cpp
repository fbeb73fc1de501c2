// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of a language model: a window is one of masked heads.
#include "tests/support/runner.h"
#include "tests/widgets/layer_editor/editor_owner.h"
#include "widgets/layer_editor/head_chip.h"
#include "widgets/layer_editor/heads_field.h"
#include "widgets/layer_editor/suggestion_list.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QImage>
#include <QPainter>
#include <QTest>

namespace headroom::testing::masked_heads_test {

using namespace headroom::widgets;

namespace {

void makeLanguageModel(EditorOwner& owner) {
    LayerSurroundings surroundings;
    surroundings.languageModel = true;
    owner.grid = HeadGrid(owner.grid.validLayers(), surroundings);
    owner.editor.setGrid(owner.grid);
    owner.show();
}

} // namespace

class MaskedHeadsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void aNumberIsAWindowOfMaskedHeads() {
        EditorOwner owner{"4 masked", "4 masked"};
        makeLanguageModel(owner);
        owner.editor.selectHeads(2, 1, 4);
        QTest::keyClicks(owner.editor.viewport(), QStringLiteral("9"));
        auto* field = owner.editor.findChild<HeadsField*>();
        const auto* list = owner.editor.window()->findChild<SuggestionList*>();
        QCOMPARE(list->suggestions().front().text, QStringLiteral("masked 9"));
        QCOMPARE(list->suggestions().front().note, QStringLiteral("itself and 4 earlier, 160\u202fms"));
        for (const HeadSuggestion& one : list->suggestions())
            QVERIFY2(one.text.startsWith(QStringLiteral("masked")), qPrintable(one.text));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(owner.text(2), QStringLiteral("4 masked 9"));
        QCOMPARE(owner.text(1), QStringLiteral("4 masked"));
        QVERIFY(owner.grid.mistakes().empty());
    }

    void bracketsAndDeleteKeepTheMask() {
        EditorOwner owner{"4 masked 9", "4 masked"};
        makeLanguageModel(owner);
        owner.editor.selectHeads(1, 1, 4);
        QTest::keyClick(&owner.editor, Qt::Key_BracketRight);
        QCOMPARE(owner.text(1), QStringLiteral("4 masked 11"));
        QTest::keyClick(&owner.editor, Qt::Key_Delete);
        QCOMPARE(owner.text(1), QStringLiteral("4 masked"));
        const int edits = owner.count;
        QTest::keyClick(&owner.editor, Qt::Key_BracketRight); // there is no window to change
        QCOMPARE(owner.count, edits);
        QVERIFY(owner.grid.mistakes().empty());
        QCOMPARE(owner.editor.whyNoReuse(), maskedOnlySentence());
    }

    void theReachIsThatOfThePast() {
        EditorOwner owner{"4 masked 9", "4 masked", "4 local 9", "2 masked + 2 masked 9", "4 reuse 2", "2 masked + 2 full",
                          "1 masked 17 + 3 local 13", "2 masked + 2 local 13"};
        const auto* model = owner.editor.gridModel();
        const auto reach = [&](int layer) {
            return model->index(LayerEditorModel::rowOf(layer), model->reachColumn()).data().toString();
        };
        QCOMPARE(reach(1), QStringLiteral("−160\u202fms"));
        QCOMPARE(reach(2), QStringLiteral("all earlier")); // it does not see what comes later
        QCOMPARE(reach(3), QStringLiteral("±160\u202fms"));
        QCOMPARE(reach(4), QStringLiteral("all earlier"));
        QCOMPARE(reach(5), QStringLiteral("all earlier"));
        QCOMPARE(reach(6), QStringLiteral("all"));
        QCOMPARE(reach(7), QStringLiteral("−320\u202f+240\u202fms")); // the mask is of some heads only
        QCOMPARE(reach(8), QStringLiteral("all, +240\u202fms"));
        // Also after an edit, and at another clock, the column has room for both sides.
        EditorOwner edited{"4 full"};
        edited.show();
        const auto fits = [&] {
            const auto* grid = edited.editor.gridModel();
            return edited.editor.columnWidth(grid->reachColumn()) > QFontMetrics(Sizes::text()).horizontalAdvance(grid->reachText(1)) + Sizes::unit();
        };
        edited.grid = HeadGrid({{parseHeads("1 masked 17 + 3 local 13")}});
        edited.editor.setGrid(edited.grid);
        QVERIFY(fits());
        edited.editor.gridModel()->setClock(1234, QStringLiteral("MACs"));
        QCOMPARE(edited.editor.gridModel()->reachText(1), QStringLiteral("−9,872\u202f+7,404\u202fms"));
        QVERIFY(fits());
    }

    /// In a narrow cell the window is read, as that of a local head is; "masked …" said nothing.
    void aNarrowChipKeepsItsNumber() {
        const auto picture = [](const QString& label) {
            QImage image(60, 30, QImage::Format_RGB32);
            image.fill(Theme::current().panel);
            QPainter painter(&image);
            ChipText text = chipText("masked 17");
            text.label = label;
            paintChip(painter, QRectF(0, 0, 60, 30), text, {});
            return image;
        };
        QCOMPARE(picture(QStringLiteral("masked 17")), picture(QStringLiteral("17")));
    }
};

HEADROOM_TEST(MaskedHeadsTest)

} // namespace headroom::testing::masked_heads_test

#include "masked_heads_test.moc"
