// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/torch_checkpoint.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "models/checkpoints/nemo_archive.h"
#include "models/checkpoints/weights.h"

namespace headroom::models {
namespace {

bool isOmegaconf(const PickleValue& value) {
    return value.is(PickleKind::Object) && value.className().starts_with("omegaconf.");
}

/// A plain value out of omegaconf's node around it; a container of it stays.
PickleValue bare(PickleValue value) {
    for (int layers = 0; layers < 8 && isOmegaconf(value) && value.state(); ++layers) {
        const auto inner = value.state()->find("_val");
        if (!inner)
            break;
        value = *inner;
    }
    return value;
}

NamedTensors stateDict(const std::shared_ptr<TorchFile>& file, const PickleValue& dict,
                       const std::string& name, std::string format) {
    if (!dict.is(PickleKind::Dict) || dict.size() == 0)
        throw Error("model.notWeights", name + " contains no named tensors.", {{"file", name}});
    NamedTensors tensors(file, std::move(format));
    for (std::size_t i = 0; i < dict.size(); ++i) {
        const auto key = dict.key(i).text();
        const PickleValue value = dict.value(i);
        if (!key || !value.is(PickleKind::Tensor))
            throw Error("model.notWeights",
                        name + ": “" + validText(key.value_or("entry " + std::to_string(i + 1))) +
                            "” is no tensor.",
                        {{"file", name}});
        if (!tensors.add(*key, file->tensor(value)))
            throw Error("model.duplicateName", name + " contains the tensor " + *key + " twice.",
                        {{"file", name}, {"tensor", *key}});
    }
    return tensors;
}

/// The weights of a NeMo archive, where they lie in it.
std::shared_ptr<TorchFile> weightsOfArchive(const std::filesystem::path& path) {
    const auto archive = std::make_shared<const NemoArchive>(path);
    struct Opened {
        std::shared_ptr<const NemoArchive> archive;
        TorchFile file;
    };
    const auto opened = std::make_shared<Opened>(Opened{archive, TorchFile(archive->weights(), shown(path))});
    return {opened, &opened->file};
}

} // namespace

std::optional<PickleValue> memberOf(const PickleValue& given, const std::string& key) {
    const PickleValue value = bare(given);
    std::optional<PickleValue> found;
    if (value.is(PickleKind::Dict))
        found = value.find(key);
    else if (value.is(PickleKind::Object) && value.state()) {
        const PickleValue state = *value.state();
        if (const auto content = isOmegaconf(value) ? state.find("_content") : std::nullopt)
            found = content->find(key);
        else
            found = state.find(key);
    }
    if (!found)
        return std::nullopt;
    const PickleValue result = bare(*found);
    return result.text() == "???" ? std::nullopt : std::optional(result);
}

TorchCheckpoint openTorchCheckpoint(const std::filesystem::path& path) {
    return withModelCodes([&] {
        const auto file = path.extension() == ".nemo" ? weightsOfArchive(path) : std::make_shared<TorchFile>(path);
        const std::string name = shown(path), age = file->isLegacy() ? " before 1.6" : "";
        const PickleValue root = file->root();
        const auto model = memberOf(root, "model");
        if (!model || !model->is(PickleKind::Dict))
            return TorchCheckpoint{file, stateDict(file, root, name, "PyTorch" + age), {}, {}};

        TorchCheckpoint result{file, stateDict(file, *model, name, "fairseq, PyTorch" + age), {}, {}};
        if (const auto args = memberOf(root, "args"); args && !args->is(PickleKind::None)) {
            result.settings = args;
            result.settingsName = "args";
        } else if (const auto config = memberOf(root, "cfg")) {
            result.settings = memberOf(*config, "model");
            result.settingsName = "cfg.model";
        }
        if (!result.settings)
            throw Error("model.notWeights", name + " has neither “args” nor “cfg.model” beside its weights.",
                        {{"file", name}});
        return result;
    });
}

} // namespace headroom::models
