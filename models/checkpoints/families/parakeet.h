// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/families/switches.h"

#include <string>

namespace headroom::models {

/// Reads FastConformer's front end and encoder from the keys of transformers' ParakeetEncoderConfig into `model`.
void readParakeetFrontEnd(const JsonFile& config, const Switches& switches, ModelFolder& model);
void readParakeetEncoder(const JsonFile& config, const Switches& switches, ModelFolder& model);

/// Who named the tensors of a FastConformer. NeMo's names and transformers' differ in a few words
/// (transformers, models/parakeet/convert_nemo_to_hf.py).
enum class ParakeetNames { Transformers, Nemo };
/// `prefix`: of the encoder's names in the file, "encoder." or "".
NameRules parakeetNames(const Architecture& architecture, const std::string& prefix, ParakeetNames names);

} // namespace headroom::models
