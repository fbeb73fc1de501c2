// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/metric_plot.h"
#include "widgets/run_monitor/queue_delegate.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/run_words.h"

#include <qcustomplot.h>
#include <QTest>

namespace headroom::testing::fitted_titles_test {

using namespace headroom::widgets;

namespace {

/// The first text in a plot as it is drawn now that has this part.
QString textWith(MetricPlot& plot, const char* part) {
    plot.grab();
    const auto* inner = plot.findChild<QCustomPlot*>();
    for (int item = 0; item < inner->itemCount(); ++item)
        if (const auto* text = qobject_cast<const QCPItemText*>(inner->item(item)); text && text->text().contains(QLatin1String(part)))
            return text->text();
    return {};
}

} // namespace

class FittedTitlesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// “Evaluate demo, demo, 60 up…beam 4, length penalty 0.5” was twice in the queue.
    void theSeedOfATitleStays() {
        const QFontMetrics metrics{QFont()};
        const QString title = QStringLiteral("Evaluate demo, demo, 60 updates, seed 2 on test, beam 4");
        const int width = metrics.horizontalAdvance(title);
        QCOMPARE(fittedTitle(title, metrics, width), title);
        const QString cut = fittedTitle(title, metrics, width * 4 / 5);
        QVERIFY2(cut.startsWith(QStringLiteral("Evaluate")) && cut.endsWith(QStringLiteral(" updates, seed 2 on test, beam 4")), qPrintable(cut));
        QVERIFY(metrics.horizontalAdvance(cut) <= width * 4 / 5);
        const QString most = fittedTitle(title, metrics, width / 4); // too narrow for that
        QVERIFY2(metrics.horizontalAdvance(most) <= width / 4 && most.contains(QChar(0x2026)), qPrintable(most));
    }

    /// “Demo text, layer 1: full → 1 local 5 + …, se…” were three experiments.
    void aTitleKeepsWhatStandsBeforeTheSeed() {
        const QFontMetrics metrics{QFont()};
        const QString title = QStringLiteral("Demo text, layer 1: full → 1 local 5 + 1 conv 5/2 + 2 full relaxed 0.3 matched, 400 updates, seed 7");
        const QString cut = fittedTitle(title, metrics, metrics.horizontalAdvance(title) * 2 / 3);
        QVERIFY2(cut.startsWith(QStringLiteral("Demo text")) && cut.endsWith(QStringLiteral("400 updates, seed 7")), qPrintable(cut));
    }

    /// Both were “demo, lay…s, from demo, seed 1” in a narrow queue.
    void titlesThatDifferInTheMiddleShowTheirDifference() {
        const QFontMetrics metrics{QFont()};
        const QStringList titles{QStringLiteral("demo, layers 1–8: full → local 5, 3,000 updates, from demo, seed 1"),
                                 QStringLiteral("demo, layers 1–8: full → local 19, 3,000 updates, from demo, seed 1"),
                                 QStringLiteral("demo, layers 1–8: full → local 19, 3,000 updates, from demo, seed 2")};
        const auto apart = wordsApart(titles);
        QCOMPARE(apart[titles[1]], apart[titles[2]]);
        for (qsizetype i = 0; i < titles.size(); ++i) {
            const QString number = i == 0 ? QStringLiteral("local 5, ") : QStringLiteral("local 19, ");
            const Titles one{titles[i], {}, apart[titles[i]]};
            const int whole = metrics.horizontalAdvance(titles[i]);
            QCOMPARE(fittedTitle(one, metrics, whole), titles[i]);
            QVERIFY(!fittedTitle(titles[i], metrics, whole / 2).contains(number)); // else this shows nothing
            for (const int width : {whole * 3 / 4, whole / 2, whole * 9 / 20}) {
                const QString cut = fittedTitle(one, metrics, width);
                QVERIFY2(cut.contains(number) && cut.startsWith(QStringLiteral("demo, ")) && cut.endsWith(titles[i].right(8)), qPrintable(cut));
                QVERIFY2(metrics.horizontalAdvance(cut) <= width && metrics.horizontalAdvance(cut) > width / 2, qPrintable(cut));
            }
            // Without room for it, the seed stays.
            const QString least = fittedTitle(one, metrics, metrics.horizontalAdvance(QStringLiteral("demo……, seed 1")));
            QVERIFY2(least.endsWith(titles[i].right(8)), qPrintable(least));
        }
    }

    /// One that goes on where another one ends differs in what follows.
    void theFirstWordsThatDifferTellTitlesApart() {
        const QStringList titles{QStringLiteral("demo, seed 1"), QStringLiteral("demo, 300 updates, seed 1"),
                                 QStringLiteral("demo, 300 updates, from local-5, seed 1"), QStringLiteral("demo, 300 updates, from local-7, seed 3")};
        const auto apart = wordsApart(titles);
        QCOMPARE(apart[titles[0]], QList<int>{0});
        QCOMPARE(apart[titles[1]], (QList<int>{1, 2}));
        QCOMPARE(apart[titles[2]], (QList<int>{1, 3, 5}));
        QCOMPARE(apart[titles[3]], (QList<int>{1, 3, 5}));
        for (const auto& seed : wordsApart({QStringLiteral("demo, seed 1"), QStringLiteral("demo, seed 2")}))
            QVERIFY(seed.isEmpty());
    }

    /// “… 4 … 300 …, seed 1” named nothing.
    void theFirstWordStays() {
        const QFontMetrics metrics{QFont()};
        const QString title = QStringLiteral("demo, 4 layers changed, demo, 300 updates, from the encoder of demo, seed 1");
        const auto apart = wordsApart({title, QStringLiteral("demo, seed 1"), QStringLiteral("demo, 4 layers changed, ls-corpus, 60 updates, seed 1"),
                                       QStringLiteral("demo, 4 layers changed, demo, 60 updates, seed 1")});
        const int width = metrics.horizontalAdvance(QStringLiteral("demo, … 300 …, seed 1  "));
        const QString cut = fittedTitle(Titles{title, {}, apart[title]}, metrics, width);
        QVERIFY2(cut.startsWith(QStringLiteral("demo, ")) && cut.endsWith(QStringLiteral(", seed 1")) && cut.size() > 18, qPrintable(cut));
    }

    /// Of a study in a narrow field, “… of … audio, …” was left.
    void wordsBesideTheDifferenceStayWithIt() {
        const QFontMetrics metrics{QFont()};
        const QStringList names{QStringLiteral("Phones of demo, s2t-reference, audio, all, 52 utterances"),
                                QStringLiteral("Phones of demo, s2t-reference, open recordings, 9 utterances")};
        QCOMPARE(fittedAmong(names, names[0], metrics, metrics.horizontalAdvance(QStringLiteral("… audio, all, …"))), QStringLiteral("… audio, all, …"));
    }

    /// It goes before its value, which may be a word: “… adam, loss.rDrop …” was left.
    void theNameOfAValueStaysWithIt() {
        const QFontMetrics metrics{QFont()};
        const QStringList names{QStringLiteral("referencetransformer, optimiser.name adam, loss.rDrop 5, 52 utterances"),
                                QStringLiteral("referencetransformer, optimiser.name sgd, loss.rDrop 5, 52 utterances")};
        const QString named = QStringLiteral("… optimiser.name adam, …");
        QCOMPARE(fittedAmong(names, names[0], metrics, metrics.horizontalAdvance(named)), named);
    }

    /// A third of the field was empty beside “s2t-…”.
    void aWordIsCutWhereItsBeginningHasRoom() {
        const QFontMetrics metrics{QFont()};
        const QStringList names{QStringLiteral("demo"), QStringLiteral("s2t-reference"), QStringLiteral("demo, layers 4–8 changed"), QStringLiteral("demo 150"),
                                QStringLiteral("demo 155")};
        const auto shown = [&](int name, const char* as) { return fittedAmong(names, names[name], metrics, metrics.horizontalAdvance(QString::fromUtf8(as))); };
        QVERIFY2(shown(1, "s2t-refe…").startsWith(QStringLiteral("s2t-ref")), qPrintable(shown(1, "s2t-refe…")));
        QVERIFY(shown(3, "demo 1…") != shown(4, "demo 1…"));
    }

    /// “st…de” was shown for both of two models.
    void whatIsLeftOfANameCouldBeNoOtherOne() {
        const QFontMetrics metrics{QFont()};
        const QStringList lists[] = {{QStringLiteral("st-small en-de"), QStringLiteral("st-local en-de")},
                                     {QStringLiteral("Recording as A"), QStringLiteral("3331-159605-0005"), QStringLiteral("3331-121123-0005")},
                                     {QStringLiteral("talk20261130aachen"), QStringLiteral("talk20261230aachen")},
                                     {QStringLiteral("st-small"), QStringLiteral("st-small-large-vocabulary"), QStringLiteral("asr-small")}};
        for (const QStringList& names : lists)
            for (const QString& name : names) {
                const int whole = metrics.horizontalAdvance(name);
                for (int width = whole / 2; width <= whole; ++width) {
                    const QString shown = fittedAmong(names, name, metrics, width);
                    QVERIFY(metrics.horizontalAdvance(shown) <= width);
                    QVERIFY2(couldBe(shown, name), qPrintable(shown));
                    for (const QString& other : names)
                        QVERIFY2(other == name || !couldBe(shown, other), qPrintable(QStringLiteral("%1 of %2").arg(shown, name)));
                }
                QCOMPARE(fittedAmong(names, name, metrics, whole), name);
            }
        QVERIFY(!couldBe(QStringLiteral("st…de"), QStringLiteral("st-d")) && couldBe(QStringLiteral("…small…"), QStringLiteral("st-small en")));
        QVERIFY(!couldBe(QStringLiteral("st…tt"), QStringLiteral("stt")));
    }

    /// Three rows of Runs read “demo, layers 1–8: ful…00 updates, from demo”.
    void rowsOfRunsShowInWhatTheyDiffer() {
        const QString name = QStringLiteral("demo, layers 1–8: full → local %1, 3,000 updates, from demo");
        const auto shownFirst = [&](int window, int other) { // the name of the experiment with this window, as it is drawn
            RunTable table;
            table.resize(500, 200);
            table.runs()->setGroups(groupRuns({sampleRun(name.arg(window), 1, RunState::Finished), sampleRun(name.arg(other), 1, RunState::Finished)}));
            table.show();
            const QModelIndex index = table.model()->index(0, RunTableModel::Name);
            const QFontMetrics bold(index.data(Qt::FontRole).value<QFont>());
            return bold.horizontalAdvance(index.data().toString()) > table.columnWidth(RunTableModel::Name)
                       ? table.viewport()->grab(table.visualRect(index)).toImage()
                       : QImage();
        };
        const QImage one = shownFirst(5, 19);
        QVERIFY(!one.isNull()); // else nothing is cut
        QVERIFY(one != shownFirst(19, 5));
        QVERIFY(one == shownFirst(5, 19));
    }

    /// The room reckoned with was wider than that of the style sheet, so that the title was cut again, at its end.
    void theQueueDrawsTheTitleThatWasFitted() {
        QueueView view;
        view.resize(1100, 200);
        view.show();
        view.queue()->setItems({sampleRun(QStringLiteral("Demo text, layer 1: full → 1 local 5 + 1 conv 5/2 + 2 full relaxed 0.3, layer 2: full → 2 local 6 block"), 7, RunState::Finished)}, {}, {});
        struct Asked : QueueDelegate {
            using QueueDelegate::QueueDelegate;
            using QueueDelegate::initStyleOption;
        } delegate;
        const QModelIndex job = view.queue()->index(0, QueueModel::Job);
        QStyleOptionViewItem option;
        option.initFrom(&view);
        option.widget = &view;
        option.font = view.font();
        option.fontMetrics = QFontMetrics(option.font);
        option.rect = view.visualRect(job);
        delegate.initStyleOption(&option, job);
        QVERIFY2(option.text.contains(QChar(0x2026)) && option.text.endsWith(QStringLiteral(", seed 7")), qPrintable(option.text));
        const int margin = view.style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &view) + 1;
        const int room = view.style()->subElementRect(QStyle::SE_ItemViewItemText, &option, &view).width() - 2 * margin;
        const int width = option.fontMetrics.horizontalAdvance(option.text);
        QVERIFY2(width <= room && width > room - 40, qPrintable(QStringLiteral("%1 of %2").arg(width).arg(room)));
    }

    void theQueueLeavesALongNameTheRoomOfItsNumbers() {
        QueueView view;
        view.resize(1250, 200);
        view.show();
        RunItem run = sampleRun(QStringLiteral("demo"), 1, RunState::Finished);
        view.queue()->setItems({run}, {}, {});
        const int before = view.columnWidth(QueueModel::Job);
        run.name = QStringLiteral("a name of an experiment that is longer than what the queue usually has for it");
        view.queue()->setItems({run}, {}, {});
        QTRY_VERIFY(view.columnWidth(QueueModel::Job) > before); // at the next turn
        QVERIFY(view.columnWidth(QueueModel::Progress) > 0 && view.horizontalHeader()->length() <= view.viewport()->width());
    }

    /// Two rows read “demo, Müll/er <b…from step-000150”, and “Interrupted” read “Inte…pted”.
    void aWidePanelShowsNamesAndStatesWhole() {
        RunTable table;
        table.resize(760, 200);
        table.show();
        const QString name = QStringLiteral("demo, Müll/er, 3,000 updates, from step-000150");
        table.runs()->setGroups(groupRuns({sampleRun(name, 1, RunState::Interrupted)}));
        for (const int column : {RunTableModel::Name, RunTableModel::State})
            QVERIFY2(table.columnWidth(column) >= static_cast<QAbstractItemView&>(table).sizeHintForColumn(column), qPrintable(QString::number(column)));
        table.resize(400, 200);
        QVERIFY(table.columnWidth(RunTableModel::Name) < 300); // scores are in sight beside it
    }

    /// It was cut first, and the factor is a part of it.
    void aTitleKeepsItsUnit() {
        MetricPlot plot({QStringLiteral("training.rate"), QStringLiteral("Learning rate, × 10⁻³"), 1000, 3, false, false});
        int cut = 0;
        for (int width = 420; width >= 150; --width) {
            plot.resize(width, 160);
            const QString title = textWith(plot, "L");
            QVERIFY2(title.endsWith(QStringLiteral(", × 10⁻³")), qPrintable(QStringLiteral("%1: %2").arg(width).arg(title)));
            cut += title.contains(QChar(0x2026));
        }
        QVERIFY(cut > 2);
    }

    /// "Sp…, frames/s" named nothing.
    void aShortTitleStandsWhereTheWholeOneHasNoRoom() {
        const QString whole = QStringLiteral("Speed, frames/s"), brief = QStringLiteral("frames/s");
        MetricPlot plot({QStringLiteral("speed"), whole, 1, 3, true, true, brief});
        const auto title = [&] { return textWith(plot, "frames"); };
        const auto shown = [&](const QString& first) { // from a wide plot to the first other title
            for (int width = 420; width > 60; width -= 4) {
                plot.resize(width, 160);
                if (title() != first)
                    return title();
            }
            return first;
        };
        QCOMPARE(shown(whole), brief);
        CurveReading logarithmic;
        logarithmic.logarithmic = true;
        plot.setReading(logarithmic);
        const QString end = QStringLiteral(", logarithmic");
        QCOMPARE(shown(whole + end), brief + end);
    }

    /// Beside "31,040 frames/s" of the queue stood "k frames/s" and 31.0.
    void aCountHasItsThousandsInTheTicks() {
        MetricPlot plot({QStringLiteral("framesPerSecond"), QStringLiteral("Speed, frames/s"), 1, 0, true, false, {}, true});
        plot.resize(500, 300);
        auto curves = std::make_shared<RunCurves>();
        for (const int update : {10, 20, 30})
            curves->add({{"event", "step"}, {"update", update}, {"time", 1000.0 + update}, {"framesPerSecond", 20000 + 1000 * update}});
        plot.setReading({CurveAxis::Updates, 0, true, false});
        plot.setRuns({{QStringLiteral("a"), 0, {curves}}});
        plot.grab();
        const auto labels = plot.findChild<QCustomPlot*>()->yAxis->tickVectorLabels();
        QVERIFY(labels.size() > 1);
        for (const QString& label : labels)
            QVERIFY2(label.endsWith(QStringLiteral(" k")), qPrintable(labels.join(QStringLiteral(", "))));
        QVERIFY2(plot.accessibleDescription().contains(QStringLiteral("50,000")), qPrintable(plot.accessibleDescription()));
    }

    /// A run that is over said "No data yet" for ever.
    void onlyWhatGoesOnHasNoDataYet() {
        MetricPlot plot({QStringLiteral("validation.bleu"), QStringLiteral("BLEU on dev"), 1, 2});
        plot.resize(500, 300);
        ComparedRuns over{QStringLiteral("a"), 0, {sampleCurves(3)}};
        plot.setRuns({over});
        QCOMPARE(textWith(plot, "No data"), QStringLiteral("No data"));
        QCOMPARE(plot.accessibleDescription(), QStringLiteral("No values."));
        ComparedRuns goesOn = over;
        goesOn.goesOn = true;
        plot.setRuns({over, goesOn});
        QCOMPARE(textWith(plot, "No data"), QStringLiteral("No data yet"));
        QCOMPARE(plot.accessibleDescription(), QStringLiteral("No values yet."));
    }

    /// A curve of 30 points beside one of 900 was nowhere.
    void theAxisShowsEveryCurve() {
        MetricPlot plot({QStringLiteral("loss"), QStringLiteral("Training loss"), 1, 3, true, true});
        plot.resize(500, 300);
        plot.setReading({CurveAxis::Updates, 0, true, false});
        const auto top = [&](std::vector<ComparedRuns> runs) {
            plot.setRuns(std::move(runs));
            plot.grab();
            return plot.findChild<QCustomPlot*>()->yAxis->range().upper;
        };
        QVERIFY(top({{QStringLiteral("long"), 0, {sampleCurves(900)}}}) < 0.2); // not the first steps
        const double both = top({{QStringLiteral("long"), 0, {sampleCurves(900)}}, {QStringLiteral("short"), 1, {sampleCurves(30, 3)}}});
        QVERIFY2(both > 4, qPrintable(QString::number(both)));
        const double longer = top({{QStringLiteral("long"), 0, {sampleCurves(900)}}, {QStringLiteral("high"), 1, {sampleCurves(60, 3)}}});
        QVERIFY2(longer > 3.1, qPrintable(QString::number(longer))); // all but its first steps
    }
};

HEADROOM_TEST(FittedTitlesTest)

} // namespace headroom::testing::fitted_titles_test

#include "fitted_titles_test.moc"
