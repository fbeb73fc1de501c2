// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_model.h"
#include "core/statistics/quantiles.h"
#include "tests/support/runner.h"
#include "tests/training/studies/study_fixture.h"
#include "training/studies/latency_rounds.h"
#include "training/studies/study_work.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

namespace headroom::testing::latency_test {

using namespace headroom::training;

class LatencyTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::unique_ptr<models::SpeechModel> m_full, m_mixed;

    std::unique_ptr<models::SpeechModel> made(const char* name, const std::vector<std::string>& layers) {
        const RandomModel model(m_folder.filePath(name).toStdString(), layers);
        return models::SpeechModel::open(model.folder());
    }

private Q_SLOTS:
    void initTestCase() {
        m_full = made("full", {"4 full", "4 full", "4 full"});
        m_mixed = made("mixed", {"4 local 5", "2 full + 2 conv 5/2"});
    }

    void attentionAndTheRestMakeUpTheWhole() {
        LatencyPlan plan;
        plan.lengths = {5, 40};
        plan.warmUp = 1;
        plan.repeats = 4;
        const std::vector<models::SpeechModel*> models{m_full.get(), m_mixed.get()};
        std::int64_t most = 0;
        std::vector<LatencyTimes> times;
        timeEncoders(
            models, plan,
            [&](std::int64_t done, std::int64_t total) {
                most = std::max(most, done);
                QCOMPARE(total, 10);
            },
            nullptr, times);
        QCOMPARE(most, 9);
        QCOMPARE(times.size(), std::size_t(2));
        for (std::size_t m = 0; m < 2; ++m)
            for (std::size_t l = 0; l < 2; ++l) {
                QCOMPARE(times[m][l].size(), std::size_t(4));
                for (const models::EncoderTimes& one : times[m][l]) {
                    QCOMPARE(one.attention.size(), m == 0 ? std::size_t(3) : std::size_t(2));
                    QVERIFY(one.rest() > 0 && one.attentionTotal() > 0);
                    QVERIFY(std::abs(one.attentionTotal() + one.rest() - one.total) <= 1e-12);
                    double layers = 0;
                    for (std::size_t layer = 0; layer < one.layers.size(); ++layer) {
                        QVERIFY(one.attention[layer] <= one.layers[layer]);
                        layers += one.layers[layer];
                    }
                    QVERIFY(layers + one.frontEnd <= one.total);
                }
            }
    }

    void lengthsAreTokensWhateverTheFrontEnd() {
        for (const std::int64_t tokens : {1, 2, 7, 96, 768}) {
            const std::int64_t frames = framesFor(*m_full, tokens);
            QCOMPARE(m_full->info().clock.tokenCount(Frames(frames)).value(), tokens);
            QVERIFY(frames == 1 || m_full->info().clock.tokenCount(Frames(frames - 1)).value() < tokens);
        }
        try {
            framesFor(*m_full, 1501);
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(std::string(error.what()),
                     m_full->info().name + " accepts at most 1,500 tokens, but one of the lengths is 1,501. Set shorter lengths.");
        }
    }

    void itStopsWhenAsked() {
        const models::CancelFlag cancel = true;
        const std::vector<models::SpeechModel*> models{m_full.get()};
        LatencyPlan plan;
        plan.lengths = {4};
        std::vector<LatencyTimes> times;
        QVERIFY_EXCEPTION_THROWN(timeEncoders(
                                     models, plan, [](std::int64_t, std::int64_t) {}, &cancel, times),
                                 models::Cancelled);
    }

    /// It began again at 0, although the log said that measurements are kept.
    void aStoppedStudyContinuesAfterItsCompleteRounds() {
        const StudyFixture fixture(0);
        StudyRequest request = fixture.request("stopped", StudyKind::Latency);
        request.data.clear();
        request.models = {m_folder.filePath("full").toStdString(), m_folder.filePath("mixed").toStdString()};
        request.settings = {{"lengths", {5, 40}}, {"repeats", 4}, {"warmUp", 1}};
        std::vector<std::int64_t> done;
        std::int64_t stopAt = 5; // of 2 lengths × (1 + 4) rounds: within the second timed one
        std::vector<double> secondsLeft;
        StudyListener listener;
        listener.progress = [&](const StudyProgress& progress) {
            done.push_back(progress.done);
            secondsLeft.push_back(progress.secondsLeft);
            if (progress.done == stopAt) // who watches asks ten times a second
                QTest::qSleep(500);
        };
        listener.stop = [&] { return !done.empty() && done.back() == stopAt; };
        QVERIFY(runStudy(request, listener).state == RunState::Stopped);
        QVERIFY(secondsLeft.front() == -1 && secondsLeft.back() > 0);
        const auto rounds = request.out / "rounds";
        QVERIFY(std::filesystem::exists(rounds));
        done.clear();
        stopAt = -1;
        request.resume = true;
        const Study study = runStudy(request, listener);
        QVERIFY(study.state == RunState::Finished);
        QCOMPARE(done.front(), 2); // one round of two lengths is there
        QCOMPARE(done.size(), std::size_t(8)); // a warm-up and three rounds
        QVERIFY(std::ranges::find(study.notes, "Timed in 2 sittings, each with its own passes to warm up.") != study.notes.end());
        QVERIFY(readStudyArrays(request.out).at("2.milliseconds").shape == (std::vector<std::int64_t>{2, 3, 4}));
        QVERIFY(!std::filesystem::exists(rounds)); // the results have them
        for (const StudyTable& table : study.tables) // as the tables of other kinds
            for (const StudyColumn& column : table.columns)
                QVERIFY2(column.title.size() < 3 || column.title[0] < 'a' || column.title[0] > 'z', column.title.c_str());
    }

    /// Times of two machines have no common median.
    void roundsOfAnotherPlanOrMachineAreNotMixed() {
        const std::filesystem::path folder = m_folder.filePath("kept").toStdString();
        Study study;
        study.models.push_back({"made", "", "0123", "2 layers"});
        models::EncoderTimes one;
        one.frontEnd = 0.5;
        one.total = 4;
        one.attention = {1, 0.25};
        one.layers = {2, 1};
        const std::vector<LatencyTimes> times{{{one}, {one}}};
        std::string note;
        LatencyRounds first(folder, study, {{"repeats", 3}});
        QVERIFY(first.find(note).empty() && note.empty());
        first.keep(times, false); // too soon
        QVERIFY(first.find(note).empty() && note.empty());
        first.keep(times, true);
        LatencyRounds again(folder, study, {{"repeats", 3}});
        const auto found = again.find(note);
        QVERIFY(note.empty() && found.size() == 1 && found[0].size() == 2 && found[0][1].size() == 1);
        QVERIFY(found[0][1][0].total == 4 && found[0][1][0].layers == one.layers && found[0][1][0].attention == one.attention);
        QCOMPARE(again.sittings(), 2);
        study.models[0].weightsHash = "4567";
        QVERIFY(LatencyRounds(folder, study, {{"repeats", 3}}).find(note).empty());
        QVERIFY2(note.find("measured again") != std::string::npos, note.c_str());
    }

    void spreadsAreQuartilesAndEnds() {
        const FiveNumbers found = fiveNumbers({5, 1, 3, 2, 4});
        QCOMPARE(found.median, 3.0);
        QCOMPARE(found.lower, 2.0);
        QCOMPARE(found.upper, 4.0);
        QCOMPARE(found.least, 1.0);
        QCOMPARE(found.most, 5.0);
        QCOMPARE(fiveNumbers({1, 2}).median, 1.5);
        QVERIFY(std::isnan(fiveNumbers({}).median));
    }

    void settingsOutOfRangeAreNamed() {
        QCOMPARE(latencyStudy({})->settings().at("lengths").size(), std::size_t(7));
        QVERIFY(latencyStudy({{"lengths", 64}})->settings().at("lengths") == nlohmann::json({64}));
        for (const nlohmann::json& wrong :
             {nlohmann::json{{"lengths", {96, 0}}}, nlohmann::json{{"lengths", nlohmann::json::array()}},
              nlohmann::json{{"repeats", 1}}, nlohmann::json{{"length", 96}}}) {
            const std::string key = wrong.begin().key();
            try {
                latencyStudy(wrong);
                QFAIL("accepted");
            } catch (const Error& error) {
                QCOMPARE(error.code(), std::string("study.setting"));
                QVERIFY2(std::string(error.what()).find("“" + key + "”") != std::string::npos, error.what());
            }
        }
    }
};

HEADROOM_TEST(LatencyTest)

} // namespace headroom::testing::latency_test

#include "latency_test.moc"
