// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "tests/training/studies/study_fixture.h"
#include "training/studies/measurement_cache.h"

#include <QtTest/QtTest>

#include <chrono>
#include <set>

namespace headroom::testing::study_cache_test {

using training::MeasurementCache;
using training::MeasurementKey;
namespace fs = std::filesystem;

class StudyCacheTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSecondStudyMeasuresNothingAgain() {
        const StudyFixture fixture;
        Heard first, second;
        runStudy(fixture.request("a"), &first);
        QCOMPARE(first.last.cached, std::int64_t(0));
        auto request = fixture.request("b");
        request.settings["threshold"] = 0.02; // read off the same profiles
        runStudy(request, &second);
        QCOMPARE(second.last.cached, std::int64_t(6));
        Heard third;
        runStudy(fixture.request("c", StudyKind::Diagonality), &third); // and so does another kind
        QCOMPARE(third.last.cached, std::int64_t(6));
    }

    void whatChangesTheNumbersIsMeasuredAgain() {
        const StudyFixture fixture;
        const std::string before = [&] {
            runStudy(fixture.request("a"));
            return bytesOf(fixture.folder() / "a" / "results.npz");
        }();
        Heard setting;
        auto request = fixture.request("b");
        request.settings["source"] = "attention";
        runStudy(request, &setting);
        QCOMPARE(setting.last.cached, std::int64_t(0));

        fixture.record(3, 0.91, 7);
        Heard audio;
        runStudy(fixture.request("c"), &audio);
        QCOMPARE(audio.last.cached, std::int64_t(5));
        QVERIFY(bytesOf(fixture.folder() / "c" / "results.npz") != before);

        RandomModel(fixture.model(), {"2 full", "2 local 5"}, 16); // the same weights, other heads
        Heard heads;
        runStudy(fixture.request("d"), &heads);
        QCOMPARE(heads.last.cached, std::int64_t(0));
        RandomModel(fixture.model(), {"2 full", "2 full", "2 full"}, 16);
        Heard weights;
        runStudy(fixture.request("e"), &weights);
        QCOMPARE(weights.last.cached, std::int64_t(0));
    }

    void aBrokenFileIsMeasuredAgainAndSaid() {
        const StudyFixture fixture;
        runStudy(fixture.request("a"));
        int broken = 0;
        for (const auto& entry : fs::recursive_directory_iterator(fixture.folder() / "cache"))
            if (entry.is_regular_file() && broken < 2)
                fs::resize_file(entry.path(), entry.file_size() / (broken++ == 0 ? 2 : 10));
        Heard heard;
        runStudy(fixture.request("b"), &heard);
        QCOMPARE(heard.last.cached, std::int64_t(4));
        QCOMPARE(std::count_if(
                     heard.notes.begin(), heard.notes.end(),
                     [](const std::string& note) { return note.find("is repeated") != std::string::npos; }),
                 std::ptrdiff_t(2));
        QVERIFY(bytesOf(fixture.folder() / "a" / "results.npz") ==
                bytesOf(fixture.folder() / "b" / "results.npz"));
    }

    void keysThatDifferAnywhereDiffer() {
        const MeasurementKey key{"w", "f", "a", "", "profiles/1"};
        std::vector<std::string> hashes{key.hash("1.0"), key.hash("1.1"), key.hash("")};
        for (std::string MeasurementKey::*part :
             {&MeasurementKey::weights, &MeasurementKey::frontEnd, &MeasurementKey::audio,
              &MeasurementKey::alignment, &MeasurementKey::measurement}) {
            MeasurementKey other = key;
            other.*part += "x";
            hashes.push_back(other.hash("1.0"));
        }
        hashes.push_back(MeasurementKey{"w", "fa", "", "", "profiles/1"}.hash("1.0")); // parts do not run together
        std::sort(hashes.begin(), hashes.end());
        QVERIFY(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
    }

    /// After an update old numbers stood beside new ones.
    void whatAnotherVersionMeasuredIsNotUsed() {
        const QTemporaryDir place;
        const fs::path folder = place.path().toStdString();
        const MeasurementKey key{"w", "f", "a", "", "profiles/1"};
        const std::vector<double> one{1};
        std::string problem;
        MeasurementCache(folder, "1.0").store(key, {{"numbers", Tensor::of<double>({1}, one)}});
        QVERIFY(MeasurementCache(folder, "1.0").find(key, problem));
        QVERIFY(!MeasurementCache(folder, "1.1").find(key, problem) && problem.empty());
    }

    void theCacheKeepsWhatWasUsedLast() {
        const QTemporaryDir place;
        const MeasurementCache cache(fs::path(place.path().toStdString()) / "kept", "1.0");
        const std::vector<double> numbers(1000, 1.5);
        std::string problem;
        const auto folder = fs::path(place.path().toStdString()) / "kept";
        std::set<fs::path> dated;
        for (int i = 0; i < 4; ++i) {
            cache.store({"w", "", std::to_string(i), "", "m"},
                        {{"numbers", Tensor::of<double>({1000}, numbers)}});
            // Used minutes ago, the first one first.
            for (const auto& entry : fs::recursive_directory_iterator(folder))
                if (entry.is_regular_file() && dated.insert(entry.path()).second)
                    fs::last_write_time(entry, fs::file_time_type::clock::now() - std::chrono::minutes(10 - i));
        }
        QVERIFY(cache.find({"w", "", "0", "", "m"}, problem)); // used now
        cache.trim(20'000);
        QVERIFY(cache.find({"w", "", "0", "", "m"}, problem));
        QVERIFY(!cache.find({"w", "", "1", "", "m"}, problem));
        QVERIFY(cache.find({"w", "", "3", "", "m"}, problem));
    }
};

HEADROOM_TEST(StudyCacheTest)

} // namespace headroom::testing::study_cache_test

#include "study_cache_test.moc"
