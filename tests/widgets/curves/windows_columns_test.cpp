// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of the table of windows: which are in sight at each width, and that no number is cut off.
#include "tests/support/runner.h"
#include "tests/widgets/curves/sample_windows.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QTest>

#include <cmath>

namespace headroom::testing::windows_columns_test {

using namespace headroom::widgets;

namespace {

/// Where a column ends in the viewport.
int endOf(const WindowsTable& table, int column) {
    return table.horizontalHeader()->sectionViewportPosition(column) + table.columnWidth(column);
}

} // namespace

class WindowsColumnsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// With several utterances there are two columns more, and "In Design" was out of sight.
    void theHeadsInDesignStayInSight() {
        WindowsTable table;
        table.resize(544, 240);
        auto rows = someRows();
        for (WindowsRow& row : rows)
            row.inDesign = QStringLiteral("local 19, 3 full");
        table.setRows(rows, 2);
        table.show();
        const QString copied = table.asText();
        QVERIFY(copied.contains(QStringLiteral("\tCCD\tIn Design\n")));
        for (const int width : {900, 544, 440, 300}) {
            table.resize(width, 240);
            QCoreApplication::processEvents();
            QVERIFY2(endOf(table, WindowsModel::InDesign) <= table.viewport()->width(), qPrintable(QString::number(width)));
            QCOMPARE(table.asText(), copied); // in the order of the columns, whatever is shown where
        }
        table.resize(900, 240);
        QCoreApplication::processEvents();
        QCOMPARE(table.horizontalHeader()->visualIndex(WindowsModel::InDesign), int(WindowsModel::InDesign));
    }

    /// An edit, and another layer, leave the columns in sight that one has scrolled to.
    void whatIsScrolledToStaysInSight() {
        WindowsTable table;
        table.resize(300, 240);
        auto rows = someRows();
        table.setRows(rows, 2);
        table.setCurrentLayer(0);
        table.show();
        QCoreApplication::processEvents();
        QScrollBar* bar = table.horizontalScrollBar();
        bar->setValue(bar->maximum());
        const int scrolled = bar->value();
        QVERIFY(scrolled > 0);
        rows[1].window = 9;
        table.setRows(rows, 2);
        QCoreApplication::processEvents();
        QCOMPARE(bar->value(), scrolled);
        table.setCurrentLayer(2);
        QCoreApplication::processEvents();
        QCOMPARE(bar->value(), scrolled);
    }

    /// "0.8" at the edge of the table was half of 0.846.
    void theEdgeCutsNoNumber() {
        WindowsTable table;
        table.resize(700, 240);
        auto rows = someRows();
        table.setRows(rows, 2);
        table.show();
        QCoreApplication::processEvents();
        const auto inkOf = [&table](int column) {
            const QModelIndex cell = table.model()->index(1, column);
            const QImage picture =
                table.viewport()->grab(table.visualRect(cell) & table.viewport()->rect()).toImage();
            int dark = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    dark += picture.pixelColor(x, y).lightness() < 128;
            return dark;
        };
        const int column = WindowsModel::SuggestedLoss;
        const int whole = inkOf(column);
        QVERIFY(whole > 15);
        for (int width = 420; width > 120 && endOf(table, column) <= table.viewport()->width() + 8; width -= 4) {
            table.resize(width, 240);
            QCoreApplication::processEvents();
        }
        QVERIFY2(endOf(table, column) > table.viewport()->width() + 8 &&
                     table.visualRect(table.model()->index(1, column)).left() <
                         table.viewport()->width() - 24,
                 "its last digits are behind the edge");
        QVERIFY2(inkOf(column) < whole / 2, qPrintable(QString::number(inkOf(column))));
    }

    /// As wide as the panel beside the maps is at first: what a reader compares stands side by side.
    void everyWindowAndItsLossAreInSight() {
        WindowsTable table;
        table.resize(544, 240);
        auto rows = someRows();
        for (WindowsRow& row : rows) {
            row.inDesign = QStringLiteral("4 local 13");
            row.mean = 14.6;
            row.deviation = 24.09;
        }
        rows[0].lossMean = 0.375; // "0.375 at 13"
        table.setRows(rows, 7);
        table.show();
        QCoreApplication::processEvents();
        QVERIFY(!table.isColumnHidden(WindowsModel::LossHere));
        for (const int column : {WindowsModel::Layer, WindowsModel::InDesign, WindowsModel::Suggested, WindowsModel::SuggestedLoss,
                                 WindowsModel::Drawn, WindowsModel::DrawnLoss, WindowsModel::LossHere, WindowsModel::Ccd})
            QVERIFY2(endOf(table, column) <= table.viewport()->width(),
                     qPrintable(QStringLiteral("%1 ends at %2 of %3").arg(column).arg(endOf(table, column)).arg(table.viewport()->width())));
        QFont bold = Sizes::caption();
        bold.setBold(true);
        for (const int column : {WindowsModel::InDesign, WindowsModel::Suggested, WindowsModel::Drawn, WindowsModel::LossHere}) {
            const QString head = table.model()->headerData(column, Qt::Horizontal).toString();
            QVERIFY2(QFontMetrics(bold).horizontalAdvance(head) + 0.875 * Sizes::unit() <= table.columnWidth(column), qPrintable(head));
        }
    }

    /// As wide as it is in a window of 1280 × 720: what Algorithm 1 took the windows from had to be scrolled to.
    void meanAndDeviationAreInSightInALowWindow() {
        WindowsTable table;
        auto rows = someRows();
        for (WindowsRow& row : rows) {
            row.inDesign = QStringLiteral("4 local 13");
            row.mean = 14.6;
            row.deviation = 24.09;
        }
        table.setRows(rows, 7);
        table.resize(380, 240);
        table.show();
        QCoreApplication::processEvents();
        for (const int column : {WindowsModel::Layer, WindowsModel::InDesign, WindowsModel::Suggested, WindowsModel::SuggestedLoss,
                                 WindowsModel::Drawn, WindowsModel::DrawnLoss, WindowsModel::Mean, WindowsModel::Deviation}) {
            const int end = endOf(table, column);
            QVERIFY2(end <= table.viewport()->width(), qPrintable(QStringLiteral("%1 ends at %2").arg(column).arg(end)));
        }
    }

    /// A language model with two open texts: “mask…”.
    void aMaskedLayerIsNamedWhole() {
        WindowsTable table;
        auto rows = someRows();
        for (WindowsRow& row : rows) {
            row.inDesign = QStringLiteral("4 masked");
            row.deviation = 8;
            row.window = 0;
            row.setMasked();
        }
        table.setRows(rows, 2);
        table.show();
        const auto ink = [&table] {
            const QImage picture = table.viewport()->grab(table.visualRect(table.model()->index(1, WindowsModel::Drawn))).toImage();
            int dark = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    dark += picture.pixelColor(x, y).lightness() < 128;
            return dark;
        };
        for (const int width : {420, 480, 540, 600, 900}) {
            table.resize(width, 240);
            QCoreApplication::processEvents();
            QCOMPARE(table.model()->index(1, WindowsModel::Drawn).data().toString(), QStringLiteral("masked"));
            const int own = table.columnWidth(WindowsModel::Drawn), shown = ink();
            table.setColumnWidth(WindowsModel::Drawn, own + 40);
            QVERIFY2(std::abs(ink() - shown) < 6, qPrintable(QStringLiteral("%1: %2 of %3").arg(width).arg(shown).arg(ink())));
            table.setColumnWidth(WindowsModel::Drawn, own);
        }
    }

    /// As wide as it is in a window of 1280 × 720: the last columns were behind the edge.
    void allColumnsAreSeenInALowWindow() {
        WindowsTable table;
        auto rows = someRows();
        for (WindowsRow& row : rows) {
            row.utterances.resize(1);
            row.deviation.reset();
            row.mean = 24;
            row.suggested = 25;
            row.inDesign = QStringLiteral("4 local 13");
            row.window = 13;
        }
        rows[0].lossMean = 0.375; // full is suggested
        rows[0].window = 0;
        rows[0].inDesign = QStringLiteral("4 full");
        table.setRows(rows, 1);
        table.show();
        const auto shownAt = [&](int width) {
            table.resize(width, 240);
            QCoreApplication::processEvents();
            for (int column = 0; column < WindowsModel::ColumnCount; ++column)
                if (!table.isColumnHidden(column) && endOf(table, column) > table.viewport()->width())
                    return false;
            return true;
        };
        QVERIFY(shownAt(900));
        QVERIFY(!table.isColumnHidden(WindowsModel::LossBar));
        const QString copied = table.asText();
        QVERIFY(table.model()->index(0, WindowsModel::SuggestedLoss).data().toString().contains(QStringLiteral("0.375 at ")));
        QVERIFY(shownAt(380));
        QCOMPARE(table.horizontalHeader()->visualIndex(WindowsModel::InDesign), int(WindowsModel::InDesign)); // in the same order
        QCOMPARE(table.model()->index(0, WindowsModel::Suggested).data().toString(), QStringLiteral("full (25)"));
        QCOMPARE(table.model()->index(0, WindowsModel::SuggestedLoss).data().toString(), QStringLiteral("0.375"));
        QCOMPARE(table.asText(), copied);
        QVERIFY(table.model()->headerData(WindowsModel::Suggested, Qt::Horizontal, Qt::ToolTipRole).toString().contains(QStringLiteral("In brackets")));
        // The narrow padding cuts nothing: every text is drawn as wide as it is.
        for (int column = 0; column < WindowsModel::ColumnCount; ++column) {
            if (table.isColumnHidden(column) || column == WindowsModel::LossBar)
                continue;
            const QModelIndex cell = table.model()->index(1, column);
            QHeaderView* header = table.horizontalHeader();
            const auto head = [&] {
                const QRect place(header->sectionViewportPosition(column), 0, header->sectionSize(column), header->height() - 2);
                return header->viewport()->grab(place).toImage();
            };
            const QImage narrow = table.viewport()->grab(table.visualRect(cell)).toImage(), narrowHead = head();
            table.setColumnWidth(column, table.columnWidth(column) + 40);
            const QImage wide = table.viewport()->grab(table.visualRect(cell)).toImage(), wideHead = head();
            const auto ink = [](const QImage& picture) {
                int dark = 0;
                for (int y = 0; y < picture.height(); ++y)
                    for (int x = 0; x < picture.width(); ++x)
                        dark += picture.pixelColor(x, y).lightness() < 128;
                return dark;
            };
            QVERIFY2(std::abs(ink(narrow) - ink(wide)) < 6, qPrintable(QString::number(column)));
            QVERIFY2(std::abs(ink(narrowHead) - ink(wideHead)) < 6 && ink(wideHead) > 0, qPrintable(QString::number(column)));
            table.setColumnWidth(column, table.columnWidth(column) - 40);
        }
        QVERIFY(shownAt(900)); // and back
        QVERIFY(!table.isColumnHidden(WindowsModel::LossBar));
    }
};

HEADROOM_TEST(WindowsColumnsTest)

} // namespace headroom::testing::windows_columns_test

#include "windows_columns_test.moc"
