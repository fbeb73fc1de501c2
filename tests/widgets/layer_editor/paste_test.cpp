// SPDX-License-Identifier: GPL-3.0-or-later
// Heads as text: out of the grid and into it.
#include "tests/support/runner.h"
#include "tests/widgets/layer_editor/editor_owner.h"
#include "widgets/layer_editor/heads_line.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QToolTip>

namespace headroom::testing::paste_test {

using namespace headroom::widgets;
using Owner = EditorOwner;

class PasteTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void copyAndPasteAreTheGrammarsText() {
        Owner owner({"2 local 64 block + 2 conv 5/2", "4 full"});
        owner.editor.selectHeads(1, 1, 4);
        owner.editor.copy();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("2 local 64 block + 2 conv 5/2\n"));
        owner.editor.selectHeads(2, 1, 1);
        owner.editor.paste();
        QCOMPARE(owner.text(2), QStringLiteral("2 local 64 block + 2 conv 5/2"));
        owner.editor.selectHeads(1, 2, 3);
        QCOMPARE(owner.editor.selectedText(), QStringLiteral("1 local 64 block + 1 conv 5/2\n"));
    }

    void aPartOfARowIsPastedOntoAPartOfAnother() {
        Owner owner({"1 local 3 + 1 local 5 + 1 conv 5/2 + 1 local 7", "4 full", "4 full", "4 full", "4 full"});
        owner.editor.selectHeads(1, 2, 3);
        owner.editor.copy();
        owner.editor.selectHeads(2, 1, 2); // as many
        owner.editor.paste();
        QCOMPARE(owner.text(2), QStringLiteral("1 local 5 + 1 conv 5/2 + 2 full"));
        owner.editor.selectHeads(3, 2, 2); // one: where they begin
        owner.editor.paste();
        QCOMPARE(owner.text(3), QStringLiteral("1 full + 1 local 5 + 1 conv 5/2 + 1 full"));
        owner.editor.selectHeads(4, 4, 4); // only one fits
        owner.editor.paste();
        QCOMPARE(owner.text(4), QStringLiteral("3 full + 1 local 5"));
        owner.editor.selectHeads(1, 2, 2);
        owner.editor.copy();
        owner.editor.selectHeads(5, 2, 4); // one head onto three
        owner.editor.paste();
        QCOMPARE(owner.text(5), QStringLiteral("1 full + 3 local 5"));
        QVERIFY(owner.grid.mistakes().empty());
    }

    /// Only the first layer was pasted, onto all that were selected.
    void aDocumentInOneLineIsSeveralLayers() {
        Owner owner({"4 full", "4 full", "4 full"});
        QApplication::clipboard()->setText(QStringLiteral("{\"encoder\":{\"layers\":[{\"heads\":\"4 local 5\"},{\"heads\":\"4 local 9\"}]}}"));
        owner.editor.selectHeads(2, 1, 4);
        owner.editor.paste();
        QCOMPARE(owner.text(1), QStringLiteral("4 full"));
        QCOMPARE(owner.text(2), QStringLiteral("4 local 5"));
        QCOMPARE(owner.text(3), QStringLiteral("4 local 9"));
    }

    void pastingSeveralLinesFillsLayersDownwards() {
        Owner owner({"4 full", "4 full", "4 full"});
        QApplication::clipboard()->setText(QStringLiteral("  \"layers\": [ { \"heads\": \"4 local 5\" },\n"
                                                          "              { \"heads\": \"4 local 9\" },\n"
                                                          "              { \"heads\": \"4 local 99\" } ] },\n"));
        owner.editor.selectHeads(2, 1, 4);
        owner.editor.paste();
        QCOMPARE(owner.text(1), QStringLiteral("4 full"));
        QCOMPARE(owner.text(2), QStringLiteral("4 local 5"));
        QCOMPARE(owner.text(3), QStringLiteral("4 local 9"));
        QCOMPARE(owner.count, 1); // one intention, one step to undo
    }

    /// Their numbers were taken for numbers of heads.
    void linesOfTheTextArePastedToo() {
        Owner owner({"4 full", "4 local 13", "1 local 3 + 3 full", "4 reuse 1"});
        owner.grid = HeadGrid(owner.grid.validLayers(), {}, parseHeads("4 full"));
        owner.editor.setGrid(owner.grid);
        QStringList said;
        QObject::connect(&owner.editor, &LayerEditor::pastedInPart, &owner, [&](const QString& sentence) { said << sentence; });
        const HeadGrid before = owner.grid;
        const auto paste = [&](int layer, const QString& text) {
            QApplication::clipboard()->setText(text);
            owner.editor.selectHeads(layer, 1, 1);
            owner.editor.paste();
        };
        QStringList lines;
        for (const int layer : {1, 2, 3, 4, kCrossAttention})
            lines << headsLine(owner.grid, layer);
        paste(1, lines.join(u'\n'));
        QVERIFY(owner.grid == before && owner.grid.mistakes().empty());
        paste(1, QStringLiteral("2  4 local 5\n4  4 local 9\ncross  4 full relaxed 0.1"));
        QCOMPARE(owner.text(1), QStringLiteral("4 local 5")); // where the selection begins, and as far apart
        QCOMPARE(owner.text(2), QStringLiteral("4 local 13"));
        QCOMPARE(owner.text(3), QStringLiteral("4 local 9"));
        QCOMPARE(QString::fromStdString(toText(owner.grid.layer(kCrossAttention).heads)), QStringLiteral("4 full relaxed 0.1"));
        paste(2, QStringLiteral(" 1  4 local 7")); // a line alone goes to the selection
        QCOMPARE(owner.text(2), QStringLiteral("4 local 7"));
        QVERIFY2(said.isEmpty(), qPrintable(said.join(u'|')));
        paste(4, lines.join(u'\n'));
        QCOMPARE(said, QStringList{QStringLiteral("Pasted in part: layer 4 is the last, and 3 of 4 lines were left out.")});
        Owner encoder({"4 local 3", "4 full"});
        QObject::connect(&encoder.editor, &LayerEditor::pastedInPart, &encoder, [&](const QString& sentence) { said << sentence; });
        encoder.editor.selectHeads(1, 1, 4);
        QApplication::clipboard()->setText(QStringLiteral("1  4 full\ncross  4 full"));
        encoder.editor.paste();
        QCOMPARE(encoder.text(1), QStringLiteral("4 full"));
        QCOMPARE(said.last(), QStringLiteral("Pasted in part: there is no cross-attention here, and its line was left out."));
    }

    void theRowOfTheCrossAttentionIsCopiedAndPasted() {
        Owner owner({"4 full", "4 full"});
        owner.grid = HeadGrid(owner.grid.validLayers(), {}, parseHeads("4 full relaxed 0.1"));
        owner.editor.setGrid(owner.grid);
        owner.editor.gridModel()->setFrame({}, QStringLiteral("6 layers"), true);
        owner.editor.selectCross();
        owner.editor.copy();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("cross  4 full relaxed 0.1\n"));
        QApplication::clipboard()->setText(QStringLiteral("cross 4 full"));
        owner.editor.paste();
        QCOMPARE(QString::fromStdString(toText(owner.grid.layer(kCrossAttention).heads)), QStringLiteral("4 full"));
    }

    /// Nothing happened, and nobody said why.
    void withoutASelectionTheKeysSayWhatIsMissing() {
        Owner owner({"4 full"});
        owner.show();
        for (const Qt::Key key : {Qt::Key_C, Qt::Key_V}) {
            owner.editor.clearSelection();
            QTest::keyClick(&owner.editor, key, Qt::ControlModifier);
            QCOMPARE(QToolTip::text(), QStringLiteral("Select heads first."));
            QToolTip::hideText();
        }
    }

    /// What does not fit is said, with how much of it.
    void whatDoesNotFitIsSaid() {
        Owner owner({"4 full", "4 full", "4 full"});
        QStringList said;
        QObject::connect(&owner.editor, &LayerEditor::pastedInPart, &owner, [&](const QString& sentence) { said << sentence; });
        const auto paste = [&](int layer, int first, int last, const char* text) {
            QApplication::clipboard()->setText(QString::fromUtf8(text));
            owner.editor.selectHeads(layer, first, last);
            said.clear();
            owner.editor.paste();
            return said.join(u'|');
        };
        QCOMPARE(paste(2, 1, 4, "4 local 3\n4 local 5\n4 local 7\n"),
                 QStringLiteral("Pasted in part: layer 3 is the last, and 1 of 3 lines was left out."));
        QCOMPARE(owner.text(3), QStringLiteral("4 local 5"));
        QCOMPARE(paste(1, 1, 4, "3 full + 3 local 5"), QStringLiteral("Pasted in part: layer 1 has 4 heads, and 2 of 6 were left out."));
        QCOMPARE(owner.text(1), QStringLiteral("3 full + 1 local 5"));
        QCOMPARE(paste(1, 4, 4, "2 local 9"), QStringLiteral("Pasted in part: layer 1 has 4 heads, and 1 of 2 was left out."));
        QCOMPARE(paste(2, 1, 4, "6 local 3\n6 local 5\n"),
                 QStringLiteral("Pasted in part: 2 layers have too few heads, and 4 of 12 were left out."));
        QCOMPARE(paste(1, 1, 4, "4 local 3\n4 local 5\n4 local 7\n"), QString());
        QCOMPARE(paste(1, 1, 1, "1 local 3"), QString());
    }
};

HEADROOM_TEST(PasteTest)

} // namespace headroom::testing::paste_test

#include "paste_test.moc"
