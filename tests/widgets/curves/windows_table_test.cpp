// SPDX-License-Identifier: GPL-3.0-or-later
// The table of windows: its rows, the rule for suggested windows, and what it copies.
#include "core/analysis/diagonality.h"
#include "tests/support/runner.h"
#include "tests/widgets/curves/sample_windows.h"
#include "widgets/look/theme.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

namespace headroom::testing::windows_table_test {

using namespace headroom::widgets;

class WindowsTableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void theRowIsAlgorithmOneOverTheUtterances() {
        const std::vector<DiagonalProfile> profiles{profileOf(5), profileOf(5, 60), profileOf(3)};
        const auto row = windowsRow(profiles);
        std::vector<double> statistics;
        for (const auto& profile : profiles)
            statistics.push_back(static_cast<double>(windowStatistic(profile)));
        const double mean = (statistics[0] + statistics[1] + statistics[2]) / 3;
        double squares = 0;
        for (const double value : statistics)
            squares += (value - mean) * (value - mean);
        QCOMPARE(*row.mean, mean);
        QCOMPARE(*row.deviation, std::sqrt(squares / 3));
        QCOMPARE(row.suggested, static_cast<int>(windowFromStatistic(mean, std::sqrt(squares / 3))));
        const auto single = windowsRow(std::span(profiles).first(1));
        QVERIFY(!single.deviation);
        QCOMPARE(single.suggested, static_cast<int>(windowFromStatistic(statistics[0], 0)));
        QVERIFY(!windowsRow({}).mean);
    }

    void theModelKeepsQtsRules() {
        WindowsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRows(someRows(), 2);
        model.setWindow(1, 9);
        model.setInDesign(1, QStringLiteral("local 9"));
        model.setRows({}, 0);
        model.setRows(someRows(), 1);
    }

    /// "3 local 17 + 1 full" sees everything: the CL of w = 17 is not the layer's.
    void mixedHeadsHaveNoLossOfTheirOwn() {
        WindowsModel model;
        auto rows = someRows();
        rows[1].window = 9;
        rows[1].sharesWindow = false;
        model.setRows(rows, 2);
        const auto said = [&](int column) { return model.data(model.index(1, column)).toString(); };
        QCOMPARE(said(WindowsModel::Drawn), QStringLiteral("mixed"));
        QCOMPARE(said(WindowsModel::DrawnLoss), QStringLiteral("–"));
        QCOMPARE(said(WindowsModel::LossHere), QStringLiteral("–"));
        QVERIFY(said(WindowsModel::Suggested) != QStringLiteral("–"));
        model.setWindow(1, 9); // drawn on the map, for all of its heads
        QCOMPARE(said(WindowsModel::Drawn), QStringLiteral("9"));
    }

    void aDraggedWindowChangesItsRowFromTheProfile() {
        WindowsModel model;
        model.setRows(someRows(), 2);
        model.setWindow(2, 9);
        QCOMPARE(model.data(model.index(2, WindowsModel::Drawn)).toString(), QStringLiteral("9"));
        const double here = contributionLoss(profileOf(5), 9);
        const double all = (here + contributionLoss(profileOf(5, 60), 9)) / 2;
        QCOMPARE(model.data(model.index(2, WindowsModel::LossHere)).toString(), QString::number(here, 'f', 3));
        QCOMPARE(model.data(model.index(2, WindowsModel::DrawnLoss)).toString(), QString::number(all, 'f', 3));
        model.setWindow(2, 0); // full cuts nothing off
        QCOMPARE(model.data(model.index(2, WindowsModel::Drawn)).toString(), QStringLiteral("full"));
        QCOMPARE(model.data(model.index(2, WindowsModel::DrawnLoss)).toString(), QStringLiteral("0.000"));
        // Beside a full head no window says what the layer sees.
        std::vector<WindowsRow> mixed = someRows();
        mixed[2].window = 9;
        mixed[2].sharesWindow = false;
        model.setRows(mixed, 2);
        for (const auto column : {WindowsModel::LossHere, WindowsModel::DrawnLoss})
            QCOMPARE(model.data(model.index(2, column)).toString(), QStringLiteral("–"));
        model.setRows({WindowsRow{}}, 1);
        QCOMPARE(model.data(model.index(0, WindowsModel::LossHere)).toString(), QStringLiteral("–"));
    }

    void whatIsSuggestedDoesNotFollowWhatIsDrawn() {
        WindowsModel model;
        model.setRows(someRows(), 2, QStringLiteral("Over 2 open utterances of at least 1 s."));
        const auto shown = [&](int column) { return model.data(model.index(1, column)).toString(); };
        const QString window = shown(WindowsModel::Suggested), loss = shown(WindowsModel::SuggestedLoss);
        QCOMPARE(window.toInt(), model.rows()[1].suggested);
        model.setWindow(1, 99);
        QCOMPARE(shown(WindowsModel::Suggested), window);
        QCOMPARE(shown(WindowsModel::SuggestedLoss), loss);
        QVERIFY(shown(WindowsModel::DrawnLoss) != loss);
        // The tooltips name the window of each CL and the utterances of each mean.
        QVERIFY(model.data(model.index(1, WindowsModel::SuggestedLoss), Qt::ToolTipRole)
                    .toString()
                    .startsWith(QStringLiteral("CL of w = ") + window));
        QVERIFY(model.data(model.index(1, WindowsModel::DrawnLoss), Qt::ToolTipRole)
                    .toString()
                    .startsWith(QStringLiteral("CL of w = 99")));
        for (const int column : {WindowsModel::Mean, WindowsModel::Suggested, WindowsModel::SuggestedLoss,
                                 WindowsModel::DrawnLoss})
            QVERIFY(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole)
                        .toString()
                        .contains(QStringLiteral("2 open utterances")));
    }

    void aLayerThatStaysFullIsListedAsFull() {
        WindowsTable table;
        auto rows = someRows();
        rows[1].lossMean = 0.31;
        rows[2].takesWindow = rows[2].sharesWindow = false;
        const int found = rows[1].suggested;
        QCOMPARE(rows[1].suggestion(0.25), std::optional(0));
        QCOMPARE(rows[1].suggestion(0.35), std::optional(found));
        QVERIFY(!rows[2].suggestion(1.0));
        table.setRows(std::move(rows), 2);
        const auto shown = [&](int row) {
            return table.model()->index(row, WindowsModel::Suggested).data().toString();
        };
        QCOMPARE(shown(1), QStringLiteral("full"));
        QCOMPARE(shown(2), QStringLiteral("–"));
        QCOMPARE(table.model()->index(2, WindowsModel::Drawn).data().toString(), QStringLiteral("–"));
        QCOMPARE(table.model()->index(2, WindowsModel::LossHere).data().toString(), QStringLiteral("–"));
        QCOMPARE(table.model()->index(1, WindowsModel::SuggestedLoss).data().toString(),
                 QStringLiteral("0.310 at %1").arg(found)); // of a window that stands nowhere else
        QVERIFY(table.model()
                    ->index(1, WindowsModel::Suggested)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("0.310")));
        QVERIFY2(table.asText().contains(QStringLiteral("\tfull\t0.31\t%1\t").arg(found)), qPrintable(table.asText()));
        table.setThreshold(0.35);
        QCOMPARE(shown(1), QString::number(found));
        table.windows()->setWindow(1, 9); // what is drawn changes no suggestion
        QCOMPARE(shown(1), QString::number(found));
    }

    /// Other programs read a column as numbers only where it holds nothing else.
    void theLossesAreNumbersAlsoWhereFullIsSuggested() {
        WindowsTable table;
        auto rows = someRows();
        rows[1].lossMean = 0.31;
        const int found = rows[1].suggested;
        table.setRows(std::move(rows), 2);
        const QStringList lines = table.asText().split(u'\n');
        const auto loss = lines[0].split(u'\t').indexOf(QStringLiteral("CL of suggested"));
        QCOMPARE(lines[0].split(u'\t').value(loss + 1), QStringLiteral("at w"));
        const QStringList cells = lines[2].split(u'\t');
        QCOMPARE(cells.value(loss), QStringLiteral("0.31"));
        QCOMPARE(cells.value(loss + 1), QString::number(found));
    }

    void headsSortByNumber() {
        WindowsTable table;
        auto rows = someRows();
        rows[0].window = 101;
        rows[1].window = 9;
        rows[2].window = 21;
        table.setRows(std::move(rows), 2);
        table.sortByColumn(WindowsModel::Drawn, Qt::DescendingOrder);
        QCOMPARE(table.model()->index(0, WindowsModel::Drawn).data().toString(), QStringLiteral("101"));
        QCOMPARE(table.model()->index(2, WindowsModel::Drawn).data().toString(), QStringLiteral("9"));
        table.setCurrentLayer(1);
        QCOMPARE(table.currentLayer(), 1);
        QCOMPARE(table.currentIndex().row(), 2);
    }

    void rowsAreSelectedByKeysAndSaid() {
        WindowsTable table;
        table.setRows(someRows(), 2);
        table.setCurrentLayer(0);
        QSignalSpy selected(&table, &WindowsTable::layerSelected);
        QTest::keyClick(&table, Qt::Key_Down);
        QCOMPARE(selected.size(), 1);
        QCOMPARE(selected[0][0].toInt(), 1);
        table.setCurrentLayer(2); // from outside: nothing said
        QCOMPARE(selected.size(), 1);
    }

    void copyingGivesTabSeparatedRowsWithHeads() {
        WindowsTable table;
        auto rows = someRows();
        rows[1].inDesign = QStringLiteral("local 9");
        const double ccd = cumulativeContributionDiagonality(rows[1].profile);
        table.setRows(std::move(rows), 2);
        table.setCurrentLayer(1);
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        const auto lines = QGuiApplication::clipboard()->text().split(u'\n');
        QCOMPARE(lines.size(), 3); // heads, one row, the end
        const auto heads = lines[0].split(u'\t'), cells = lines[1].split(u'\t');
        QCOMPARE(heads.first(), QStringLiteral("Layer"));
        QCOMPARE(cells.size(), heads.size());
        QCOMPARE(cells.first(), QStringLiteral("2"));
        QCOMPARE(cells.last(), QStringLiteral("local 9"));
        QCOMPARE(cells[heads.indexOf(QStringLiteral("CCD"))].toDouble(), ccd); // every digit
    }

    /// The row of the current layer is always selected, and nobody need have done it.
    void aSavedTableHasAllRowsUnlessSeveralAreSelected() {
        WindowsTable table;
        table.setRows(someRows(), 2);
        table.setCurrentLayer(1);
        QCOMPARE(table.asText(2).count(u'\n'), qsizetype(4)); // heads and three rows
        table.selectionModel()->select(table.model()->index(2, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QCOMPARE(table.asText(2).count(u'\n'), qsizetype(3));
        QStringList heads = table.asText(2).section(u'\n', 0, 0).split(u'\t');
        QCOMPARE(heads.removeDuplicates(), qsizetype(0));
        QVERIFY(heads.contains(QStringLiteral("CL of suggested")) && heads.contains(QStringLiteral("CL of drawn")));
    }

    /// One half of the contributions is on the diagonal, the other spread evenly: CL is far from 0, and Algorithm 1 is right.
    void aWindowOfOneIsExplained() {
        constexpr std::size_t kTokens = 100;
        Matrix<float> map(kTokens, kTokens, 0.5F / kTokens);
        for (std::size_t i = 0; i < kTokens; ++i)
            map(i, i) += 0.5F;
        WindowsModel model;
        model.setFullAbove(1);
        model.setRows({windowsRow(std::vector<DiagonalProfile>{DiagonalProfile(map.view())}), someRows()[0]}, 2);
        const auto tip = [&](int row) { return model.data(model.index(row, WindowsModel::Suggested), Qt::ToolTipRole).toString(); };
        QCOMPARE(model.data(model.index(0, WindowsModel::Suggested)).toString(), QStringLiteral("1"));
        QVERIFY2(tip(0).contains(QStringLiteral("a token sees only itself")) && tip(0).contains(QStringLiteral("0.495")), qPrintable(tip(0)));
        // In layer 1 of the demo, the diagonals +61 to +78 of 79 tokens are above 0.01.
        QVERIFY2(tip(0).contains(QStringLiteral("none of the N/10 diagonals")), qPrintable(tip(0)));
        QVERIFY2(tip(1).startsWith(QStringLiteral("⌈μ + σ⌉ = ")) && !tip(1).contains(QStringLiteral("only itself")), qPrintable(tip(1)));
    }

    void whatIsCopiedSaysWhatTheCellSays() {
        auto rows = someRows();
        rows[0].window = 9;
        rows[1].window = 31;
        rows[1].sharesWindow = false;
        WindowsTable table;
        table.setRows(rows, 2);
        QStringList drawn;
        const QStringList lines = table.asText().split(u'\n', Qt::SkipEmptyParts);
        const auto column = lines[0].split(u'\t').indexOf(QStringLiteral("Drawn"));
        QVERIFY(column > 0);
        for (qsizetype line = 1; line < lines.size(); ++line)
            drawn << lines[line].split(u'\t')[column];
        QCOMPARE(drawn,
                 (QStringList{QStringLiteral("9"), QStringLiteral("mixed"), WindowsModel::fullText()}));
    }

    /// A layer that is local in the model loses nothing outside its window, so a wider one would only widen the model.
    void noSuggestionIsWiderThanTheLayersOwnWindow() {
        WindowsRow row = someRows()[0];
        const int found = row.suggested;
        QVERIFY(found > 3);
        row.limitTo(0); // some head sees everything
        QCOMPARE(row.suggestion(1), std::optional(found));
        row.limitTo(found + 2);
        QCOMPARE(row.suggestion(1), std::optional(found));
        row.limitTo(found - 2);
        QCOMPARE(row.suggestion(1), std::optional(found - 2));
        WindowsModel model;
        model.setRows({row}, 2);
        model.setFullAbove(1);
        const QModelIndex cell = model.index(0, WindowsModel::Suggested);
        QCOMPARE(cell.data().toString(), QString::number(found - 2));
        QVERIFY(cell.data(Qt::ToolTipRole).toString().contains(QStringLiteral("finds w = %1").arg(found)));
    }
};

HEADROOM_TEST(WindowsTableTest)

} // namespace headroom::testing::windows_table_test

#include "windows_table_test.moc"
