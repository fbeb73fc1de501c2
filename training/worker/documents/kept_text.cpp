// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/documents/kept_text.h"

#include "core/runs/run_folder.h"
#include "core/tensors/atomic_file.h"
#include "core/text/tokenizer.h"
#include "models/checkpoints/generation_config.h"
#include "training/loop/export_model.h"

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

constexpr const char* kUnwritable = "run.unwritable";
constexpr const char* kRules = "generation_config.json";

} // namespace

void keepText(TrainSetup& setup, const fs::path& run) {
    const fs::path folder = RunPaths{run}.tokenizer(), fresh = folder.string() + ".new";
    std::error_code problem;
    const auto check = [&] {
        if (problem)
            throw Error(kUnwritable, folder.string() + " could not be written: " + problem.message() + ".", {{"folder", folder.string()}});
    };
    try { // the folder appears as a whole
        fs::remove_all(fresh, problem);
        fs::create_directories(fresh, problem);
        check();
        copyTokenizer(setup.tokenizer, setup.sourceTokenizer, fresh, kUnwritable);
        if (setup.tokens != TokenRules())
            writeAtomically(fresh / kRules, std::string_view(models::generationText(setup.tokens)), kUnwritable);
        fs::remove_all(folder, problem); // of a start that did not become a run
        fs::rename(fresh, folder, problem);
        check();
    } catch (...) {
        fs::remove_all(fresh, problem);
        throw;
    }
    setup.tokenizer = tokenizerIn(folder);
    if (!setup.sourceTokenizer.empty())
        setup.sourceTokenizer = sourceTokenizerIn(folder);
}

std::optional<TextOfModel> keptText(const fs::path& run, const Architecture& architecture) {
    const fs::path folder = RunPaths{run}.tokenizer();
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        return std::nullopt;
    models::ModelFolder rules; // without a tokenizer, whose pieces would be asked for rules that the file leaves out
    rules.architecture = architecture;
    if (architecture.decoder && fs::exists(folder / kRules, ignored))
        models::readTokenRules(folder, rules);
    return TextOfModel{tokenizerIn(folder), rules.tokens, sourceTokenizerIn(folder)};
}

} // namespace headroom::training
