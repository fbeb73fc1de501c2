// SPDX-License-Identifier: GPL-3.0-or-later
// The net, without the window: single parts with contents that would take the whole window long to come by.
#include "app/workspaces/design/cost_views.h"
#include "tests/stories/layout/layout_walk.h"
#include "tests/stories/layout/painted.h"
#include "tests/support/runner.h"
#include "tests/widgets/matrix/sample_maps.h"
#include "tests/widgets/run_monitor/sample_runs.h"
#include "widgets/look/selectable_line.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_tag.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/run_monitor/queue_view.h"

#include <QTest>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::testing::layout_parts_test {

using namespace headroom::widgets;

class LayoutPartsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// The title of the query axis stood on its numbers: from 100 s on beside words, else from 1,000 s on.
    void theAxesOfALongTalk() {
        const TokenClock clock = TokenClock::speechToText();
        TimeAxis axis;
        QWidget window;
        QVBoxLayout layout(&window);
        auto* view = new LayerMatrixView;
        layout.addWidget(view);
        view->setAxis(&axis);
        LayoutFindings findings;
        for (const auto unit : {AxisUnit::Seconds, AxisUnit::Tokens})
            for (const double extent : {60.0, 220.0, 1'200.0, 12'000.0}) {
                axis.setExtent(Seconds(extent), unit);
                view->setMatrix(testing::pyramidOf(testing::ridge(120, 5)), clock);
                for (const bool words : {false, true}) {
                    view->setWords(words ? std::vector<Interval>{{Seconds(0), Seconds(extent), "all of it"}} : std::vector<Interval>{});
                    for (const QSize size : {QSize(600, 330), QSize(1200, 800)}) {
                        window.resize(size);
                        window.show();
                        axis.setVisible({Seconds(extent * 0.7), Seconds(extent)});
                        findings.look(&window, QStringLiteral("%1 of %2, words %3").arg(extent).arg(int(unit)).arg(words));
                        axis.setVisible({Seconds(0), Seconds(extent)});
                        findings.look(&window, QStringLiteral("%1 of %2, words %3").arg(extent).arg(int(unit)).arg(words));
                        const auto texts = paintedBy(view).texts;
                        QVERIFY(std::ranges::any_of(texts, [](const PaintedText& text) { return text.text.contains(QStringLiteral("query")); }));
                    }
                }
            }
        QVERIFY2(nothingFound(findings), "The findings are listed above.");
    }

    /// "Evaluate de…digits, asr" was of any seed and split, beside states with air.
    void theEvaluationsOfANarrowQueue() {
        QWidget window;
        QVBoxLayout layout(&window);
        layout.setContentsMargins(0, 0, 0, 0);
        auto* view = new QueueView;
        layout.addWidget(view);
        std::vector<EvaluationItem> evaluations;
        for (const char* seed : {"1", "2"})
            for (const char* split : {"dev", "test"}) {
                const QString model = QStringLiteral("demo, layers 1–8 changed, seed %1").arg(QLatin1String(seed)), on = QLatin1String(split);
                EvaluationItem& one = evaluations.emplace_back(EvaluationItem{{}, QStringLiteral("Evaluate %1, at update 100, on %2 of digits, asr").arg(model, on),
                                                                              {}, QStringLiteral("%1 … on %2…").arg(model, on)});
                one.info.folder = std::string("/runs/evaluations/") + seed + split;
                one.info.state = EvaluationInfo::State::Finished;
            }
        view->queue()->setItems({sampleRun("demo", 1, RunState::Running)}, {}, {}, evaluations);
        window.resize(qRound(116 * Sizes::unit()), 200);
        window.show();
        QCoreApplication::processEvents();
        LayoutFindings findings;
        findings.look(&window, QStringLiteral("queue"));
        QVERIFY2(nothingFound(findings), "The findings are listed above.");
    }

    /// "embedding and o…" beside long bars, at 1280 pixels.
    void theNamesOfPartsAreWholeBesideTheirBars() {
        app::CostParts parts;
        parts.show(QStringLiteral("MACs"), {{QStringLiteral("front end"), QStringLiteral("266,752"), QStringLiteral("368.54 M"), 0.1, 0.1, {}},
                                            {QStringLiteral("embedding and output"), QStringLiteral("6,144"), {}, 0.01, 0, {}}});
        const auto shown = [&](double units) {
            parts.resize(qRound(units * Sizes::unit()), parts.sizeHint().height());
            return paintedBy(&parts);
        };
        const auto hasName = [](const Painted& painted) {
            return std::ranges::any_of(painted.texts, [](const PaintedText& text) { return text.text == QStringLiteral("embedding and output"); });
        };
        const Painted narrow = shown(43), wide = shown(60);
        QVERIFY(hasName(narrow) && hasName(wide));
        QCOMPARE(narrow.grounds.size(), wide.grounds.size()); // the bars are there, too
        QVERIFY(hasName(shown(38)));
        QVERIFY(shown(38).grounds.size() < wide.grounds.size()); // they give way first
    }

    /// The line under the tiers, "built-in aligner, …", ended in the middle of a letter.
    void aLineThatCanBeSelectedIsElided() {
        const QString text = QStringLiteral("built-in aligner, median phone error 12 ms on real speech (LibriSpeech sample)");
        QWidget window;
        auto* line = new SelectableLine(&window);
        line->setText(text);
        line->setGeometry(10, 10, 200, 20);
        window.resize(300, 60);
        window.show();
        QCoreApplication::processEvents();
        LayoutFindings findings;
        findings.look(&window, QStringLiteral("elided"));
        QVERIFY2(nothingFound(findings), "The findings are listed above.");
        QVERIFY(paintedBy(line).texts.at(0).isElided());
        line->setSelection(0, 5); // all of it can be selected
        QCOMPARE(line->selectedText(), text.left(5));
        delete line;
        auto* label = new QLabel(text, &window);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setGeometry(10, 10, 200, 20);
        label->show();
        findings.look(&window, QStringLiteral("a label of Qt"));
        QVERIFY2(findings.report().contains(QStringLiteral("text cut")), qPrintable(findings.report()));
    }

    /// Its tag said 0.812 s of a token that is at 0.813 s in the read-out.
    void theTagOfTheMapRoundsTimesAsTheReadOut() {
        const TokenClock clock = TokenClock::speechToText();
        TimeAxis axis;
        LayerMatrixView view;
        view.setAxis(&axis);
        axis.setExtent(clock.cellStart(Tokens(120)));
        view.setMatrix(testing::pyramidOf(testing::ridge(120, 5)), clock);
        view.resize(760, 520);
        view.show();
        const Seconds centre = clock.centre(Tokens(20));
        QCOMPARE(centre.value(), 0.8125);
        const auto where = view.mapping();
        QTest::mouseMove(&view, QPointF(where.xOf(centre), where.yOf(centre)).toPoint());
        const auto said = [&] {
            QStringList all;
            for (MapTagWidget* tag : view.findChildren<MapTagWidget*>())
                if (tag->isVisible())
                    for (const PaintedText& text : paintedBy(tag).texts)
                        all << text.text;
            return all.join(u' ');
        };
        QTRY_VERIFY(!said().isEmpty());
        QVERIFY2(said().contains(QStringLiteral("query 0.813\u202fs, key 0.813\u202fs")), qPrintable(said()));
    }
};

HEADROOM_TEST(LayoutPartsTest)

} // namespace headroom::testing::layout_parts_test

#include "layout_parts_test.moc"
