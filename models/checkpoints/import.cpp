// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/import.h"

#include "core/tensors/atomic_file.h"
#include "core/tensors/sha256.h"
#include "models/checkpoints/checkpoint.h"
#include "models/checkpoints/weights.h"

#include <fstream>

#include <unistd.h>

namespace headroom::models {
namespace {

namespace fs = std::filesystem;
constexpr const char* kUnwritable = "model.unwritable";

/// `license:` of the YAML front matter of a model card, where there is one.
std::string licenceOf(const fs::path& card) {
    std::ifstream file(card);
    std::string line;
    if (!std::getline(file, line) || line != "---")
        return {};
    const std::string key = "license:";
    while (std::getline(file, line) && line != "---")
        if (line.rfind(key, 0) == 0) {
            const std::size_t start = line.find_first_not_of(" \t\"'", key.size());
            const std::size_t end = line.find_last_not_of(" \t\"'\r");
            return start == std::string::npos ? std::string() : line.substr(start, end + 1 - start);
        }
    return {};
}

std::string provenanceText(const Checkpoint& model, const std::string& licence) {
    nlohmann::ordered_json document;
    document["format"] = "headroom/provenance";
    document["version"] = 1;
    document["source"] = model.info.name;
    document["sourceKind"] = "Hugging Face Speech2Text";
    if (licence.empty())
        document["licence"] = nullptr;
    else
        document["licence"] = licence;
    document["storedAs"] = model.info.storedAs;
    document["sha256"] = {{model.folder.weights.filename().string(), model.info.weightsHash},
                          {model.folder.config.filename().string(), sha256OfFile(model.folder.config)}};
    if (!model.info.tokenizer.empty())
        document["sha256"][model.info.tokenizer.filename().string()] = sha256OfFile(model.info.tokenizer);
    document["assumed"] = model.info.report.assumed;
    return document.dump(2) + "\n";
}

void copyWeights(const Checkpoint& model, const fs::path& target) {
    const Safetensors weights = openWeights(model.folder.weights);
    std::vector<std::pair<std::string, TensorView>> tensors;
    for (const ExpectedTensor& tensor : expectedTensors(model.info.architecture, model.folder.tied))
        tensors.emplace_back(tensor.name, weights.tensor(tensor.name));
    writeSafetensors(target, tensors, {{"format", "pt"}});
}

/// A folder that is removed again unless it is kept: an import that fails leaves nothing behind.
class UnfinishedFolder {
public:
    explicit UnfinishedFolder(const fs::path& path) : m_path(path) {
        std::error_code problem;
        fs::remove_all(m_path, problem);
        if (!fs::create_directories(m_path, problem))
            throw Error(kUnwritable, m_path.string() + " could not be made: " + problem.message() + ".");
    }
    ~UnfinishedFolder() {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    UnfinishedFolder(const UnfinishedFolder&) = delete;
    UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

} // namespace

ImportReport importModel(const fs::path& source, const fs::path& given) {
    const Checkpoint model = readCheckpoint(source);
    if (model.folder.isOurs)
        throw Error("model.alreadyOurs", source.string() + " is a Headroom model folder already.",
                    {{"folder", source.string()}});
    fs::path out = fs::absolute(given).lexically_normal();
    if (out.filename().empty())
        out = out.parent_path();
    std::error_code problem;
    if (fs::exists(out) && !(fs::is_directory(out) && fs::is_empty(out, problem)))
        throw Error("model.exists", given.string() + " exists already and is not an empty folder.",
                    {{"folder", given.string()}});

    ImportReport report;
    report.licence = licenceOf(model.folder.folder / "README.md");
    const UnfinishedFolder unfinished(
        out.parent_path() / ("." + out.filename().string() + ".importing-" + std::to_string(::getpid())));
    const auto write = [&](const char* name, const std::string& text) {
        writeAtomically(unfinished.path() / name, std::string_view(text), kUnwritable);
        report.files.emplace_back(name);
    };
    write("architecture.json", canonicalText(model.info.architecture));
    write("front_end.json", frontEndText(model.folder));
    write("provenance.json", provenanceText(model, report.licence));
    copyWeights(model, unfinished.path() / "model.safetensors");
    report.files.emplace_back("model.safetensors");
    if (!model.info.tokenizer.empty()) {
        if (!fs::copy_file(model.info.tokenizer, unfinished.path() / "sentencepiece.model", problem))
            throw Error(kUnwritable, given.string() + " could not be written: " + problem.message() + ".");
        report.files.emplace_back("sentencepiece.model");
    }
    readCheckpoint(unfinished.path()); // what was written must open before it gets its name
    if (fs::exists(out))
        fs::remove(out, problem);
    fs::rename(unfinished.path(), out, problem);
    if (problem)
        throw Error(kUnwritable, given.string() + " could not be written: " + problem.message() + ".",
                    {{"folder", given.string()}});
    report.model = readCheckpoint(out).info;
    report.model.report = model.info.report; // what had to be assumed stands in the source
    return report;
}

} // namespace headroom::models
