// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

/// A family of Hugging Face models that Headroom opens. models/checkpoints/families has the code of each.
struct ModelFamily {
    std::string name;                    ///< "wav2vec 2.0"
    std::vector<std::string> modelTypes; ///< “model_type” of config.json
    bool readsText = false;              ///< translates text; all others read speech
};
/// All of them, in the order in which messages list them.
const std::vector<ModelFamily>& modelFamilies();

/// What a Hugging Face configuration describes. A value.
struct ModelKind {
    enum class Reads { Speech, Text, Images, MakesSound, Unknown };
    std::string family; ///< that of modelFamilies(); empty: Headroom does not open it
    Reads reads = Reads::Unknown;
    std::string needs; ///< speech without a family: what Headroom lacks, "patches in two dimensions"; may be empty

    /// "a text model", "a speech model that Headroom does not open"; "a wav2vec 2.0 model" of a family.
    std::string text() const;
};
/// `type`: “model_type”. `modelClass`: the first of “architectures”, by whose ending an unknown type is guessed;
/// may be empty.
ModelKind modelKind(const std::string& type, const std::string& modelClass = {});

/// Whether a file is opened as a model by itself, by its name: an archive (.nemo), the weights of a training
/// (.pth), the adapters of a language (language_adapter.h).
bool standsForItself(const std::filesystem::path& file);

/// Returns the only NeMo archive (*.nemo) in a folder, which can be opened; empty if there is none or more than one.
/// Looks at names only. Never throws.
std::filesystem::path onlyArchive(const std::filesystem::path& folder);

/// Returns what another program's files in a folder are, and what to do: "CTranslate2 weights (model.bin), as
/// faster-whisper uses them; Headroom opens the Hugging Face folder that they were made of". Empty if there are none.
/// Looks at names only. Never throws.
std::string otherFormat(const std::filesystem::path& folder);

} // namespace headroom
