// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/import.h"

#include "core/tensors/safetensors.h"
#include "core/text/tokenizer.h"
#include "core/text/written_vocabulary.h"
#include "models/checkpoints/checkpoint.h"
#include "models/checkpoints/fsmt_export.h"
#include "models/checkpoints/generation_config.h"
#include "models/checkpoints/hugging_face_export.h"
#include "models/checkpoints/provenance.h"
#include "models/checkpoints/unfinished_folder.h"
#include "models/checkpoints/weights.h"

#include <map>

namespace headroom::models {
namespace {

/// `tables`: tensors that are beside those of the model, or replace them.
void writeWeights(const Checkpoint& model, const std::map<std::string, Tensor>& tables,
                  UnfinishedFolder& out) {
    const NamedTensors weights = modelWeights(model.folder);
    std::vector<std::pair<std::string, TensorView>> tensors;
    for (const ExpectedTensor& tensor : expectedTensors(model.info.architecture, model.folder.tied))
        if (!tables.contains(tensor.name))
            tensors.emplace_back(tensor.name, weights.tensor(tensor.name));
    for (const auto& [name, table] : tables)
        tensors.emplace_back(name, table.view());
    writeSafetensors(out.path() / "model.safetensors", tensors, {{"format", "pt"}});
    out.wrote("model.safetensors");
}

void writeOurs(const Checkpoint& model, UnfinishedFolder& out) {
    out.write("architecture.json", canonicalText(model.info.architecture));
    out.write("front_end.json", frontEndText(model.folder));
    if (model.info.tokens != TokenRules())
        out.write("generation_config.json", generationText(model.info.tokens));
    if (!model.info.tokenizer.empty())
        for (const auto& [name, file] : filesOfTokenizer(model.info.tokenizer, model.folder.sourceTokenizer))
            out.copy(name, file);
    if (const auto tokens = writtenVocabulary(model.info.tokenizer))
        out.write(tokens->first, tokens->second);
}

} // namespace

ImportReport importModel(const std::filesystem::path& source, const std::filesystem::path& given,
                         const ImportOptions& options) {
    const bool toHuggingFace = options.format == ModelFormat::HuggingFace;
    const Checkpoint model = readCheckpoint(source, options.tokenizer);
    if (model.folder.isOurs && !toHuggingFace)
        throw Error("model.alreadyOurs", source.string() + " is already a Headroom model folder.",
                    {{"folder", source.string()}});

    ImportReport report;
    report.sourceKind = sourceKind(model.folder);
    report.sourceStoredAs = model.info.storedAs;
    report.licence = licenceOf(model.folder.folder);
    UnfinishedFolder out(given);
    const bool toFsmt = toHuggingFace && isTranslator(model.info.architecture);
    std::vector<std::string> notes;
    if (toFsmt)
        notes = writeFsmt(model, out);
    else if (toHuggingFace)
        writeSpeech2Text(model, out);
    else
        writeOurs(model, out);
    if (toHuggingFace && !report.licence.empty()) // where the next importer looks for it
        out.write("README.md", "---\nlicense: " + report.licence + "\n---\n# " + model.info.name + "\n");
    out.write("provenance.json", provenanceText(model, report.licence));
    writeWeights(model, toFsmt ? fsmtTables(model) : std::map<std::string, Tensor>(), out);
    const Checkpoint written =
        readCheckpoint(out.path()); // what was written must open before it gets its name
    if (toFsmt)
        checkFsmt(model, written);
    out.commit();
    report.files = out.files();
    report.model = readCheckpoint(out.target()).info;
    report.model.report = model.info.report; // what had to be assumed stands in the source
    report.model.report.assumed.insert(report.model.report.assumed.end(), notes.begin(), notes.end());
    return report;
}

} // namespace headroom::models
