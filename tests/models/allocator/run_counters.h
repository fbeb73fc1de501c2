// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

/// What a run really multiplies and keeps. Compile with NDEBUG, as torch itself was: without it
/// at::RecordFunction has another layout in its header.
namespace headroom::testing {

/// Multiply–accumulates of every matrix product and convolution that ATen runs on this thread while it lives.
class ProductCounter {
public:
    ProductCounter() {
        s_count = 0;
        s_inside = 0;
        m_handle = at::addThreadLocalCallback(
            at::RecordFunctionCallback(begin, end).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
    }
    ~ProductCounter() { at::removeCallback(m_handle); }
    std::int64_t count() const { return s_count; }

private:
    /// A convolution may be matrix products inside; they are not counted again.
    struct Convolution : at::ObserverContext {};

    static std::int64_t ofConvolution(c10::ArrayRef<const c10::IValue> inputs) {
        const at::Tensor x = inputs[0].toTensor(), weight = inputs[1].toTensor();
        const auto strides = inputs[3].toIntVector(), paddings = inputs[4].toIntVector();
        std::int64_t macs = x.size(0) * weight.numel();
        for (std::int64_t i = 2; i < x.dim(); ++i) {
            const auto of = static_cast<std::size_t>(i) - 2;
            macs *= (x.size(i) + 2 * paddings[of % paddings.size()] - weight.size(i)) /
                        strides[of % strides.size()] +
                    1;
        }
        return macs;
    }

    static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
        const std::string_view name = function.name();
        const auto inputs = function.inputs();
        if (name == "aten::convolution") {
            if (s_inside++ == 0)
                s_count += ofConvolution(inputs);
            return std::make_unique<Convolution>();
        }
        if (s_inside > 0)
            return nullptr;
        const bool sum = name == "aten::addmm" || name == "aten::baddbmm";
        if (sum || name == "aten::mm" || name == "aten::bmm" || name == "aten::mv") {
            const at::Tensor left = inputs[sum ? 1 : 0].toTensor(), right = inputs[sum ? 2 : 1].toTensor();
            s_count += left.numel() * (right.dim() > 1 ? right.size(-1) : 1);
        }
        if (name == "aten::_scaled_dot_product_flash_attention_for_cpu") { // scores, then values; whole rows
            const at::Tensor q = inputs[0].toTensor(), k = inputs[1].toTensor(), v = inputs[2].toTensor();
            s_count += q.numel() / q.size(3) * k.size(2) * (q.size(3) + v.size(3));
        }
        if (name == "aten::mkldnn_rnn_layer") // an LSTM's layer in one call
            s_count += inputs[0].toTensor().size(0) * inputs[0].toTensor().size(1) *
                       (inputs[1].toTensor().numel() + inputs[2].toTensor().numel());
        if (name == "aten::addcmul") // a tap of a depthwise convolution
            s_count += inputs[1].toTensor().numel();
        return nullptr;
    }
    static void end(const at::RecordFunction&, at::ObserverContext* context) {
        if (context)
            --s_inside;
    }

    static inline thread_local std::int64_t s_count = 0;
    static inline thread_local int s_inside = 0;
    at::CallbackHandle m_handle;
};

/// Bytes that live now. Takes the place of torch's allocator once, for the whole process.
class CountingAllocator final : public c10::Allocator {
public:
    static CountingAllocator& instance() {
        static auto* const one = new CountingAllocator; // outlives every tensor
        return *one;
    }
    std::int64_t live() const { return s_live; }
    c10::DataPtr allocate(std::size_t size) override {
        // The size stands before the numbers, a cache line away.
        auto* block = static_cast<char*>(std::aligned_alloc(kLine, (size + 2 * kLine - 1) / kLine * kLine));
        if (!block)
            throw std::bad_alloc();
        std::memcpy(block, &size, sizeof size);
        s_live += static_cast<std::int64_t>(size);
        return {block + kLine, block + kLine, &release, c10::Device(c10::kCPU)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void* to, const void* from, std::size_t size) const override {
        std::memcpy(to, from, size);
    }

private:
    static constexpr std::size_t kLine = 64;
    CountingAllocator() { c10::SetCPUAllocator(this, 255); }
    static void release(void* numbers) {
        if (!numbers)
            return;
        char* block = static_cast<char*>(numbers) - kLine;
        std::size_t size = 0;
        std::memcpy(&size, block, sizeof size);
        s_live -= static_cast<std::int64_t>(size);
        std::free(block);
    }
    static inline std::atomic<std::int64_t> s_live = 0;
};

} // namespace headroom::testing
