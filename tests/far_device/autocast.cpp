// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/autocast_mode.h>
#include <torch/library.h>

namespace {

// In bfloat16 it computes what a GPU computes in it.
TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, library) {
    library.fallback(torch::CppFunction::makeFallthrough());
}
#define HEADROOM_NARROW(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, lower_precision_fp)
#define HEADROOM_WIDE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32)
#define HEADROOM_WIDE_TYPE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32_set_opt_dtype)
#define HEADROOM_WIDEST(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, promote)
TORCH_LIBRARY_IMPL(aten, AutocastPrivateUse1, m) { // the macros' word
    AT_FORALL_LOWER_PRECISION_FP(HEADROOM_NARROW)
    AT_FORALL_FP32(HEADROOM_WIDE)
    AT_FORALL_FP32_SET_OPT_DTYPE(HEADROOM_WIDE_TYPE)
    AT_FORALL_PROMOTE(HEADROOM_WIDEST)
}

} // namespace
