// SPDX-License-Identifier: GPL-3.0-or-later
// The runs at a cluster, whose squeue is a stand-in.
#include "core/runs/run_folder.h"
#include "tests/support/runner.h"
#include "tests/support/written_files.h"
#include "tests/training/places/slurm_stand_in.h"
#include "training/places/runs_there.h"

#include <map>
#include <QtTest>

namespace headroom::testing::runs_slurm_test {

namespace fs = std::filesystem;
using nlohmann::json;

class RunsSlurmTest : public QObject, SlurmStandIn {
    Q_OBJECT

    fs::path runs() const { return fs::path(m_folder->path().toStdString()) / "runs"; }
    /// A run that no process holds any more, or one that never began.
    void run(const std::string& name, const char* job, bool begun = true) const {
        fs::create_directories(runs() / name);
        if (begun) {
            RunInfo info;
            info.id = name;
            info.state = RunState::Running;
            writeRun(runs() / name, info);
        }
        if (*job)
            writeFile(QString::fromStdString((runs() / name / "slurm.json").string()), QByteArray("{\"job\": \"") + job + "\", \"submitted\": 1000}");
    }
    std::map<std::string, json> listed() const {
        std::map<std::string, json> found;
        for (const json& one : training::runsIn(runs(), cluster()))
            found[one["name"].get<std::string>()] = one;
        return found;
    }
    int calls() const {
        QFile file(m_folder->filePath("bin/squeue.calls"));
        return file.open(QIODevice::ReadOnly) ? int(file.readAll().count('\n')) : 0;
    }

private Q_SLOTS:
    void init() {
        standIn();
        fs::remove_all(runs());
        run("queued again", "48213");
        run("killed", "17");
        run("killed here", "");
        run("not begun", "48214", false);
        run("taken back", "18", false);
    }
    void cleanup() { giveBack(); }

    void squeueIsAskedOnceForAllRuns() {
        program("squeue", "echo x >> \"$0.calls\"; printf '48213|PENDING|BeginTime|N/A|\\n48214|PENDING|Priority|N/A|\\n'");
        auto found = listed();
        QCOMPARE(calls(), 1);
        QCOMPARE(found.size(), std::size_t(4));
        for (const auto& [name, state] : std::map<std::string, std::string>{
                 {"queued again", "waiting"}, {"not begun", "waiting"}, {"killed", "interrupted"}, {"killed here", "interrupted"}})
            QCOMPARE(found[name]["state"].get<std::string>(), state);
    }

    void aQueueThatDoesNotAnswerMakesNoRunInterrupted() {
        program("squeue", "echo x >> \"$0.calls\"; echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1");
        auto found = listed();
        QCOMPARE(calls(), 1);
        for (const char* name : {"queued again", "killed", "not begun", "taken back"}) {
            QCOMPARE(found[name]["state"].get<std::string>(), std::string("unknown"));
            QVERIFY2(found[name]["why"].get<std::string>().find("Unable to contact slurm controller") != std::string::npos, found[name].dump().c_str());
        }
        QCOMPARE(found["killed here"]["state"].get<std::string>(), std::string("interrupted"));
        QVERIFY(!found["killed here"].contains("why"));
    }
};

HEADROOM_TEST(RunsSlurmTest)

} // namespace headroom::testing::runs_slurm_test

#include "runs_slurm_test.moc"
