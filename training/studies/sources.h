// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/studies/study_work.h"

namespace headroom::training {

/// A speech model as a source. Throws what SpeechModel::open throws. `notes` gets what the model's folder
/// left open and what was taken.
std::unique_ptr<LayerSource> openModelSource(const std::filesystem::path& folder,
                                             std::vector<std::string>* notes = nullptr);

/// The model of an architecture document (a .json file), its weights drawn from the seed as training draws
/// them: for what no weight changes, which is time. Throws what readArchitecture throws.
std::unique_ptr<LayerSource> openDrawnSource(const std::filesystem::path& document, std::uint64_t seed);
/// Whether a path names such a document and no model.
bool isArchitectureDocument(const std::filesystem::path& path);

/// A folder of maps from elsewhere (core/studies/foreign_maps.h), one .npz per recording, found by the
/// utterance's id or its recording's stem. Layers, heads and times are those of the first file; others must
/// have the same. Throws what ForeignMaps throws.
std::unique_ptr<LayerSource> openMapsSource(const std::filesystem::path& folder);

/// Throws Error "study.frontEnds" where two sources make their tokens in different ways: names both, with the
/// hashes of their front ends.
void requireOneFrontEnd(std::span<const std::unique_ptr<LayerSource>> sources);

} // namespace headroom::training
