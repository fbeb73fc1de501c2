// SPDX-License-Identifier: GPL-3.0-or-later
// Heads where the table has little room: the kind and its numbers can be read.
#include "tests/support/runner.h"
#include "tests/widgets/layer_editor/editor_owner.h"
#include "widgets/layer_editor/head_chip.h"
#include "widgets/layer_editor/layer_editor_delegate.h"
#include "widgets/look/theme.h"

#include <QImage>
#include <QPainter>

#include <cmath>

namespace headroom::testing::narrow_heads_test {

using namespace headroom::widgets;

class NarrowHeadsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void theShortFormLeavesOutWhatTheGlyphSays_data() {
        QTest::addColumn<QString>("expected");
        QTest::newRow("full") << "full";
        QTest::newRow("local 17") << "17";
        QTest::newRow("local 64 block") << "64";
        QTest::newRow("conv 5/2") << "5/2";
        QTest::newRow("masked") << "masked";
        QTest::newRow("masked 9") << "9";
    }
    void theShortFormLeavesOutWhatTheGlyphSays() {
        QFETCH(QString, expected);
        QCOMPARE(shortLabel(chipText(QTest::currentDataTag()).label), expected);
    }

    /// A block head was "64" in a cell with room for more.
    void aBlockNamesItsKindWhereThereIsRoom() {
        QCOMPARE(mediumLabel(QStringLiteral("local 64 block")), QStringLiteral("block 64"));
        QCOMPARE(mediumLabel(QStringLiteral("local 17")), QStringLiteral("local 17"));
        const auto picture = [](const QString& label, int width) {
            ChipText text = chipText("local 64 block");
            text.label = label;
            QImage image(200, 30, QImage::Format_RGB32);
            image.fill(Theme::current().panel);
            QPainter painter(&image);
            paintChip(painter, QRectF(0, 0, width, 30), text, {});
            return image.copy(4, 4, width - 8, 22);
        };
        int width = 200; // where the whole label has just no room
        while (picture(QStringLiteral("local 64 block"), width) != picture(QStringLiteral("block 64"), width))
            QVERIFY(--width > 0);
        QVERIFY(picture(QStringLiteral("block 64"), width) != picture(QStringLiteral("64"), width));
    }

    /// "co…" and "64 …" stood in the cells.
    void aChipOfTheLeastWidthShowsTheShortForm_data() {
        QTest::addColumn<QString>("brief");
        QTest::newRow("conv 5/2") << "5/2";
        QTest::newRow("local 64 block") << "64";
    }
    void aChipOfTheLeastWidthShowsTheShortForm() {
        QFETCH(QString, brief);
        const ChipText whole = chipText(QTest::currentDataTag());
        ChipText shortened = whole;
        shortened.label = brief;
        const int least = int(std::ceil(leastChipWidth(whole)));
        // What is left of the right end is the same in a chip with much room, in which nothing is cut.
        const auto picture = [least](const ChipText& text, int width) {
            QImage image(200, 30, QImage::Format_RGB32);
            image.fill(Theme::current().panel);
            QPainter painter(&image);
            paintChip(painter, QRectF(0, 0, width, 30), text, {});
            return image.copy(4, 4, least - 8, 22);
        };
        QCOMPARE(picture(whole, least), picture(shortened, 200));
    }

    void aTableThatScrollsCutsNoHead() {
        EditorOwner edited({"2 conv 5/2 + 2 local 64 block", "4 full"});
        edited.editor.resize(360, 400);
        edited.show();
        const auto whole = [&edited](int layer, int head) {
            const ChipText text = chipText(edited.grid.layer(layer).cells[std::size_t(head - 1)].text);
            return LayerEditorDelegate::chipRect(edited.editor.visualRect(edited.at(layer, head)), false).width() >=
                   leastChipWidth(text);
        };
        for (int layer = 1; layer <= 2; ++layer)
            for (int head = 1; head <= 4; ++head)
                QVERIFY(whole(layer, head));
        Q_EMIT edited.editor.edited({{2, 1, 1, QStringLiteral("local 1001 block")}}, false);
        QVERIFY(whole(2, 1)); // the columns follow
    }
};

HEADROOM_TEST(NarrowHeadsTest)

} // namespace headroom::testing::narrow_heads_test

#include "narrow_heads_test.moc"
