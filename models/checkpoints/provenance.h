// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/checkpoint.h"

#include <string>

namespace headroom::models {

/// Returns the licence of a folder: `license:` in the YAML front matter of its model card (README.md),
/// otherwise the licence in its provenance.json; empty if neither states one.
std::string licenceOf(const std::filesystem::path& folder);

/// Returns provenance.json for a model made from `model` (README.md of this folder): the source of the
/// weights, their format and precision, the SHA-256 of every file read, the licence, today's date and this
/// version. It contains the provenance of the source.
std::string provenanceText(const Checkpoint& model, const std::string& licence);

} // namespace headroom::models
