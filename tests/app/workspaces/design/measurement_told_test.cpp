// SPDX-License-Identifier: GPL-3.0-or-later
// A measurement of latency goes on without the session that it was started in, and that is said.
#include "app/documents/paths.h"
#include "app/studies/latency_measurements.h"
#include "app/studies/study_store.h"
#include "app/workspaces/design/design_workspace.h"
#include "tests/support/runner.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

namespace headroom::testing::measurement_told_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class MeasurementToldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { qunsetenv("HEADROOM_WORKER"); }

    /// After New session nothing told of it but the machine, which was busy.
    void aNewSessionSaysThatItGoesOn() {
        QTemporaryDir folder;
        const QString script = folder.filePath(QStringLiteral("worker.sh")), go = folder.filePath(QStringLiteral("go"));
        std::ofstream(script.toStdString()) << "#!/bin/sh\nn=0\nwhile [ ! -e '" << go.toStdString() << "' ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n+1)); done\n";
        QFile::setPermissions(script, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("HEADROOM_WORKER", script.toUtf8());
        Session session;
        WorkerProcess worker{{}};
        AnalysisService analysis{&session, &worker};
        StudyEvidence evidence;
        StudyStore store{toPath(folder.path()) / "studies", &evidence};
        LatencyMeasurements latency{&store};
        const Actions actions{session.undoStack(), nullptr};
        DesignWorkspace design{{&session, &analysis, &evidence, session.drafts(), &actions, {}, {}, &latency}};
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
        QVERIFY(QFile(go).open(QFile::WriteOnly)); // it ends, here without a result
        QTRY_VERIFY_WITH_TIMEOUT(!latency.isMeasuring(), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(session.messages()->rowCount(), 0, 60000);
    }
};

HEADROOM_TEST(MeasurementToldTest)

} // namespace headroom::testing::measurement_told_test

#include "measurement_told_test.moc"
