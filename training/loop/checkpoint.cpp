// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/checkpoint.h"

#include "core/runs/strict_json.h"
#include "core/tensors/safetensors.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace headroom::training {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kMean = "adam.mean.";
constexpr const char* kVariance = "adam.variance.";
constexpr const char* kStep = "step-";
constexpr const char* kStop = "stop-";

/// Of a tensor on the CPU.
TensorView viewOf(const at::Tensor& tensor) {
    const auto* data = static_cast<const std::byte*>(tensor.const_data_ptr());
    return {DType::F32, tensor.sizes().vec(), {data, static_cast<std::size_t>(tensor.nbytes())}};
}

Safetensors open(const fs::path& file) {
    try {
        return Safetensors(file);
    } catch (const Error& error) {
        const std::string& code = error.code();
        throw Error("checkpoint." + code.substr(code.find('.') + 1), error.what(), error.values());
    }
}

TensorView tensorOf(const Safetensors& weights, const std::string& name, const at::Tensor& like,
                    const fs::path& file) {
    const auto refuse = [&](const std::string& what) {
        throw Error("checkpoint.tensor", file.string() + what + name + ".",
                    {{"file", file.string()}, {"tensor", name}});
    };
    if (!weights.contains(name))
        refuse(" has no tensor ");
    TensorView view = weights.tensor(name);
    if (view.dtype != DType::F32 || view.shape != like.sizes().vec())
        refuse(" has a wrong type or shape of ");
    return view;
}

void copyInto(const at::Tensor& target, const TensorView& source) {
    const at::Tensor here = target.is_cpu() ? target.detach() : at::empty(target.sizes(), at::kFloat);
    std::memcpy(here.mutable_data_ptr(), source.bytes.data(), source.bytes.size());
    if (!target.is_cpu())
        target.detach().copy_(here);
}

/// "000500" of step-000500.safetensors, or nothing.
std::string numberOf(const fs::path& file, bool withStops) {
    const std::string stem = file.stem().string();
    const bool counts = stem.rfind(kStep, 0) == 0 || (withStops && stem.rfind(kStop, 0) == 0);
    return counts && file.extension() == ".safetensors" ? stem.substr(5) : std::string();
}

} // namespace

json toJson(const TrainState& state) {
    return {{"update", state.update},
            {"epoch", state.epoch},
            {"group", state.group},
            {"validated", state.validated},
            {"withoutBetter", state.withoutBetter},
            {"sincePlateau", state.sincePlateau},
            {"reductions", state.reductions},
            {"best", state.best},
            {"interval", state.interval}};
}

TrainState trainStateFrom(const json& document) {
    TrainState state;
    state.update = document.at("update").get<std::int64_t>();
    state.epoch = document.at("epoch").get<std::int64_t>();
    state.group = document.at("group").get<std::int64_t>();
    state.validated = document.at("validated").get<std::int64_t>();
    state.withoutBetter = document.at("withoutBetter").get<std::int64_t>();
    state.sincePlateau = document.value("sincePlateau", std::int64_t{0}); // not in the first checkpoints
    state.reductions = document.value("reductions", std::int64_t{0});
    state.best = document.at("best");
    state.interval = document.value("interval", json());
    return state;
}

fs::path checkpointFile(const RunPaths& run, std::int64_t update, SavedFor reason) {
    char name[48];
    std::snprintf(name, sizeof name, "%s%06lld.safetensors", reason == SavedFor::Stop ? kStop : kStep,
                  static_cast<long long>(update));
    return run.checkpoints() / name;
}

void writeCheckpoint(const fs::path& file, const models::Parameters& parameters, const Adam& optimiser,
                     const TrainState& state) {
    std::vector<std::pair<std::string, TensorView>> tensors;
    std::vector<at::Tensor> here; // what the views borrow
    const auto add = [&](const std::string& prefix, const models::Parameters& list) {
        list.forEach([&](const std::string& name, const at::Tensor& tensor) {
            here.push_back(tensor.detach().cpu());
            tensors.emplace_back(prefix + name, viewOf(here.back()));
        });
    };
    add("", parameters);
    add(kMean, optimiser.means());
    add(kVariance, optimiser.variances());
    writeSafetensors(file, tensors,
                     {{"format", "headroom/checkpoint"}, {"version", "1"}, {"state", toJson(state).dump()}});
}

TrainState readCheckpointInto(const fs::path& file, const models::Parameters& parameters,
                              const Adam& optimiser) {
    const Safetensors weights = open(file);
    const auto text = weights.metadata().find("state");
    if (text == weights.metadata().end())
        throw Error("checkpoint.state", file.string() + " has no training state.",
                    {{"file", file.string()}});
    const json document = parseStrictObject(text->second, file.string(), "checkpoint.state");
    TrainState state;
    try {
        state = trainStateFrom(document);
    } catch (const json::exception&) {
        throw Error("checkpoint.state", file.string() + " has no training state.",
                    {{"file", file.string()}});
    }
    // Everything is looked at before anything is written: a bad file changes nothing.
    std::vector<std::pair<at::Tensor, TensorView>> copies;
    const auto take = [&](const std::string& prefix, const models::Parameters& list) {
        list.forEach([&](const std::string& name, const at::Tensor& tensor) {
            copies.emplace_back(tensor, tensorOf(weights, prefix + name, tensor, file));
        });
    };
    take("", parameters);
    take(kMean, optimiser.means());
    take(kVariance, optimiser.variances());
    for (const auto& [target, source] : copies)
        copyInto(target, source);
    return state;
}

void linkCheckpoint(const RunPaths& run, const std::string& name, const fs::path& file) {
    const fs::path link = run.checkpoints() / (name + ".safetensors");
    const fs::path fresh = run.checkpoints() / ("." + name + ".new");
    std::error_code problem;
    fs::remove(fresh, problem);
    fs::create_symlink(file.filename(), fresh, problem);
    if (!problem)
        fs::rename(fresh, link, problem);
    if (problem)
        throw Error("run.unwritable", link.string() + " could not be written: " + problem.message() + ".",
                    {{"file", link.string()}});
}

std::vector<fs::path> checkpointFiles(const RunPaths& run, bool withStops) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(run.checkpoints(), ignored))
        if (!numberOf(entry.path(), withStops).empty() && entry.is_regular_file(ignored))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        const auto left = numberOf(a, true), right = numberOf(b, true);
        return left.size() != right.size() ? left.size() < right.size() : left < right; // a 7th digit
    });
    return files;
}

void pruneCheckpoints(const RunPaths& run, std::int64_t keep) {
    std::error_code ignored;
    const fs::path best = fs::read_symlink(run.checkpoints() / "best.safetensors", ignored);
    const auto files = checkpointFiles(run, false);
    for (std::size_t i = 0; i + static_cast<std::size_t>(keep) < files.size(); ++i)
        if (files[i].filename() != best)
            fs::remove(files[i], ignored);
    for (const fs::path& file : checkpointFiles(run, true))
        if (numberOf(file, false).empty())
            fs::remove(file, ignored);
}

models::Parameters averageOf(const std::vector<fs::path>& files, const models::Parameters& like) {
    models::Parameters sums;
    for (const fs::path& file : files) {
        const Safetensors weights = open(file);
        like.forEach([&](const std::string& name, const at::Tensor& tensor) {
            at::Tensor values = at::zeros_like(tensor.detach());
            copyInto(values, tensorOf(weights, name, tensor, file));
            if (sums.contains(name))
                values = sums.get(name).add(values.to(at::kDouble));
            else
                values = values.to(at::kDouble);
            sums.set(name, values);
        });
    }
    models::Parameters mean;
    sums.forEach([&](const std::string& name, const at::Tensor& sum) {
        mean.set(name, sum.div(static_cast<double>(files.size())).to(at::kFloat));
    });
    return mean;
}

} // namespace headroom::training
