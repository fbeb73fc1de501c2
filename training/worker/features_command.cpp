// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/count_text.h"
#include "core/features/features.h"
#include "core/tensors/npy.h"
#include "training/worker/analysis_arrays.h"
#include "training/worker/commands.h"
#include "training/worker/recordings.h"

namespace headroom::training {

void features(const FeaturesOptions& options, Console& console) {
    makeFolder(options.out);
    const auto names = resultNames(options.audio);
    const auto total = static_cast<std::int64_t>(options.audio.size());
    auto rows = nlohmann::json::array();
    for (std::size_t index = 0; index < options.audio.size(); ++index) {
        const auto& audio = options.audio[index];
        console.progress(static_cast<std::int64_t>(index), total, audio.filename().string());
        nlohmann::json row{
            {"audio", audio.string()}, {"npy", nullptr}, {"frames", nullptr}, {"error", nullptr}};
        try {
            if (!names[index])
                throw Error("output.nameTaken", nameTaken(audio));
            const auto part = loadPart(audio);
            for (const auto& warning : part.warnings)
                console.note(warning.sentence);
            const auto result =
                options.raw ? LogMelFilterbank().compute(part.samples) : modelFeatures(part.samples);
            writeNpy(options.out / (*names[index] + ".npy"), tensorOf(result).view());
            row["npy"] = *names[index] + ".npy";
            row["frames"] = result.rows();
            console.line(*names[index] + ": " + counted(static_cast<std::int64_t>(result.rows()), "frame"));
        } catch (const Error& error) {
            row["error"] = sentenceAbout(audio, error);
            console.problem(row["error"].get<std::string>());
        }
        rows.push_back(std::move(row));
    }
    console.document(
        {{"format", "headroom/features"}, {"version", 1}, {"raw", options.raw}, {"recordings", rows}});
}

} // namespace headroom::training
