// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// The launcher of contributions_cuda.cu. Plain pointers into one device's memory, contiguous; no torch
/// header, so that nvcc compiles in seconds.
namespace headroom::models::device {

struct Bfloat16;
template <class T>
struct Arithmetic;

/// Queries whose part of the profiles one block sums.
constexpr std::int64_t kProfileRows = 32;
/// Keys whose part of a row's sum one block adds.
constexpr std::int64_t kNormKeys = 128;

/// One layer's contributions (contributions.h). T: float, double or Bfloat16, whose sums and results are `S`:
/// T itself, float for Bfloat16.
template <class T, class S>
struct Contributions {
    std::int64_t heads, queries, keys, width;
    std::int64_t reach;   ///< no head looks further; only with the residual on the diagonal
    bool ownColumn;       ///< the residual is column `keys`, behind the keys; else it joins the diagonal
    const T* attention;   ///< [head, query, key]
    const T* transformed; ///< [head, key, width]
    const T* residual;    ///< [query, width]

    // Room.
    S* gram;         ///< [head · (head + 1) / 2, key]
    double* own;     ///< [query]: norm of the diagonal entry or of the residual's column
    double* inverse; ///< [query]: 1 / row sum; 0 for a row of zeros
    double* parts;   ///< partsOf() numbers if there are profiles
    double* sums;    ///< sumsOf() numbers
    S* norms;        ///< [query, key] if there is no `out`, which otherwise holds them meanwhile

    // Results, each only if it is not null. Profiles need queries = keys and no column of their own. The
    // profiles of the heads alone need `attention` and `parts` only.
    S* out;               ///< [query, key], or [query, key + 1] with a column of its own
    double* profile;      ///< [2N − 1]: sums of C along j − i = −(N−1) … N−1
    double* headProfiles; ///< [head, 2N − 1]: the same of every head's attention
    /// [2, 2N − 1], only with a profile: the largest entry of C along each diagonal, and its query, the first of equal ones;
    /// zeros where no entry is above zero.
    double* strongest = nullptr;

    std::int64_t gramOf() const { return heads * (heads + 1) / 2 * keys; }
    std::int64_t sumsOf() const { return queries * ((keys + kNormKeys - 1) / kNormKeys); }
    std::int64_t profiles() const { return (profile ? 1 : 0) + (strongest ? 2 : 0) + (headProfiles ? heads : 0); }
    std::int64_t partsOf() const {
        return profiles() * ((queries + kProfileRows - 1) / kProfileRows) * (keys + kProfileRows - 1);
    }
};

/// Layers that one launch takes.
constexpr std::int64_t kLayersAtOnce = 32;

/// Several layers of one shape, each kernel launched once for all of them. `shared`: of the first layer, and its tensors are not
/// read; the room of the next layer lies behind that of one, and its results `step` numbers behind. Without `out` and
/// `headProfiles` if there is more than one layer.
template <class T, class S>
struct LayerContributions {
    Contributions<T, S> shared;
    std::int64_t layers, step;
    std::int64_t gramRoom, partsRoom, sumsRoom; ///< of a layer; the launcher's own
    const T* attention[kLayersAtOnce];
    const T* transformed[kLayersAtOnce];
    const T* residual[kLayersAtOnce];
};

/// Starts the kernels on `stream` (a cudaStream_t). Results are the same bits every time.
/// Throws std::runtime_error if a kernel cannot be started.
template <class T, class S>
void launchContributions(const Contributions<T, S>& work, void* stream);
template <class T, class S>
void launchContributions(const LayerContributions<T, S>& work, void* stream);

} // namespace headroom::models::device
