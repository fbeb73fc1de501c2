// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/export_model.h"

#include "core/tensors/atomic_file.h"
#include "core/tensors/safetensors.h"
#include "core/tensors/sha256.h"
#include "core/text/tokenizer.h"
#include "core/text/written_vocabulary.h"
#include "models/checkpoints/checkpoint.h"
#include "models/checkpoints/generation_config.h"
#include "models/checkpoints/tensor_names.h"

#include <ATen/core/Tensor.h>

#include <unistd.h>
#include <utility>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

constexpr const char* kUnwritable = "model.unwritable";

std::string provenanceText(const ExportedModel& about) {
    nlohmann::ordered_json document;
    document["format"] = "headroom/provenance";
    document["version"] = 1;
    document["source"] = about.source;
    document["sourceKind"] = "headroom-worker train";
    document["licence"] = nullptr;
    document["storedAs"] = "float32 safetensors";
    document["sha256"] = nlohmann::ordered_json::object();
    for (const fs::path& file : about.weights)
        document["sha256"][file.filename().string()] = sha256OfFile(file);
    document["assumed"] = nlohmann::ordered_json::array();
    return document.dump(2) + "\n";
}

/// Removes a folder that did not get its name.
class HalfWritten {
public:
    explicit HalfWritten(fs::path folder) : m_folder(std::move(folder)) { remove(); }
    HalfWritten(const HalfWritten&) = delete;
    HalfWritten& operator=(const HalfWritten&) = delete;
    ~HalfWritten() { remove(); }

private:
    void remove() const {
        std::error_code ignored;
        fs::remove_all(m_folder, ignored);
    }

    const fs::path m_folder;
};

} // namespace

void copyTokenizer(const fs::path& tokenizer, const fs::path& source, const fs::path& folder, const std::string& code) {
    for (const auto& [name, file] : filesOfTokenizer(tokenizer, source)) {
        std::error_code problem;
        fs::copy_file(file, folder / name, problem);
        if (problem)
            throw Error(code, file.string() + " could not be copied: " + problem.message() + ".", {{"file", file.string()}});
    }
    if (const auto tokens = writtenVocabulary(tokenizer))
        writeAtomically(folder / tokens->first, std::string_view(tokens->second), code);
}

void exportModel(const fs::path& folder, const models::Parameters& parameters, const ExportedModel& about) {
    const fs::path fresh =
        folder.parent_path() / ("." + folder.filename().string() + ".new-" + std::to_string(::getpid()));
    const fs::path old = fresh.string() + "-old";
    std::error_code problem;
    const auto check = [&] {
        if (problem)
            throw Error(kUnwritable, folder.string() + " could not be written: " + problem.message() + ".",
                        {{"folder", folder.string()}});
    };
    const HalfWritten halfWritten(fresh);
    fs::create_directories(fresh, problem);
    check();
    models::ModelFolder model;
    model.architecture = about.architecture;
    model.maxSourceFrames = about.maxSourceFrames;
    if (about.architecture.decoder && about.architecture.decoder->positions == TextPositions::Learnt)
        model.maxTargetTokens = about.architecture.decoder->places;
    const auto write = [&](const char* name, const std::string& text) {
        writeAtomically(fresh / name, std::string_view(text), kUnwritable);
    };
    write("architecture.json", canonicalText(about.architecture));
    if (!about.architecture.languageModel) // it hears nothing
        write("front_end.json", models::frontEndText(model));
    write("provenance.json", provenanceText(about));
    if (about.tokens != TokenRules())
        write("generation_config.json", models::generationText(about.tokens));
    std::vector<std::pair<std::string, TensorView>> tensors;
    std::vector<at::Tensor> here; // what the views borrow
    for (const auto& expected : models::expectedTensors(about.architecture, false)) {
        const at::Tensor& tensor = here.emplace_back(parameters.get(expected.name).detach().cpu().contiguous());
        const auto* data = static_cast<const std::byte*>(tensor.const_data_ptr());
        tensors.emplace_back(
            expected.name,
            TensorView{DType::F32, expected.shape, {data, static_cast<std::size_t>(tensor.nbytes())}});
    }
    writeSafetensors(fresh / "model.safetensors", tensors, {{"format", "pt"}});
    copyTokenizer(about.tokenizer, about.sourceTokenizer, fresh, kUnwritable);
    models::readCheckpoint(fresh); // what was written must open before it gets its name
    if (fs::exists(folder)) {
        fs::rename(folder, old, problem);
        check();
    }
    fs::rename(fresh, folder, problem);
    if (std::error_code ignored; problem && fs::exists(old, ignored))
        fs::rename(old, folder, ignored);
    check();
    fs::remove_all(old, problem);
}

} // namespace headroom::training
