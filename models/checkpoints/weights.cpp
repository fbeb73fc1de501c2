// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/weights.h"

#include "core/errors/display_name.h"
#include "core/tensors/mapped_file.h"
#include "core/tensors/safetensors.h"
#include "models/checkpoints/torch_checkpoint.h"
#include "models/contributions/memory.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/aminmax.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

namespace headroom::models {
namespace {

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : " × ") + std::to_string(size);
    return text.empty() ? "a single number" : text;
}

at::ScalarType torchType(DType type) {
    switch (type) {
    case DType::F16:
        return at::kHalf;
    case DType::BF16:
        return at::kBFloat16;
    case DType::F32:
        return at::kFloat;
    case DType::F64:
        return at::kDouble;
    default:
        return at::ScalarType::Undefined;
    }
}

const char* longName(DType type) {
    switch (type) {
    case DType::F16:
        return "float16";
    case DType::BF16:
        return "bfloat16";
    case DType::F32:
        return "float32";
    case DType::F64:
        return "float64";
    default:
        return dtypeName(type);
    }
}

struct Extremes {
    float smallest = 0, largest = 0;
};

/// NaN and infinities show in them; no temporary of the tensor's size is made.
Extremes extremesOf(const at::Tensor& tensor) {
    if (tensor.numel() == 0)
        return {};
    const auto [smallest, largest] = at::aminmax(tensor);
    return {smallest.item<float>(), largest.item<float>()};
}

std::string andMore(std::size_t count) {
    return count > 1 ? ", and " + std::to_string(count - 1) + " more" : "";
}

} // namespace

std::string shown(const std::filesystem::path& file) {
    return displayNameInFolder(file);
}

NamedTensors openWeights(const std::filesystem::path& file) {
    if (file.extension() == ".json")
        return openParts(file);
    if (file.extension() != ".safetensors")
        return openTorchCheckpoint(file).tensors;
    return withModelCodes([&] {
        const auto opened = std::make_shared<const Safetensors>(file);
        NamedTensors tensors(opened, "safetensors");
        for (const std::string& name : opened->names())
            tensors.add(name, opened->tensor(name));
        return tensors;
    });
}

nlohmann::json toJson(const LoadReport& report) {
    nlohmann::json shapes = nlohmann::json::array();
    for (const LoadReport::WrongShape& wrong : report.wrongShape)
        shapes.push_back({{"name", wrong.name}, {"expected", wrong.expected}, {"found", wrong.found}});
    return {{"missing", report.missing},
            {"unexpected", report.unexpected},
            {"wrongShape", shapes},
            {"loaded", report.loaded.size()}};
}

void checkWeights(const NamedTensors& weights, const std::vector<ExpectedTensor>& expected,
                  const std::string& file, const std::string& asks, LoadReport& report) {
    std::set<std::string> known;
    std::string badType;
    for (const ExpectedTensor& tensor : expected) {
        known.insert(tensor.name);
        if (!weights.contains(tensor.name)) {
            report.missing.push_back(tensor.name);
            continue;
        }
        const TensorView found = weights.tensor(tensor.name);
        if (torchType(found.dtype) == at::ScalarType::Undefined) // packed integers have other shapes too
            badType = badType.empty() ? tensor.name : badType;
        else if (found.shape != tensor.shape)
            report.wrongShape.push_back({tensor.name, tensor.shape, found.shape});
        else
            report.loaded.push_back(tensor.name);
    }
    for (const std::string& name : weights.names())
        if (!known.count(name) && !isTableOfPositions(name))
            report.unexpected.push_back(name);

    nlohmann::json values = {{"file", file}, {"report", toJson(report)}};
    const auto refuse = [&](const char* code, const std::string& name, const std::string& what) {
        values["tensor"] = name;
        throw Error(code, file + what, values);
    };
    if (!badType.empty()) // first: quantised weights have more and other tensors as well
        refuse("model.badType", badType,
               ": " + badType + " is stored as " + dtypeName(weights.tensor(badType).dtype) +
                   ", as in quantised models; save the model in float16, bfloat16, float32 or float64.");
    if (!report.missing.empty())
        refuse("model.missingTensor", report.missing.front(),
               " has no tensor " + report.missing.front() + andMore(report.missing.size()) + ", which " +
                   asks + " expects.");
    if (!report.wrongShape.empty()) {
        const LoadReport::WrongShape& first = report.wrongShape.front();
        refuse("model.wrongShape", first.name,
               ": " + first.name + " is " + shapeText(first.found) + ", and " + asks + " expects " +
                   shapeText(first.expected) + andMore(report.wrongShape.size()) + ".");
    }
    if (!report.unexpected.empty())
        refuse("model.unexpectedTensor", report.unexpected.front(),
               " has a tensor " + report.unexpected.front() + andMore(report.unexpected.size()) +
                   ", which " + asks + " does not expect.");
}

void refuseWeightsThatDoNotFit(std::int64_t needed, const std::string& file, std::int64_t available) {
    if (available < 0 || needed <= available)
        return;
    throw Error("model.memory",
                "Opening " + file + " needs " + bytesText(needed) + " of memory, but only " + bytesText(available) +
                    " is free. Close other models or programs, and try again.",
                {{"file", file}, {"needed", needed}, {"free", available}});
}

std::int64_t bytesToLoad(const NamedTensors& weights, const std::vector<ExpectedTensor>& expected) {
    std::int64_t sum = 0, largest = 0;
    for (const ExpectedTensor& tensor : expected) {
        const TensorView view = weights.tensor(tensor.name);
        sum += view.elementCount() * static_cast<std::int64_t>(sizeof(float));
        largest = std::max(largest, static_cast<std::int64_t>(view.bytes.size()));
    }
    return sum + largest;
}

Parameters loadWeights(const NamedTensors& weights, const std::vector<ExpectedTensor>& expected,
                       const std::function<std::pair<std::string, std::string>(const std::string&)>& whereIs) {
    const auto refuse = [&](const char* code, const std::string& tensor, const char* what) {
        const auto [file, name] = whereIs(tensor);
        throw Error(code, file + ": " + name + " contains " + what + ".", {{"file", file}, {"tensor", name}});
    };
    Parameters parameters;
    for (const ExpectedTensor& tensor : expected) {
        const TensorView view = weights.tensor(tensor.name);
        // Copied first: data in the file need not be aligned to its type.
        at::Tensor stored = at::empty(view.shape, torchType(view.dtype));
        std::memcpy(stored.mutable_data_ptr(), view.bytes.data(), view.bytes.size());
        MappedFile::forget(view.bytes); // else the file would lie in memory beside its copy
        stored = stored.to(at::kFloat);
        const Extremes extremes = extremesOf(stored);
        if (!std::isfinite(extremes.smallest) || !std::isfinite(extremes.largest))
            refuse("model.notFinite", tensor.name, "numbers that are not finite");
        if (tensor.buffer && tensor.name.ends_with(".running_var") && extremes.smallest < 0)
            refuse("model.negativeVariance", tensor.name, "a negative variance");
        if (tensor.buffer)
            parameters.setBuffer(tensor.name, stored);
        else
            parameters.set(tensor.name, stored);
    }
    return parameters;
}

std::string storedAs(const NamedTensors& weights, const std::vector<ExpectedTensor>& expected) {
    std::vector<std::string> types;
    for (const ExpectedTensor& tensor : expected) {
        const std::string type = longName(weights.tensor(tensor.name).dtype);
        if (std::find(types.begin(), types.end(), type) == types.end())
            types.push_back(type);
    }
    std::string text;
    for (const std::string& type : types)
        text += (text.empty() ? "" : " and ") + type;
    return text + " " + weights.format();
}

} // namespace headroom::models
