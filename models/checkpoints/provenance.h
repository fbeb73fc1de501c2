// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/checkpoint.h"

#include <string>

namespace headroom::models {

/// What the folder says: `license:` in the YAML front matter of its model card (README.md), else the licence
/// in its provenance.json; empty where it says nothing.
std::string licenceOf(const std::filesystem::path& folder);

/// provenance.json of a model that is made from `model` (README.md of this folder): where its weights come
/// from, in which form and precision, with the SHA-256 of every file that was read, the licence, today's date
/// and this version. What the source itself says about where it comes from stands inside.
std::string provenanceText(const Checkpoint& model, const std::string& licence);

} // namespace headroom::models
