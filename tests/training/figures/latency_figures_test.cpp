// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "tests/training/figures/synthetic_study.h"
#include "training/figures/study_figures.h"

#include <QTest>

namespace headroom::testing::latency_figures_test {

class LatencyFiguresTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The same numbers had three spreads: quartiles in the study's table, ends in its figure, deviations in the window.
    void oneSlowPassIsNotInTheSpread() {
        SyntheticStudy made = syntheticStudy(StudyKind::Latency);
        std::vector<double> slow = toDoubles(made.arrays.at("1.milliseconds").view());
        for (std::size_t i = 0; i < slow.size(); i += 5) // the first of five passes
            slow[i] *= 100;
        made.arrays["1.milliseconds"] = Tensor::of<double>({4, 3, 5}, slow);
        const figures::Figure figure = figures::studyFigures(made.study, made.arrays, made.example, 0).front();
        QCOMPARE(figure.name, std::string("latency"));
        QVERIFY2(figure.caption.find("bars: quartiles") != std::string::npos, figure.caption.c_str());
        const StudyTable& values = *figure.values;
        QCOMPARE(values.columns[4].key, std::string("lower_quartile"));
        QCOMPARE(values.columns[5].key, std::string("upper_quartile"));
        QCOMPARE(values.rows.size(), std::size_t(12));
        for (const auto& row : values.rows) {
            const double median = std::get<double>(row[3]), lower = std::get<double>(row[4]), upper = std::get<double>(row[5]);
            QVERIFY(lower <= median && median <= upper);
            QVERIFY2(upper < 1.2 * median && lower > 0.8 * median, qPrintable(QStringLiteral("%1 %2 %3").arg(lower).arg(median).arg(upper)));
        }
    }
};

HEADROOM_TEST(LatencyFiguresTest)

} // namespace headroom::testing::latency_figures_test

#include "latency_figures_test.moc"
