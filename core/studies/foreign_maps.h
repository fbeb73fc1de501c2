// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/matrix/matrix.h"
#include "core/time/clocks.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headroom {

/// One layer of maps from elsewhere. Rows are queries; rows sum to 1 within kForeignRowTolerance.
struct ForeignLayer {
    std::vector<Matrix<float>> attention; ///< [H] of [N, N]; [N, N′] for a head over other keys than tokens
    Matrix<float> contributions;          ///< [N, N]; empty: the file has none
    Matrix<float> headRelevance;          ///< [N, H]; empty: the file has none
    double rowError = 0;                  ///< the largest |row sum − 1| of all its maps
    bool empty() const { return attention.empty() && contributions.empty(); }
};

/// What a row may miss of 1: half floats sum to 1 within half of it.
inline constexpr double kForeignRowTolerance = 1e-3;

/// Maps of one recording that another toolkit wrote, in an .npz with the names that `analyse` writes: at
/// least `token_seconds` [N] and one `layer.l.attention` [H, N, N] (or `layer.l.head.h.attention` [N, N′], h
/// = 1 … H) or `layer.l.contributions` [N, N]. Arrays of other names are passed over. Layers and heads count
/// from 1; floating point of any width. Nothing of it is normalised here.
///
/// Reads one layer at a time. Immutable; safe from every thread. Throws Error that names the file and what is
/// wrong: "maps.none" (no such array), "maps.time" (token_seconds missing, not rising, not evenly spaced),
/// "maps.layer" (numbered from 0, or beyond 999), "maps.shape", "maps.type", "maps.row" (a row that is not
/// finite, negative or does not sum to 1: with layer, head and row) and what readNpz throws.
class ForeignMaps {
public:
    explicit ForeignMaps(const std::filesystem::path& file);
    ~ForeignMaps();
    ForeignMaps(ForeignMaps&&) noexcept;
    ForeignMaps& operator=(ForeignMaps&&) noexcept;

    int layers() const;          ///< the highest number; layers between may be empty
    std::int64_t tokens() const; ///< N ≥ 2
    /// Affine, through the first and the last token. Tokens may be a tenth of a step off.
    TokenClock clock() const;
    /// Verified. Empty for a layer that the file does not have. `number` from 1 to layers().
    ForeignLayer layer(int number) const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

/// The .npz files of a folder by stem, which names the recording; or one file by its stem. Throws Error
/// "maps.missing" for a folder without any, and where there is neither.
std::map<std::string, std::filesystem::path> foreignMapFiles(const std::filesystem::path& folder);

/// Whether the file has the names of maps from elsewhere (or of `analyse`); false for any other file. Reads
/// the directory only.
bool isForeignMaps(const std::filesystem::path& file);

} // namespace headroom
