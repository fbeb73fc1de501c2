// SPDX-License-Identifier: GPL-3.0-or-later
// The column that names the rows stays in sight and is the same cell wherever it is seen.
#include "widgets/look/frozen_table.h"

#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/look/whole_numbers.h"

#include <QAccessible>
#include <QApplication>
#include <QHeaderView>
#include <QMouseEvent>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTest>

namespace headroom::testing::frozen_table_test {

using namespace headroom::widgets;

constexpr int kRaw = Qt::UserRole + 1, kName = 1, kWidth = 90;

/// A narrow column, the names, and eight numbers.
struct Desk {
    QStandardItemModel model{6, 10};
    FrozenTable table;

    explicit Desk(int frozen = kName) {
        for (int row = 0; row < 6; ++row)
            for (int column = 0; column < 10; ++column) {
                auto* item = new QStandardItem(column == kName ? QStringLiteral("run %1").arg(row)
                                                               : QStringLiteral("%1.25").arg(row + column));
                if (column > kName)
                    item->setData(row + column + 0.25, kRaw);
                model.setItem(row, column, item);
            }
        table.setModel(&model);
        table.setFrozenColumn(frozen);
        table.setItemDelegate(new WholeNumbersDelegate(kRaw, &table));
        table.setSelectionBehavior(QAbstractItemView::SelectRows);
        table.verticalHeader()->hide();
        table.horizontalHeader()->setMinimumSectionSize(20);
        table.horizontalHeader()->setStretchLastSection(false);
        for (int column = 0; column < 10; ++column)
            table.setColumnWidth(column, column == 0 ? 30 : kWidth);
        table.resize(400, 260);
        table.show();
    }
    void scrollTo(int x) { table.horizontalScrollBar()->setValue(x); }
    QPoint at(int row, int x) const { return {x, table.rowViewportPosition(row) + table.rowHeight(row) / 2}; }
    /// What is seen of a cell.
    QImage picture(const QRect& rect) { return table.viewport()->grab(rect).toImage(); }
    QRect inside(int row) const {
        return QRect(2, table.rowViewportPosition(row) + 2, kWidth - 6, table.rowHeight(row) - 4);
    }
};

void drag(QWidget* widget, int from, int to) {
    const auto send = [&](QEvent::Type type, int x, Qt::MouseButton button, Qt::MouseButtons buttons) {
        QMouseEvent event(type, QPointF(x, 5), widget->mapToGlobal(QPointF(x, 5)), button, buttons, {});
        QApplication::sendEvent(widget, &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
    for (int step = 1; step <= 4; ++step)
        send(QEvent::MouseMove, from + (to - from) * step / 4, Qt::NoButton, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, to, Qt::LeftButton, {});
}

class FrozenTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// The column's end ran through “No runs yet.”
    void anEmptyTableHasNoLine() {
        Desk desk;
        desk.scrollTo(200);
        const auto isOneColour = [&] {
            const QImage seen = desk.picture(desk.table.viewport()->rect());
            for (int x = 0; x < seen.width(); ++x)
                if (seen.pixel(x, seen.height() / 2) != seen.pixel(0, seen.height() / 2))
                    return false;
            return true;
        };
        QVERIFY(desk.table.frozenEdge() > 0 && !isOneColour());
        desk.model.removeRows(0, 6);
        QVERIFY(desk.table.frozenEdge() > 0 && isOneColour());
    }

    void theNamesAreSeenHoweverFarOneScrolls() {
        Desk desk;
        QCOMPARE(desk.table.frozenEdge(), 0);
        const QImage name = desk.picture(desk.inside(2).translated(30, 0)); // in its place
        desk.scrollTo(30);
        QVERIFY(desk.picture(desk.inside(2)) == name);
        for (const int x : {31, 150, 237, desk.table.horizontalScrollBar()->maximum()}) {
            desk.scrollTo(x);
            QCOMPARE(desk.table.frozenEdge(), kWidth);
            QVERIFY2(desk.picture(desk.inside(2)) == name, qPrintable(QString::number(x)));
        }
        desk.table.setFrozenColumn(-1);
        QVERIFY(desk.picture(desk.inside(2)) != name);
    }

    void itIsTheCellUnderTheMouseAndForTheScreenReader() {
        Desk desk;
        desk.scrollTo(300);
        QCOMPARE(desk.table.indexAt(desk.at(3, 5)), desk.model.index(3, kName));
        QVERIFY(desk.table.indexAt(desk.at(3, kWidth + 1)).column() > kName);
        QCOMPARE(desk.table.visualRect(desk.model.index(3, kName)),
                 QRect(0, desk.table.rowViewportPosition(3), kWidth, desk.table.rowHeight(3) - 1));
        QTest::mouseClick(desk.table.viewport(), Qt::LeftButton, {}, desk.at(3, 5));
        QCOMPARE(desk.table.currentIndex(), desk.model.index(3, kName));
        QCOMPARE(desk.table.horizontalScrollBar()->value(), 300);
        QVERIFY(desk.table.selectionModel()->isRowSelected(3));
        QAccessibleInterface* table = QAccessible::queryAccessibleInterface(&desk.table);
        QAccessibleInterface* cell = table->tableInterface()->cellAt(3, kName);
        QCOMPARE(cell->text(QAccessible::Name), QStringLiteral("run 3"));
        QCOMPARE(cell->rect().left(), desk.table.viewport()->mapToGlobal(QPoint(0, 0)).x());
    }

    void theSelectionOfItsRowIsSeenInIt() {
        Desk desk;
        desk.scrollTo(300);
        const QImage before = desk.picture(desk.inside(4));
        desk.table.selectRow(4);
        QVERIFY(desk.picture(desk.inside(4)) != before);
        QVERIFY(desk.picture(desk.inside(4)).pixelColor(1, 1) == Theme::current().selectedRow);
    }

    void theKeyboardBringsCellsOutFromUnderIt() {
        Desk desk;
        desk.table.setCurrentIndex(desk.model.index(0, 9));
        QVERIFY(desk.table.frozenEdge() > 0);
        for (int column = 8; column > kName; --column) {
            QTest::keyClick(&desk.table, Qt::Key_Left);
            QCOMPARE(desk.table.currentIndex().column(), column);
            const QRect cell = desk.table.visualRect(desk.table.currentIndex());
            QVERIFY2(cell.left() >= desk.table.frozenEdge() && cell.right() < desk.table.viewport()->width(),
                     qPrintable(QString::number(column)));
        }
        QTest::keyClick(&desk.table, Qt::Key_Left);
        QTest::keyClick(&desk.table, Qt::Key_Left);
        QCOMPARE(desk.table.horizontalScrollBar()->value(), 0); // the one before the names
    }

    void itsHeadSortsAndIsMadeWider() {
        Desk desk;
        desk.table.setSortingEnabled(true);
        desk.table.sortByColumn(5, Qt::AscendingOrder);
        desk.scrollTo(300);
        QWidget* heads = desk.table.horizontalHeader()->viewport();
        QTest::mouseClick(heads, Qt::LeftButton, {}, {kWidth / 2, 5});
        QCOMPARE(desk.table.horizontalHeader()->sortIndicatorSection(), kName);
        drag(heads, kWidth - 2, kWidth + 38);
        QCOMPARE(desk.table.columnWidth(kName), kWidth + 40);
        QCOMPARE(desk.table.frozenEdge(), kWidth + 40);
        QCOMPARE(desk.table.columnWidth(0), 30);
        drag(heads, 1, 30); // its start is no end of the column before it
        QCOMPARE(desk.table.columnWidth(0), 30);
    }

    /// "2.25" that begins under the names would read "5".
    void aNumberThatItCoversInPartIsWholeOrAnEllipsis() {
        Desk desk;
        const auto next = [&](int row) { // what is in sight of the first number
            const int end = desk.table.columnViewportPosition(kName + 1) + kWidth;
            return desk.picture(QRect(kWidth + 1, desk.table.rowViewportPosition(row) + 2, end - kWidth - 4, desk.table.rowHeight(row) - 4));
        };
        const auto isBlank = [](const QImage& image) {
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixel(x, y) != image.pixel(0, 0))
                        return false;
            return true;
        };
        for (const int x : {30, 38}) { // most of the column is in sight
            desk.scrollTo(x);
            QVERIFY2(!isBlank(next(0)) && next(0) != next(1), qPrintable(QString::number(x)));
        }
        desk.scrollTo(88);
        QVERIFY(!isBlank(next(0)));
        QVERIFY(next(0) == next(1)); // "…" in both rows
        desk.scrollTo(108); // not even that has room
        QVERIFY(isBlank(next(0)));
    }

    /// "Seeds" was "S…s", as names of models are cut, which reads like a slip.
    void aHeadThatTheEdgeCutsKeepsItsBeginning() {
        const auto cut = [](const char* head) {
            Desk desk;
            desk.model.setHorizontalHeaderItem(kName + 1, new QStandardItem(QLatin1String(head)));
            desk.model.setHeaderData(kName + 1, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter), Qt::TextAlignmentRole);
            const int start = desk.table.columnViewportPosition(kName + 1);
            desk.table.resize(start + 45 + desk.table.width() - desk.table.viewport()->width(), 260);
            QCoreApplication::processEvents();
            QWidget* heads = desk.table.horizontalHeader()->viewport();
            return heads->grab(QRect(start, 0, heads->width() - start, heads->height())).toImage();
        };
        const QImage seen = cut("Evaluations");
        QVERIFY(seen == cut("Evaluated"));
        QVERIFY(seen != cut("Adaptations"));
    }

    void itLeavesHalfOfANarrowTable() {
        Desk desk;
        desk.table.setColumnWidth(kName, 350);
        desk.scrollTo(600);
        QCOMPARE(desk.table.frozenEdge(), desk.table.viewport()->width() / 2);
    }
};

HEADROOM_TEST(FrozenTableTest)

} // namespace headroom::testing::frozen_table_test

#include "frozen_table_test.moc"
