// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/places/place.h"
#include "core/places/run_place.h"
#include "core/runs/strict_json.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <fstream>
#include <sys/stat.h>

namespace headroom::testing::place_test {

namespace fs = std::filesystem;

Place sshPlace() {
    Place place;
    place.name = "gpu-1";
    place.host = "anna@gpu-1";
    place.folder = "/data/anna's \"best\"\nGrüße";
    return place;
}

Place cluster() {
    Place place;
    place.name = "cluster";
    place.kind = Place::Kind::Slurm;
    place.folder = "~/headroom";
    place.worker = "~/bin/headroom-worker";
    place.slurm = {"gpu", 4, 2, "2-12:00:00", "speech", {"--constraint=a100", "--mem=64G"}};
    return place;
}

class PlaceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void placesAreReadAsTheyWereWritten() {
        const fs::path file = path() / "new folder" / "places.json";
        QVERIFY(readPlaces(file).empty());
        writePlaces(file, {sshPlace(), cluster()});
        QVERIFY((readPlaces(file) == std::vector<Place>{sshPlace(), cluster()}));
        struct stat about {};
        QCOMPARE(::stat(file.c_str(), &about), 0);
        QCOMPARE(about.st_mode & 0777, mode_t(0600));
    }
    void theFileIsAsDocumented() {
        const fs::path file = path() / "schema.json";
        writePlaces(file, {cluster()});
        QCOMPARE(QString::fromStdString(readSmallFile(file, "test")), QStringLiteral(R"({
  "format": "headroom/places",
  "version": 1,
  "places": [
    {
      "name": "cluster",
      "kind": "slurm",
      "host": "",
      "folder": "~/headroom",
      "worker": "~/bin/headroom-worker",
      "slurm": {
        "partition": "gpu",
        "gpus": 4,
        "nodes": 2,
        "time": "2-12:00:00",
        "account": "speech",
        "lines": [
          "--constraint=a100",
          "--mem=64G"
        ]
      }
    }
  ]
}
)"));
    }
    void whatCannotBeIsRefusedByName_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("no name") << "name"
                                 << "";
        QTest::newRow("name with a line break") << "name"
                                                << "a\nb";
        QTest::newRow("reserved name") << "name"
                                       << "this machine";
        QTest::newRow("no host") << "host"
                                 << "";
        QTest::newRow("a host that ssh takes for an option") << "host"
                                                             << "-oProxyCommand=touch /tmp/x";
        QTest::newRow("host with a space") << "host"
                                           << "gpu 1";
        QTest::newRow("host with a port") << "host"
                                          << "gpu:2222";
        QTest::newRow("host with a shell's signs") << "host"
                                                   << "$(id)";
        QTest::newRow("no folder") << "folder"
                                   << "";
        QTest::newRow("home of another") << "folder"
                                         << "~bob/headroom";
        QTest::newRow("partition with a line break") << "partition"
                                                     << "gpu\n#SBATCH --wrap=x";
        QTest::newRow("account") << "account"
                                 << "a b";
        QTest::newRow("time") << "time"
                              << "8 hours";
        QTest::newRow("GPUs") << "gpus"
                              << "-1";
        QTest::newRow("nodes") << "nodes"
                               << "0";
        QTest::newRow("device") << "device"
                                << "gpu";
        QTest::newRow("device with an option") << "device"
                                               << "cuda:0 --resume";
        QTest::newRow("a GPU that Slurm chooses") << "device"
                                                  << "cuda:1";
        QTest::newRow("line that ends") << "lines"
                                        << "--mem=1G\nrm -rf /";
        QTest::newRow("line that is no option") << "lines"
                                                << "rm -rf /";
    }
    void whatCannotBeIsRefusedByName() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        Place place = key == "host" || key == "name" || key == "folder" ? sshPlace() : cluster();
        const std::string text = value.toStdString();
        if (key == "name")
            place.name = text;
        else if (key == "host")
            place.host = text;
        else if (key == "folder")
            place.folder = text;
        else if (key == "partition")
            place.slurm.partition = text;
        else if (key == "account")
            place.slurm.account = text;
        else if (key == "time")
            place.slurm.time = text;
        else if (key == "device")
            place.device = text;
        else if (key == "gpus")
            place.slurm.gpus = value.toInt();
        else if (key == "nodes")
            place.slurm.nodes = value.toInt();
        else
            place.slurm.lines = {text};
        try {
            checkPlace(place);
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("place.value"));
            QCOMPARE(error.values()["key"].get<std::string>(), key.toStdString());
            QVERIFY2(std::string(error.what()).find('\n') == std::string::npos, error.what());
        }
    }
    void damagedFilesAreRefusedByName_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("rubbish") << "rubbish"
                                 << "is not JSON";
        QTest::newRow("other format") << R"({"format": "x", "version": 1, "places": []})"
                                      << "not a list of places";
        QTest::newRow("no list") << R"({"format": "headroom/places", "version": 1})"
                                 << "no list";
        QTest::newRow("kind") << list(R"({"name": "a", "kind": "cloud", "host": "h", "folder": "f"})")
                              << "neither ssh nor slurm";
        QTest::newRow("key") << list(R"({"name": "a", "host": "h", "folder": "f", "password": "x"})")
                             << "password: there is no such key";
        QTest::newRow("type") << list(R"({"name": "a", "host": 5, "folder": "f"})")
                              << "place 1, host: this must be a text";
        QTest::newRow("two of a name")
            << list(R"({"name": "a", "host": "h", "folder": "f"}, {"name": "a", "host": "h", "folder": "g"})")
            << "two places named";
        QTest::newRow("no object") << list("5") << "is not an object";
    }
    void damagedFilesAreRefusedByName() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const fs::path file = path() / "damaged.json";
        std::ofstream(file) << text.toStdString();
        try {
            readPlaces(file);
            QFAIL("accepted");
        } catch (const Error& error) {
            const QString sentence = QString::fromUtf8(error.what());
            QVERIFY2(sentence.contains(says) && sentence.contains("damaged.json"), error.what());
        }
    }
    void theDeviceIsKeptAndOldFilesHaveNone() {
        const fs::path file = path() / "devices.json";
        Place place = sshPlace();
        for (const char* device : {"auto", "cpu", "cuda", "cuda:1", "all"}) {
            place.device = device;
            writePlaces(file, {place});
            QCOMPARE(readPlaces(file).front().device, std::string(device));
            QCOMPARE(readSmallFile(file, "test").find("\"device\"") != std::string::npos, std::string(device) != "auto");
        }
        std::ofstream(file) << list(R"({"name": "a", "host": "h", "folder": "f"})").toStdString();
        QCOMPARE(readPlaces(file).front().device, std::string("auto"));
    }
    void aSingleProcessTakesOneDevice() {
        Place place = sshPlace();
        for (const auto& [device, wanted] : {std::pair("auto", "auto"), std::pair("cuda:1", "cuda:1"), std::pair("all", "cuda")}) {
            place.device = device;
            QCOMPARE(deviceOfProcess(place), std::string(wanted));
        }
        place = cluster();
        QCOMPARE(deviceOfProcess(place), std::string("cuda")); // the job has a GPU
        place.device = "cpu";
        QCOMPARE(deviceOfProcess(place), std::string("cpu"));
        place.device = "auto";
        place.slurm.gpus = 0;
        QCOMPARE(deviceOfProcess(place), std::string("auto"));
    }
    void whatARunAsksForGoesBeforeThePlace() {
        RunPlace run;
        run.place = sshPlace();
        run.place.device = "all";
        run.folder = "there";
        run.since = "2026-11-24T10:00:00Z";
        const fs::path folder = path() / "run";
        writeRunPlace(folder, run);
        QVERIFY(*readRunPlace(folder) == run);
        QCOMPARE(readRunPlace(folder)->placeToCompute().device, std::string("all"));
        run.device = "cuda:1";
        run.ranks = 2;
        writeRunPlace(folder, run);
        QVERIFY(*readRunPlace(folder) == run);
        QCOMPARE(readRunPlace(folder)->placeToCompute().device, std::string("cuda:1"));
    }
    void anUnknownNameListsTheOthers() {
        try {
            findPlace({sshPlace(), cluster()}, "gpu-9");
            QFAIL("found");
        } catch (const Error& error) {
            QCOMPARE(std::string(error.what()),
                     std::string("There is no place “gpu-9”. Places: gpu-1, cluster."));
        }
    }
    void pathsBeginAtTheHomeFolder() {
        Place place = sshPlace();
        for (const auto& [folder, wanted] :
             {std::pair("~/a b", "a b/runs"), std::pair("/data/", "/data/runs"), std::pair("/", "/runs"),
              std::pair("-rf", "./-rf/runs"), std::pair("here", "here/runs"), std::pair("~/", "./runs")}) {
            place.folder = folder;
            QCOMPARE(pathAt(place, "runs"), std::string(wanted));
        }
        place.folder = "here";
        QCOMPARE(pathAt(place, ""), std::string("here"));
        place.host.clear(); // on this machine
        QCOMPARE(pathAt(place, ""), std::string(std::getenv("HOME")) + "/here");
    }

private:
    fs::path path() const { return m_place.path().toStdString(); }
    static QString list(const QString& places) {
        return QStringLiteral(R"({"format": "headroom/places", "version": 1, "places": [)") + places + "]}";
    }
    QTemporaryDir m_place;
};

HEADROOM_TEST(PlaceTest)

} // namespace headroom::testing::place_test

#include "place_test.moc"
