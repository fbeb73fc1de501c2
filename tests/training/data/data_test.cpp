// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "tests/training/worker/tone_corpus.h"
#include "training/data/batching.h"
#include "training/data/loader.h"
#include "training/data/spec_augment.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <algorithm>
#include <numeric>

namespace headroom::testing::data_test {

using namespace headroom::training;

namespace {

const std::filesystem::path kTokenizer =
    std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/data/s2t-reference/sentencepiece.bpe.model";

std::string refusal(const std::function<void()>& action, const std::string& code) {
    try {
        action();
    } catch (const Error& error) {
        return error.code() == code ? error.what() : "wrong code " + error.code();
    }
    return "nothing was refused";
}

/// χ² of counts that should be equal, over its degrees of freedom.
double unevenness(const std::vector<int>& counts) {
    const double mean =
        std::accumulate(counts.begin(), counts.end(), 0.0) / static_cast<double>(counts.size());
    double sum = 0;
    for (const int count : counts)
        sum += (count - mean) * (count - mean) / mean;
    return sum / static_cast<double>(counts.size() - 1);
}

} // namespace

class DataTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void batchesAreFilledLongestFirst();
    void epochsShuffleTheSameBatches();
    void masksAreDrawnAsNumpyDraws();
    void masksStayInsideShortUtterances();
    void adaptiveMasksGrowWithTheUtterance();
    void maskedBinsAndFramesAreZero();
    void unusableUtterancesAreLeftOutWithASentence();
    void unknownLettersAreRefusedOrKept();
    void batchesDoNotDependOnTheNumberOfThreads();
    void framesAreCountedAsRecipesCountThem();
    void augmentationFollowsSeedAndEpoch();
    void aCorpusThatLiesAboutLengthsIsSaid();
    void theHashSeesTextsAndRecordings();

private:
    Corpus open() const { return Corpus::open(m_corpus->folder()); }
    ExampleSet read(const Recipe& recipe, bool forTraining = true) const {
        return readExamples(open(), recipe, "train", forTraining, *m_tokenizer, m_unknown);
    }

    QTemporaryDir m_place;
    std::unique_ptr<testing::ToneCorpus> m_corpus;
    std::unique_ptr<Tokenizer> m_tokenizer;
    int m_unknown = 0;
};

void DataTest::initTestCase() {
    m_corpus = std::make_unique<testing::ToneCorpus>(m_place.path().toStdString() + "/corpus", 12, 2);
    m_tokenizer = std::make_unique<Tokenizer>(kTokenizer);
    m_unknown = checkTokenIds(*m_tokenizer, kTokenizer);
}

void DataTest::batchesAreFilledLongestFirst() {
    using Lists = std::vector<std::vector<std::int64_t>>;
    // 5 · 2 ≤ 10, 5 · 3 > 10; equals keep their order.
    QCOMPARE(makeBatches({3, 5, 3, 5, 2}, 10, 0), (Lists{{1, 3}, {0, 2, 4}}));
    QCOMPARE(makeBatches({3, 5, 3, 5, 2}, 10, 1), (Lists{{1}, {3}, {0}, {2}, {4}}));
    QCOMPARE(makeBatches({20, 1}, 10, 0), (Lists{{0}, {1}}));
    QVERIFY(makeBatches({}, 10, 0).empty());
}

void DataTest::epochsShuffleTheSameBatches() {
    const auto first = epochOrder(50, 1, 1);
    QCOMPARE(epochOrder(50, 1, 1), first);
    QVERIFY(epochOrder(50, 1, 2) != first);
    QVERIFY(epochOrder(50, 2, 1) != first);
    auto sorted = first;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::int64_t> all(50);
    std::iota(all.begin(), all.end(), 0);
    QCOMPARE(sorted, all);
}

void DataTest::masksAreDrawnAsNumpyDraws() {
    constexpr int kDraws = 200000;
    constexpr std::int64_t kFrames = 500, kBins = 80;
    const Recipe::Augmentation recipe; // LB: F 27, T 100
    Random random = randomFor(1, Purpose::Augmentation);
    std::vector<int> bins(28), frames(101), startsOfWidth10(80);
    for (int i = 0; i < kDraws; ++i) {
        const auto masks = drawMasks(recipe, kFrames, kBins, random);
        QCOMPARE(masks.frequency.size(), std::size_t(1));
        QCOMPARE(masks.time.size(), std::size_t(1));
        const Mask band = masks.frequency[0], time = masks.time[0];
        ++bins[static_cast<std::size_t>(band.width)];
        ++frames[static_cast<std::size_t>(time.width)];
        QVERIFY(band.start >= 0 && band.start < kBins - band.width);
        QVERIFY(time.start >= 0 && time.start < kFrames - time.width);
        if (band.width == 10)
            ++startsOfWidth10[static_cast<std::size_t>(band.start)];
    }
    // Widths 0 … 26 and 0 … 99, all equally often; 27 and 100 never.
    QCOMPARE(bins.back(), 0);
    QCOMPARE(frames.back(), 0);
    bins.pop_back();
    frames.pop_back();
    QVERIFY2(unevenness(bins) < 2, std::to_string(unevenness(bins)).c_str());
    QVERIFY2(unevenness(frames) < 1.6, std::to_string(unevenness(frames)).c_str());
    // Starts 0 … 80 − 10 − 1.
    QCOMPARE(std::accumulate(startsOfWidth10.begin() + 70, startsOfWidth10.end(), 0), 0);
    startsOfWidth10.resize(70);
    QVERIFY2(unevenness(startsOfWidth10) < 1.7, std::to_string(unevenness(startsOfWidth10)).c_str());
}

void DataTest::masksStayInsideShortUtterances() {
    Recipe::Augmentation recipe;
    recipe.timeShare = 0.2;
    Random random = randomFor(1, Purpose::Augmentation);
    std::int64_t widest = 0;
    for (int i = 0; i < 2000; ++i)
        for (const Mask mask : drawMasks(recipe, 50, 80, random).time)
            widest = std::max(widest, mask.width);
    QCOMPARE(widest, 9);                                    // ⌊0.2 · 50⌋ − 1
    QVERIFY(drawMasks(recipe, 4, 80, random).time.empty()); // ⌊0.2 · 4⌋ = 0
    recipe.timeShare = 1;
    for (const std::int64_t frames : {1, 2, 5})
        for (int i = 0; i < 100; ++i)
            for (const Mask mask : drawMasks(recipe, frames, 80, random).time)
                QVERIFY(mask.start >= 0 && mask.start + mask.width <= frames);
    recipe.frequencyMasks = recipe.timeMasks = 2;
    QCOMPARE(drawMasks(recipe, 500, 80, random).time.size(), std::size_t(2));
}

void DataTest::adaptiveMasksGrowWithTheUtterance() { // Park et al. 2020: p_M = p_S = 0.04, at most 20
    Recipe::Augmentation recipe;
    recipe.timeMasks = 20;
    recipe.timeMasksShare = recipe.timeShare = 0.04;
    recipe.timeWidth = 100000;
    Random random = randomFor(1, Purpose::Augmentation);
    for (const auto& [frames, count] : {std::pair{24, 0}, {25, 1}, {130, 5}, {499, 19}, {500, 20}, {3000, 20}}) {
        const auto masks = drawMasks(recipe, frames, 80, random).time;
        QCOMPARE(masks.size(), static_cast<std::size_t>(count));
        for (const Mask& mask : masks)
            QVERIFY(mask.width < frames * 4 / 100);
    }
}

void DataTest::maskedBinsAndFramesAreZero() {
    Matrix<float> features(6, 5, 1.0F);
    applyMasks({{{1, 2}}, {{4, 1}, {0, 0}}}, features.view());
    for (std::size_t row = 0; row < 6; ++row)
        for (std::size_t column = 0; column < 5; ++column) {
            const bool masked = row == 4 || column == 1 || column == 2;
            QCOMPARE(features(row, column), masked ? 0.0F : 1.0F);
        }
}

void DataTest::unusableUtterancesAreLeftOutWithASentence() {
    auto& rows = m_corpus->utterances("train");
    const auto before = rows;
    rows[0].text = "  ";
    rows[1].text = "";
    Recipe recipe;
    recipe.data.minFrames = 45;
    recipe.data.maxFrames = 70;
    m_corpus->write("train");
    const ExampleSet set = read(recipe);
    for (const Example& example : set.examples)
        QVERIFY(example.frames >= 45 && example.frames <= 70 && !example.text.empty());
    QVERIFY(std::any_of(set.notes.begin(), set.notes.end(), [](const std::string& note) {
        return note == "2 utterances of “train” left out: there is no text (the first is train0).";
    }));
    QVERIFY(set.notes.size() >= 2);
    // Validation leaves long ones in, unless they do not fit into a batch.
    recipe.data.minFrames = 1;
    QCOMPARE(read(recipe, false).examples.size(), rows.size() - 2);
    recipe.data.maxBatchFrames = 70;
    for (const Example& example : read(recipe, false).examples)
        QVERIFY(recipe.data.limits().validation.contains(example.frames) && example.frames <= 70);
    recipe.data.maxBatchFrames = 40000;
    recipe.data.minFrames = 3000;
    recipe.data.maxFrames = 3001;
    QVERIFY(refusal([&] { read(recipe); }, "data.empty").find("shorter than 3,000 frames") !=
            std::string::npos);
    rows = before;
    m_corpus->write("train");
}

void DataTest::unknownLettersAreRefusedOrKept() {
    auto& rows = m_corpus->utterances("train");
    const auto before = rows;
    rows[2].text = "her 鬱 village";
    m_corpus->write("train");
    Recipe recipe;
    const std::string said = refusal([&] { read(recipe); }, "data.unknownPieces");
    QVERIFY2(said.find("train2") != std::string::npos && said.find("鬱") != std::string::npos, said.c_str());
    recipe.data.unknownPieces = "keep";
    const ExampleSet set = read(recipe);
    QCOMPARE(set.examples.size(), rows.size());
    QCOMPARE(set.notes.size(), std::size_t(1));
    rows = before;
    m_corpus->write("train");
}

void DataTest::batchesDoNotDependOnTheNumberOfThreads() {
    const Recipe recipe;
    const ExampleSet set = read(recipe);
    std::vector<std::int64_t> frames;
    for (const Example& example : set.examples)
        frames.push_back(example.frames);
    const auto batches = makeBatches(frames, 200, 0);
    QVERIFY(batches.size() > 3);
    std::vector<std::vector<float>> reference;
    for (const std::int64_t threads : {1, 2, 4})
        for (const std::int64_t megabytes : {0, 100}) {
            FeatureCache cache(megabytes);
            BatchLoader loader(set.examples, cache, batches, threads, 80, &recipe.augmentation, 7, 3);
            std::vector<std::vector<float>> found;
            std::size_t index = 0;
            while (const auto batch = loader.next()) {
                QCOMPARE(batch->examples, batches[index++]);
                QCOMPARE(batch->longest, *std::max_element(batch->frames.begin(), batch->frames.end()));
                found.push_back(batch->features);
            }
            if (reference.empty())
                reference = found;
            QVERIFY(found == reference);
        }
}

/// Of samples too: the speed of a run is compared with those of others, and multiplied by what a recipe computes.
void DataTest::framesAreCountedAsRecipesCountThem() {
    const ExampleSet set = read(Recipe());
    const std::int64_t frames = set.examples[0].frames + set.examples[1].frames;
    ModelInput samples;
    samples.kind = InputKind::Waveform;
    samples.features = 1;
    for (const ModelInput& input : {ModelInput(), samples}) {
        FeatureCache cache(100, input);
        BatchLoader loader(set.examples, cache, {{0, 1}}, 1, input.features, nullptr, 1, 1);
        const auto batch = loader.next();
        QCOMPARE(batch->sourceFrames, frames);
        QCOMPARE(batch->longest > 100 * frames / 2, input.kind == InputKind::Waveform);
    }
}

void DataTest::augmentationFollowsSeedAndEpoch() {
    const Recipe recipe;
    const ExampleSet set = read(recipe);
    const auto featuresOf = [&](const Recipe::Augmentation* augmentation, std::uint64_t seed,
                                std::int64_t epoch) {
        FeatureCache cache(100);
        return BatchLoader(set.examples, cache, {{0, 1, 2}}, 1, 80, augmentation, seed, epoch)
            .next()
            ->features;
    };
    const auto plain = featuresOf(nullptr, 1, 1), first = featuresOf(&recipe.augmentation, 1, 1);
    QVERIFY(first != plain);
    QVERIFY(first != featuresOf(&recipe.augmentation, 1, 2));
    QVERIFY(first != featuresOf(&recipe.augmentation, 2, 1));
    QVERIFY(first == featuresOf(&recipe.augmentation, 1, 1));
    for (std::size_t i = 0; i < plain.size(); ++i)
        QVERIFY(first[i] == plain[i] || first[i] == 0);
}

void DataTest::aCorpusThatLiesAboutLengthsIsSaid() {
    ExampleSet set = read(Recipe());
    set.examples[0].frames += 5;
    FeatureCache cache(100);
    BatchLoader loader(set.examples, cache, {{1}, {0}, {2}}, 2, 80, nullptr, 1, 1);
    QVERIFY(loader.next());
    const std::string said = refusal([&] { loader.next(); }, "data.frames");
    QVERIFY2(said.find("Utterance train0: the corpus states") == 0, said.c_str());
}

void DataTest::theHashSeesTextsAndRecordings() {
    ExampleSet set = read(Recipe());
    const std::string hash = hashOf({&set});
    QCOMPARE(hash.size(), std::size_t(64));
    QCOMPARE(hashOf({&set}), hash);
    set.examples[3].target.back() += 1;
    QVERIFY(hashOf({&set}) != hash);
    set.examples[3].target.back() -= 1;
    std::swap(set.examples[0], set.examples[1]);
    QVERIFY(hashOf({&set}) != hash);
}

HEADROOM_TEST(DataTest)

} // namespace headroom::testing::data_test

#include "data_test.moc"
