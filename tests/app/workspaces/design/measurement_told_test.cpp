// SPDX-License-Identifier: GPL-3.0-or-later
// A measurement of latency goes on without the session that it was started in, and that is said.
#include "tests/app/workspaces/design/measuring_desk.h"
#include "tests/support/runner.h"

#include <QFile>
#include <QTest>

namespace headroom::testing::measurement_told_test {

using namespace headroom::app;

class MeasurementToldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// After New session nothing told of it but the machine, which was busy.
    void aNewSessionSaysThatItGoesOn() {
        MeasuringDesk desk("n=0\nwhile [ ! -e \"$(dirname \"$0\")/go\" ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n+1)); done\n");
        Session& session = desk.session;
        LatencyMeasurements& latency = desk.latency;
        session.clear();
        QCOMPARE(session.messages()->rowCount(), 0); // nothing is measured
        Architecture full, local;
        full.encoder.layers = {{parseHeads("4 full")}};
        local.encoder.layers = {{parseHeads("4 local 17")}};
        QCOMPARE(latency.start({local, full, QStringLiteral("mine"), QStringLiteral("other"), {100}}), QString());
        QTRY_VERIFY_WITH_TIMEOUT(latency.isMeasuring(), 60000);
        session.clear();
        QCOMPARE(session.messages()->rowCount(), 1);
        QCOMPARE(session.messages()->at(0).sentence,
                 QStringLiteral("The latency of “mine” is still being measured. The result will be in Studies."));
        session.clear();
        QCOMPARE(session.messages()->rowCount(), 1); // once
        QVERIFY(QFile(desk.folder.filePath(QStringLiteral("go"))).open(QFile::WriteOnly)); // it ends, here without a result
        QTRY_VERIFY_WITH_TIMEOUT(!latency.isMeasuring(), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(session.messages()->rowCount(), 0, 60000);
    }
};

HEADROOM_TEST(MeasurementToldTest)

} // namespace headroom::testing::measurement_told_test

#include "measurement_told_test.moc"
