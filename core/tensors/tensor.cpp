// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/tensor.h"

#include "core/tensors/half.h"

#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace headroom {

static_assert(std::endian::native == std::endian::little,
              "our files and frames are little-endian, as is every supported machine");

namespace {

struct TypeFacts {
    DType type;
    std::size_t size;
    const char* name;
};

constexpr std::array<TypeFacts, 13> kTypeFacts{{{DType::Bool, 1, "bool"},
                                            {DType::U8, 1, "u8"},
                                            {DType::I8, 1, "i8"},
                                            {DType::I16, 2, "i16"},
                                            {DType::U16, 2, "u16"},
                                            {DType::I32, 4, "i32"},
                                            {DType::U32, 4, "u32"},
                                            {DType::I64, 8, "i64"},
                                            {DType::U64, 8, "u64"},
                                            {DType::F16, 2, "f16"},
                                            {DType::BF16, 2, "bf16"},
                                            {DType::F32, 4, "f32"},
                                            {DType::F64, 8, "f64"}}};

const TypeFacts& factsOf(DType type) {
    const auto& facts = kTypeFacts.at(static_cast<std::size_t>(type));
    if (facts.type != type)
        throw std::logic_error("the table of element types is out of order");
    return facts;
}

template <class T>
constexpr DType dtypeOf() {
    if constexpr (std::is_same_v<T, bool>)
        return DType::Bool;
    else if constexpr (std::is_same_v<T, float>)
        return DType::F32;
    else if constexpr (std::is_same_v<T, double>)
        return DType::F64;
    else if constexpr (std::is_same_v<T, std::int8_t>)
        return DType::I8;
    else if constexpr (std::is_same_v<T, std::uint8_t>)
        return DType::U8;
    else if constexpr (std::is_same_v<T, std::int16_t>)
        return DType::I16;
    else if constexpr (std::is_same_v<T, std::uint16_t>)
        return DType::U16;
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return DType::I32;
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return DType::U32;
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return DType::I64;
    else
        return DType::U64;
}

/// Reads elements one by one through memcpy: a mapped file need not be aligned.
template <class Stored, class Result, class Convert>
void convertAll(const TensorView& tensor, std::vector<Result>& result, Convert convert) {
    for (std::size_t i = 0; i < result.size(); ++i) {
        Stored value;
        std::memcpy(&value, tensor.bytes.data() + i * sizeof(Stored), sizeof(Stored));
        result[i] = static_cast<Result>(convert(value));
    }
}

template <class Result>
std::vector<Result> converted(const TensorView& tensor) {
    const auto count = static_cast<std::size_t>(tensor.elementCount());
    if (tensor.bytes.size() != count * elementSize(tensor.dtype))
        throw std::logic_error("a tensor's bytes do not fit its shape");
    std::vector<Result> result(count);
    const auto same = [](auto value) { return value; };
    switch (tensor.dtype) {
    case DType::Bool:
        convertAll<std::uint8_t>(tensor, result, [](std::uint8_t value) { return value != 0; });
        break;
    case DType::U8:
        convertAll<std::uint8_t>(tensor, result, same);
        break;
    case DType::I8:
        convertAll<std::int8_t>(tensor, result, same);
        break;
    case DType::I16:
        convertAll<std::int16_t>(tensor, result, same);
        break;
    case DType::U16:
        convertAll<std::uint16_t>(tensor, result, same);
        break;
    case DType::I32:
        convertAll<std::int32_t>(tensor, result, same);
        break;
    case DType::U32:
        convertAll<std::uint32_t>(tensor, result, same);
        break;
    case DType::I64:
        convertAll<std::int64_t>(tensor, result, same);
        break;
    case DType::U64:
        convertAll<std::uint64_t>(tensor, result, same);
        break;
    case DType::F16:
        convertAll<std::uint16_t>(tensor, result, floatFromHalf);
        break;
    case DType::BF16:
        convertAll<std::uint16_t>(tensor, result, floatFromBfloat16);
        break;
    case DType::F32:
        if constexpr (std::is_same_v<Result, float>) {
            if (count > 0)
                std::memcpy(result.data(), tensor.bytes.data(), tensor.bytes.size());
        } else
            convertAll<float>(tensor, result, same);
        break;
    case DType::F64:
        convertAll<double>(tensor, result, same);
        break;
    }
    return result;
}

} // namespace

std::size_t elementSize(DType type) {
    return factsOf(type).size;
}

const char* dtypeName(DType type) {
    return factsOf(type).name;
}

DType dtypeFromName(const std::string& name) {
    for (const auto& facts : kTypeFacts)
        if (name == facts.name)
            return facts.type;
    throw std::invalid_argument("no element type is called “" + name + "”");
}

std::optional<std::size_t> byteCount(DType type, std::span<const std::int64_t> shape) {
    std::uint64_t count = elementSize(type);
    bool empty = false;
    for (const auto extent : shape) {
        if (extent < 0)
            return std::nullopt;
        if (extent == 0) {
            empty = true; // go on: a negative extent further right is still wrong
            continue;
        }
        const auto factor = static_cast<std::uint64_t>(extent);
        if (count > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / factor)
            return std::nullopt;
        count *= factor;
    }
    return empty ? 0 : static_cast<std::size_t>(count);
}

std::int64_t TensorView::elementCount() const {
    const auto size = byteCount(dtype, shape);
    if (!size)
        throw std::logic_error("a tensor's shape does not fit into memory");
    return static_cast<std::int64_t>(*size / elementSize(dtype));
}

template <class T>
Tensor Tensor::of(std::vector<std::int64_t> shape, std::span<const T> values) {
    static_assert(sizeof(bool) == 1);
    Tensor result;
    result.dtype = dtypeOf<T>();
    result.shape = std::move(shape);
    const auto size = byteCount(result.dtype, result.shape);
    if (!size || *size != values.size_bytes())
        throw std::invalid_argument("a tensor's values do not fit its shape");
    const auto bytes = std::as_bytes(values);
    result.bytes.assign(bytes.begin(), bytes.end());
    return result;
}

template Tensor Tensor::of(std::vector<std::int64_t>, std::span<const bool>);
template Tensor Tensor::of(std::vector<std::int64_t>, std::span<const float>);
template Tensor Tensor::of(std::vector<std::int64_t>, std::span<const double>);
template Tensor Tensor::of(std::vector<std::int64_t>, std::span<const std::int8_t>);
template Tensor Tensor::of(std::vector<std::int64_t>, std::span<const std::uint8_t>);
template Tensor Tensor::of(std::vector<std::int64_t>, std::span<const std::int16_t>);
template Tensor Tensor::of(std::vector<std::int64_t>, std::span<const std::uint16_t>);
template Tensor Tensor::of(std::vector<std::int64_t>, std::span<const std::int32_t>);
template Tensor Tensor::of(std::vector<std::int64_t>, std::span<const std::uint32_t>);
template Tensor Tensor::of(std::vector<std::int64_t>, std::span<const std::int64_t>);
template Tensor Tensor::of(std::vector<std::int64_t>, std::span<const std::uint64_t>);

std::vector<float> toFloats(const TensorView& tensor) {
    return converted<float>(tensor);
}

std::vector<double> toDoubles(const TensorView& tensor) {
    return converted<double>(tensor);
}

} // namespace headroom
