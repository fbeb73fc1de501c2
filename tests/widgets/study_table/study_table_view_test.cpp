// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_table/study_table_view.h"

#include "tests/support/runner.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::study_table_view_test {

using namespace headroom::widgets;

namespace {

StudyTable madeTable() {
    return {"windows",
            "Windows",
            "Made by a test.",
            {{"layer", "Layer", "", 0, false}, {"mean", "μ", "", 2, false}, {"words", "Words", "", 0, true}},
            {{1.0, 2.5, std::string("local")},
             {2.0, {}, std::string("full")},
             {3.0, -1.25, std::string("local")}}};
}

QStringList columnOf(const StudyTableView& view, int column) {
    QStringList cells;
    for (int row = 0; row < view.model()->rowCount(); ++row)
        cells << view.model()->index(row, column).data().toString();
    return cells;
}

} // namespace

class StudyTableViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// “0.24” at the edge of the table was half of 0.2468.
    void theEdgeCutsNoNumber() {
        StudyTableView view;
        StudyTable table = madeTable();
        for (auto& row : table.rows)
            row[1] = -888.88;
        view.setTable(std::move(table));
        view.resize(600, 200);
        view.show();
        QCoreApplication::processEvents();
        const QModelIndex cell = view.model()->index(0, 1);
        const auto inkOf = [&] {
            const QImage picture = view.viewport()->grab(view.visualRect(cell) & view.viewport()->rect()).toImage();
            int dark = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    dark += picture.pixelColor(x, y).lightness() < 128;
            return dark;
        };
        const int whole = inkOf();
        QVERIFY(whole > 40);
        for (int padding = 20; padding > 0 && view.visualRect(cell).right() <= view.viewport()->width(); --padding) {
            view.resize(view.visualRect(cell).right() - 8 + view.width() - view.viewport()->width(), 200); // until its last digits are behind the edge
            QCoreApplication::processEvents();
        }
        QVERIFY(view.visualRect(cell).right() > view.viewport()->width());
        QVERIFY2(inkOf() > 0 && inkOf() < whole / 3, qPrintable(QStringLiteral("%1 of %2").arg(inkOf()).arg(whole)));
    }

    /// The row of the current layer was below the edge when the panel became lower or the text larger, until the layer changed.
    void theCurrentRowStaysInSightInLessRoom() {
        StudyTableView view;
        StudyTable table = madeTable();
        for (int layer = 4; layer <= 30; ++layer)
            table.rows.push_back({double(layer), 1.0, std::string("local")});
        view.setTable(std::move(table));
        view.resize(400, 300);
        view.show();
        QCoreApplication::processEvents();
        view.setCurrentRow(15);
        const auto isWhole = [&] {
            const QRect row = view.visualRect(view.currentIndex());
            return row.isValid() && row.top() >= 0 && row.bottom() < view.viewport()->height();
        };
        QVERIFY(isWhole());
        for (const int height : {280, 200, 130}) {
            view.resize(400, height);
            QCoreApplication::processEvents();
            QVERIFY2(isWhole(), qPrintable(QString::number(height)));
        }
        const auto choose = [](int percent) {
            setTextSize(percent);
            Theme::apply(QStringLiteral("light"));
            QCoreApplication::processEvents();
        };
        choose(150);
        const bool larger = isWhole();
        choose(100);
        QVERIFY(larger);
        QVERIFY(isWhole());
        view.verticalScrollBar()->setValue(0); // whoever has scrolled away stays there
        view.resize(400, 120);
        QCoreApplication::processEvents();
        QCOMPARE(view.verticalScrollBar()->value(), 0);
    }

    /// A table is filled before it has its place: “fsdd-ywewe…” stood beside free room.
    void namesTakeTheRoomThatComesLater() {
        StudyTableView view;
        view.resize(160, 200);
        StudyTable table = madeTable();
        std::swap(table.columns.front(), table.columns.back());
        for (auto& row : table.rows)
            std::swap(row.front(), row.back());
        table.rows.front().front() = std::string("a-speaker-with-a-long-name");
        view.setTable(table);
        const int needed = static_cast<QAbstractItemView&>(view).sizeHintForColumn(0);
        view.show();
        QVERIFY(view.columnWidth(0) < needed); // the numbers are in sight
        view.resize(500, 200);
        QTRY_VERIFY2(view.columnWidth(0) >= needed, qPrintable(QString::number(view.columnWidth(0))));
        view.horizontalHeader()->resizeSection(0, 70); // as somebody drags it
        view.resize(600, 200);
        QCOMPARE(view.columnWidth(0), 70);
    }

    /// "local_atten…" stood twice, and what the paper says was not told from ours.
    void headsOfATableThatIsScrolledAreWhole() {
        StudyTable table{"heads", "Heads", "", {{"layer", "layer", "", 0, false}}, {}};
        table.rows.push_back({1.0});
        for (const char* head : {"local_attention, paper", "local_attention, ours", "conv_attention, paper", "conv_attention, ours"}) {
            table.columns.push_back({head, head, "", 0, true});
            table.rows.front().push_back(std::string("4 local 64 block"));
        }
        StudyTableView view;
        view.resize(260, 200);
        view.setTable(table);
        view.show();
        for (int column = 1; column < 5; ++column)
            QVERIFY(view.columnWidth(column) >= QFontMetrics(view.horizontalHeader()->font())
                                                    .horizontalAdvance(view.model()->headerData(column, Qt::Horizontal).toString()));
    }

    /// Names of models took the room, and the numbers stood where one had to scroll.
    void longNamesGiveWayToTheNumbers() {
        StudyTableView view;
        view.resize(460, 200);
        view.show();
        StudyTable table;
        table.columns = {{"first", "First", "", 0, true}, {"layer", "Layer", "", 0, false}, {"second", "Second", "", 0, true},
                         {"layer2", "Layer", "", 0, false}, {"cka", "CKA", "", 3, false}};
        const std::string name = "demo, layers 4–8 changed, 150 updates, seed 1";
        table.rows = {{name, 0.0, name, 1.0, 0.5}};
        view.setTable(table);
        int wide = 0;
        for (int column = 0; column < 5; ++column)
            wide += view.columnWidth(column);
        QVERIFY2(wide <= view.viewport()->width(), qPrintable(QString::number(wide)));
        QCOMPARE(view.model()->index(0, 0).data(Qt::ToolTipRole).toString(), QString::fromStdString(name));
        table.rows = {{name, 0.0, name, 1.0, -0.5}};
        view.setTable(table);
        QCOMPARE(view.model()->index(0, 4).data(Qt::ToolTipRole).toString(), QStringLiteral("−0.5")); // as in the cell
    }

    void unknownNumbersStandLastInBothOrders() {
        StudyTableView view;
        view.setTable(madeTable());
        view.sortByColumn(1, Qt::AscendingOrder);
        QCOMPARE(columnOf(view, 0), (QStringList{"3", "1", "2"}));
        view.sortByColumn(1, Qt::DescendingOrder);
        QCOMPARE(columnOf(view, 0), (QStringList{"1", "3", "2"}));
        QCOMPARE(columnOf(view, 1).last(), QStringLiteral("–"));
    }

    /// The layers of a paper's table are labels: 1, 10, 11, 12, 2 …
    void numbersAmongTextsAreSortedAsNumbers() {
        StudyTable table{"result", "Result", "", {{"layer", "Layer", "", 0, true}, {"ours", "Ours", "", 0, true}}, {}};
        const char* ours[] = {"–", "−0.73", "1.23 ± 0.4", "12.3 %", "1,024", "4 local 17", "", "2\u202f±\u202f0.1", "9.50 ± 0.11 (p = 0.031)", "1-2-3", "1,2"};
        for (int row = 0; row < 11; ++row)
            table.rows.push_back({std::to_string(row + 1), std::string(ours[row])});
        StudyTableView view;
        view.setTable(table);
        view.sortByColumn(0, Qt::DescendingOrder);
        QCOMPARE(columnOf(view, 0), (QStringList{"11", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"}));
        view.sortByColumn(0, Qt::AscendingOrder);
        QCOMPARE(columnOf(view, 0), (QStringList{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}));
        view.sortByColumn(1, Qt::AscendingOrder);
        QCOMPARE(columnOf(view, 0).mid(0, 6), (QStringList{"2", "3", "8", "9", "4", "5"}));
        QCOMPARE(columnOf(view, 1)[8], QStringLiteral("4 local 17")); // texts behind the numbers
        QCOMPARE(columnOf(view, 0).mid(9), (QStringList{"1", "7"}));
        view.sortByColumn(1, Qt::DescendingOrder);
        QCOMPARE(columnOf(view, 0).mid(3, 6), (QStringList{"5", "4", "9", "8", "3", "2"}));
        QCOMPARE(columnOf(view, 0).mid(9), (QStringList{"1", "7"}));
    }

    void wordsFilterAndTheCurrentRowIsTheTables() {
        StudyTableView view;
        view.setTable(madeTable());
        view.sortByColumn(1, Qt::AscendingOrder);
        view.setFilter(QStringLiteral("FULL"));
        QCOMPARE(view.shownRows(), 1);
        view.setFilter({});
        QSignalSpy chosen(&view, &StudyTableView::rowChosen);
        view.setCurrentRow(2);
        QCOMPARE(chosen.count(), 0);
        QCOMPARE(view.currentRow(), 2);
        view.selectionModel()->setCurrentIndex(view.model()->index(1, 0), QItemSelectionModel::NoUpdate);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.front().front().toInt(), 0);
    }

    /// An empty table looked as if there were no rows.
    void aFilterThatNoRowMatchesIsSaid() {
        StudyTableView view;
        view.setTable(madeTable());
        view.resize(400, 200);
        view.show();
        const auto hasInk = [&] {
            const QImage picture = view.viewport()->grab().toImage();
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    if (picture.pixelColor(x, y) != picture.pixelColor(0, 0))
                        return true;
            return false;
        };
        view.setFilter(QStringLiteral("nowhere"));
        QCOMPARE(view.shownRows(), 0);
        QVERIFY(hasInk());
        view.setFilter({});
        view.setTable(StudyTable()); // which is no matter of the filter
        QVERIFY(!hasInk());
    }

    void copyingGivesFullPrecisionInTheOrderShown() {
        StudyTableView view;
        StudyTable table = madeTable();
        table.rows[0][1] = 1.0 / 3;
        view.setTable(table);
        view.sortByColumn(0, Qt::DescendingOrder);
        view.show();
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        const QString text = QApplication::clipboard()->text();
        QVERIFY2(text.contains(QStringLiteral("0.3333333333333333")), qPrintable(text));
        QVERIFY(text.indexOf(QStringLiteral("3\t")) < text.indexOf(QStringLiteral("1\t0.33")));
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("\\toprule")));
    }

    void copyingTakesTheChosenRowsAndTheHeadersShown() {
        StudyTableView view;
        view.setTable(madeTable());
        view.selectionModel()->select(view.model()->index(1, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        view.show();
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QStringList heads;
        for (int column = 0; column < view.model()->columnCount(); ++column)
            heads << view.model()->headerData(column, Qt::Horizontal).toString();
        QCOMPARE(lines[0], heads.join(u'\t'));
        QVERIFY2(lines[1].startsWith(view.model()->index(1, 0).data().toString() + u'\t'), qPrintable(lines[1]));
        QCOMPARE(view.selectedTable(2).rows.size(), madeTable().rows.size()); // a file has all
    }
};

HEADROOM_TEST(StudyTableViewTest)

} // namespace headroom::testing::study_table_view_test

#include "study_table_view_test.moc"
