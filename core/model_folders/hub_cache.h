// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

/// A speech model in the Hugging Face cache. A value.
struct CachedModel {
    std::string name;               ///< "facebook/wav2vec2-base-960h"
    std::filesystem::path snapshot; ///< the folder to open
    std::string family;             ///< "wav2vec 2.0"; a family that is not opened: its “model_type”; may be empty
    std::int64_t bytes = 0;         ///< of the files in the snapshot
    std::string reason;             ///< why it cannot be opened, one sentence; empty: it can
    /// Bytes of memory that opening it takes: its weights in float32. About, by the size of the files and “dtype” of
    /// config.json; 0: unknown.
    std::int64_t memory = 0;
};

/// Returns the folder of the cache as huggingface_hub finds it: $HF_HUB_CACHE, else $HF_HOME/hub, else
/// $XDG_CACHE_HOME/huggingface/hub, else ~/.cache/huggingface/hub. It need not exist. Empty without a home folder.
std::filesystem::path hubCacheFolder();

/// Whether a folder is a repository of a cache: models--ORG--NAME with snapshots in it.
bool isRepository(const std::filesystem::path& folder);
/// Returns the folder to open of a repository: the snapshot of its branch main, or the only one; of ESPnet's repositories the first
/// training of a speech recogniser in it. Every other folder, and a repository with several snapshots, as it is. Never throws.
std::filesystem::path modelFolderIn(const std::filesystem::path& folder);

/// Returns the speech models of a cache, by name: of each repository the snapshot of its branch main, or the newest.
/// Of ESPnet's repositories, the first training of a speech recogniser in exp/ is the folder to open.
/// Reads names, links, small JSON files, config.yaml and the header of model.safetensors only. What cannot be read is left out.
/// Never throws; safe on every thread.
std::vector<CachedModel> cachedSpeechModels(const std::filesystem::path& cache);

} // namespace headroom
