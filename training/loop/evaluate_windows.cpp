// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/evaluate_windows.h"

#include "core/audio/audio_file.h"
#include "training/loop/batch_loss.h"

#include <algorithm>

namespace headroom::training {

namespace {

/// The next windows of a recording, as a batch without targets.
Batch windowBatch(std::span<const float> samples, std::span<const WindowSpan> spans, const ModelInput& input,
                  const std::shared_ptr<const TextForm>& form) {
    Batch batch;
    batch.form = form;
    batch.bins = input.features;
    std::vector<Matrix<float>> features;
    for (const WindowSpan& span : spans) {
        features.push_back(batchFeatures(
            samples.subspan(static_cast<std::size_t>(span.start), static_cast<std::size_t>(span.count)),
            input));
        batch.frames.push_back(static_cast<std::int64_t>(features.back().rows()));
        batch.longest = std::max(batch.longest, batch.frames.back());
        batch.bins = static_cast<std::int64_t>(features.back().columns());
    }
    const auto each = static_cast<std::size_t>(batch.longest * batch.bins);
    batch.features.assign(each * features.size(), 0.0F);
    for (std::size_t i = 0; i < features.size(); ++i)
        std::copy(features[i].values().begin(), features[i].values().end(),
                  batch.features.begin() + static_cast<std::ptrdiff_t>(i * each));
    return batch;
}

} // namespace

std::vector<Example> takeLongRecordings(ExampleSet& set, const WindowSettings& windows) {
    const auto isShort = [&](const Example& example) {
        return static_cast<double>(example.frames) * FrameClock().step().value() <= windows.window;
    };
    const auto from = std::stable_partition(set.examples.begin(), set.examples.end(), isShort);
    std::vector<Example> recordings(std::make_move_iterator(from),
                                    std::make_move_iterator(set.examples.end()));
    set.examples.erase(from, set.examples.end());
    return recordings;
}

std::vector<LongText> decodeLongRecordings(const models::Checkpoint& model, const std::vector<Example>& recordings,
                                           const WindowSettings& windows, const Tokenizer& tokenizer,
                                           const ValidationOptions& options) {
    constexpr std::size_t kTogether = 8;
    const Architecture& architecture = model.info.architecture;
    std::vector<LongText> texts;
    const auto total = static_cast<std::int64_t>(recordings.size());
    for (const Example& example : recordings) {
        const Recording recording = loadRecording(example.audio);
        const std::span<const float> samples(recording.samples);
        const auto spans =
            windowSpans(Samples(static_cast<std::int64_t>(samples.size())), kModelSampleRate, windows);
        std::vector<std::string> parts;
        LongText whole;
        for (const WindowSpan& span : spans)
            whole.windows.push_back({kModelSampleRate.duration(Samples(span.start)),
                                     kModelSampleRate.duration(Samples(span.start + span.count)), {}});
        for (std::size_t at = 0; at < spans.size(); at += kTogether) {
            if (options.progress)
                options.progress(static_cast<std::int64_t>(texts.size()), total);
            if (options.stop && options.stop->load())
                throw Stopped();
            const Batch batch =
                windowBatch(samples, std::span(spans).subspan(at, std::min(kTogether, spans.size() - at)),
                            architecture.frontEnd.input(), example.form);
            if (options.decoder)
                for (auto& found : decodeBatch(model.parameters, architecture, batch, *options.decoder)) {
                    parts.push_back(found.empty() ? std::string() : tokenizer.decode(found.front().ids));
                    whole.windows[parts.size() - 1].best = std::move(found);
                }
            else
                for (const auto& ids :
                     greedyBatch(model.parameters, architecture, batch, options.recipe.validation.maxTokens))
                    parts.push_back(tokenizer.decode(ids));
        }
        whole.text = stitchTexts(parts, windows.overlap / windows.window);
        texts.push_back(std::move(whole));
    }
    return texts;
}

} // namespace headroom::training
