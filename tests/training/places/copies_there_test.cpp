// SPDX-License-Identifier: GPL-3.0-or-later
// What was copied to a place, and who uses it. The place is a cluster whose login host is this machine.
#include "core/places/place.h"
#include "tests/support/runner.h"
#include "tests/support/written_files.h"
#include "tests/training/worker/run_training.h"
#include "training/places/copies_there.h"

#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::copies_there_test {

namespace fs = std::filesystem;
using nlohmann::json;
using training::CopyAtPlace;

class CopiesThereTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path there() const { return fs::path(m_folder.path().toStdString()) / "a place, it's “there”"; }
    void put(const std::string& path, const QByteArray& bytes = "x") const {
        fs::create_directories((there() / path).parent_path());
        writeFile(QString::fromStdString((there() / path).string()), bytes);
    }
    void putRun(const std::string& name, const std::string& state, const std::string& data) const {
        const json document{{"format", "headroom/run"}, {"state", state}, {"data", (there() / data).string()}, {"startFrom", ""}};
        put("runs/" + name + "/run.json", QByteArray::fromStdString(document.dump(2)));
    }
    std::map<std::string, json> listed() const {
        const Finished found = runWorkerProgram({"places", "copies", "here", "--json"});
        std::map<std::string, json> copies;
        const json document = found.status == 0 ? found.document() : json();
        if (document.contains("copies"))
            for (const json& copy : document["copies"])
                copies[copy["path"].get<std::string>()] = copy;
        return copies;
    }

private Q_SLOTS:
    void initTestCase() {
        Place place;
        place.name = "here";
        place.kind = Place::Kind::Slurm;
        place.folder = there().string();
        const fs::path file = fs::path(m_folder.path().toStdString()) / "places.json";
        writePlaces(file, {place});
        qputenv("HEADROOM_PLACES", QByteArray::fromStdString(file.string()));
        QVERIFY(listed().empty()); // there is no such folder yet
        put("data/demo-0123456789ab/demo/corpus.json", QByteArray(300'000, 'x'));
        put("data/other-aaaaaaaaaaaa/other/corpus.json");
        put("data/my own corpus/corpus.json");                // the user's
        put("models/small-bbbbbbbbbbbb/small/model.safetensors");
        put("models/checkpoints-cccccccccccc/checkpoints/last.safetensors");
        put("models/checkpoints-cccccccccccc/.used/4f2a");     // of an evaluation
        put("worker/0.3.0-dddddddddddd/bundle.sha256");
        put("worker/0.2.0-eeeeeeeeeeee/bundle.sha256");
        put("worker/torch/bin/python");                        // not ours
        fs::create_directory_symlink("0.3.0-dddddddddddd", there() / "worker/0.3.0");
        fs::create_directory_symlink("0.2.0-eeeeeeeeeeee", there() / "worker/0.2.0");
        putRun("done, seed 1", "finished", "data/demo-0123456789ab/demo");
        putRun("goes on", "running", "data/demo-0123456789ab/demo");
        put("runs/queue/500000_waits.json", QByteArray::fromStdString(json{{"data", (there() / "data/other-aaaaaaaaaaaa/other").string()}}.dump()));
        put("work/9c-1/job.json", QByteArray::fromStdString(json{{"words", {"study", (there() / "models/small-bbbbbbbbbbbb/small").string()}}}.dump()));
    }

    void everyCopyIsListedWithItsUsers() {
        const auto copies = listed();
        QStringList paths;
        for (const auto& [path, copy] : copies)
            paths << QString::fromStdString(path);
        QCOMPARE(paths, (QStringList{"data/demo-0123456789ab", "data/other-aaaaaaaaaaaa", "models/checkpoints-cccccccccccc",
                                     "models/small-bbbbbbbbbbbb", "worker/0.2.0-eeeeeeeeeeee", "worker/0.3.0-dddddddddddd"}));
        const auto copy = [&](const char* path) { return copies.at(path); };
        const auto users = [&](const char* path) { return copies.at(path)["usedBy"]; };
        QCOMPARE(copy("data/demo-0123456789ab")["kind"].get<std::string>(), std::string("corpus"));
        QCOMPARE(copy("data/demo-0123456789ab")["name"].get<std::string>(), std::string("demo"));
        QVERIFY(copy("data/demo-0123456789ab")["bytes"].get<std::int64_t>() >= 300'000);
        QVERIFY(std::abs(copy("data/demo-0123456789ab")["copied"].get<std::int64_t>() - std::time(nullptr)) < 3600);
        QCOMPARE(users("data/demo-0123456789ab"), json::parse(R"([{"name": "done, seed 1", "inProgress": false}, {"name": "goes on", "inProgress": true}])"));
        QCOMPARE(users("data/other-aaaaaaaaaaaa"), json::parse(R"([{"name": "waits", "inProgress": true}])"));
        QCOMPARE(copy("models/checkpoints-cccccccccccc")["kind"].get<std::string>(), std::string("checkpoint"));
        QCOMPARE(users("models/checkpoints-cccccccccccc"), json::parse(R"([{"name": "4f2a", "inProgress": true}])"));
        QCOMPARE(users("models/small-bbbbbbbbbbbb"), json::parse(R"([{"name": "9c-1", "inProgress": true}])"));
        QCOMPARE(copy("worker/0.3.0-dddddddddddd")["name"].get<std::string>(), std::string("0.3.0"));
        QVERIFY(copy("worker/0.3.0-dddddddddddd")["linked"].get<bool>());
    }

    void whatIsInUseIsKept() {
        for (const auto& [path, user] : {std::pair{"data/demo-0123456789ab", "goes on"}, {"data/other-aaaaaaaaaaaa", "waits"},
                                         {"models/small-bbbbbbbbbbbb", "9c-1"}}) {
            const Finished refused = runWorkerProgram({"places", "copies", "here", "--remove", path});
            QCOMPARE(refused.status, 1);
            QVERIFY2(refused.says(std::string("is used by ") + user), refused.err.c_str());
            QVERIFY(fs::exists(there() / path));
        }
    }

    void onlyCopiesAreRemoved() {
        for (const char* path : {"data/my own corpus", "worker/torch", "runs/goes on", "data/../runs", "../x", "data", "", "data/nothing-0123456789ab",
                                 "data/demo-0123456789ab/demo"}) {
            const Finished refused = runWorkerProgram({"places", "copies", "here", "--remove", path});
            QVERIFY2(std::string(path).empty() || (refused.status == 1 && refused.says("There is no copy")), path);
        }
        QVERIFY(fs::exists(there() / "data/my own corpus/corpus.json") && fs::exists(there() / "worker/torch/bin/python"));
        QVERIFY(!training::isCopyPath("data/a-0123456789AB") && !training::isCopyPath("data/-0123456789ab") &&
                !training::isCopyPath("runs/a-0123456789ab") && training::isCopyPath("models/a-0123456789ab"));
    }

    void aCopyIsRemovedAndTheLinkToIt() {
        putRun("goes on", "stopped", "data/demo-0123456789ab/demo");
        for (const char* path : {"data/demo-0123456789ab", "worker/0.2.0-eeeeeeeeeeee"}) {
            const Finished removed = runWorkerProgram({"places", "copies", "here", "--remove", path, "--json"});
            QVERIFY2(removed.status == 0, removed.err.c_str());
            QVERIFY(!fs::exists(there() / path));
        }
        QVERIFY(!fs::exists(fs::symlink_status(there() / "worker/0.2.0")));
        QVERIFY(fs::exists(there() / "worker/0.3.0/bundle.sha256"));
        QCOMPARE(listed().size(), std::size_t(4));
        QVERIFY(fs::exists(there() / "runs/goes on/run.json"));
    }
};

HEADROOM_TEST(CopiesThereTest)

} // namespace headroom::testing::copies_there_test

#include "copies_there_test.moc"
