// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/devices_panel.h"

#include "core/places/run_place.h"
#include "tests/app/workspaces/train/one_place.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "tests/support/written_files.h"
#include "widgets/look/theme.h"

#include <QStandardItemModel>

#include <cmath>

namespace headroom::testing::devices_panel_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class DevicesPanelTest : public QObject {
    Q_OBJECT

    std::optional<OnePlace> m_place;
    static constexpr const char* kHere =
        R"({"place": "", "seconds": 0.01, "load": 1.0, "threads": 2, "memoryBytes": 8e9, "freeBytes": 6e9, "gpus": [], "error": null})";
    static constexpr const char* kThere =
        R"({"place": "gpu-1", "seconds": 0.018, "load": 4, "threads": 32, "memoryBytes": 64e9, "freeBytes": 32e9, "gpus": [)"
        R"({"id": "cuda:3", "uuid": "GPU-6f1c", "name": "H200", "memoryBytes": 139e9, "usedBytes": 18e9, "busy": 0.97}], "error": null})";

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }
    void init() { m_place.emplace(); }
    void cleanup() { m_place.reset(); }

    void aLineIsReadAndAnErrorKeepsTheNumbers() {
        MachineLoads loads;
        QVERIFY(readLoad(kThere, loads, 100));
        QCOMPARE(loads.size(), std::size_t(1));
        const MachineLoad& load = loads[QStringLiteral("gpu-1")];
        QVERIFY(load.threads == 32 && load.gpus.size() == 1 && load.answered == 100);
        QCOMPARE(load.gpus[0].uuid, QStringLiteral("GPU-6f1c"));
        QVERIFY(readLoad(R"({"place": "gpu-1", "error": "It is away."})", loads, 200));
        QVERIFY(load.error == QLatin1String("It is away.") && load.threads == 32 && load.answered == 100);
        QVERIFY(readLoad(kThere, loads, 300));
        QVERIFY(load.error.isEmpty() && load.answered == 300);
        QVERIFY(readLoad(R"({"place": "", "load": null, "gpus": [], "error": null})", loads, 400));
        QVERIFY(std::isnan(loads[QString()].load) && loads[QString()].gpus.isEmpty());
        QVERIFY(!readLoad("no json", loads, 500));
        QVERIFY(!readLoad("{}", loads, 500));
        QCOMPARE(loads.size(), std::size_t(2));
    }

    /// It looks while it is shown; what computes and what is copied stands beside the devices.
    void machinesAreShownWhileThePanelIs() {
        const QString file = m_place->file("worker");
        writeScript(file, QByteArray("[ \"$1 $2\" = 'places monitor' ] || exit 1\ncat <<'end'\n") + kHere + "\n" + kThere +
                              "\nend\ncat >/dev/null");
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1", RunState::Running);
        const auto lock = FileLock::tryTake(RunPaths{run}.lock(), "test");
        RunInfo info = readRun(run);
        info.decided.device = "cuda:0"; // CUDA_VISIBLE_DEVICES=3
        info.gpus = {"GPU-6f1c"};
        writeRun(run, info);
        RunPlace place;
        place.place.name = place.place.host = "gpu-1";
        place.place.folder = "~/headroom";
        place.begun = true;
        place.contact = RunPlace::Contact::Connected;
        writeRunPlace(run, place);
        Job job;
        job.run = desk.shop.runs() / "next";
        job.place = "gpu-1";
        job.watch = true;
        writeJob(nextJobFile(desk.shop.runs(), job.run), job);
        place.begun = false;
        place.contact = RunPlace::Contact::Copying;
        place.copy = RunPlace::Copy{"corpus", 0.58, 109e6, 12};
        writeRunPlace(job.run, place);
        fs::create_directories(queueFolder(desk.shop.runs()));
        const auto queue = FileLock::tryTake(queueLock(desk.shop.runs()), "test"); // somebody copies
        qputenv("HEADROOM_WORKER", file.toLocal8Bit());
        DevicesPanel* panel = desk.workspace->devicesPanel();
        QVERIFY(!panel->monitor()->isRunning());
        panel->parentWidget()->show();
        QVERIFY(panel->monitor()->isRunning());
        const auto text = [&](int row, DevicesPanel::Column column) { return panel->rows()->index(row, column).data().toString().trimmed(); };
        QTRY_COMPARE_WITH_TIMEOUT(panel->rows()->rowCount(), 5, 60000);
        QCOMPARE(text(0, DevicesPanel::Device), QStringLiteral("This machine"));
        QCOMPARE(text(1, DevicesPanel::Device), QStringLiteral("Processor, 2 threads"));
        QCOMPARE(text(1, DevicesPanel::Memory), QStringLiteral("2.0\u202fGB of 8.0\u202fGB"));
        QCOMPARE(text(1, DevicesPanel::Load), QStringLiteral("50\u202f%"));
        QCOMPARE(panel->rows()->index(1, DevicesPanel::Memory).data(DevicesPanel::ShareRole).toDouble(), 0.25);
        QCOMPARE(text(4, DevicesPanel::Device), QStringLiteral("GPU 3, H200"));
        QCOMPARE(text(4, DevicesPanel::Load), QStringLiteral("97\u202f%"));
        QTRY_COMPARE_WITH_TIMEOUT(text(4, DevicesPanel::By), QStringLiteral("smoke, seed 1"), 60000);
        QVERIFY(text(3, DevicesPanel::By).isEmpty());
        QTRY_VERIFY2_WITH_TIMEOUT(text(2, DevicesPanel::Device).contains(QStringLiteral("copying, 58\u202f%, 109\u202fMB/s, 12\u202fs left")),
                                  qPrintable(text(2, DevicesPanel::Device)), 60000);
        QVERIFY(text(2, DevicesPanel::Device).contains(QStringLiteral("answers in 18\u202fms")) ||
                text(2, DevicesPanel::Device).contains(QStringLiteral("answers in 18 ms")));
        QCOMPARE(panel->rows()->headerData(DevicesPanel::Load, Qt::Horizontal).toString(), QStringLiteral("Load"));
        panel->parentWidget()->hide();
        QVERIFY(!panel->monitor()->isRunning());
    }

    void oldNumbersAreGreyAndHaveTheirAge() {
        writeScript(m_place->file("worker"), QByteArray("[ \"$1 $2\" = 'places monitor' ] || exit 1\ncat <<'end'\n") + kHere + "\nend\ncat >/dev/null");
        Desk desk("good");
        qputenv("HEADROOM_WORKER", m_place->file("worker").toLocal8Bit());
        DevicesPanel* panel = desk.workspace->devicesPanel();
        panel->parentWidget()->show();
        QTRY_COMPARE_WITH_TIMEOUT(panel->rows()->rowCount(), 3, 60000); // gpu-1 has not answered
        const auto colour = [&] { return panel->rows()->item(1, DevicesPanel::Memory)->foreground().color(); };
        QVERIFY(colour() != widgets::Theme::current().text3);
        panel->setClock([] { return QDateTime::currentSecsSinceEpoch() + 3600; });
        QVERIFY2(panel->rows()->item(0)->text().contains(QStringLiteral("numbers from 1\u202fh 0\u202fmin ago")), qPrintable(panel->rows()->item(0)->text()));
        QCOMPARE(colour(), widgets::Theme::current().text3);
    }

    void aMonitorThatEndsSaysWhyAndIsStartedAgain() {
        writeScript(m_place->file("worker"), "echo 'places.json is damaged.' >&2; exit 1");
        Desk desk("good");
        qputenv("HEADROOM_WORKER", m_place->file("worker").toLocal8Bit());
        DevicesPanel* panel = desk.workspace->devicesPanel();
        panel->parentWidget()->show();
        QTRY_VERIFY2_WITH_TIMEOUT(panel->rows()->item(0)->text().contains(QStringLiteral("places.json is damaged.")),
                                  qPrintable(panel->rows()->item(0)->text()), 60000);
        QVERIFY(!panel->monitor()->isRunning());
        writeScript(m_place->file("worker"), QByteArray("cat <<'end'\n") + kHere + "\nend\ncat >/dev/null");
        QTRY_COMPARE_WITH_TIMEOUT(panel->rows()->rowCount(), 3, 60000);
        QVERIFY(panel->monitor()->isRunning() && panel->monitor()->problem().isEmpty());
    }

    /// A cluster whose sbatch is here is no other machine; the runs of a cluster are on its nodes.
    void aClusterNamesItsRunsAndIsNotLookedFor() {
        Place cluster;
        cluster.name = "cluster";
        cluster.kind = Place::Kind::Slurm;
        cluster.folder = "/tmp/headroom";
        m_place->add(cluster);
        writeScript(m_place->file("worker"), "cat >/dev/null");
        Desk desk("good");
        const fs::path run = desk.shop.run("2026-11-21T10-31_a_seed-1", RunState::Running);
        const auto lock = FileLock::tryTake(RunPaths{run}.lock(), "test");
        RunPlace place;
        place.place = cluster;
        place.begun = true;
        place.contact = RunPlace::Contact::Connected;
        writeRunPlace(run, place);
        qputenv("HEADROOM_WORKER", m_place->file("worker").toLocal8Bit());
        DevicesPanel* panel = desk.workspace->devicesPanel();
        panel->parentWidget()->show();
        const auto head = [&] { return panel->rows()->item(2)->text(); };
        QCOMPARE(panel->rows()->rowCount(), 3); // this machine, gpu-1, the cluster
        QVERIFY2(panel->rows()->item(1)->text().contains(QStringLiteral("looking…")), qPrintable(panel->rows()->item(1)->text()));
        QTRY_COMPARE_WITH_TIMEOUT(head(), QStringLiteral("cluster  on this machine · in jobs: smoke, seed 1"), 60000);
    }
};

HEADROOM_TEST(DevicesPanelTest)

} // namespace headroom::testing::devices_panel_test

#include "devices_panel_test.moc"
