// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/study_folder.h"

#include "core/tensors/atomic_file.h"
#include "core/tensors/npy.h"
#include "training/studies/input.h"

#include <algorithm>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

void writeArrays(const fs::path& file, const StudyArrays& arrays) {
    NpzWriter writer(file);
    for (const auto& [name, tensor] : arrays)
        writer.add(name, tensor.view());
    writer.close();
}

Tensor tensorOf(const Matrix<float>& matrix) {
    return Tensor::of<float>(
        {static_cast<std::int64_t>(matrix.rows()), static_cast<std::int64_t>(matrix.columns())},
        matrix.values());
}

/// The measured utterance with this id, or one of median length, since the first may be a single word; null: there is none.
const StudyUtterance* exampleOf(const Study& study, const std::string& wanted) {
    std::vector<const StudyUtterance*> measured;
    for (const StudyUtterance& utterance : study.utterances)
        if (utterance.error.empty() && (wanted.empty() || utterance.id == wanted))
            measured.push_back(&utterance);
    if (measured.empty())
        return nullptr;
    if (!wanted.empty())
        return measured.front();
    std::stable_sort(measured.begin(), measured.end(),
                     [](const StudyUtterance* a, const StudyUtterance* b) { return a->tokens < b->tokens; });
    return measured[(measured.size() - 1) / 2];
}

} // namespace

void writeStudyResults(const fs::path& folder, const StudyResults& results) {
    const StudyPaths paths{folder};
    writeArrays(paths.results(), results.arrays);
    if (!results.places.empty())
        writeArrays(paths.places(), results.places);
    std::error_code problem;
    fs::create_directories(paths.tables(), problem);
    if (problem)
        throw Error("study.unwritable", "The folder " + paths.tables().string() +
                                            " could not be created: " + problem.message() + ".");
    for (const StudyTable& table : results.tables) {
        const auto write = [&](const char* ending, const std::string& text) {
            writeAtomically(paths.tables() / (table.name + ending), std::string_view(text),
                            "study.unwritable");
        };
        write(".csv", csvText(table));
        write(".tex", latexText(table));
    }
}

std::string writeStudyExample(const fs::path& folder, const Study& study, const std::string& wanted,
                              std::span<const std::unique_ptr<LayerSource>> sources,
                              const models::CancelFlag& cancel) {
    const StudyUtterance* chosen = exampleOf(study, wanted);
    if (!chosen)
        throw Error("study.setting",
                    "The setting “example” is the id of an utterance that was measured, not “" + wanted +
                        "”.");
    StudyArrays arrays;
    const auto index = static_cast<int>(chosen - study.utterances.data());
    for (std::size_t m = 0; m < sources.size(); ++m) {
        double seconds = 0;
        const StudyInput input =
            loadInput(index, *chosen, AlignmentUse::None, *sources[m], PhoneMap(), seconds);
        const std::string model = std::to_string(m + 1) + ".";
        models::AnalysisOptions options;
        options.checkedRows = 0;
        options.headProfiles = false;
        const auto result = sources[m]->analyse(
            input, options,
            [&](models::LayerAnalysis&& layer) {
                if (!layer.contributions.empty())
                    arrays[model + "layer." + std::to_string(layer.layer) + ".contributions"] =
                        tensorOf(layer.contributions);
            },
            &cancel);
        const TokenClock clock = sources[m]->clock();
        std::vector<double> centres;
        for (std::int64_t token = 0; token < result.tokens; ++token)
            centres.push_back(clock.centre(Tokens(token)).value());
        arrays[model + "token_seconds"] = Tensor::of<double>({result.tokens}, centres);
    }
    writeArrays(folder / "example.npz", arrays);
    return chosen->id;
}

} // namespace headroom::training
