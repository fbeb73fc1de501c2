// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"
#include "tests/training/places/free_port.h"
#include "tests/training/worker/worker_program.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <unistd.h>

namespace headroom::testing {

/// An ssh server of this machine on a loopback port, with keys, configuration and known hosts of its own in a
/// folder that is removed with it. While it lives, the environment of this process makes headroom-worker use
/// them: the host "loop" is this machine. skipReason() says why it could not be started; then nothing else
/// may be called.
class LoopbackSsh {
public:
    LoopbackSsh() : m_folder("/tmp/hr-XXXXXX") {
        m_skip = prepare();
        if (m_skip.isEmpty() && !start())
            m_skip = "sshd could not be started on a loopback port: " + m_log;
    }
    ~LoopbackSsh() {
        disconnect();
        stop();
    }

    enum class Needs { Ssh, Rsync };
    QString skipReason(Needs needs = Needs::Ssh) const {
        if (m_skip.isEmpty() && needs == Needs::Rsync && QStandardPaths::findExecutable("rsync").isEmpty())
            return "rsync is not installed (Debian: rsync).";
        return m_skip;
    }
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }

    Place place(const std::string& below) const {
        Place place;
        place.name = "loop";
        place.host = "loop";
        place.folder = (folder() / below).string();
        place.worker = kWorker.toStdString();
        return place;
    }

    bool runs() const { return m_server && m_server->state() == QProcess::Running; }
    /// Starts the server; also again after stop().
    bool start() {
        m_log.clear(); // what the last one said is not said by this one
        m_server = std::make_unique<QProcess>();
        m_server->setProcessChannelMode(QProcess::MergedChannels);
        m_server->start(program(), {"-D", "-e", "-f", file("sshd_config")});
        const bool listens =
            m_server->waitForStarted(60000) && QTest::qWaitFor(
                                                  [&] {
                                                      m_log += m_server->readAll();
                                                      return m_log.contains("Server listening") ||
                                                             m_server->state() == QProcess::NotRunning;
                                                  },
                                                  60000);
        return listens && m_server->state() == QProcess::Running;
    }
    /// Ends the server and every connection to it, as when the machine goes away.
    void stop() {
        if (!m_server)
            return;
        cut();
        m_server->kill();
        m_server->waitForFinished(60000);
        m_server.reset();
    }
    /// Ends every connection; the server goes on.
    void cut() {
        for (const pid_t child : connections())
            killTree(child);
    }
    /// The server's processes, one of each connection.
    std::vector<pid_t> connections() const { return childrenOf(m_server->processId()); }
    static std::vector<pid_t> childrenOf(qint64 process) {
        std::vector<pid_t> children;
        std::ifstream list("/proc/" + std::to_string(process) + "/task/" + std::to_string(process) +
                           "/children");
        for (pid_t child = 0; list >> child;)
            children.push_back(child);
        return children;
    }
    /// Ends the multiplexed connection of this side.
    void disconnect() {
        QProcess::execute(
            "sh", {"-c",
                   "for s in \"$1\"/headroom/*; do [ -S \"$s\" ] && ssh -O exit -o ControlPath=\"$s\" loop "
                   "2>/dev/null; done; true",
                   "sh", m_folder.path()});
    }
    QString file(const QString& name) const { return m_folder.filePath(name); }
    int port() const { return m_port; }

    void writeClientConfig(const QByteArray& more = {}) {
        write("ssh_config", "Host loop\n  HostName 127.0.0.1\n  Port " + QByteArray::number(m_port) +
                                "\n  User " + m_user + "\n  IdentityFile " + file("key").toUtf8() +
                                "\n  IdentityAgent none\n  UserKnownHostsFile " +
                                file("known_hosts").toUtf8() +
                                "\nHost *\n  GlobalKnownHostsFile /dev/null\n" + more);
    }
    /// The server's key as the known hosts have it, or another one.
    void knowHost(const QByteArray& publicKey) {
        write("known_hosts", "[127.0.0.1]:" + QByteArray::number(m_port) + " " + publicKey);
    }
    QByteArray publicKey(const QString& name) const {
        QFile key(file(name + ".pub"));
        return key.open(QIODevice::ReadOnly) ? key.readAll() : QByteArray();
    }
    void makeKey(const QString& name) const {
        QProcess::execute("ssh-keygen",
                          {"-q", "-t", "ed25519", "-N", "", "-C", "headroom test", "-f", file(name)});
    }

private:
    static QString program() {
        return QStandardPaths::findExecutable("sshd", {"/usr/sbin", "/usr/local/sbin", "/sbin", "/usr/bin"});
    }
    QString prepare() {
        if (program().isEmpty())
            return "sshd is not installed (Debian: openssh-server).";
        if (QStandardPaths::findExecutable("ssh-keygen").isEmpty() || !m_folder.isValid())
            return "ssh-keygen is not installed (Debian: openssh-client).";
        if (::getuid() == 0 && !QDir().mkpath("/run/sshd"))
            return "/run/sshd, which sshd needs as root, could not be made.";
        QProcess id;
        id.start("id", {"-un"});
        id.waitForFinished(60000);
        m_user = id.readAllStandardOutput().trimmed();
        m_port = freePort();
        if (m_port == 0)
            return "No loopback port is free.";
        makeKey("host_key");
        makeKey("key");
        write("authorized_keys", publicKey("key"));
        QDir(m_folder.path()).mkpath("home"); // empty: what a user's shell reads at each connection takes no part
        write("sshd_config",
              "Port " + QByteArray::number(m_port) + "\nListenAddress 127.0.0.1\nHostKey " +
                  file("host_key").toUtf8() + "\nAuthorizedKeysFile " + file("authorized_keys").toUtf8() +
                  "\nPidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"
                  "KbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\nMaxStartups 50\n"
                  "Subsystem sftp internal-sftp\nLogLevel INFO\nSetEnv HOME=" +
                  file("home").toUtf8() + "\n");
        writeClientConfig();
        knowHost(publicKey("host_key"));
        QDir(m_folder.path()).mkpath("runtime");
        qputenv("HEADROOM_SSH_CONFIG", file("ssh_config").toUtf8());
        qputenv("HEADROOM_PLACES", file("places.json").toUtf8());
        qputenv("XDG_RUNTIME_DIR", m_folder.path().toUtf8());
        return {};
    }
    void write(const QString& name, const QByteArray& bytes) const { writeFile(file(name), bytes); }

    /// The server's processes of one connection; what has a session of its own, as a queue, lives on.
    static void killTree(pid_t process) {
        const auto children = childrenOf(process);
        ::kill(process, SIGKILL);
        for (const pid_t child : children) {
            std::ifstream name("/proc/" + std::to_string(child) + "/comm");
            std::string text;
            std::getline(name, text);
            if (text.rfind("sshd", 0) == 0)
                killTree(child);
        }
    }

    QTemporaryDir m_folder;
    QString m_skip, m_log;
    QByteArray m_user;
    int m_port = 0;
    std::unique_ptr<QProcess> m_server;
};

} // namespace headroom::testing
