// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/recording_limits.h"

#include "core/errors/count_text.h"
#include "core/errors/error.h"
#include "core/features/recording_length.h"
#include "core/time/rounded_time.h"
#include "core/time/seconds_text.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace headroom::models {
namespace {

bool readsSamples(const ModelInfo& info) {
    return info.architecture.frontEnd.reads == InputKind::Waveform;
}

bool readsText(const ModelInfo& info) {
    return info.architecture.frontEnd.reads == InputKind::Text;
}

[[noreturn]] void refuseLongText(const ModelInfo& info, std::int64_t tokens) {
    throw Error("model.tooLong",
                info.name + " accepts texts of at most " + grouped(info.maxSourceFrames) + " tokens, but this one has " +
                    grouped(tokens) + (info.architecture.languageModel ? " with its start" : " with its end") +
                    ". Cut it into sentences.",
                {{"frames", tokens}, {"limit", info.maxSourceFrames}});
}

/// A column of whole numbers from 0 to the last piece.
void checkSource(const ModelInfo& info, MatrixView<const float> features) {
    const std::int64_t tokens = static_cast<std::int64_t>(features.rows());
    if (tokens < 1 || features.columns() != 1)
        throw Error("model.badFeatures", info.name + " reads the tokens of a text, one a row, and at least one.");
    if (tokens > info.maxSourceFrames)
        refuseLongText(info, tokens);
    const int pieces = info.architecture.sourceVocabulary();
    const auto last = static_cast<float>(pieces - 1);
    for (std::size_t row = 0; row < features.rows(); ++row)
        if (const float id = features.data()[row]; !(id >= 0 && id <= last && id == std::floor(id)))
            throw Error("model.badTokens", info.name + " has tokens 0 to " +
                                               std::to_string(pieces - 1) + ", but token " +
                                               std::to_string(row) + " of the source is " + std::to_string(id) + ".");
}

/// The frames (or samples) of the shortest input that has a token.
std::int64_t leastFrames(const ModelInfo& info) {
    std::int64_t frames = 1;
    while (info.clock.tokenCount(Frames(frames)).value() < 1)
        ++frames;
    return frames;
}

/// The shortest recording that has so many frames. Frames that are centred reach beyond it.
Samples shortestRecording(const ModelInfo& info, std::int64_t frames) {
    return longestRecording(info.architecture.frontEnd.input(), frames - 1) + Samples(1);
}

/// Fewer samples than the convolutions read for their first token.
[[noreturn]] void refuseTooShort(const ModelInfo& info, std::int64_t frames) {
    const std::int64_t needed = leastFrames(info);
    char least[32];
    std::snprintf(least, sizeof least, "%.1f ms", roundedTime(1000 * kModelSampleRate.duration(shortestRecording(info, needed)).value(), 1));
    const std::string text = " needs at least " + counted(needed, readsSamples(info) ? "sample" : "frame") + " (" + least +
                             ") for one token, but this recording has " + grouped(frames) + ".";
    throw Error("model.tooShort", info.name + text, {{"frames", frames}, {"needed", needed}});
}

[[noreturn]] void refuseTooLong(const ModelInfo& info, MatrixView<const float> features) {
    const ModelInput input = info.architecture.frontEnd.input();
    const std::int64_t limit = info.maxSourceFrames * framesInRow(input), frames = framesIn(input, features).value();
    const double seconds = secondsOf(info, ownFrames(info, features));
    const Samples longest = longestRecording(input, info.maxSourceFrames);
    const std::string text = " accepts at most " + grouped(limit) + (readsSamples(info) ? " samples (" : " frames (") +
                             secondsText(kModelSampleRate.duration(longest)) + "), but this recording has " + grouped(frames) + " (" +
                             secondsText(Seconds(seconds)) + "). Select a part of it.";
    throw Error("model.tooLong", info.name + text, {{"frames", frames}, {"limit", limit}, {"seconds", seconds}});
}

} // namespace

std::int64_t ownFrames(const ModelInfo& info, MatrixView<const float> features) {
    return static_cast<std::int64_t>(features.rows()) - info.architecture.frontEnd.input().rowsBehind();
}

double secondsOf(const ModelInfo& info, std::int64_t frames) {
    const FrameClock clock = info.architecture.frontEnd.input().clock();
    return clock.step().value() * static_cast<double>(frames - 1) + clock.length().value();
}

Matrix<float> featuresOf(const ModelInfo& info, std::span<const float> samples) {
    const ModelInput input = info.architecture.frontEnd.input();
    const auto count = Samples(static_cast<std::int64_t>(samples.size()));
    try {
        return modelFeatures(samples, input);
    } catch (const Error& error) {
        const auto needed = error.values().find("needed");
        if (error.code() == "features.tooShort" && needed != error.values().end() &&
            shortestRecording(info, leastFrames(info)).value() > needed->get<std::int64_t>())
            refuseTooShort(info, std::max<std::int64_t>(0, ownRows(input, count)));
        constexpr std::string_view kUnnamed = "This model ";
        if (const std::string sentence = error.what(); error.code() == "features.tooLong" && sentence.starts_with(kUnnamed))
            throw Error(error.code(), info.name + " " + sentence.substr(kUnnamed.size()), error.values());
        throw;
    }
}

void checkFeatures(const ModelInfo& info, MatrixView<const float> features) {
    if (readsText(info))
        return checkSource(info, features);
    const std::int64_t frames = ownFrames(info, features);
    const auto expected = static_cast<std::size_t>(info.architecture.frontEnd.features);
    if (features.empty() || features.columns() != expected)
        throw Error("model.badFeatures",
                    info.name + " reads at least one frame of " + std::to_string(expected) +
                        " features, but got " + std::to_string(frames) + " of " +
                        std::to_string(features.columns()) + ".",
                    {{"frames", frames}, {"features", features.columns()}});
    if (frames > info.maxSourceFrames)
        refuseTooLong(info, features);
    if (info.clock.tokenCount(Frames(frames)).value() < 1)
        refuseTooShort(info, frames);
    const float* end = features.data() + features.rows() * features.columns();
    const float* bad = std::find_if_not(features.data(), end, [](float value) { return std::isfinite(value); });
    if (bad != end)
        throw Error("model.badFeatures",
                    "Frame " + std::to_string((bad - features.data()) / static_cast<std::ptrdiff_t>(expected)) +
                        " of the features contains a number that is not finite.");
}

bool isTooLong(const Error& error) {
    return error.code() == "features.tooLong" || error.code() == "model.tooLong";
}

Error withAdvice(const Error& error, const std::string& advice) {
    if (!isTooLong(error))
        return error;
    constexpr std::string_view kSelect = " Select a part of it.";
    std::string sentence = error.what();
    if (sentence.ends_with(kSelect))
        sentence.resize(sentence.size() - kSelect.size());
    return Error(error.code(), advice.empty() ? sentence : sentence + " " + advice, error.values());
}

void checkTokens(const ModelInfo& info, const std::vector<int>& tokens) {
    if (tokens.empty() || static_cast<std::int64_t>(tokens.size()) > info.maxTargetTokens)
        throw Error("model.badTokens", info.name + " takes 1 to " + std::to_string(info.maxTargetTokens) +
                                           " target tokens, but got " + std::to_string(tokens.size()) + ".");
    for (const int token : tokens)
        if (token < 0 || token >= info.architecture.vocabulary)
            throw Error("model.badTokens", info.name + " has tokens 0 to " +
                                               std::to_string(info.architecture.vocabulary - 1) +
                                               ", but got " + std::to_string(token) + ".");
}

void requireFinite(const ModelInfo& info, const at::Tensor& output) {
    if (output.numel() > 0) // of finite floats the sum is finite in double
        requireFiniteSum(info, output.sum(at::kDouble).item<double>());
}

void requireFiniteSum(const ModelInfo& info, double sum) {
    if (!std::isfinite(sum))
        throw Error("model.notFinite", info.name + " computes numbers that are not finite (NaN or infinity) from this input, "
                                                   "so it has no result. Its weights may be damaged.");
}

} // namespace headroom::models
