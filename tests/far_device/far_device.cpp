// SPDX-License-Identifier: GPL-3.0-or-later
// A device for torch that is no GPU and behaves like one: its memory is host memory, but it is another device whose memory the host
// cannot read (memory.h), so a tensor left on the CPU, a pointer read where it may not be, and every copy and wait show without a
// GPU. A library to be preloaded:
// LD_PRELOAD=libfar-device.so headroom-worker train --device privateuseone:0 …
//
// Operators compute on copies on the CPU, so numbers are those of the CPU. FAR_DEVICE_LOG names a file that gets, at the end,
// how often a number was read back ("reads N"), how many copies went each way, how many of those to the device waited for it,
// how many made their way aside of its computing, on a second stream, how often the program waited for the whole device, how
// often it asked for memory, and how much it launched. FAR_DEVICE_OPERATIONS names a file that gets what was launched, by name.
// With FAR_DEVICE_KERNELS our own kernels for GPUs run there too (kernels.cpp); they are slow. FAR_DEVICE_HANG names a file; once
// FILE.RANK exists, the thread of that rank that next sends something there hangs.
#include "tests/far_device/copies.h"
#include "tests/far_device/counts.h"
#include "tests/far_device/memory.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/EmptyTensor.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_local_scalar_dense_cpu_dispatch.h>
#include <ATen/ops/as_strided_cpu_dispatch.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/set_cpu_dispatch.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_cpu_dispatch.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/DeviceType.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

#include <atomic>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace {

constexpr c10::DeviceType kFar = c10::DeviceType::PrivateUse1;

using namespace headroom::far_device;

/// The stream of this thread's operations, and whether something is under way on another that nobody has waited for.
thread_local c10::StreamId current = 0;
thread_local bool underWay = false;
constexpr c10::StreamId kAside = 1;

/// The number that an environment variable holds; without it `otherwise`.
long setting(const char* name, long otherwise) {
    const char* text = std::getenv(name);
    return text ? std::strtol(text, nullptr, 10) : otherwise;
}

/// Counts what it gives. FAR_DEVICE_FREE: bytes that other programs leave. FAR_DEVICE_LARGEST: a request for more bytes is refused
/// as a full GPU refuses it. FAR_DEVICE_LOST_AFTER: after so many requests each one fails as on a GPU that fell away.
struct FarAllocator final : c10::DeviceAllocator {
    static constexpr std::size_t kBefore = 64; ///< in front of what is given lies its size
    static std::size_t& sizeOf(void* whole) { return *static_cast<std::size_t*>(headroom::far_device::readable(whole)); }
    c10::DataPtr allocate(std::size_t bytes) override {
        static const long most = setting("FAR_DEVICE_LARGEST", LONG_MAX), last = setting("FAR_DEVICE_LOST_AFTER", LONG_MAX);
        if (++counts.requests > last)
            throw c10::AcceleratorError({__func__, __FILE__, __LINE__}, 719, "far device error: the device is lost");
        TORCH_CHECK_WITH(OutOfMemoryError, static_cast<long>(bytes) <= most, "far device out of memory. Tried to allocate ", bytes,
                         " bytes.");
        if (bytes == 0)
            return {nullptr, nullptr, &release, c10::Device(kFar, 0)};
        auto* whole = static_cast<char*>(headroom::far_device::takeMemory(bytes + kBefore));
        sizeOf(whole) = bytes;
        const long now = taken += static_cast<long>(bytes);
        for (long before = peak; before < now && !peak.compare_exchange_weak(before, now);) {
        }
        return {whole + kBefore, whole + kBefore, &release, c10::Device(kFar, 0)};
    }
    static void release(void* place) {
        if (!place)
            return;
        char* whole = static_cast<char*>(place) - kBefore;
        const std::size_t bytes = sizeOf(whole);
        taken -= static_cast<long>(bytes);
        headroom::far_device::giveBackMemory(whole, bytes + kBefore);
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void* to, const void* from, std::size_t bytes) const override {
        default_copy_data(headroom::far_device::readable(to), headroom::far_device::readable(from), bytes);
    }

    bool initialized() override { return true; }
    void emptyCache(c10::MempoolId_t) override {}
    void recordStream(const c10::DataPtr&, c10::Stream) override {}
    c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex) override {
        c10::CachingDeviceAllocator::DeviceStats stats;
        stats.reserved_bytes[0].current = taken;
        stats.reserved_bytes[0].peak = peak;
        return stats;
    }
    void resetAccumulatedStats(c10::DeviceIndex) override {}
    void resetPeakStats(c10::DeviceIndex) override { peak = taken.load(); }
    std::pair<std::size_t, std::size_t> getMemoryInfo(c10::DeviceIndex) override {
        const long bytes = setting("FAR_DEVICE_FREE", -1);
        TORCH_CHECK_NOT_IMPLEMENTED(bytes >= 0, "nobody said what is free");
        return {static_cast<std::size_t>(bytes), std::size_t(1) << 40};
    }
    inline static std::atomic<long> taken{0}, peak{0};
} allocator;
REGISTER_ALLOCATOR(kFar, &allocator)

struct FarGuard final : c10::impl::DeviceGuardImplInterface {
    c10::DeviceType type() const override { return kFar; }
    c10::Device exchangeDevice(c10::Device) const override { return {kFar, 0}; }
    c10::Device getDevice() const override { return {kFar, 0}; }
    void setDevice(c10::Device) const override {}
    void uncheckedSetDevice(c10::Device) const noexcept override {}
    c10::Stream getStream(c10::Device) const override { return c10::Stream(c10::Stream::UNSAFE, {kFar, 0}, current); }
    c10::Stream getStreamFromGlobalPool(c10::Device, bool) const override {
        return c10::Stream(c10::Stream::UNSAFE, {kFar, 0}, kAside);
    }
    c10::Stream getDefaultStream(c10::Device) const override { return c10::Stream(c10::Stream::DEFAULT, {kFar, 0}); }
    c10::Stream exchangeStream(c10::Stream stream) const override {
        return c10::Stream(c10::Stream::UNSAFE, {kFar, 0}, std::exchange(current, stream.id()));
    }
    void record(void** event, const c10::Stream& stream, c10::DeviceIndex, c10::EventFlag) const override {
        *event = stream.id() == kAside ? &events[1] : &events[0];
    }
    void block(void* event, const c10::Stream& stream) const override {
        if (event == &events[1] && stream.id() != kAside)
            underWay = false;
    }
    bool queryEvent(void*) const override { return true; }
    void destroyEvent(void*, c10::DeviceIndex) const noexcept override {}
    void recordDataPtrOnStream(const c10::DataPtr&, const c10::Stream&) const override {}
    inline static char events[2];
    c10::DeviceIndex deviceCount() const noexcept override { return 1; }
    bool queryStream(const c10::Stream&) const override { return true; }
    void synchronizeStream(const c10::Stream&) const override {}
    void synchronizeDevice(c10::DeviceIndex) const override { ++counts.synchronised; }
};
C10_REGISTER_GUARD_IMPL(PrivateUse1, FarGuard)

/// Host memory that the device can read by itself.
struct PinnedAllocator final : c10::Allocator {
    c10::DataPtr allocate(std::size_t bytes) override {
        void* place = bytes ? std::malloc(bytes) : nullptr;
        if (bytes && !place)
            throw std::bad_alloc();
        const std::lock_guard guard(mutex);
        if (place)
            places[place] = bytes;
        return {place, place, &release, c10::Device(c10::kCPU)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }
    static void release(void* place) {
        const std::lock_guard guard(mutex);
        places.erase(place);
        std::free(place);
    }
    static bool holds(const void* place) {
        const std::lock_guard guard(mutex);
        auto after = places.upper_bound(place);
        return after != places.begin() && (--after, static_cast<const char*>(place) < static_cast<const char*>(after->first) + after->second);
    }
    inline static std::mutex mutex;
    inline static std::map<const void*, std::size_t> places;
} pinned;

struct FarHooks final : at::PrivateUse1HooksInterface {
    bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
    bool isBuilt() const override { return true; }
    bool isAvailable() const override { return true; }
    c10::DeviceIndex deviceCount() const override { return 1; }
    c10::DeviceIndex getCurrentDevice() const override { return 0; }
    at::Allocator* getPinnedMemoryAllocator() const override { return &pinned; }
    bool isPinnedPtr(const void* place) const override { return PinnedAllocator::holds(place); }
    const at::Generator& getDefaultGenerator(c10::DeviceIndex) const override {
        static const at::Generator generator = at::detail::createCPUGenerator();
        return generator;
    }
};
[[maybe_unused]] const bool hooked = [] {
    c10::register_privateuse1_backend("privateuseone"); // torch's own name for it; autograd looks for a registered one
    at::RegisterPrivateUse1HooksInterface(new FarHooks);
    return true;
}();

} // namespace

namespace headroom::far_device {

at::Tensor near(const at::Tensor& tensor) {
    if (tensor.is_cpu())
        return tensor;
    return at::from_blob(readable(tensor.const_data_ptr()), tensor.sizes(), tensor.strides(),
                         tensor.options().device(c10::kCPU));
}

at::Tensor far(const at::Tensor& tensor) {
    const InOperator own;
    return tensor.defined() ? tensor.to(c10::Device(kFar, 0)) : tensor;
}

} // namespace headroom::far_device

namespace {

at::Tensor emptyMemory(c10::SymIntArrayRef sizes, std::optional<at::ScalarType> type, std::optional<at::Layout>,
                       std::optional<at::Device>, std::optional<bool>, std::optional<at::MemoryFormat> format) {
    return at::detail::empty_generic(c10::asIntArrayRefSlow(sizes, __FILE__, __LINE__), &allocator,
                                     c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                     type.value_or(at::kFloat), format);
}

at::Tensor emptyStrided(at::IntArrayRef sizes, at::IntArrayRef strides, std::optional<at::ScalarType> type,
                        std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>) {
    return at::detail::empty_strided_generic(sizes, strides, &allocator,
                                             c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                             type.value_or(at::kFloat));
}

void hangIfAsked() {
    static const char* file = std::getenv("FAR_DEVICE_HANG");
    if (!file)
        return;
    const char* rank = std::getenv("RANK");
    static const std::string own = std::string(file) + "." + (rank ? rank : "0");
    while (::access(own.c_str(), F_OK) == 0)
        ::pause();
}

at::Tensor copyFrom(const at::Tensor& from, const at::Tensor& to, bool withoutWaiting) {
    if (from.is_cpu()) {
        hangIfAsked();
        ++counts.sent;
        if (!InOperator::depth && (!withoutWaiting || !PinnedAllocator::holds(from.const_data_ptr())))
            ++counts.waited; // only what lies in pinned memory goes by itself
        if (current == kAside) {
            ++counts.aside;
            underWay = true;
        }
    } else if (to.is_cpu())
        ++counts.fetched;
    else
        countLaunch("copy");
    near(to).copy_(near(from));
    return to;
}

at::Tensor copyFromAndResize(const at::Tensor& from, const at::Tensor& to) {
    if (to.sizes() != from.sizes())
        at::native::resize_(to, from.sizes());
    return copyFrom(from, to, false);
}

const at::Tensor& resized(const at::Tensor& tensor, at::IntArrayRef sizes, std::optional<at::MemoryFormat>) {
    const auto bytes = static_cast<std::size_t>(c10::multiply_integers(sizes)) * tensor.itemsize();
    auto* plain = tensor.unsafeGetTensorImpl();
    if (plain->unsafe_storage().nbytes() < bytes + plain->storage_offset() * tensor.itemsize()) {
        const std::size_t whole = bytes + plain->storage_offset() * tensor.itemsize();
        c10::DataPtr fresh = allocator.allocate(whole);
        allocator.copy_data(fresh.get(), plain->unsafe_storage().data(), plain->unsafe_storage().nbytes());
        plain->unsafe_storage().set_data_ptr_noswap(std::move(fresh));
        plain->unsafe_storage().set_nbytes(whole);
    }
    plain->set_sizes_contiguous(sizes);
    return tensor;
}

at::Scalar readBack(const at::Tensor& tensor) {
    ++counts.reads;
    return at::cpu::_local_scalar_dense(near(tensor));
}

at::Tensor convolution(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                       at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation, bool transposed,
                       at::IntArrayRef outputPadding, std::int64_t groups) {
    countLaunch("convolution");
    return far(at::convolution(near(input), near(weight), bias && bias->defined() ? near(*bias) : at::Tensor(), stride,
                               padding, dilation, transposed, outputPadding, groups));
}

std::tuple<at::Tensor, at::Tensor, at::Tensor>
convolutionBackward(const at::Tensor& gradient, const at::Tensor& input, const at::Tensor& weight, at::IntArrayRef stride,
                    at::IntArrayRef padding, at::IntArrayRef dilation, bool transposed, at::IntArrayRef outputPadding,
                    std::int64_t groups, std::array<bool, 3> wanted) {
    countLaunch("convolution_backward");
    const std::vector<std::int64_t> biasSizes{transposed ? weight.size(1) * groups : weight.size(0)};
    const auto [ofInput, ofWeight, ofBias] =
        at::convolution_backward(near(gradient), near(input), near(weight), at::OptionalIntArrayRef(biasSizes), stride,
                                 padding, dilation, transposed, outputPadding, groups, wanted);
    return {far(ofInput), far(ofWeight), far(ofBias)};
}

/// A tensor of the CPU among those of the device is what this device is for. A number (no dimension) may come from anywhere,
/// and so may indices, as on a GPU. A GPU draws with a generator of its own.
void refuseMixed(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
    const std::string& name = op.schema().name();
    const auto check = [&](const at::Tensor& tensor) {
        if (!tensor.defined() || !tensor.is_cpu() || tensor.dim() == 0)
            return;
        if (name.starts_with("aten::index") && tensor.scalar_type() == at::kLong && name != "aten::index_select")
            return;
        throw std::runtime_error("far device: " + name + " got a tensor of the CPU");
    };
    const std::size_t count = op.schema().arguments().size();
    for (std::size_t i = stack.size() - count; i < stack.size(); ++i) {
        const c10::IValue& value = stack[i];
        if (value.isTensor())
            check(value.toTensor());
        else if (value.isGenerator() && value.toGenerator().device().is_cpu())
            throw std::runtime_error("far device: " + name + " got a generator of the CPU");
        else if (value.isTensorList())
            for (const at::Tensor& tensor : value.toTensorVector())
                check(tensor);
    }
}

void fallBack(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
    refuseMixed(op, *stack);
    if (underWay && current != kAside)
        throw std::runtime_error("far device: " + op.schema().name() + " does not wait for what is under way");
    countLaunch(op.schema().name());
    const long before = counts.sent, back = counts.fetched;
    const InOperator own;
    at::native::cpu_fallback(op, stack);
    counts.sent = before; // these are not the program's
    counts.fetched = back;
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, library) {
    library.fallback(torch::CppFunction::makeFromBoxedFunction<&fallBack>());
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
    library.impl("empty.memory_format", &emptyMemory);
    library.impl("empty_strided", &emptyStrided);
    library.impl("as_strided", [](const at::Tensor& self, at::IntArrayRef sizes, at::IntArrayRef strides,
                                  std::optional<std::int64_t> offset) {
        return at::cpu::as_strided(self, sizes, strides, offset);
    });
    library.impl("view", [](const at::Tensor& self, at::IntArrayRef sizes) { return at::cpu::view(self, sizes); });
    library.impl("_reshape_alias", [](const at::Tensor& self, at::IntArrayRef sizes, at::IntArrayRef strides) {
        return at::cpu::as_strided(self, sizes, strides, self.storage_offset());
    });
    library.impl("unfold", &at::native::unfold);
    library.impl("resize_", &resized);
    library.impl("set_.source_Storage_storage_offset",
                 [](at::Tensor& self, at::Storage source, std::int64_t offset, at::IntArrayRef sizes,
                    at::IntArrayRef strides) -> at::Tensor& {
                     return at::cpu::set_(self, std::move(source), offset, sizes, strides);
                 });
    library.impl("_copy_from", &copyFrom);
    library.impl("_copy_from_and_resize", &copyFromAndResize);
    library.impl("_local_scalar_dense", &readBack);
    library.impl("record_stream", [](at::Tensor&, c10::Stream) {}); // memory is not taken up again by stream
    // As CUDA has it; torch would make it of many.
    library.impl("native_layer_norm", torch::CppFunction::makeFromBoxedFunction<&fallBack>());
    library.impl("convolution_overrideable", &convolution);
    library.impl("convolution_backward_overrideable", &convolutionBackward);
}

} // namespace

/// The worker ends with it, before the destructors of libraries.
extern "C" __attribute__((visibility("default"), noreturn)) void _exit(int status) {
    writeReport();
    ::syscall(SYS_exit_group, status);
    __builtin_unreachable();
}
