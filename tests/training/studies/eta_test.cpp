// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/eta.h"

#include "tests/support/runner.h"

#include <QTest>

#include <cmath>

namespace headroom::testing::eta_test {

using namespace headroom::training;

class EtaTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A study of 18 slow preparations and 324 quick comparisons, which announced minutes for seconds.
    void slowStepsSayNothingOfQuickOnes() {
        StepEta eta;
        StepEta::Clock::time_point now;
        for (int done = 1; done <= 18; ++done, now += std::chrono::seconds(1))
            QCOMPARE(eta.secondsLeft(done, 342, StepsLeft::Unlike, now), -1.0);
        double left = -1;
        for (int done = 19; done <= 22; ++done, now += std::chrono::milliseconds(10)) {
            left = eta.secondsLeft(done, 342, StepsLeft::Alike, now);
            QCOMPARE(left < 0, done < 21); // no estimate without a basis
        }
        QVERIFY2(std::abs(left - 3.2) < 1e-6, qPrintable(QString::number(left)));
    }

    void anotherTotalBeginsAgain() {
        StepEta eta;
        StepEta::Clock::time_point now;
        for (int done = 0; done < 5; ++done, now += std::chrono::seconds(1))
            eta.secondsLeft(done, 10, StepsLeft::Alike, now);
        QCOMPARE(eta.secondsLeft(0, 20, StepsLeft::Alike, now), -1.0);
    }

    void jobsAtOnceAreNoBasisUntilEachThreadHasDoneOne() {
        Eta eta(std::vector<double>(8, 1.0), 4);
        for (std::size_t job = 0; job < 3; ++job) {
            eta.done(job, true);
            QCOMPARE(eta.secondsLeft(), -1.0);
        }
        eta.done(3, true);
        QVERIFY(eta.secondsLeft() >= 0);
    }

    void fewerJobsThanThreadsAreABasis() {
        Eta eta({1.0, 1.0}, 16);
        eta.done(0, true);
        QCOMPARE(eta.secondsLeft(), -1.0);
        eta.done(1, true);
        QCOMPARE(eta.secondsLeft(), 0.0);
    }
};

HEADROOM_TEST(EtaTest)

} // namespace headroom::testing::eta_test

#include "eta_test.moc"
