// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/training/places/free_port.h"
#include "tests/training/worker/worker_program.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QtTest/QtTest>

#include <memory>
#include <unistd.h>

namespace headroom::testing {

/// Slurm's accounting: slurmdbd with a MariaDB of its own, both of this machine on loopback ports, with everything in the folder of a
/// cluster (local_slurm.h). munged runs; SLURM_CONF names a slurm.conf in that folder.
class LocalAccounting {
public:
    ~LocalAccounting() {
        for (QProcess* daemon : {m_daemon.get(), m_database.get()}) {
            if (!daemon)
                continue;
            daemon->terminate();
            if (!daemon->waitForFinished(20000))
                daemon->kill();
            daemon->waitForFinished(5000);
        }
    }

    /// Returns why it cannot be, or an empty text.
    static QString missing() {
        for (const char* name : {"mariadbd", "mariadb-install-db", "mariadb", "slurmdbd", "sacctmgr", "sacct"})
            if (program(name).isEmpty())
                return QString("%1 is not installed (Debian: mariadb-server-core, mariadb-client-core, slurmdbd, slurm-client).").arg(name);
        return {};
    }
    int port() const { return m_port; }
    /// What slurm.conf says of it.
    QString configuration(const QString& mungeSocket) const {
        return QString("AccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageHost=127.0.0.1\nAccountingStoragePort=%1\n"
                       "AccountingStoragePass=%2\n")
            .arg(m_port)
            .arg(mungeSocket);
    }
    /// Starts both; returns why that failed, or an empty text.
    QString start(const QDir& folder, const QString& mungeSocket, const QString& user) {
        const QString data = folder.filePath("database"), socket = folder.filePath("database.socket");
        // Where Debian's packages are unpacked, not installed, the programs and their files are below another folder.
        const QString base = QFileInfo(program("mariadbd")).dir().filePath("..");
        QStringList own{"--no-defaults", "--basedir=" + base, "--datadir=" + data, "--innodb-log-file-size=4M"};
        if (::getuid() == 0)
            own << "--user=root";
        QProcess install;
        install.start(program("mariadb-install-db"), own + QStringList{"--auth-root-authentication-method=normal", "--skip-test-db"});
        if (!install.waitForFinished(120000) || install.exitCode() != 0)
            return "The database could not be made: " + QString::fromUtf8(install.readAllStandardError()).trimmed().section(u'\n', -1);
        const int databasePort = freePort();
        run(m_database, "mariadbd", folder,
            own + QStringList{"--socket=" + socket, "--bind-address=127.0.0.1", QString("--port=%1").arg(databasePort),
                              "--pid-file=" + folder.filePath("database.pid"), "--innodb-buffer-pool-size=64M", "--innodb-lock-wait-timeout=900"});
        const auto query = [&](const QString& text) {
            QProcess client;
            client.start(program("mariadb"), {"--no-defaults", "--user=root", "--socket=" + socket, "--execute=" + text});
            return client.waitForFinished(60000) && client.exitCode() == 0;
        };
        if (!QTest::qWaitFor([&] { return query("SELECT 1") || !runs(m_database); }, 120000) || !runs(m_database))
            return "mariadbd does not start here.";
        for (const char* host : {"localhost", "127.0.0.1", "%"})
            if (!query(QString("CREATE USER slurm@'%1' IDENTIFIED BY 'test'; GRANT ALL ON *.* TO slurm@'%1'").arg(host)))
                return "The database takes no user.";
        m_port = freePort();
        writeFile(folder.filePath("slurmdbd.conf"),
                  QString("DbdHost=localhost\nDbdAddr=127.0.0.1\nDbdPort=%1\nSlurmUser=%2\nAuthType=auth/munge\nAuthInfo=socket=%3\n"
                          "StorageType=accounting_storage/mysql\nStorageHost=127.0.0.1\nStoragePort=%4\nStorageUser=slurm\nStoragePass=test\n"
                          "StorageLoc=slurm\nPidFile=%5/slurmdbd.pid\n")
                      .arg(m_port)
                      .arg(user, mungeSocket)
                      .arg(databasePort)
                      .arg(folder.path())
                      .toUtf8());
        QFile::setPermissions(folder.filePath("slurmdbd.conf"), QFile::ReadOwner | QFile::WriteOwner);
        return {};
    }
    /// Starts slurmdbd, which reads slurm.conf, and makes the cluster known to it.
    QString startDaemon(const QDir& folder) {
        run(m_daemon, "slurmdbd", folder, {"-D"});
        const auto known = [] {
            QProcess manager;
            manager.start(program("sacctmgr"), {"--immediate", "add", "cluster", "test"});
            return manager.waitForFinished(60000) && manager.exitCode() == 0;
        };
        return QTest::qWaitFor([&] { return known() || !runs(m_daemon); }, 120000) && runs(m_daemon) ? QString()
                                                                                                    : QString("slurmdbd does not start here.");
    }

private:
    static QString program(const QString& name) {
        const QString found = QStandardPaths::findExecutable(name);
        return found.isEmpty() ? QStandardPaths::findExecutable(name, {"/usr/sbin", "/usr/local/sbin", "/sbin", "/usr/bin", "/usr/local/bin"}) : found;
    }
    static bool runs(const std::unique_ptr<QProcess>& daemon) { return daemon && daemon->state() != QProcess::NotRunning; }
    static void run(std::unique_ptr<QProcess>& daemon, const QString& name, const QDir& folder, const QStringList& arguments) {
        daemon = std::make_unique<QProcess>();
        daemon->setProcessChannelMode(QProcess::MergedChannels);
        daemon->setStandardOutputFile(folder.filePath(name + ".out"));
        daemon->start(program(name), arguments);
        daemon->waitForStarted(60000);
    }

    std::unique_ptr<QProcess> m_database, m_daemon;
    int m_port = 0;
};

} // namespace headroom::testing
