// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/strict_json.h"
#include "tests/support/runner.h"
#include "training/places/mirror.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <chrono>
#include <fstream>

namespace headroom::testing::mirror_test {

namespace fs = std::filesystem;
using namespace training;
using nlohmann::json;

Frame frame(json head, const std::string& bytes = {}) {
    FrameReader reader;
    std::string buffer = kStreamStart + frameText(std::move(head), bytes);
    return *reader.take(buffer);
}

class MirrorTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void framesAreTakenWhole() {
        FrameReader reader;
        const std::string all = "Welcome!\n" + std::string(kStreamStart) +
                                frameText({{"append", "log.txt"}, {"from", 0u}}, "a\nb\n") +
                                frameText({{"alive", 5}});
        std::string buffer;
        std::vector<Frame> frames;
        for (const char c : all) { // byte by byte
            buffer += c;
            while (auto one = reader.take(buffer))
                frames.push_back(*one);
        }
        QCOMPARE(frames.size(), std::size_t(2));
        QCOMPARE(frames[0].bytes, std::string("a\nb\n"));
        QVERIFY(frames[1].head.contains("alive"));
        QVERIFY(buffer.empty());
    }
    void rubbishIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArray("hello\n");
        QTest::newRow("no object") << QByteArray("[1]\n");
        QTest::newRow("negative size") << QByteArray("{\"size\": -1}\n");
        QTest::newRow("a size without end") << QByteArray("{\"size\": 99999999999}\n");
        QTest::newRow("a line without end") << QByteArray(100000, '{');
    }
    void rubbishIsRefused() {
        QFETCH(QByteArray, text);
        FrameReader reader;
        std::string buffer = kStreamStart + text.toStdString();
        QVERIFY_EXCEPTION_THROWN(reader.take(buffer), Error);
    }
    void namesOutsideTheRunAreRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("name");
        QTest::newRow("parent") << "append"
                                << "../events.jsonl";
        QTest::newRow("absolute") << "append"
                                  << "/tmp/events.jsonl";
        QTest::newRow("deeper") << "part"
                                << "checkpoints/../../x";
        QTest::newRow("lock") << "part"
                              << "lock";
        QTest::newRow("control") << "part"
                                 << "control.json";
        QTest::newRow("hidden") << "part"
                                << "model/.bashrc";
        QTest::newRow("grows, sent whole") << "part"
                                           << "events.jsonl";
        QTest::newRow("whole, sent as growing") << "append"
                                                << "run.json";
    }
    void namesOutsideTheRunAreRefused() {
        QFETCH(QString, key);
        QFETCH(QString, name);
        const Frame bad =
            frame({{key.toStdString(), name.toStdString()}, {"from", 0u}, {"total", 1u}, {"time", 1u}}, "x");
        QVERIFY_EXCEPTION_THROWN(Mirror(run()).apply(bad), Error);
    }
    void linksStayInTheRun() {
        Mirror mirror(run());
        for (const char* target : {"/etc/passwd", "../run.json", "", "a/b"})
            QVERIFY_EXCEPTION_THROWN(
                mirror.apply(frame({{"link", "checkpoints/last.safetensors"}, {"to", target}})), Error);
        // A link that is in the way is not written through.
        std::error_code ignored;
        fs::create_directories(run(), ignored);
        fs::create_symlink(run() / "elsewhere", run() / "log.txt", ignored);
        QVERIFY_EXCEPTION_THROWN(mirror.apply(frame({{"append", "log.txt"}, {"from", 0u}}, "x")), Error);
        QVERIFY(!fs::exists(run() / "elsewhere"));
        fs::remove(run() / "log.txt");
    }
    void aCutFileGoesOnAtItsByte() {
        const auto part = [](std::uint64_t from, const std::string& bytes) {
            return frame({{"part", "checkpoints/step-1.safetensors"},
                          {"total", 6u},
                          {"time", 1700000000123456789u},
                          {"from", from}},
                         bytes);
        };
        Mirror(run()).apply(part(0, "abc"));
        const json state = Mirror(run()).state();
        QVERIFY2((state["parts"]["checkpoints/step-1.safetensors"] == json{6, 1700000000123456789, 3}),
                 state.dump().c_str());
        QVERIFY(state["have"].empty());
        QVERIFY_EXCEPTION_THROWN(Mirror(run()).apply(part(2, "cde")), Error); // a gap or an overlap
        Mirror(run()).apply(part(3, "def"));
        QCOMPARE(readSmallFile(run() / "checkpoints/step-1.safetensors", "test"), std::string("abcdef"));
        const json after = Mirror(run()).state();
        QVERIFY(after["parts"].empty());
        QVERIFY((after["have"]["checkpoints/step-1.safetensors"] == json{6, 1700000000123456789}));
    }
    /// The clock there is an hour ahead, and is put right later: a file is the one that came last, dated as there.
    void timesFromTheFutureAreKept() {
        Mirror mirror(run());
        const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
        const std::int64_t ahead = now + 3'600'000'000'000;
        for (const auto& [time, text] : {std::pair(ahead, "early"), std::pair(now, "later")}) {
            const auto part = [&](std::uint64_t from, const std::string& bytes) {
                return frame({{"part", "run.json"}, {"total", 5u}, {"time", static_cast<std::uint64_t>(time)}, {"from", from}}, bytes);
            };
            mirror.apply(part(0, std::string(text, 2)));
            QVERIFY((mirror.state()["parts"]["run.json"] == json{5, time, 2}));
            mirror.apply(part(2, text + 2));
            QCOMPARE(readSmallFile(run() / "run.json", "test"), std::string(text));
            QVERIFY((mirror.state()["have"]["run.json"] == json{5, time}));
        }
        mirror.tidy();
        QVERIFY(mirror.state()["parts"].empty());
    }
    void checkpointsThatNoLinkNamesGo() {
        Mirror mirror(run());
        for (const char* name : {"step-1.safetensors", "step-2.safetensors"})
            mirror.apply(frame(
                {{"part", std::string("checkpoints/") + name}, {"total", 1u}, {"time", 5u}, {"from", 0u}},
                "x"));
        mirror.apply(frame({{"link", "checkpoints/last.safetensors"}, {"to", "step-2.safetensors"}}));
        QVERIFY(!fs::exists(run() / "checkpoints/step-1.safetensors"));
        QCOMPARE(readSmallFile(run() / "checkpoints/last.safetensors", "test"), std::string("x"));
    }
    void onlyTheNextBytesAreAppended() {
        Mirror mirror(run());
        mirror.apply(frame({{"append", "events.jsonl"}, {"from", 0u}}, "1\n"));
        mirror.apply(frame({{"append", "events.jsonl"}, {"from", 2u}}, "2\n"));
        QVERIFY_EXCEPTION_THROWN(mirror.apply(frame({{"append", "events.jsonl"}, {"from", 2u}}, "2\n")),
                                 Error);
        QCOMPARE(readSmallFile(run() / "events.jsonl", "test"), std::string("1\n2\n"));
        QVERIFY(!mirror.apply(frame({{"alive", 5}})));
    }

private:
    fs::path run() const { return fs::path(m_folder.path().toStdString()) / "run"; }
    QTemporaryDir m_folder;
};

HEADROOM_TEST(MirrorTest)

} // namespace headroom::testing::mirror_test

#include "mirror_test.moc"
