// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/analysis.h"

#include <filesystem>

namespace headroom::app {

/// The map on the screen as a table: first row the keys' times, first column the queries', in seconds, of a text the tokens'
/// numbers from 0, and a last column with their pieces. Every number in the precision it is held in. Throws Error "export.unwritable".
void writeCsv(const std::filesystem::path& file, const MaxPyramid& map, const AnalysisResult& result);

/// Everything known about one layer, under the names of `analyse` (token_seconds, source_pieces of a text, layer.l.contributions,
/// layer.l.contribution_profile, layer.l.attention_profile, layer.l.head_relevance, layer.l.rebuild_error,
/// layer.l.gram_error, and layer.l.attention where it was fetched). Throws Error "npz.unwritable".
void writeNpz(const std::filesystem::path& file, const AnalysisResult& result, int layer);

} // namespace headroom::app
