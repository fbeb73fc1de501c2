// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom {

enum class DType { Bool, U8, I8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64 };

/// Returns the bytes of one element.
std::size_t elementSize(DType type);
/// Returns "f32", "bf16" …, as in our files and the protocol. dtypeFromName throws std::invalid_argument for
/// an unknown name.
const char* dtypeName(DType type);
DType dtypeFromName(const std::string& name);
/// Returns the bytes of an array of this shape; `nullopt` for a negative extent or a product beyond 63 bits.
std::optional<std::size_t> byteCount(DType type, std::span<const std::int64_t> shape);

/// A borrowed n-dimensional array, row-major, little-endian, as in a mapped file or a received frame.
struct TensorView {
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes; ///< exactly elementCount() · elementSize(dtype); may be unaligned

    std::int64_t elementCount() const;
};

/// An owned n-dimensional array. A value.
struct Tensor {
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;

    TensorView view() const { return {dtype, shape, bytes}; }
    /// Copies values; the C++ type determines the dtype (float → F32, double → F64, int64 → I64 …). Throws
    /// std::invalid_argument if the shape does not match the number of values.
    template <class T>
    static Tensor of(std::vector<std::int64_t> shape, std::span<const T> values);
};

/// Returns every element as float (any numeric dtype, including half and bfloat16).
std::vector<float> toFloats(const TensorView& tensor);
std::vector<double> toDoubles(const TensorView& tensor);

} // namespace headroom
