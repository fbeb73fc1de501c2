// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/draft.h"

#include "core/errors/error.h"
#include "core/tensors/sha256.h"
#include "models/checkpoints/tensor_names.h"
#include "models/checkpoints/weights.h"

#include <ATen/core/Tensor.h>

#include <span>

namespace headroom::models {
namespace {

/// `draft` with the parts of `model` that a draft may not change.
Architecture withHeadsOf(Architecture model, const Architecture& draft) {
    model.name = draft.name;
    model.source = draft.source;
    model.publishedParameters = draft.publishedParameters;
    model.publishedWithoutFrontEnd = draft.publishedWithoutFrontEnd;
    model.encoder.dropout = draft.encoder.dropout;
    model.encoder.attentionDropout = draft.encoder.attentionDropout;
    model.encoder.activationDropout = draft.encoder.activationDropout;
    if (model.encoder.layers.size() == draft.encoder.layers.size())
        model.encoder.layers = draft.encoder.layers;
    if (model.decoder && draft.decoder) {
        model.decoder->selfAttention = draft.decoder->selfAttention;
        model.decoder->crossAttention = draft.decoder->crossAttention;
    }
    if (model.languageModel && draft.languageModel &&
        model.languageModel->layers == draft.languageModel->layers) {
        auto& own = *model.languageModel;
        own.selfAttention = draft.languageModel->selfAttention;
        own.ownHeads = draft.languageModel->ownHeads;
        own.dropout = draft.languageModel->dropout;
        own.attentionDropout = draft.languageModel->attentionDropout;
    }
    return model;
}

/// The part in which two architectures differ; their heads are the same.
std::string differingPart(const Architecture& model, const Architecture& draft) {
    if (model.encoder.layers.size() != draft.encoder.layers.size())
        return "it has " + std::to_string(draft.encoder.layers.size()) + " layers, not " +
               std::to_string(model.encoder.layers.size());
    const char* part = !(model.frontEnd == draft.frontEnd)          ? "frontEnd"
                       : !(model.encoder == draft.encoder)          ? "encoder"
                       : model.decoder != draft.decoder             ? "decoder"
                       : model.languageModel != draft.languageModel ? "languageModel"
                       : model.ctc != draft.ctc                     ? "ctc"
                       : model.vocabulary != draft.vocabulary       ? "vocabulary"
                                                                    : "output";
    return "its “" + std::string(part) + "” differs in more than heads";
}

} // namespace

void applyDraft(Checkpoint& model, const std::filesystem::path& file) {
    Architecture draft = readArchitecture(file);
    if (!draft.frontEnd.cmvn) // a draft need not repeat the numbers of the training data
        draft.frontEnd.cmvn = model.info.architecture.frontEnd.cmvn;
    const std::string name = shown(file);
    const auto refuse = [&](const std::string& what) {
        throw Error("model.draft", name + " is not a draft of " + model.info.name + ": " + what + ".",
                    {{"draft", file.string()}, {"model", model.info.folder.string()}});
    };
    if (const Architecture expected = withHeadsOf(model.info.architecture, draft); !(expected == draft))
        refuse(differingPart(expected, draft));
    ModelFolder folder = model.folder;
    folder.architecture = draft;
    folder.config = file;
    checkRunnable(folder);

    Parameters kept;
    for (const ExpectedTensor& tensor : expectedTensors(draft, folder.tied)) {
        if (!model.parameters.contains(tensor.name) ||
            model.parameters.get(tensor.name).sizes() != at::IntArrayRef(tensor.shape))
            refuse("it needs " + tensor.name + ", which the model does not have. Train the draft, and analyse the "
                                               "result");
        if (tensor.buffer)
            kept.setBuffer(tensor.name, model.parameters.get(tensor.name));
        else
            kept.set(tensor.name, model.parameters.get(tensor.name));
    }
    model.parameters = std::move(kept);
    model.folder = std::move(folder);
    const std::string both = model.info.weightsHash + canonicalText(draft);
    model.info.weightsHash = sha256OfBytes(std::as_bytes(std::span(both.data(), both.size())));
    model.info.name += " (draft)";
    model.info.architecture = draft;
    model.info.parameters = model.parameters.elementCount();
    model.info.tensors = model.parameters.tensorCount();
}

} // namespace headroom::models
