// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/count_text.h"
#include "core/features/kaldi_pitch.h"
#include "core/tensors/npy.h"
#include "training/analysis/analysis_arrays.h"
#include "training/worker/commands.h"
#include "training/worker/recordings.h"

namespace headroom::training {

void features(const FeaturesOptions& options, Console& console) {
    makeFolder(options.out);
    const int columns = LogMelFilterbank::kBins + (options.pitch ? kPitchFeatures : 0);
    const auto one = [&](const std::filesystem::path& audio,
                         const std::optional<std::string>& name) -> nlohmann::json {
        const auto part = loadNoted(audio, console);
        LogMelFilterbank filterbank;
        Matrix<float> result = kaldiFeatures(filterbank, part.samples, columns);
        if (!options.raw)
            applyUtteranceCmvn(result);
        writeNpy(options.out / (*name + ".npy"), tensorOf(result).view());
        console.line(*name + ": " + counted(static_cast<std::int64_t>(result.rows()), "frame"));
        return {{"audio", audio.string()},
                {"npy", *name + ".npy"},
                {"frames", result.rows()},
                {"error", nullptr}};
    };
    const auto rows =
        forEachRecording(options.audio, true, console, {{"npy", nullptr}, {"frames", nullptr}}, one);
    console.document(
        {{"format", "headroom/features"}, {"version", 1}, {"raw", options.raw}, {"recordings", rows}});
}

} // namespace headroom::training
