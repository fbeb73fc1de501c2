// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/runs/recipe.h"
#include "core/tensors/scratch_folder.h"
#include "models/layers/parameters.h"
#include "tests/benchmarks/bench_decoding.h"
#include "tests/benchmarks/measure.h"
#include "training/data/batching.h"
#include "training/data/loader.h"
#include "training/data/random.h"
#include "training/loop/throughput.h"

#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace headroom::benchmarks {
namespace {

namespace fs = std::filesystem;
using training::Example;

constexpr int kRate = 16000;

/// A voice without words: a tone that glides, its overtones, and noise.
std::vector<float> madeSound(std::int64_t samples, std::uint64_t seed) {
    training::Random random{2, seed};
    std::vector<float> sound(static_cast<std::size_t>(samples));
    double phase = 0;
    for (std::size_t i = 0; i < sound.size(); ++i) {
        phase += 2 * std::numbers::pi * (150 + 50 * std::sin(static_cast<double>(i) * 3e-4)) / kRate;
        sound[i] = static_cast<float>(0.2 * std::sin(phase) + 0.1 * std::sin(3 * phase) + 0.02 * (random.share() - 0.5));
    }
    return sound;
}

void writeFlac(const fs::path& file, const std::vector<float>& samples) {
    SF_INFO info{};
    info.samplerate = kRate;
    info.channels = 1;
    info.format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16;
    SNDFILE* out = sf_open(file.c_str(), SFM_WRITE, &info);
    sf_writef_float(out, samples.data(), static_cast<sf_count_t>(samples.size()));
    sf_close(out);
}

/// Utterances of 4 to 12 s, as those of the demo recipe.
std::vector<std::int64_t> madeLengths(int count) {
    training::Random random{3};
    std::vector<std::int64_t> lengths;
    for (int i = 0; i < count; ++i)
        lengths.push_back(kRate * 4 + random.below(kRate * 8));
    return lengths;
}

Example exampleOf(const fs::path& audio, std::int64_t samples) {
    Example example;
    example.id = audio.filename().string();
    example.audio = audio;
    example.frames = 1 + (samples - 400) / 160;
    example.text = "text";
    for (std::int64_t i = 0; i < samples / 4000; ++i) // four tokens a second
        example.target.push_back(4 + static_cast<int>(i % 200));
    return example;
}

/// Frames per second of two loader threads, without a cache.
double loadedPerSecond(const std::vector<Example>& examples, const Recipe& recipe, int features) {
    training::FeatureCache cache(0);
    std::vector<std::int64_t> frames;
    for (const Example& example : examples)
        frames.push_back(example.frames);
    std::int64_t loaded = 0;
    const double seconds = secondsOf([&] {
        training::BatchLoader loader(examples, cache, training::makeBatches(frames, recipe.data.maxBatchFrames, 0), 2,
                                     features, &recipe.augmentation, 1, 1);
        while (const auto batch = loader.next())
            loaded += batch->sourceFrames;
    });
    return static_cast<double>(loaded) / seconds;
}

} // namespace

void benchmarkLoading(bool quick, const std::function<void(const BenchmarkRow&)>& report) {
    const Threads two(2);
    const ScratchFolder folder("headroom-bench", "bench.temporary");
    const fs::path resources = fs::path(HEADROOM_SOURCE_DIR) / "resources/recipes";
    const auto lengths = madeLengths(quick ? 4 : 400); // about 53 minutes
    std::vector<Example> wav, flac, parts;
    std::vector<float> talk;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const auto sound = madeSound(lengths[i], i);
        const fs::path stem = folder.path() / std::to_string(i);
        saveWav(stem.string() + ".wav", sound, kModelSampleRate);
        writeFlac(stem.string() + ".flac", sound);
        wav.push_back(exampleOf(stem.string() + ".wav", lengths[i]));
        flac.push_back(exampleOf(stem.string() + ".flac", lengths[i]));
        const AudioName part{folder.path() / "talk.flac", AudioPart{static_cast<std::int64_t>(talk.size()), lengths[i]}};
        parts.push_back(exampleOf(part.path(), lengths[i]));
        talk.insert(talk.end(), sound.begin(), sound.end());
    }
    writeFlac(folder.path() / "talk.flac", talk);
    saveWav(folder.path() / "talk.wav", talk, kModelSampleRate);
    auto wavParts = parts;
    for (Example& example : wavParts) {
        AudioName name = audioName(example.audio);
        name.file.replace_extension(".wav");
        example.audio = name.path();
    }

    training::ThroughputSetup setup;
    setup.architecture = readArchitecture(resources / "demo.architecture.json");
    setup.recipe = readRecipe(resources / "demo.json");
    setup.recipe.machine.precision = "fp32";
    setup.examples.examples = wav;
    setup.threads = 2;
    setup.updates = quick ? 1 : 8;
    const double trained = training::measureThroughput(setup).framesPerSecond();
    const int features = setup.architecture.frontEnd.features;
    for (const auto& [name, examples] : {std::pair<const char*, const std::vector<Example>*>{"WAV files", &wav},
                                         {"FLAC files", &flac},
                                         {"segments of a long WAV", &wavParts},
                                         {"segments of a long FLAC", &parts}}) {
        const double loaded = loadedPerSecond(*examples, setup.recipe, features);
        report({std::string("loading, two threads: ") + name, loaded, trained, "frames/s",
                "what the demo recipe trains on, two threads", loaded / trained, "wanted: 20 times; nothing is cached"});
    }
}

} // namespace headroom::benchmarks
