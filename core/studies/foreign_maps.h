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

/// One layer of imported maps. Rows are queries and sum to 1 within kForeignRowTolerance.
struct ForeignLayer {
    std::vector<Matrix<float>> attention; ///< [H] of [N, N]; [N, N′] for a head whose keys are not tokens
    Matrix<float> contributions;          ///< [N, N]; empty if not in the file
    Matrix<float> headRelevance;          ///< [N, H]; empty if not in the file
    double rowError = 0;                  ///< max |row sum − 1| over all its maps
    bool empty() const { return attention.empty() && contributions.empty(); }
};

/// Tolerance of a row sum: half floats sum to 1 within half of it.
inline constexpr double kForeignRowTolerance = 1e-3;

/// Imported maps of one recording: an .npz with the array names of `analyse`, with at least `token_seconds`
/// [N] and one `layer.l.attention` [H, N, N] (or `layer.l.head.h.attention` [N, N′], h = 1 … H) or
/// `layer.l.contributions` [N, N]. Other arrays are ignored. Layers and heads count from 1; floating point of
/// any width. Nothing is normalised here.
///
/// Reads one layer at a time. Immutable; safe on every thread. Throws Error that names the file and the
/// problem: "maps.none" (no such array), "maps.time" (token_seconds missing, not increasing, or not evenly
/// spaced), "maps.layer" (0, or above 999), "maps.shape", "maps.type", "maps.row" (a row that is not finite,
/// negative or does not sum to 1, with layer, head and row), and the errors of readNpz.
class ForeignMaps {
public:
    explicit ForeignMaps(const std::filesystem::path& file);
    ~ForeignMaps();
    ForeignMaps(ForeignMaps&&) noexcept;
    ForeignMaps& operator=(ForeignMaps&&) noexcept;

    int layers() const;          ///< the highest number; layers between may be empty
    std::int64_t tokens() const; ///< N ≥ 2
    /// Affine, through the first and the last token; tokens may deviate by a tenth of a step.
    TokenClock clock() const;
    /// Returns a validated layer; empty if the file does not have it. `number` from 1 to layers().
    ForeignLayer layer(int number) const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

/// Tokens of maps that lie after the end of their recording: times of another step, or tokens of padding.
struct LateTokens {
    std::int64_t count = 0; ///< 0: none; the front end's own slack of a few tokens does not count
    /// "135 of its 271 tokens lie after the end of the recording …": a sentence about the file of that name.
    std::string sentence;
};
LateTokens lateTokens(const std::string& file, const TokenClock& clock, std::int64_t tokens, Seconds duration);

/// Returns the .npz files of a folder by stem, which names the recording, or a single file by its stem.
/// Throws Error "maps.missing" if there is none.
std::map<std::string, std::filesystem::path> foreignMapFiles(const std::filesystem::path& folder);

/// Returns whether the file has the array names of imported maps (or of `analyse`). Reads only the directory.
bool isForeignMaps(const std::filesystem::path& file);

} // namespace headroom
