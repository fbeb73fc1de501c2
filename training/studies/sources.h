// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/studies/study_work.h"

namespace headroom::training {

/// Opens a speech model as a source, with the heads of `draft` unless it is empty. Throws the errors of
/// SpeechModel::open. `notes` receives the values that were assumed. `name`: what it is called; empty: as it calls itself.
std::unique_ptr<LayerSource> openModelSource(const std::filesystem::path& folder, const std::filesystem::path& draft = {},
                                             std::vector<std::string>* notes = nullptr, const std::string& name = {});

/// Opens an architecture document (.json) with random weights from the seed, as in training, for measurements
/// that do not depend on weights (time). Throws the errors of readArchitecture.
std::unique_ptr<LayerSource> openDrawnSource(const std::filesystem::path& document, std::uint64_t seed);
/// Returns whether a path is such a document and not a model.
bool isArchitectureDocument(const std::filesystem::path& path);

/// Opens a folder of imported maps (core/studies/foreign_maps.h), one .npz per recording, found by the
/// utterance's id or its recording's stem. Only those of `utterances` are read. The first that can be read
/// says what layers, heads and times all have; an utterance with others, or with bad maps, cannot be
/// measured. Throws the error of the first utterance if none can be read.
std::unique_ptr<LayerSource> openMapsSource(const std::filesystem::path& folder,
                                            std::span<const StudyUtterance> utterances);

/// Throws Error "study.frontEnds" if two sources compute their tokens differently, with both names, the
/// hashes of their front ends, and the sentence `instead`, which says what to do.
void requireOneFrontEnd(std::span<const std::unique_ptr<LayerSource>> sources, const std::string& instead);

} // namespace headroom::training
