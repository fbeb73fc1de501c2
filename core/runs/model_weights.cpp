// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/model_weights.h"

#include "core/errors/error.h"
#include "core/runs/checkpoint_name.h"
#include "core/runs/strict_json.h"

#include <algorithm>

namespace headroom {

namespace fs = std::filesystem;

ModelWeights weightsOfModel(const fs::path& model) {
    try {
        const nlohmann::json provenance = readStrictObject(model / "provenance.json", "model.badProvenance");
        const auto kind = provenance.find("sourceKind"), hashes = provenance.find("sha256");
        if (kind == provenance.end() || *kind != "headroom-worker train" || hashes == provenance.end() || !hashes->is_object())
            return {}; // the files of an imported model are not those of a run
        return hashes->get<ModelWeights>();
    } catch (const std::exception&) {
        return {};
    }
}

std::int64_t updateOf(const ModelWeights& weights) {
    std::int64_t newest = 0;
    for (const auto& [file, hash] : weights)
        newest = std::max(newest, updateOfCheckpoint(fs::path(file).stem().string()).value_or(0));
    return newest;
}

} // namespace headroom
