// SPDX-License-Identifier: GPL-3.0-or-later
// Where the focus is in the grid, and how it gets there.
#include "tests/support/runner.h"
#include "tests/widgets/layer_editor/editor_owner.h"
#include "widgets/look/theme.h"

namespace headroom::testing::editor_focus_test {

using namespace headroom::widgets;
using Owner = EditorOwner;

class EditorFocusTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// Home put the focus into the column of the numbers, where nothing showed it and copying did nothing.
    void keysStayWhereTheFocusIsSeen() {
        Owner owner({"4 full", "2 local 3 + 2 local 5", "2 full"});
        owner.show();
        owner.editor.selectHeads(2, 3, 3);
        const auto press = [&](Qt::Key key, Qt::KeyboardModifiers keys = {}) {
            QTest::keyClick(&owner.editor, key, keys);
            return owner.editor.selectionText();
        };
        QCOMPARE(press(Qt::Key_Home), QStringLiteral("Layer 2, head 1"));
        QCOMPARE(press(Qt::Key_Left), QStringLiteral("Layer 2, head 1"));
        QCOMPARE(press(Qt::Key_End), QStringLiteral("Layer 2, head 4"));
        QCOMPARE(press(Qt::Key_Right), QStringLiteral("Layer 2, head 4"));
        QCOMPARE(press(Qt::Key_Down), QStringLiteral("Layer 3, head 2")); // it has no more
        QCOMPARE(press(Qt::Key_Down), QStringLiteral("Layer 3, head 2"));
        QCOMPARE(press(Qt::Key_Home, Qt::ControlModifier), QStringLiteral("Layer 1, head 1"));
        QCOMPARE(press(Qt::Key_Up), QStringLiteral("Layer 1, head 1"));
        QCOMPARE(press(Qt::Key_PageUp), QStringLiteral("Layer 1, head 1"));
        QCOMPARE(press(Qt::Key_End, Qt::ControlModifier), QStringLiteral("Layer 3, head 2"));
        QCOMPARE(press(Qt::Key_Home, Qt::ShiftModifier), QStringLiteral("Layer 3, heads 1 to 2"));
    }

    /// Ctrl+2 and then an arrow moved the tint of a row, and no head was selected.
    void whoComesByAKeyGoesOnWithKeys() {
        Owner owner({"4 full", "4 full"});
        owner.show();
        QCOMPARE(owner.editor.selectionText(), QString()); // the window only came up
        owner.editor.clearFocus();
        owner.editor.setFocus(Qt::TabFocusReason);
        QCOMPARE(owner.editor.selectionText(), QStringLiteral("Layer 1, head 1"));
        QTest::keyClick(&owner.editor, Qt::Key_Down);
        QCOMPARE(owner.editor.selectionText(), QStringLiteral("Layer 2, head 1"));
        owner.editor.selectHeads(2, 2, 4);
        owner.editor.clearFocus();
        owner.editor.setFocus(Qt::ShortcutFocusReason);
        QCOMPARE(owner.editor.selectionText(), QStringLiteral("Layer 2, heads 2 to 4")); // what was selected stays
    }

    /// A click there showed the row as the current one, without any of its heads.
    void whatStandsBesideTheHeadsStandsForThem() {
        Owner owner({"4 full", "4 full"});
        owner.show();
        owner.editor.selectHeads(1, 2, 2);
        const QModelIndex loss = owner.editor.gridModel()->index(LayerEditorModel::rowOf(2), owner.editor.gridModel()->lossColumn());
        QTest::mouseClick(owner.editor.viewport(), Qt::LeftButton, {}, owner.editor.visualRect(loss).center());
        QCOMPARE(owner.editor.selectionText(), QStringLiteral("Layer 2, heads 1 to 4"));
    }

    /// Both selected one layer only.
    void shiftAndDraggingOverNumbersSelectWholeLayers() {
        Owner owner({"4 full", "4 reuse 1", "4 full", "4 full"});
        owner.show();
        QWidget* viewport = owner.editor.viewport();
        const auto number = [&](int layer) {
            const QModelIndex head = owner.editor.gridModel()->index(LayerEditorModel::rowOf(layer), LayerEditorModel::columnOf(1));
            return QPoint(owner.editor.visualRect(head.siblingAtColumn(0)).center());
        };
        const auto layers = [](int first, int last) {
            std::vector<CellEdit> all;
            for (int layer = first; layer <= last; ++layer)
                all.push_back({layer, 1, 4, {}});
            return all;
        };
        QTest::mouseClick(viewport, Qt::LeftButton, {}, number(2));
        QTest::mouseClick(viewport, Qt::LeftButton, Qt::ShiftModifier, number(4));
        QCOMPARE(owner.editor.selectedHeads(), layers(2, 4));
        QTest::mouseClick(viewport, Qt::LeftButton, Qt::ShiftModifier, number(1)); // from the same layer
        QCOMPARE(owner.editor.selectedHeads(), layers(1, 2));
        QTest::mousePress(viewport, Qt::LeftButton, {}, number(3));
        QTest::mouseMove(viewport, number(2));
        QTest::mouseMove(viewport, number(1));
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, number(1));
        QCOMPARE(owner.editor.selectedHeads(), layers(1, 3));
        QTest::mouseMove(viewport, number(4)); // the button is up
        QCOMPARE(owner.editor.selectedHeads(), layers(1, 3));
        QTest::mouseClick(viewport, Qt::LeftButton, {}, number(4));
        QCOMPARE(owner.editor.selectedHeads(), layers(4, 4));
    }
};

HEADROOM_TEST(EditorFocusTest)

} // namespace headroom::testing::editor_focus_test

#include "editor_focus_test.moc"
