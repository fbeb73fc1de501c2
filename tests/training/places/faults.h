// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/training/places/loopback_ssh.h"
#include "tests/training/places/small_disk.h"

#include <csignal>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace headroom::testing {

/// How many faults a test makes: HEADROOM_FAULTS, else `otherwise`.
inline int wantedFaults(int otherwise) {
    const int wanted = qEnvironmentVariableIntValue("HEADROOM_FAULTS");
    return wanted > 0 ? wanted : otherwise;
}

/// Makes faults of the connections to an ssh server of this machine, of the processes here, and of a disk there. The order depends
/// on HEADROOM_FAULT_SEED alone; when they come does not.
class Faults {
public:
    Faults(LoopbackSsh& ssh, const SmallDisk& disk)
        : m_ssh(ssh)
        , m_disk(disk)
        , m_random(static_cast<unsigned>(qEnvironmentVariableIntValue("HEADROOM_FAULT_SEED")) + 7) {}

    unsigned long draw(unsigned long below) { return m_random() % below; }
    /// One fault. `hit`: a process here that watches; it may have ended.
    void make(QProcess& hit) {
        const auto kind = draw(6);
        const bool alive = hit.state() != QProcess::NotRunning;
        if (kind == 0) {
            ++m_kinds["connections cut"];
            m_ssh.cut();
        } else if (kind == 1 && alive) {
            ++m_kinds["watcher killed"];
            hit.kill();
        } else if (kind == 2 && alive) {
            ++m_kinds["ssh killed"];
            for (const pid_t client : LoopbackSsh::childrenOf(hit.processId()))
                ::kill(client, SIGKILL);
        } else if (kind == 3) {
            ++m_kinds["server restarted"];
            m_ssh.stop();
            QTest::qWait(static_cast<int>(draw(400)));
            QVERIFY(m_ssh.start());
        } else if (kind == 4 && m_disk.problem().isEmpty()) {
            ++m_kinds["disk full"];
            m_disk.fill();
            QTest::qWait(static_cast<int>(draw(600)));
            m_disk.empty();
        } else {
            ++m_kinds["paused"];
            pauseAll(m_ssh.connections());
        }
    }
    void report() const {
        for (const auto& [kind, count] : m_kinds)
            qInfo("%s: %d", kind.c_str(), count);
    }

private:
    static void pauseAll(const std::vector<pid_t>& processes) {
        for (const pid_t process : processes)
            ::kill(process, SIGSTOP);
        QTest::qWait(300);
        for (const pid_t process : processes)
            ::kill(process, SIGCONT);
    }

    LoopbackSsh& m_ssh;
    const SmallDisk& m_disk;
    std::mt19937 m_random;
    std::map<std::string, int> m_kinds;
};

} // namespace headroom::testing
