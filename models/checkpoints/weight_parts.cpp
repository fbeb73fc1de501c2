// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/sha256.h"
#include "models/checkpoints/json_file.h"
#include "models/checkpoints/weights.h"

#include <algorithm>
#include <set>

namespace headroom::models {
namespace {

namespace fs = std::filesystem;

struct WeightParts { // keeps all files open
    std::vector<std::shared_ptr<const void>> owners;
};

/// The names of the parts in “weight_map”, which may not lead out of the folder.
std::set<std::string> partNames(const JsonFile& index) {
    const nlohmann::json& map = index.value("weight_map");
    std::set<std::string> names;
    if (!map.is_object() || map.empty())
        index.refuse("model.badConfig", ": “weight_map” is not an object of tensors and their files");
    for (const auto& [tensor, file] : map.items()) {
        if (!file.is_string() || fs::path(file.get<std::string>()).filename() != file.get<std::string>())
            index.refuse("model.badConfig", ": “weight_map” gives " + tensor + " the file " +
                                                file.dump().substr(0, 60) +
                                                ", which is not a file name in this folder");
        names.insert(file.get<std::string>());
    }
    return names;
}

/// Without what the rules drop of single tensors: the last dimension of convolutions of kernel 1, rows of tables.
NamedTensors trimmed(const NamedTensors& weights, const NameRules& rules) {
    if (rules.squeezed.empty() && rules.unusedRows.empty())
        return weights;
    NamedTensors result(weights.owner(), weights.format());
    for (const std::string& name : weights.names()) {
        TensorView tensor = weights.tensor(name);
        if (std::find(rules.squeezed.begin(), rules.squeezed.end(), name) != rules.squeezed.end() &&
            tensor.shape.size() > 1 && tensor.shape.back() == 1)
            tensor.shape.pop_back();
        for (const auto& [table, rows] : rules.unusedRows)
            if (name == table && tensor.shape.size() == 2 && tensor.shape.front() > rows) {
                const auto all = static_cast<std::size_t>(tensor.shape.front());
                tensor.bytes = tensor.bytes.subspan(tensor.bytes.size() / all * static_cast<std::size_t>(rows));
                tensor.shape.front() -= rows;
            }
        result.add(name, std::move(tensor));
    }
    return result;
}

} // namespace

std::vector<fs::path> filesOfWeights(const ModelFolder& model) {
    std::vector<fs::path> files;
    if (model.weights.extension() == ".json")
        for (const std::string& name : partNames(JsonFile(model.weights)))
            files.push_back(model.weights.parent_path() / name);
    else
        files.push_back(model.weights);
    if (!model.overlay.empty())
        files.push_back(model.overlay);
    return files;
}

std::string hashOfWeights(const ModelFolder& model) {
    const auto files = filesOfWeights(model);
    if (files.size() == 1)
        return sha256OfFile(files.front());
    std::string digests;
    for (const fs::path& part : files)
        digests += sha256OfFile(part);
    return sha256OfBytes(std::as_bytes(std::span(digests.data(), digests.size())));
}

NamedTensors weightsInFile(const ModelFolder& model) {
    const NamedTensors base = trimmed(openWeights(model.weights), model.names);
    if (model.overlay.empty())
        return base;
    const NamedTensors above = openWeights(model.overlay);
    const auto owner = std::make_shared<WeightParts>();
    owner->owners = {base.owner(), above.owner()};
    NamedTensors tensors(owner, base.format());
    for (const NamedTensors* part : {&above, &base})
        for (const std::string& name : part->names())
            tensors.add(name, part->tensor(name)); // the first of a name stays
    return tensors;
}

NamedTensors openParts(const fs::path& file) {
    const JsonFile index(file);
    const auto owner = std::make_shared<WeightParts>();
    std::vector<NamedTensors> parts;
    for (const std::string& name : partNames(index)) {
        const fs::path part = file.parent_path() / name;
        if (!fs::exists(part))
            throw Error("model.missingFile", shown(part) + " is missing: " + shown(file) + " lists it.",
                        {{"file", part.string()}});
        parts.push_back(openWeights(part));
        owner->owners.push_back(parts.back().owner());
    }
    NamedTensors tensors(owner, parts.front().format() + ", " + std::to_string(parts.size()) + " files");
    for (const NamedTensors& part : parts)
        for (const std::string& name : part.names())
            if (!tensors.add(name, part.tensor(name)))
                index.refuse("model.duplicateName", ": two of its files have the tensor " + name);
    return tensors;
}

} // namespace headroom::models
