// SPDX-License-Identifier: GPL-3.0-or-later
// The last states of jobs from a real accounting: slurmdbd with a database, when the controller has forgotten the jobs.
#include "training/places/slurm_states.h"

#include "tests/support/runner.h"
#include "tests/training/places/local_slurm.h"

namespace headroom::testing::slurm_accounting_test {

namespace fs = std::filesystem;

class SlurmAccountingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("HEADROOM_SQUEUE_SECONDS", "0.2");
        m_slurm = std::make_unique<LocalSlurm>(LocalSlurm::Accounting::On);
        if (!m_slurm->skipReason().isEmpty())
            QSKIP(qPrintable(m_slurm->skipReason()));
    }
    void cleanupTestCase() { m_slurm.reset(); }

    void jobsThatTheControllerForgotAreLookedUp() {
        const auto submit = [](const QStringList& more) {
            return LocalSlurm::ask(QStringList{"sbatch", "--parsable", "--partition=wide", "--output=/dev/null"} + more);
        };
        const QString done = submit({"--wrap=true"}), failed = submit({"--wrap=exit 3"}), cancelled = submit({"--hold", "--wrap=true"}),
                      array = submit({"--array=0-1", "--wrap=exit $SLURM_ARRAY_TASK_ID"});
        for (const QString& job : {done, failed, cancelled, array})
            QVERIFY2(!job.isEmpty(), "sbatch refuses");
        LocalSlurm::ask({"scancel", cancelled});
        const auto isForgotten = [](const QString& job) { return LocalSlurm::ask({"scontrol", "--oneliner", "show", "job", job}).isEmpty(); };
        for (const QString& job : {done, failed, cancelled, array})
            QVERIFY2(QTest::qWaitFor([&] { return isForgotten(job); }, 240000), qPrintable(job));
        const fs::path runs = m_slurm->folder() / "runs";
        const auto state = [&](const QString& job) {
            std::optional<std::string> last;
            return QTest::qWaitFor([&] { return (last = training::lastStateOf(job.toStdString(), runs)).has_value(); }, 60000)
                       ? QString::fromStdString(*last)
                       : QString("not known");
        };
        QCOMPARE(state(done), QString("COMPLETED"));
        QCOMPARE(state(failed), QString("FAILED"));
        QVERIFY2(state(cancelled).startsWith("CANCELLED"), qPrintable(state(cancelled)));
        QCOMPARE(state(array + "_0"), QString("COMPLETED"));
        QCOMPARE(state(array + "_1"), QString("FAILED"));
        QCOMPARE(state("4711"), QString()); // nobody knows it
    }

private:
    std::unique_ptr<LocalSlurm> m_slurm;
};

HEADROOM_TEST(SlurmAccountingTest)

} // namespace headroom::testing::slurm_accounting_test

#include "slurm_accounting_test.moc"
