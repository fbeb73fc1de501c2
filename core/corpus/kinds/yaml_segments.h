// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

/// A segment of MuST-C, mTEDx and others of their family:
///     - {duration: 3.5, offset: 16.18, speaker_id: spk.1, wav: ted_1.wav}
struct YamlSegment {
    std::string wav, speaker;
    double offset = 0, duration = 0; ///< seconds
    int line = 0;                    ///< from 1
};

/// Reads a list of maps, in flow or block style. Other keys are skipped; no tag is interpreted, and aliases
/// are refused. Throws Error "corpus.missingTable", "corpus.emptyFile", or "corpus.badYaml", which names file
/// and line.
std::vector<YamlSegment> readYamlSegments(const std::filesystem::path& file);

} // namespace headroom
