// SPDX-License-Identifier: GPL-3.0-or-later
// The widths of the columns of a study's table, in the style of the program.
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/study_table/study_table_view.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTest>

#include <cmath>

namespace headroom::testing::study_table_columns_test {

using namespace headroom::widgets;

class StudyTableColumnsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// “…” stood in every row of the last column, for want of a few pixels beside wide padding.
    void columnsThatNearlyFitDoSoWithLessPadding() {
        StudyTable table{"statistics", "Statistics", "", {{"layer", "layer", "", 0, false}, {"kind", "kind", "", 0, true}}, {}};
        for (const char* head : {"entropy, nats", "distance, tokens", "maximum", "on silence"})
            table.columns.push_back({head, head, "", 3, false});
        for (int layer = 1; layer < 5; ++layer)
            table.rows.push_back({double(layer), std::string("local"), 2.222, 16.52, 0.309, 0.123});
        StudyTableView view;
        view.resize(1000, 200);
        view.setTable(table);
        view.show();
        const int columns = view.model()->columnCount();
        const auto needed = [&] {
            QCoreApplication::processEvents();
            int sum = 0;
            for (int column = 0; column < columns; ++column)
                sum += view.columnWidth(column);
            return sum;
        };
        const int wide = needed();
        view.resize(wide - 4 * columns, 200);
        QVERIFY2(needed() <= view.viewport()->width(), qPrintable(QStringLiteral("%1 of %2").arg(needed()).arg(view.viewport()->width())));
        QVERIFY(needed() > view.viewport()->width() - 4 * columns); // nor is much room left over
        view.sortByColumn(5, Qt::AscendingOrder); // its arrow has room, too
        QVERIFY(needed() <= view.viewport()->width());
        const auto ink = [](const QPixmap& shown) {
            const QImage picture = shown.toImage();
            int dark = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    dark += picture.pixelColor(x, y).lightness() < 128;
            return dark;
        };
        for (int column = 0; column < columns; ++column) { // every text is drawn as wide as it is
            QHeaderView* heads = view.horizontalHeader();
            const auto head = [&] { return heads->viewport()->grab(QRect(heads->sectionViewportPosition(column), 0, view.columnWidth(column), heads->height())); };
            const auto cell = [&] { return view.viewport()->grab(view.visualRect(view.model()->index(1, column))); };
            const int ofCell = ink(cell()), ofHead = ink(head()), width = view.columnWidth(column);
            const int other = column == 3 ? 2 : 3, before = view.columnWidth(other); // gives its room, so that all is in sight
            view.setColumnWidth(other, before - 40);
            view.setColumnWidth(column, width + 40);
            QVERIFY2(std::abs(ink(cell()) - ofCell) < 6 && std::abs(ink(head()) - ofHead) < 12, qPrintable(QString::number(column)));
            view.setColumnWidth(column, width);
            view.setColumnWidth(other, before);
        }
        view.sortByColumn(-1, Qt::AscendingOrder);
    }

    /// Of a study of windows, a scroll bar as wide as the table lay below columns that all were in sight.
    void columnsOfOneLetterAskForNoScrollBar() {
        StudyTable table{"windows", "Windows", "", {{"layer", "Layer", "", 0, false}}, {}};
        for (const char* head : {"95 % from", "to", "w", "n"})
            table.columns.push_back({head, head, "", table.columns.size() > 2 ? 0 : 2, false});
        table.rows.push_back({1.0, 0.24, 0.26, 1.0, 8.0});
        StudyTableView view;
        view.setTable(table);
        view.show();
        int narrowest = 0; // at which no bar is needed
        for (int width = 400; width > 60 && (narrowest == 0 || narrowest == width + 1); --width) {
            view.resize(width, 300);
            QCoreApplication::processEvents();
            if (view.horizontalScrollBar()->maximum() == 0)
                narrowest = width;
        }
        QVERIFY(narrowest > 60);
        view.resize(narrowest, 300);
        QCoreApplication::processEvents();
        for (const int column : {3, 4}) // as narrow as their heads, with the narrow padding
            QVERIFY2(view.columnWidth(column) < 3 * widgets::Sizes::unit(), qPrintable(QString::number(view.columnWidth(column))));
    }

    /// Beside a scroll bar, CL was “…” in every row, though the narrow padding leaves it room.
    void aColumnThatIsScrolledToCutsNoneThatHasRoom() {
        StudyTable table{"windows", "Windows", "", {{"layer", "Layer", "", 0, false}}, {}};
        for (const char* head : {"μ", "95 % from", "to", "σ", "w", "CL", "CL, std", "CCD", "skipped", "utterances"})
            table.columns.push_back({head, head, "", 2, false});
        for (int layer = 1; layer < 12; ++layer)
            table.rows.push_back({double(layer), 15.33, 0.0, 46.0, 21.68, 39.0, 0.12, 0.01, 0.95, 0.0, 52.0});
        StudyTableView view;
        view.setTable(table);
        view.resize(1000, 160);
        view.show();
        QCoreApplication::processEvents();
        const auto endOf = [&](int column) { return view.columnViewportPosition(column) + view.columnWidth(column); };
        const int cl = 6, wide = endOf(cl);
        view.resize(wide + view.width() - view.viewport()->width() - 8, 160);
        QCoreApplication::processEvents();
        QVERIFY(view.horizontalScrollBar()->maximum() > 0); // not all have room
        QVERIFY2(endOf(cl) <= view.viewport()->width(), qPrintable(QStringLiteral("%1 of %2").arg(endOf(cl)).arg(view.viewport()->width())));
    }

    /// A column that the edge cut was empty with its head, as if there was none.
    void aCutColumnIsElidedWithinWhatIsInSight() {
        StudyTable table{"t", "T", "", {}, {}};
        for (const char* head : {"a", "b", "c", "d", "e", "f", "g", "utterances that were left out"})
            table.columns.push_back({head, head, "", 2, false});
        table.rows = {std::vector<StudyCell>(8, 16.66)};
        StudyTableView view;
        view.setTable(table);
        view.resize(360, 160);
        view.show();
        QCoreApplication::processEvents();
        const auto hasInk = [](const QImage& picture) {
            for (int x = 0; x < picture.width(); ++x)
                for (int y = 2; y < picture.height() - 2; ++y)
                    if (picture.pixelColor(x, y).lightness() < 190)
                        return true;
            return false;
        };
        const auto cell = [&](int column) { return hasInk(view.viewport()->grab(view.visualRect(view.model()->index(0, column))).toImage()); };
        const auto head = [&](int column) {
            auto* heads = view.horizontalHeader();
            return hasInk(heads->viewport()->grab(QRect(heads->sectionViewportPosition(column), 0, view.columnWidth(column), heads->height() - 1)).toImage());
        };
        const auto seen = [&](int column) { // of its width
            return std::min(view.viewport()->width(), view.columnViewportPosition(column) + view.columnWidth(column)) - view.columnViewportPosition(column);
        };
        int cut = 0;
        const auto isHalf = [&] { return cut > 0 && seen(cut) > view.columnWidth(cut) / 4 && seen(cut) < view.columnWidth(cut) * 3 / 4; };
        for (int width = 800; width > 300 && !isHalf(); --width) {
            view.resize(width, 160);
            QCoreApplication::processEvents();
            cut = view.columnAt(view.viewport()->width() - 1);
        }
        QVERIFY(isHalf() && view.horizontalScrollBar()->maximum() > 0);
        QVERIFY(cell(cut) && head(cut));
        const auto atEdge = [&](QWidget* of) { return hasInk(of->grab(QRect(of->width() - 3, 0, 3, of->height() - 1)).toImage()); };
        QVERIFY(!atEdge(view.viewport()) && !atEdge(view.horizontalHeader()->viewport()));
        QVERIFY(cell(cut - 1) && head(cut - 1) && cell(0) && head(0));
        QAbstractItemDelegate* whole = view.itemDelegate();
        QStyledItemDelegate plain;
        view.setItemDelegate(&plain); // of a table that shows cut numbers
        QVERIFY(cell(cut) && head(cut));
        view.setItemDelegate(whole);
        view.horizontalScrollBar()->setValue(view.horizontalScrollBar()->maximum());
        QVERIFY(cell(cut) && head(cut));
    }

    /// Ids of utterances were cut beside long texts.
    void theLongestNamesGiveWayFirst() {
        StudyTable table{"utterances", "Utterances", "", {{"id", "Utterance", "", 0, true}, {"words", "Words", "", 0, false}, {"text", "Reference", "", 0, true}}, {}};
        table.rows.push_back({std::string("1688-142285-0000"), 21.0, std::string("he was in the fevered state of mind and much more than that")});
        StudyTableView view;
        view.setTable(table);
        view.resize(1000, 160);
        view.show();
        QCoreApplication::processEvents();
        const int id = view.columnWidth(0), text = view.columnWidth(2);
        QVERIFY(text > id + 40);
        view.resize(id + view.columnWidth(1) + text - 40, 160);
        QCoreApplication::processEvents();
        QCOMPARE(view.horizontalScrollBar()->maximum(), 0);
        QVERIFY2(view.columnWidth(0) > QFontMetrics(view.font()).horizontalAdvance(QStringLiteral("1688-142285-0000")) + Sizes::unit(), qPrintable(QStringLiteral("%1, %2 before").arg(view.columnWidth(0)).arg(id)));
        QVERIFY(view.columnWidth(2) < text);
    }

    /// Heads ended some pixels left of their numbers, and the arrow stood against the last letter.
    void headsEndWhereTheirNumbersEnd() {
        StudyTable table{"t", "T", "", {{"a", "mean", "", 2, false}, {"b", "std", "", 2, false}, {"c", "median", "", 2, false}}, {}};
        table.rows = {{16.66, 16.66, 16.66}, {16.66, 16.66, 16.66}};
        StudyTableView view;
        view.setTable(table);
        view.show();
        view.sortByColumn(2, Qt::AscendingOrder);
        QHeaderView* heads = view.horizontalHeader();
        /// Of the picture, from its right edge: columns without ink, columns with ink, and so on.
        const auto runs = [](const QImage& picture) {
            std::vector<int> lengths{0};
            bool inked = false;
            for (int x = picture.width() - 1; x >= 0; --x) {
                bool dark = false;
                for (int y = 2; y < picture.height() - 2; ++y)
                    dark = dark || picture.pixelColor(x, y).lightness() < 190;
                if (dark != inked)
                    lengths.push_back(0);
                inked = dark;
                ++lengths.back();
            }
            return lengths;
        };
        const auto head = [&](int column) { return runs(heads->viewport()->grab(QRect(heads->sectionViewportPosition(column), 0, view.columnWidth(column), heads->height() - 1)).toImage()); };
        const auto cell = [&](int column) { return runs(view.viewport()->grab(view.visualRect(view.model()->index(1, column))).toImage()); };
        int needed = 0;
        for (const int width : {1000, 0}) {
            view.resize(width > 0 ? width : needed - 12, 160);
            QCoreApplication::processEvents();
            needed = heads->length();
            QCOMPARE(view.property("dense").toBool(), width == 0);
            for (const int column : {0, 1})
                QVERIFY2(std::abs(head(column)[0] - cell(column)[0]) <= 1, qPrintable(QStringLiteral("%1: %2, %3").arg(column).arg(head(column)[0]).arg(cell(column)[0])));
            const auto sorted = head(2); // edge, arrow, gap, letters …
            QVERIFY2(sorted.size() > 4 && sorted[1] >= 4 && sorted[1] <= 9 && sorted[2] >= 3, qPrintable(QStringLiteral("arrow %1, gap %2").arg(sorted[1]).arg(sorted[2])));
        }
    }

    /// “wav2vec2-…” was in every row, whichever of the two models it was of.
    void namesThatDifferAtTheirEndsAreToldApart() {
        StudyTable table{"measures", "Measures", "", {{"model", "Model", "", 0, true}, {"layer", "Layer", "", 0, false}, {"first", "First", "", 0, true}, {"second", "Second", "", 0, true}}, {}};
        for (const char* head : {"ρ", "σ", "95 % from", "to", "utterances"})
            table.columns.push_back({head, head, "", 3, false});
        for (const char* model : {"wav2vec2-mms", "wav2vec2-mms fra"})
            table.rows.push_back({std::string(model), 1.0, std::string("Attention × norm"), std::string("Contributions"), 0.995, 0.002, 0.991, 0.998, 4.0});
        StudyTableView view;
        view.setTable(table);
        view.resize(360, 160);
        view.show();
        view.setColumnWidth(0, QFontMetrics(view.font()).horizontalAdvance(QStringLiteral("wav2vec2-mms"))); // as somebody may
        const auto cell = [&](int row) { return view.viewport()->grab(view.visualRect(view.model()->index(row, 0))).toImage().convertToFormat(QImage::Format_Grayscale8); };
        const QImage first = cell(0), second = cell(1);
        int different = 0;
        for (int x = 0; x < first.width(); ++x)
            for (int y = 2; y < first.height() - 2; ++y)
                different += std::abs(first.pixelColor(x, y).lightness() - second.pixelColor(x, y).lightness()) > 60;
        QVERIFY2(different > 20, qPrintable(QString::number(different))); // the colours of rows differ by less
    }

    /// Rows and heads of a paper's table differ in their middle or at their end: "relaxed cros…" twice, "LM, training t…" twice.
    void rowsAndHeadsOfAResultAreToldApart() {
        StudyTable table{"result", "Result", "", {{"approach", "approach", "", 0, true}}, {}};
        for (const char* model : {"without LM", "LM, training transcripts", "LM, extended"})
            for (const char* whose : {", paper", ", ours"})
                table.columns.push_back({std::string(model) + whose, std::string(model) + whose, "", 0, false});
        const std::vector<std::string> names{"Baseline ([46], matched)", "relaxed cross attention", "relaxed cross attention + matched inference", "relaxed self-attention",
                                             "relaxed self-attention + matched inference"};
        for (const std::string& name : names)
            table.rows.push_back({name, std::string("37.42"), std::string("9.50 ± 0.11 (p = 0.031)"), std::string("–"), std::string(), std::string("37.67"), std::string("0.00")});
        StudyTableView view;
        view.setTable(table);
        view.show();
        const auto* heads = view.horizontalHeader();
        for (const int width : {500, 690, 1500}) {
            view.resize(width, 200);
            QCoreApplication::processEvents();
            QSet<QString> cut;
            for (const std::string& name : names)
                cut.insert(view.fontMetrics().elidedText(QString::fromStdString(name), view.textElideMode(), view.columnWidth(0) - qRound(2 * Sizes::unit())));
            QCOMPARE(cut.size(), qsizetype(names.size()));
            for (int column = 1; column < heads->count(); ++column)
                QVERIFY2(view.columnWidth(column) > QFontMetrics(Sizes::heading()).horizontalAdvance(view.model()->headerData(column, Qt::Horizontal).toString()),
                         qPrintable(QStringLiteral("%1 of %2").arg(column).arg(width)));
        }
        QVERIFY(view.columnWidth(0) >= static_cast<QAbstractItemView&>(view).sizeHintForColumn(0)); // there is room
        // Texts that begin with numbers stand and are sorted as these.
        QVERIFY(Qt::Alignment(view.model()->index(0, 1).data(Qt::TextAlignmentRole).toInt()) & Qt::AlignRight);
        QCOMPARE(view.study()->index(0, 2).data(StudyTableModel::kRawRole).toDouble(), 9.5);
        QVERIFY(std::isnan(view.study()->index(0, 3).data(StudyTableModel::kRawRole).toDouble()));
    }

    /// The last column kept the width that it had been stretched to, so that it was cut where a long word came: “…” in every row.
    void aStretchedColumnTakesWhatIsLeft() {
        const auto filled = [](const std::string& longest) {
            StudyTable table{"confusions", "Confusions", "", {{"reference", "Spoken", "", 0, true}, {"hypothesis", "Written", "", 0, true}, {"count", "Times", "", 0, false}}, {}};
            for (int row = 0; row < 60; ++row) // more than there is room for: a scroll bar comes
                table.rows.push_back({row == 30 ? longest : std::string("(nothing)"), row == 40 ? longest : std::string("we"), 171.0 - row});
            return table;
        };
        StudyTableView view;
        view.horizontalHeader()->setStretchLastSection(true);
        view.resize(400, 300);
        view.show();
        const auto isFilled = [&] { return view.horizontalHeader()->length() == view.viewport()->width(); };
        for (const char* longest : {"we", "misunderstandings", "counterrevolutionaries of old", "we"}) {
            view.setTable(filled(longest));
            QCoreApplication::processEvents();
            QVERIFY2(isFilled(), qPrintable(QStringLiteral("%1: %2 of %3").arg(QLatin1String(longest)).arg(view.horizontalHeader()->length()).arg(view.viewport()->width())));
        }
        view.setTable(filled("counterrevolutionaries of old"));
        for (const int width : {700, 360, 400}) {
            view.resize(width, 300);
            QCoreApplication::processEvents();
            QVERIFY2(isFilled(), qPrintable(QStringLiteral("%1 of %2").arg(view.horizontalHeader()->length()).arg(view.viewport()->width())));
        }
    }
};

HEADROOM_TEST(StudyTableColumnsTest)

} // namespace headroom::testing::study_table_columns_test

#include "study_table_columns_test.moc"
