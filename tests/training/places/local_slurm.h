// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"
#include "tests/training/places/free_port.h"
#include "tests/training/places/local_accounting.h"
#include "tests/training/worker/worker_program.h"

#include <QDir>
#include <QProcess>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>
#include <unistd.h>
#include <vector>

namespace headroom::testing {

/// A cluster of two nodes: munged, slurmctld and two slurmd of this machine on loopback ports, with configuration
/// and state in a folder that is removed with it. Partitions: "low" (the default), "high", whose jobs preempt
/// those of "low", which are queued again, and "shut", which is closed, all of the first node; "pair" has both, "wide" the second, which has two processors. While it lives, SLURM_CONF makes
/// Slurm's programs use it. skipReason() says why it could not be started; then nothing else may be called.
class LocalSlurm {
public:
    /// `On`: jobs are accounted (local_accounting.h), and the controller itself forgets those that have ended after two seconds.
    enum class Accounting { Off, On };
    explicit LocalSlurm(Accounting accounting = Accounting::Off) : m_folder("/tmp/hs-XXXXXX") {
        if (accounting == Accounting::On && (m_skip = LocalAccounting::missing()).isEmpty())
            m_accounting = std::make_unique<LocalAccounting>();
        if (m_skip.isEmpty())
            m_skip = start();
    }
    ~LocalSlurm() {
        if (!m_controller.isEmpty())
            ask({"scancel", "--user=" + m_user, "--signal=KILL", "--full"});
        for (auto daemon = m_daemons.rbegin(); daemon != m_daemons.rend(); ++daemon) {
            (*daemon)->terminate();
            if (!(*daemon)->waitForFinished(20000))
                (*daemon)->kill();
            (*daemon)->waitForFinished(5000);
        }
        qunsetenv("SLURM_CONF");
    }

    QString skipReason() const { return m_skip; }
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }

    Place place(const std::string& name) const {
        Place place;
        place.name = name;
        place.kind = Place::Kind::Slurm;
        place.folder = (folder() / "there").string();
        place.worker = kWorker.toStdString();
        return place;
    }
    /// The first node fails: its daemon is gone, what it computed too, and the controller notices at once.
    void loseNode(const QString& job) {
        m_daemons[2]->kill();
        m_daemons[2]->waitForFinished(20000);
        ask({"scontrol", "update", "NodeName=one", "State=DOWN", "Reason=lost"});
        const QByteArray ours = "SLURM_CONF=" + file("slurm.conf").toUtf8(), its = "SLURM_JOB_ID=" + job.toUtf8();
        for (const QString& process : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs)) {
            QFile environment("/proc/" + process + "/environ");
            if (!environment.open(QIODevice::ReadOnly))
                continue;
            const auto words = environment.readAll().split('\0');
            if (words.contains(ours) && words.contains(its))
                ::kill(process.toInt(), SIGKILL);
        }
    }
    /// It is there again, and empty.
    void bringNodeBack() {
        m_daemons[2]->start();
        m_daemons[2]->waitForStarted(60000);
        ask({"scontrol", "update", "NodeName=one", "State=RESUME"});
    }
    /// A job that was queued again starts soon, not in two minutes; not in the second in which it ended either: slurmd
    /// refuses a credential that is as old as the end ("Job credential revoked").
    static void startSoon(const QString& job) { ask({"scontrol", "update", "JobId=" + job, "StartTime=now+3"}); }
    /// Runs one of Slurm's programs and returns what it printed.
    static QString ask(const QStringList& words) {
        QProcess process;
        process.start(words.front(), words.mid(1));
        process.waitForFinished(120000);
        return QString::fromUtf8(process.readAllStandardOutput()).trimmed();
    }

private:
    static QString program(const QString& name) {
        return QStandardPaths::findExecutable(
            name, {"/usr/sbin", "/usr/local/sbin", "/sbin", "/usr/bin", "/usr/local/bin"});
    }
    QString file(const QString& name) const { return m_folder.filePath(name); }

    QString start() {
        for (const char* name : {"munged", "slurmctld", "slurmd", "sbatch", "scontrol"})
            if (program(name).isEmpty())
                return QString("%1 is not installed (Debian: munge, slurmctld, slurmd, slurm-client).")
                    .arg(name);
        // munged wants every user to reach its socket, and nobody else its key.
        QFile::setPermissions(m_folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner |
                                                   QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther |
                                                   QFile::ExeOther);
        for (const char* name : {"munge", "state", "spool-one", "spool-two"})
            QDir(m_folder.path()).mkpath(name);
        QByteArray key(1024, 0);
        for (char& byte : key)
            byte = static_cast<char>(QRandomGenerator::global()->bounded(256));
        writeFile(file("munge/key"), key);
        QFile::setPermissions(file("munge/key"), QFile::ReadOwner);
        m_user = ask({"id", "-un"});
        const QString host = ask({"hostname", "-s"});
        writeFile(file("slurm.conf"), configuration(host).toUtf8());
        qputenv("SLURM_CONF", file("slurm.conf").toUtf8());
        run("munged", {"--foreground", "--force", "--key-file=" + file("munge/key"),
                       "--socket=" + file("munge/socket"), "--pid-file=" + file("munge/pid"),
                       "--log-file=" + file("munge/log"), "--seed-file=" + file("munge/seed")});
        if (!QTest::qWaitFor([&] { return QFile::exists(file("munge/socket")) || !allRun(); }, 120000) || !allRun())
            return "munged does not start here: " + said();
        if (m_accounting) {
            const QDir here(m_folder.path());
            QString problem = m_accounting->start(here, file("munge/socket"), m_user);
            if (problem.isEmpty()) { // its port is known now
                writeFile(file("slurm.conf"), configuration(host).toUtf8());
                problem = m_accounting->startDaemon(here);
            }
            if (!problem.isEmpty())
                return problem;
        }
        run("slurmctld", {"-D", "-f", file("slurm.conf")});
        for (const char* node : {"one", "two"}) // one machine: each has a port and a folder of its own
            run("slurmd", {"-D", "-N", node, "-f", file("slurm.conf")});
        const auto idle = [] {
            return ask({"sinfo", "--noheader", "--partition=pair", "--format=%T %D"}) == QLatin1String("idle 2");
        };
        // Where it is forbidden, one of them ends at once; where there is only little time, they need more of it.
        if (!QTest::qWaitFor([&] { return idle() || !allRun(); }, 180000) || !allRun())
            return "A cluster of two nodes could not be started here: " + said();
        m_controller = host;
        return {};
    }
    void run(const QString& name, const QStringList& arguments) {
        auto daemon = std::make_unique<QProcess>();
        daemon->setProcessChannelMode(QProcess::MergedChannels);
        daemon->setStandardOutputFile(file(name + ".out"));
        daemon->start(program(name), arguments);
        daemon->waitForStarted(60000);
        m_daemons.push_back(std::move(daemon));
    }
    bool allRun() const {
        return std::all_of(m_daemons.begin(), m_daemons.end(),
                           [](const auto& daemon) { return daemon->state() != QProcess::NotRunning; });
    }
    /// The last line of each daemon.
    QString said() const {
        QStringList lines;
        for (const char* name : {"munged", "slurmctld", "slurmd"}) {
            QFile log(file(QString(name) + ".out"));
            if (log.open(QIODevice::ReadOnly))
                lines << QString::fromUtf8(log.readAll()).trimmed().section(u'\n', -1);
        }
        return lines.join("; ");
    }
    QString configuration(const QString& host) const {
        return QString(R"(ClusterName=test
SlurmctldHost=%1(127.0.0.1)
SlurmUser=%2
SlurmdUser=%2
SlurmctldPort=%3
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=%5/munge/socket,cred_expire=1200
MessageTimeout=60
BatchStartTimeout=120
StateSaveLocation=%5/state
SlurmdSpoolDir=%5/spool-%n
SlurmctldPidFile=%5/slurmctld.pid
SlurmdPidFile=%5/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
%7JobAcctGatherType=jobacct_gather/none
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=300
NodeName=one NodeAddr=127.0.0.1 NodeHostname=%1 Port=%4 CPUs=1 State=UNKNOWN
NodeName=two NodeAddr=127.0.0.1 NodeHostname=%1 Port=%6 CPUs=2 State=UNKNOWN
PartitionName=pair Nodes=ALL State=UP
PartitionName=wide Nodes=two State=UP
PartitionName=low Nodes=one Default=YES MaxTime=INFINITE State=UP PriorityTier=1 PreemptMode=REQUEUE
PartitionName=high Nodes=one MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=OFF
PartitionName=shut Nodes=one State=DOWN
)")
            .arg(host, m_user)
            .arg(freePort())
            .arg(freePort())
            .arg(m_folder.path())
            .arg(freePort())
            .arg(m_accounting ? m_accounting->configuration(file("munge/socket")) + "MinJobAge=2\n"
                              : QString("AccountingStorageType=accounting_storage/none\n"));
    }
    QTemporaryDir m_folder;
    std::unique_ptr<LocalAccounting> m_accounting; ///< null: off
    QString m_skip, m_user, m_controller;
    std::vector<std::unique_ptr<QProcess>> m_daemons;
};

} // namespace headroom::testing
