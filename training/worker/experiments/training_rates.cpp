// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/experiments/training_rates.h"

#include "core/architecture/usual_length.h"
#include "core/audio/audio_file.h"
#include "core/errors/count_text.h"
#include "core/time/clocks.h"
#include "models/layers/device.h"
#include "training/data/random.h"
#include "training/loop/throughput.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <unistd.h>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMeasuredUpdates = 2, kUnknownSpeech = 1000, kUnknownText = 25;
constexpr double kQuiet = 0.8; // of the processors
constexpr double kTokensPerFrame = 0.035; // of a text that is spoken: 3.5 pieces a second
constexpr int kFirstPiece = 4;            // after <s>, <pad>, </s>, <unk>

/// A folder that is gone when the measurement ends.
class NoiseFolder {
public:
    NoiseFolder() : m_folder(fs::temp_directory_path() / ("headroom-rate-" + std::to_string(::getpid()))) {
        fs::create_directories(m_folder);
    }
    ~NoiseFolder() {
        std::error_code ignored;
        fs::remove_all(m_folder, ignored);
    }
    NoiseFolder(const NoiseFolder&) = delete;
    NoiseFolder& operator=(const NoiseFolder&) = delete;

    fs::path recording(std::int64_t frames, Random& random) const {
        constexpr std::int64_t kHop = 160, kWindow = 400;
        std::vector<float> samples(static_cast<std::size_t>((frames - 1) * kHop + kWindow));
        for (float& sample : samples)
            sample = static_cast<float>(random.share() * 0.2 - 0.1);
        const fs::path file = m_folder / "noise.wav";
        saveWav(file, samples, kModelSampleRate);
        return file;
    }

private:
    fs::path m_folder;
};

std::vector<int> randomPieces(std::int64_t count, int vocabulary, Random& random) {
    std::vector<int> pieces;
    for (std::int64_t i = 0; i < count; ++i)
        pieces.push_back(kFirstPiece + static_cast<int>(random.below(std::max(1, vocabulary - kFirstPiece))));
    return pieces;
}

/// As many utterances of the mean length as `batches` batches hold.
ExampleSet madeExamples(const ThroughputSetup& setup, std::int64_t mean, std::int64_t batches, const NoiseFolder& folder) {
    const Architecture& architecture = setup.architecture;
    const bool isSentence = architecture.languageModel.has_value();
    const bool isText = !isSentence && architecture.frontEnd.reads == InputKind::Text;
    const int vocabulary = architecture.decoder || isSentence ? architecture.vocabulary : architecture.ctc.value_or(0);
    Random random = randomFor(1, Purpose::Order, 0);
    Example one;
    one.frames = mean;
    if (!isSentence && !isText)
        one.audio = folder.recording(mean, random);
    std::int64_t count = setup.recipe.data.maxBatchFrames / mean;
    if (setup.recipe.data.maxBatchUtterances > 0)
        count = std::min(count, setup.recipe.data.maxBatchUtterances);
    const auto pieces = isSentence || isText ? mean - 1 : static_cast<std::int64_t>(std::lround(kTokensPerFrame * static_cast<double>(mean)));
    ExampleSet set;
    for (std::int64_t i = 0; i < std::max<std::int64_t>(1, count) * batches; ++i) {
        Example example = one;
        example.id = std::to_string(i);
        example.text = "-";
        example.target = randomPieces(pieces, vocabulary, random);
        if (isText)
            example.source = randomPieces(pieces, architecture.sourceVocabulary(), random);
        set.examples.push_back(std::move(example));
    }
    return set;
}

} // namespace

TrainingRate TrainingRates::of(const PlannedStep& training, const std::optional<CorpusExtent>& corpus) {
    if (m_given)
        return {*m_given};
    ThroughputSetup setup{training.architecture, training.recipe, {}, 1, 1, kMeasuredUpdates, {}};
    setup.architecture.name.clear(); // of two with other names, one is measured
    setup.architecture.source.clear();
    Recipe& recipe = setup.recipe;
    if (recipe.machine.precision == "auto")
        recipe.machine.precision = "fp32";
    recipe.optimiser.accumulate = 1;
    if (models::usedDeviceId() == "cpu")
        recipe.data.maxBatchFrames = std::min(recipe.data.maxBatchFrames, kMeasuredBatchFrames);
    const bool isText = readsText(training.architecture);
    const auto mean = std::max<std::int64_t>(
        isText ? 2 : recipe.data.minFrames,
        corpus ? std::llround(corpus->meanFrames()) : isText ? kUnknownText : kUnknownSpeech);
    const std::string key = canonicalText(setup.architecture) + nlohmann::json{recipe.loss.labelSmoothing > 0, recipe.loss.ctcWeight,
        recipe.loss.tokenCutoff, recipe.loss.rDrop, recipe.machine.precision, recipe.data.maxBatchFrames,
        recipe.data.maxBatchUtterances}.dump();
    if (const auto found = m_measured.find(key); found != m_measured.end())
        return found->second;
    setup.threads = recipe.machine.threads > 0 ? recipe.machine.threads
                                               : std::max<std::int64_t>(1, std::thread::hardware_concurrency());
    const NoiseFolder folder;
    setup.examples = madeExamples(setup, mean, kMeasuredUpdates + 1, folder);
    const Throughput measured = measureThroughput(setup);
    TrainingRate rate{measured.framesPerSecond()};
    if (models::usedDeviceId() == "cpu")
        rate.processorShare = std::min(1.0, measured.processorSeconds / (measured.seconds * static_cast<double>(setup.threads)));
    m_console.note(training.architecture.name + ": " + grouped(std::llround(rate.framesPerSecond)) + " frames/s (" +
                   recipe.machine.precision + ")" +
                   (rate.processorShare < kQuiet ? ", with " + std::to_string(std::lround(100 * rate.processorShare)) +
                                                       " % of the processors: other programs slow this down."
                                                 : "."));
    return m_measured[key] = rate;
}

} // namespace headroom::training
