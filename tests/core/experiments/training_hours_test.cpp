// SPDX-License-Identifier: GPL-3.0-or-later
// How much a training computes, by numbers that were worked out by hand.
#include "core/corpus/corpus.h"
#include "core/experiments/experiment_record.h"
#include "core/experiments/experiment_work.h"
#include "core/experiments/frames_text.h"
#include "core/experiments/training_hours.h"
#include "tests/support/made_corpus.h"
#include "tests/support/refusals.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::training_hours_test {

namespace {

Recipe recipe(std::int64_t batchFrames, std::int64_t batchUtterances, std::int64_t accumulate, std::int64_t updates, std::int64_t epochs) {
    Recipe made;
    made.data.maxBatchFrames = batchFrames;
    made.data.maxBatchUtterances = batchUtterances;
    made.optimiser.accumulate = accumulate;
    made.length = {updates, epochs, 0};
    return made;
}

ExperimentStep training(const char* task) {
    ExperimentStep step;
    step.task = task;
    return step;
}

} // namespace

class TrainingHoursTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void manyFramesAreMillions() {
        for (const auto& [frames, text] : {std::pair(0.0, "0"), std::pair(324'000.0, "324,000"), std::pair(1.2e6, "1.2 million"),
                                           std::pair(3.84e7, "38 million"), std::pair(1.6e10, "16,000 million")})
            QCOMPARE(framesText(frames), std::string(text));
    }

    /// 8 batches of 40,000 frames, 50,000 times: 16,000 million. At 10,000 frames a second that is 444.4 h.
    void updatesLimitTheWork() {
        const TrainingWork work = workOf(recipe(40000, 0, 8, 50000, 0), CorpusExtent{234000, 146880000});
        QCOMPARE(work.framesPerUpdate, 320000.0);
        QCOMPARE(work.updates, 50000.0);
        QCOMPARE(work.frames, 16e9);
        QVERIFY(std::abs(work.hours(10000) - 16e9 / 10000 / 3600) < 1e-9);
        QVERIFY(!work.atMost);
    }

    /// 40 utterances of 1,230 frames are 49,200, less than 144,000; 12 of these batches are 590,400.
    void utterancesLimitABatch() {
        const TrainingWork work = workOf(recipe(144000, 40, 12, 1000, 0), CorpusExtent{281241, 281241 * 1230.0});
        QCOMPARE(work.framesPerUpdate, 590400.0);
    }

    /// 100 epochs of 4,000,000 tokens are 400 million, at 8,192 an update 48,828 updates: fewer than 100,000.
    void epochsLimitTheWork() {
        const TrainingWork work = workOf(recipe(2048, 0, 4, 100000, 100), CorpusExtent{160000, 4e6});
        QCOMPARE(work.frames, 4e8);
        QCOMPARE(work.updates, 4e8 / 8192);
    }

    /// An update is never larger than the corpus: 3 epochs are 3 updates.
    void aSmallCorpusIsOneUpdate() {
        const TrainingWork work = workOf(recipe(40000, 0, 8, 500, 3), CorpusExtent{10, 5000});
        QCOMPARE(work.framesPerUpdate, 5000.0);
        QCOMPARE(work.updates, 3.0);
        QCOMPARE(work.frames, 15000.0);
    }

    void anUnknownCorpusOrPatienceBoundsTheWorkFromAbove() {
        Recipe patient = recipe(2048, 0, 4, 1000, 0);
        QVERIFY(workOf(patient, std::nullopt).atMost);
        QCOMPARE(workOf(patient, std::nullopt).frames, 1000 * 8192.0);
        patient.length.patience = 10;
        QVERIFY(workOf(patient, CorpusExtent{160000, 4e6}).atMost);
    }

    void whatTheRecipeLeavesOutIsNotCounted() {
        const CorpusExtent extent = extentOf({4, 5, 100, 3000, 3001}, Recipe()); // 5 to 3,000 frames
        QCOMPARE(extent.utterances, 3);
        QCOMPARE(extent.frames, 3105.0);
    }

    void publishedSizesAreOfWhatTheTaskReads() {
        ExperimentCorpus corpus;
        QVERIFY(!publishedExtent(corpus, training("asr"), 1));
        corpus.size = PublishedSize{1000, 5000.0, std::nullopt, 7000.0, 400, 9000.0, "a test"};
        QCOMPARE(publishedExtent(corpus, training("st"), 1)->frames, 500000.0); // 100 frames a second
        QCOMPARE(publishedExtent(corpus, training("lm"), 1)->frames, 7000.0);
        QCOMPARE(publishedExtent(corpus, training("lm_text"), 1)->frames, 9000.0);
        QCOMPARE(publishedExtent(corpus, training("lm_text"), 1)->utterances, 400);
        const auto tenth = publishedExtent(corpus, training("asr"), 0.1);
        QCOMPARE(tenth->utterances, 100);
        QCOMPARE(tenth->frames, 50000.0);
        corpus.isText = true;
        corpus.size->sourceTokens = 8000;
        QCOMPARE(publishedExtent(corpus, training("mt"), 1)->frames, 8000.0); // the longer side
    }

    /// A corpus with German and no test split: of 66 steps, its recogniser and five baselines can be trained. Nothing can be decoded
    /// or studied, and the local models need the study.
    void stepsThatTheCorporaDoNotAllowAreNotCounted() {
        const QTemporaryDir folder;
        const auto made = makeCorpus(folder.path().toStdString());
        const ExperimentFolders resources{HEADROOM_SOURCE_DIR "/resources", {}};
        const ExperimentPlan plan = planExperiment(readExperiment(experimentFile("locality-2", resources)), 5, 1, resources);
        const ExperimentCorpora corpora(plan, made);
        const ExperimentWork work = workOf(plan, &corpora);
        QCOMPARE(work.steps, 6);
        QCOMPARE(work.trainings.size(), std::size_t(6));
        QCOMPARE(work.studies + work.decodings, 0);
        QCOMPARE(work.leftOut.size(), std::size_t(60));
        QCOMPARE(work.leftOut.at("local-en-de-seed2"), std::string("It needs windows-en-de, which has no result."));
        QVERIFY(work.leftOut.at("asr-en-it").ends_with(" has no translation into “it”, only into “de”, which can stand in for it at a scale below 1."));
        double frames = 0; // an update takes the whole corpus, which is smaller than a batch
        const Corpus corpus = Corpus::open(made);
        for (const char* task : {"asr", "st_de", "st_de", "st_de", "st_de", "st_de"})
            for (const Utterance& utterance : corpus.utterances("train", task))
                frames += 50000.0 * static_cast<double>(utterance.frames->value());
        QCOMPARE(work.frames, frames);
        QCOMPARE(workOf(plan, nullptr).steps, 66);
        QCOMPARE(workOf(plan, nullptr).frames, 33 * 16e9);
        const QTemporaryDir empty;
        const ExperimentCorpora none(plan, empty.path().toStdString());
        QCOMPARE(workOf(plan, &none).frames, 33 * 16e9);
        QVERIFY(workOf(plan, &none).leftOut.empty());
        QCOMPARE(sentenceOf([&] { ExperimentCorpora(plan, made / "nosuch"); }), "The folder " + (made / "nosuch").string() + " does not exist.");
    }

    void theRecordOfAnExperimentSaysHowItWasBegun() {
        const QTemporaryDir folder;
        const std::filesystem::path out = folder.path().toStdString();
        QVERIFY(!readExperimentRecord(out));
        const auto write = [&](const std::string& text) { std::ofstream(out / "experiment.json") << text; };
        write(R"({"format": "headroom/experiment-run", "version": 1, "name": "locality-2", "folder": "/corpora", "seeds": 2, "scale": 0.00005, "data": {}})");
        const auto record = readExperimentRecord(out);
        QVERIFY(record && record->name == "locality-2" && record->data == "/corpora");
        QCOMPARE(record->seeds, 2);
        QCOMPARE(record->scale, 0.00005);
        for (const auto& [text, code] : {std::pair("{}", "experiment.badJson"), std::pair("{", "experiment.badJson"),
                                         std::pair(R"({"format": "headroom/experiment-run", "version": 2})", "experiment.newer"),
                                         std::pair(R"({"format": "headroom/experiment-run", "version": 1, "name": "a"})", "experiment.badJson")}) {
            write(text);
            QCOMPARE(codeOf([&] { readExperimentRecord(out); }), std::string(code));
        }
    }

    /// Every document that trains can be predicted without its data.
    void everyTrainingHasAPublishedSize() {
        const ExperimentFolders resources{HEADROOM_SOURCE_DIR "/resources", {}};
        int trainings = 0;
        for (const auto& file : experimentFiles(resources.resources)) {
            const ExperimentPlan plan = planExperiment(readExperiment(file), 1, 1, resources);
            for (const PlannedStep& planned : plan.steps) {
                if (planned.step.kind != ExperimentStep::Kind::Train)
                    continue;
                ++trainings;
                QVERIFY2(publishedExtent(*plan.experiment.corpus(planned.step.corpus), planned.step, 1),
                         (plan.experiment.name + " " + planned.id).c_str());
            }
        }
        QVERIFY(trainings > 100);
    }

    /// Shim et al. 2022 print 430 hours of A100 for the training of the first model: 200,000 updates of 480 utterances of 12.3 s.
    void theFramesOfShimAreThoseOfTheirUpdates() {
        const ExperimentFolders resources{HEADROOM_SOURCE_DIR "/resources", {}};
        const ExperimentPlan plan = planExperiment(readExperiment(experimentFile("shim-3", resources)), 1, 1, resources);
        const PlannedStep& planned = *plan.find("train-1h4x16-seed1");
        const auto extent = publishedExtent(plan.experiment.corpora.front(), planned.step, 1);
        const double expected = 200000.0 * 480 * 345924000 / 281241;
        QVERIFY(std::abs(workOf(planned.recipe, extent).frames - expected) < 1e-6 * expected);
    }
};

HEADROOM_TEST(TrainingHoursTest)

} // namespace headroom::testing::training_hours_test

#include "training_hours_test.moc"
