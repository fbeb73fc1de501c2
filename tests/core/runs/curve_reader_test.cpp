// SPDX-License-Identifier: GPL-3.0-or-later
// CurveReader against EventFollower and RunCurves::add(): the same curves from every file.
#include "core/runs/curve_reader.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>
#include <random>

namespace headroom::testing::curve_reader_test {

namespace fs = std::filesystem;

namespace {

struct Curves {
    std::map<std::string, std::vector<RunCurves::Point>> series;
    std::int64_t bad = 0;
};

bool same(const Curves& left, const Curves& right) {
    const auto equal = [](const auto& a, const auto& b) {
        return a.update == b.update && a.value == b.value && a.time == b.time;
    };
    return left.bad == right.bad && left.series.size() == right.series.size() &&
           std::equal(left.series.begin(), left.series.end(), right.series.begin(),
                      [&](const auto& a, const auto& b) {
                          return a.first == b.first && a.second.size() == b.second.size() &&
                                 std::equal(a.second.begin(), a.second.end(), b.second.begin(), equal);
                      });
}

Curves slowly(const fs::path& file) {
    EventFollower follower(file);
    RunCurves curves;
    for (const auto& event : follower.poll())
        curves.add(event);
    return {curves.series(), follower.badLines()};
}

Curves fast(const fs::path& file) {
    CurveReader reader(file);
    reader.poll();
    return {reader.curves().series(), reader.badLines()};
}

std::vector<double> timesOfLoss(const fs::path& file) {
    std::vector<double> times;
    const Curves curves = fast(file); // a loop over a member of a temporary would outlive it
    for (const RunCurves::Point& point : curves.series.at("loss"))
        times.push_back(point.time);
    return times;
}

void put(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

} // namespace

class CurveReaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatTheWriterWritesIsReadTheSame() {
        const fs::path file = m_folder.filePath("written.jsonl").toStdString();
        EventWriter writer(file);
        std::mt19937_64 random(7);
        for (int update = 1; update <= 300; ++update) {
            // Any bits that are a number: small, huge, subnormal, and those JSON has no word for.
            const auto bits = random();
            double value = 0;
            std::memcpy(&value, &bits, sizeof value);
            writer.add({{"event", "step"},
                        {"update", update},
                        {"loss", value},
                        {"clipped", update % 3 == 0},
                        {"tokens", update * 1000003LL},
                        {"note", "plain"}});
            if (update % 50 == 0)
                writer.add({{"event", "validation"}, {"update", update}, {"loss", 1.5}, {"wer", nullptr}});
            if (update == 200)
                writer.add({{"event", "resumed"}, {"update", 150}});
        }
        const Curves read = fast(file);
        QVERIFY(same(read, slowly(file)));
        QVERIFY(read.series.at("tokens").size() > 200);
        QCOMPARE(read.bad, std::int64_t(0));
    }

    void strangeLinesAreReadTheSame_data() {
        // ' stands for " here.
        QTest::addColumn<QByteArray>("line");
        for (const char* line : {"",
                                 " ",
                                 "{}",
                                 "[1]",
                                 "7",
                                 "null",
                                 "rubbish",
                                 "{'event'",
                                 "{'event':'step','update':1",
                                 "{'event':'step','update':1,'loss':2}x",
                                 "{'event':'step','update':1,'loss':2,}",
                                 "{'event':'step','update':1,'loss':02}",
                                 "{'event':'step','update':1,'loss':2.}",
                                 "{'event':'step','update':1,'loss':.5}",
                                 "{'event':'step','update':1,'loss':+5}",
                                 "{'event':'step','update':1,'loss':-0.5e-3}",
                                 "{'event':'step','update':1,'loss':1e999}",
                                 "{'event':'step','update':1.0,'loss':2}",
                                 "{'event':'step','update':'1','loss':2}",
                                 "{'event':'step','update':99999999999999999999,'loss':2}",
                                 "{'event':'step','update':1,'loss':99999999999999999999}",
                                 "{'event':'step','update':-3,'loss':2}",
                                 "{'event':'st\\u0065p','update':1,'loss':2}",
                                 "{'event':'step','update':1,'l\\'oss':2}",
                                 "{'event':'step','update':1,'more':{'loss':2}}",
                                 "{'event':'step','update':1,'all':[1,2],'loss':3}",
                                 " { 'event' : 'step' , 'update' : 1 , 'loss' : 2 } ",
                                 "{'loss':2,'time':5,'update':1,'event':'step'}",
                                 "{'event':'step','update':1,'loss':2,'loss':3}",
                                 "{'event':'step','event':'validation','update':1,'loss':2}",
                                 "{'event':7,'update':1,'loss':2}",
                                 "{'event':'step','loss':2}",
                                 "{'event':'step','update':1,'loss':NaN}",
                                 "{'event':'step','update':1,'loss':nul}",
                                 "{'event':'step','update':1,'loss':truex}",
                                 "{'event':'step','update':1,'lo\xffss':2}",
                                 "{'event':'step','update':1,'l\xc3\xb6ss':2}",
                                 "{'event':'step','update':1,'lo\tss':2}",
                                 "{'event':'resumed','update':0}",
                                 "{'event':'finished','update':9}",
                                 "{'event':'step','update':1,'time':'soon','loss':2}"})
            QTest::newRow(line) << QByteArray(line).replace('\'', '"');
    }
    void strangeLinesAreReadTheSame() {
        QFETCH(QByteArray, line);
        const fs::path file = m_folder.filePath("strange.jsonl").toStdString();
        const std::string before = "{\"event\":\"step\",\"update\":1,\"time\":3,\"loss\":9,\"rate\":1}\n";
        put(file, before + line.toStdString() + "\n{\"event\":\"step\",\"update\":2,\"rate\":1}\n");
        QVERIFY(same(fast(file), slowly(file)));
    }

    /// Hours of training counted the time in which a stopped run waited in the queue.
    void theClockStandsStillWhileTheRunDoes() {
        const fs::path file = m_folder.filePath("resumed.jsonl").toStdString();
        put(file, "{\"event\":\"step\",\"update\":1,\"loss\":5,\"time\":100}\n"
                  "{\"event\":\"step\",\"update\":2,\"loss\":4,\"time\":110}\n"
                  "{\"event\":\"validation\",\"update\":2,\"loss\":4,\"time\":112}\n"
                  "{\"event\":\"step\",\"update\":3,\"loss\":3,\"time\":120}\n" // lost
                  "{\"event\":\"resumed\",\"update\":2,\"time\":1000}\n"
                  "{\"event\":\"step\",\"update\":3,\"loss\":3,\"time\":1008}\n"
                  "{\"event\":\"resumed\",\"update\":3,\"time\":2000}\n"
                  "{\"event\":\"step\",\"update\":4,\"loss\":2,\"time\":2010}\n");
        QVERIFY(same(fast(file), slowly(file)));
        QCOMPARE(timesOfLoss(file), (std::vector<double>{100, 110, 120, 130}));
    }

    /// A run that is stopped logs no last step: what it had computed until its checkpoint counted as standstill.
    void workUntilTheCheckpointCounts() {
        const fs::path file = m_folder.filePath("checkpoint.jsonl").toStdString();
        put(file, "{\"event\":\"step\",\"update\":50,\"loss\":5,\"time\":100}\n"
                  "{\"event\":\"checkpoint\",\"update\":95,\"time\":190}\n"
                  "{\"event\":\"stopped\",\"update\":95,\"time\":191}\n"
                  "{\"event\":\"resumed\",\"update\":95,\"time\":1000}\n"
                  "{\"event\":\"step\",\"update\":100,\"loss\":4,\"time\":1010}\n" // lost
                  "{\"event\":\"resumed\",\"update\":95,\"time\":2000}\n"
                  "{\"event\":\"step\",\"update\":100,\"loss\":4,\"time\":2010}\n"
                  "{\"event\":\"checkpoint\",\"update\":110,\"time\":2030}\n"
                  "{\"event\":\"resumed\",\"update\":100,\"time\":3000}\n" // from an earlier one
                  "{\"event\":\"step\",\"update\":150,\"loss\":3,\"time\":3100}\n");
        QVERIFY(same(fast(file), slowly(file)));
        QCOMPARE(timesOfLoss(file), (std::vector<double>{100, 200, 300}));
    }

    void theClockStandsStillInAPause() {
        const fs::path file = m_folder.filePath("paused.jsonl").toStdString();
        put(file, "{\"event\":\"step\",\"update\":1,\"loss\":5,\"time\":100}\n"
                  "{\"event\":\"paused\",\"update\":1,\"time\":105}\n"
                  "{\"event\":\"continued\",\"update\":1,\"time\":905}\n"
                  "{\"event\":\"step\",\"update\":2,\"loss\":4,\"time\":910}\n"
                  "{\"event\":\"checkpoint\",\"update\":2,\"time\":911}\n"
                  "{\"event\":\"paused\",\"update\":2,\"time\":912}\n" // and killed
                  "{\"event\":\"resumed\",\"update\":2,\"time\":2000}\n"
                  "{\"event\":\"continued\",\"update\":2,\"time\":2005}\n"
                  "{\"event\":\"step\",\"update\":3,\"loss\":3,\"time\":2009}\n");
        QVERIFY(same(fast(file), slowly(file)));
        QCOMPARE(timesOfLoss(file), (std::vector<double>{100, 110, 120}));
    }

    /// Hours of training began with the first logged update: a run of 20 s ended at 17 s.
    void theClockBeginsWithTheRun() {
        const fs::path file = m_folder.filePath("began.jsonl").toStdString();
        const auto began = [&] {
            CurveReader reader(file);
            reader.poll();
            return reader.curves().began();
        };
        const std::string step = "{\"event\":\"step\",\"update\":10,\"loss\":5,\"time\":103}\n";
        put(file, step + "{\"event\":\"resumed\",\"update\":10,\"time\":900}\n{\"event\":\"started\",\"update\":10,\"time\":901}\n");
        QCOMPARE(began(), 0.0); // an older run, which did not say it
        const std::string started = "{\"event\":\"started\",\"update\":0,\"time\":100}\n";
        put(file, started + step + "{\"event\":\"checkpoint\",\"update\":10,\"time\":104}\n"
                                   "{\"event\":\"resumed\",\"update\":10,\"time\":1000}\n"
                                   "{\"event\":\"started\",\"update\":10,\"time\":1001}\n"
                                   "{\"event\":\"step\",\"update\":20,\"loss\":4,\"time\":1010}\n");
        QVERIFY(same(fast(file), slowly(file)));
        QCOMPARE(began(), 100.0);
        QCOMPARE(timesOfLoss(file), (std::vector<double>{103, 114}));
        // Without a checkpoint it begins again: what was lost does not count, nor does the time until then.
        put(file, started + step + "{\"event\":\"resumed\",\"update\":0,\"time\":1000}\n"
                                   "{\"event\":\"started\",\"update\":0,\"time\":1001}\n"
                                   "{\"event\":\"step\",\"update\":10,\"loss\":5,\"time\":1004}\n");
        QVERIFY(same(fast(file), slowly(file)));
        QCOMPARE(began(), 100.0);
        QCOMPARE(timesOfLoss(file), (std::vector<double>{104}));
    }

    void whatComesLaterIsAddedAndHalfALineWaits() {
        const fs::path file = m_folder.filePath("grows.jsonl").toStdString();
        CurveReader reader(file);
        QCOMPARE(reader.poll(), std::int64_t(0)); // not there yet
        const std::string line = "{\"event\":\"step\",\"update\":1,\"loss\":2}";
        put(file, line + "\n" + line.substr(0, 10));
        QCOMPARE(reader.poll(), std::int64_t(1));
        QCOMPARE(reader.poll(), std::int64_t(0));
        std::ofstream(file, std::ios::app | std::ios::binary) << "step\",\"update\":2,\"loss\":1}" << '\n';
        QCOMPARE(reader.poll(), std::int64_t(1));
        QCOMPARE(reader.curves().series().at("loss").size(), std::size_t(2));
        QCOMPARE(reader.badLines(), std::int64_t(0));
    }

private:
    QTemporaryDir m_folder;
};

HEADROOM_TEST(CurveReaderTest)

} // namespace headroom::testing::curve_reader_test

#include "curve_reader_test.moc"
