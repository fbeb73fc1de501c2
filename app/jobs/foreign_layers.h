// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "app/documents/items/open_model.h"
#include "core/studies/foreign_maps.h"

#include <filesystem>
#include <map>
#include <string>

namespace headroom::app {

// Maps from elsewhere as the window's values. Pure; run off the window's thread. Throws what ForeignMaps
// throws.

/// What stands for a model whose maps another toolkit wrote: as many layers of as many full heads, no
/// weights, and the files by the stem of their recording.
struct ForeignModel {
    ModelDescription info;
    std::map<std::string, std::filesystem::path> files;
};
/// Of an .npz or of a folder of them: layers and heads are those of the first file that can be read; where
/// none can, throws the first one's Error.
ForeignModel openForeignModel(const std::filesystem::path& folder);

/// Layer `number` of the file as a result: with contributions, or with the mean of the heads and a reason.
/// The heads themselves only `withAttention`.
LayerResult foreignLayer(const ForeignMaps& maps, int number, bool withAttention);

} // namespace headroom::app
