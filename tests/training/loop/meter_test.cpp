// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_control.h"
#include "tests/support/runner.h"
#include "training/loop/meter.h"
#include "training/loop/requests.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <numbers>

namespace headroom::testing::meter_test {

using training::Meter;
using training::UpdateOutcome;

UpdateOutcome outcomeOf(double bits) {
    UpdateOutcome outcome;
    outcome.loss.crossEntropy.tokens = 10;
    outcome.loss.crossEntropy.lossSum = 10 * bits * std::numbers::ln2;
    outcome.frames = 1000;
    return outcome;
}

class MeterTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theTextSaysLossThroughputAndTimeLeft() {
        Meter meter;
        meter.begin(0);
        meter.add(outcomeOf(3.5));
        meter.updated(1, 10);
        const QString text = QString::fromStdString(meter.text());
        QVERIFY2(QRegularExpression("^loss 3\\.50 bits, [1-9][0-9]* frames/s, [0-9]+ s left$").match(text).hasMatch(), qPrintable(text));
    }

    /// As on a device, whose numbers are read for a line of the log only.
    void whatWasNotReadIsNotSaid() {
        Meter meter;
        meter.begin(0);
        meter.updated(1, 10);
        const QString text = QString::fromStdString(meter.text());
        QVERIFY2(QRegularExpression("^[0-9]+ s left$").match(text).hasMatch(), qPrintable(text));
    }

    /// After a pause of 40 s, 4 min left became 17.
    void aPauseIsNoPartOfTheTimeLeft() {
        const auto left = [](void (Meter::*waited)(double)) {
            Meter meter;
            meter.begin(0);
            QTest::qSleep(400);
            (meter.*waited)(0.4);
            meter.add(outcomeOf(3.5));
            meter.updated(1, 101);
            return meter.takeStep(1).at("secondsLeft").get<double>();
        };
        QVERIFY2(left(&Meter::paused) < 20, qPrintable(QString::number(left(&Meter::paused))));
        QVERIFY(left(&Meter::validated) >= 39.9); // as often again
    }

    /// What a run took, and the estimates made of it, had its pauses in them.
    void aPauseIsNoWork() {
        const QTemporaryDir place;
        const std::filesystem::path folder = place.path().toStdString();
        RunInfo info;
        info.created = info.started = utcNow();
        info.earlierSeconds = 10;
        training::Journal journal(RunPaths{folder}, info);
        askToPause(folder);
        QElapsedTimer timer;
        timer.start();
        const double waited = training::obeyRequests(journal, 3, false, [] {}, [&] { return timer.elapsed() > 4000; });
        QVERIFY(waited >= 4);
        journal.event("step", 4, {{"loss", 2.0}});
        journal.end(RunState::Stopped, "Stopped.");
        const double worked = workedSeconds(readRun(folder));
        QVERIFY2(worked >= 10 && worked < 13, qPrintable(QString::number(worked)));
        const auto events = EventFollower(RunPaths{folder}.events()).poll();
        RunCurves curves;
        for (const auto& event : events)
            curves.add(event);
        const double clock = curves.series().at("loss").front().time;
        QVERIFY2(std::abs(clock - events.front()["time"].get<double>()) < 1, qPrintable(QString::number(clock, 'f')));
    }

    void anIntervalGoesOnInAnotherProcess() {
        Meter whole, first, second;
        whole.begin(0);
        first.begin(0);
        QVERIFY(first.counted().is_null());
        const std::vector<double> bits{3.1, 2.7, 1.9, 1.3};
        for (const double one : bits)
            whole.add(outcomeOf(one));
        for (std::size_t i = 0; i < 2; ++i)
            first.add(outcomeOf(bits[i]));
        second.begin(2, nlohmann::json::parse(first.counted().dump()));
        QVERIFY(second.counted() == first.counted());
        for (std::size_t i = 2; i < 4; ++i)
            second.add(outcomeOf(bits[i]));
        const auto left = whole.takeStep(1), right = second.takeStep(1);
        QVERIFY(left["loss"] == right["loss"] && left["nll"] == right["nll"]);
        QVERIFY(second.counted().is_null());
    }

    void betweenLinesOfTheLogTheLastNumbersStay() {
        Meter meter;
        meter.begin(0);
        meter.add(outcomeOf(3.5));
        meter.updated(1, 10);
        const QString before = QString::fromStdString(meter.text()).section(',', 0, 1);
        meter.takeStep(1);
        meter.updated(2, 10);
        QCOMPARE(QString::fromStdString(meter.text()).section(',', 0, 1), before);
        meter.add(outcomeOf(2));
        meter.updated(3, 10);
        QVERIFY(QString::fromStdString(meter.text()).startsWith("loss 2.00 bits, "));
    }
};

HEADROOM_TEST(MeterTest)

} // namespace headroom::testing::meter_test

#include "meter_test.moc"
