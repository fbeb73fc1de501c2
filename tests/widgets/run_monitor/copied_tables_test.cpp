// SPDX-License-Identifier: GPL-3.0-or-later
// Runs and Queue as they are copied: header and value are in one unit, and nothing that the screen says is lost.
#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/table_text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QTest>

#include <cmath>

namespace headroom::testing::copied_tables_test {

using namespace headroom::widgets;

namespace {

/// The cell of a row of a copied text below a header.
QString cellOf(const QString& text, int row, const QString& head) {
    const QStringList lines = text.split(u'\n');
    const auto column = lines.front().split(u'\t').indexOf(head);
    return column < 0 ? lines.front() : lines.value(row + 1).split(u'\t').value(column);
}

} // namespace

class CopiedTablesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// Below "Params, M" stood 1992192.
    void parametersAreCopiedInTheirUnit() {
        RunTable table;
        RunItem run = sampleRun("a", 1, RunState::Finished, 1.25);
        run.parameters = 1992192;
        run.macShare = 0.875;
        table.runs()->setGroups(groupRuns({run}));
        QCOMPARE(cellOf(table.asText(), 0, QStringLiteral("Params, M")).toDouble(), 1.992192);
        QCOMPARE(cellOf(table.asText(), 0, QStringLiteral("MACs, %")).toDouble(), 87.5);
        QCOMPARE(cellOf(table.asText(), 0, QStringLiteral("Dev WER, %")).toDouble(), 12.5);
    }

    /// "4" for "3 of 4" would count a seed that has no result.
    void seedsAreCopiedAsShown() {
        RunTable table;
        RunItem run = sampleRun("a", 1, RunState::Finished);
        run.waitingSeeds = {2};
        table.runs()->setGroups(groupRuns({run}));
        QCOMPARE(cellOf(table.asText(), 0, QStringLiteral("Seeds")), QStringLiteral("1 of 2"));
    }

    /// The deviation of a dev score was in no column, and the result was a text with the unit and one split in it.
    void deviationsAndSplitsHaveColumns() {
        RunTable table;
        RunItem first = sampleRun("a", 1, RunState::Finished, 1), second = sampleRun("a", 2, RunState::Finished, 1.5), other = sampleRun("b", 1, RunState::Finished, 3);
        first.evaluated = {sampleScore("test", 5.125), sampleScore("dev", 7, 1)};
        second.evaluated = {sampleScore("test", 5.25)};
        for (RunItem* run : {&first, &second, &other}) {
            run->decoded = 40;
            run->info.best["decoded"] = 40;
            run->info.best["validated"] = run == &other ? 40 : 63;
        }
        table.runs()->setGroups(groupRuns({first, second, other}));
        table.sortByColumn(RunTableModel::Name, Qt::AscendingOrder);
        const QString text = table.asText();
        const auto number = [&](const char* head) { return cellOf(text, 0, QString::fromUtf8(head)).toDouble(); };
        QCOMPARE(number("Dev loss"), 1.25);
        QCOMPARE(number("Dev loss std"), 0.25 * std::sqrt(2.0));
        QCOMPARE(number("Dev WER, %"), 12.5);
        QCOMPARE(number("Dev WER std, %"), 2.5 * std::sqrt(2.0));
        QCOMPARE(number("Evaluated on test: WER, %"), 5.1875);
        QCOMPARE(number("Evaluated on test: WER std, %"), 0.0625 * std::sqrt(2.0));
        QCOMPARE(number("Evaluated on dev: WER, %"), 7.0);
        QCOMPARE(number("Evaluated on dev: WER, seeds"), 1.0);
        QCOMPARE(cellOf(text, 0, QStringLiteral("Dev WER of")), QStringLiteral("the first 40 of 63 utterances"));
        QCOMPARE(cellOf(text, 1, QStringLiteral("Dev WER of")), QStringLiteral("all utterances"));
        QCOMPARE(cellOf(text, 1, QStringLiteral("Dev loss std")), QString()); // of one seed there is none
        QCOMPARE(cellOf(text, 1, QStringLiteral("Evaluated on test: WER, %")), QString());
        const QString head = text.section(u'\n', 0, 0);
        QVERIFY2(head.indexOf(QLatin1String("on test")) < head.indexOf(QLatin1String("on dev")), qPrintable(head));

        // As a paper prints it, and of the rows that are selected.
        table.selectRow(0);
        const QString latex = table.asLatex();
        QVERIFY2(latex.contains(QStringLiteral("a & \\textbf{1.250 $\\pm$ 0.354} & \\textbf{12.50 $\\pm$ 3.54} & ")) &&
                     latex.contains(QStringLiteral(" & 5.19 $\\pm$ 0.09 & 7.00, 1 of 2 seeds & ")) && !latex.contains(QStringLiteral("\n    b &")),
                 qPrintable(latex));
        QVERIFY2(latex.contains(QStringLiteral("WER and BLEU on dev are of the first 40 of 63 utterances.")), qPrintable(latex));
        QVERIFY2(latex.contains(QStringLiteral("Evaluated on test: WER (\\%)")) && !latex.contains(QStringLiteral("Created")), qPrintable(latex));
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), latex);
    }

    /// "+10.00" was copied as "10.00", and the best of a column was no longer bold.
    void latexHasTheSignOfDeltaAndTheBoldOfTheBest() {
        RunTable table;
        table.runs()->setGroups(groupRuns({sampleRun("a", 1, RunState::Finished, 2), sampleRun("b", 1, RunState::Finished, 3),
                                           sampleRun("c", 1, RunState::Finished, 1)}));
        table.runs()->setReference(table.runs()->groups()[0].key);
        table.sortByColumn(RunTableModel::Name, Qt::AscendingOrder);
        const QString latex = table.asLatex();
        const auto row = [&](const char* name) { return latex.section(QStringLiteral("\n    %1 & ").arg(QLatin1String(name)), 1).section(u'\n', 0, 0); };
        QVERIFY2(row("a").contains(QStringLiteral("2.000 & 20.00 &")) && row("a").contains(QStringLiteral("reference")), qPrintable(latex));
        QVERIFY2(row("b").contains(QStringLiteral("3.000 & 30.00 &")) && row("b").contains(QStringLiteral("& +10.00 &")), qPrintable(latex));
        QVERIFY2(row("c").contains(QStringLiteral("\\textbf{1.000} & \\textbf{10.00} &")) && row("c").contains(QStringLiteral("& $-$10.00 &")), qPrintable(latex));
        QVERIFY2(latex.contains(QStringLiteral("Bold: the best on dev")), qPrintable(latex));
        QVERIFY2(!table.asText().contains(u'+'), qPrintable(table.asText())); // numbers, for programs
    }

    void theQueueCopiesTimesAndSpeedsWithTheirUnits() {
        QueueView view;
        RunItem runs = sampleRun("a", 1, RunState::Running), done = sampleRun("b", 1, RunState::Finished), text = sampleRun("c", 1, RunState::Running);
        runs.secondsLeft = 90.25;
        done.secondsLeft = 0;
        done.info.started = "2026-11-21T10:30:00Z";
        done.info.ended = "2026-11-21T10:30:11Z";
        text.task = QStringLiteral("translate_de");
        view.queue()->setItems({runs, done, text}, {}, {});
        const QString copied = tableText(view);
        const int at = view.queue()->rowOf(done.folder), running = view.queue()->rowOf(runs.folder);
        QCOMPARE(cellOf(copied, running, QStringLiteral("Progress, %")), QStringLiteral("50")); // as on the screen
        QCOMPARE(cellOf(copied, running, QStringLiteral("Time left")), QStringLiteral("90.25 s"));
        QCOMPARE(cellOf(copied, at, QStringLiteral("Time left")), QStringLiteral("took 11 s"));
        QCOMPARE(cellOf(copied, running, QStringLiteral("Speed")), QStringLiteral("20000 frames/s"));
        QCOMPARE(cellOf(copied, view.queue()->rowOf(text.folder), QStringLiteral("Speed")), QStringLiteral("20000 tokens/s"));
    }
};

HEADROOM_TEST(CopiedTablesTest)

} // namespace headroom::testing::copied_tables_test

#include "copied_tables_test.moc"
