// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/ranks/nccl.h"

#include "core/errors/error.h"
#include "models/kernels/device_operators.h"

#include <dlfcn.h>

namespace headroom::training {

namespace {

constexpr const char* kLibrary = "libheadroom-nccl.so";

[[noreturn]] void refuseGpus(const std::string& why) {
    throw Error("ranks.noNccl", "Several ranks on GPUs add up their gradients through NCCL, which cannot be used: " + why +
                                    ". Train on one GPU, or with --device cpu.");
}

} // namespace

c10::intrusive_ptr<c10d::Backend> ncclGroup(const c10::intrusive_ptr<c10d::Store>& store, const RankPlace& place) {
    if (const std::string& missing = models::loadTorchForCuda(); !missing.empty())
        refuseGpus(missing);
    const auto library = models::ownLibrary(kLibrary);
    if (library.empty())
        refuseGpus(std::string(kLibrary) + " is not beside this program; build it where nccl.h 2.28 is found "
                                           "(packaging/set-up --cuda on a machine with a GPU)");
    void* opened = ::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!opened)
        refuseGpus(std::string(kLibrary) + " cannot be loaded (" + ::dlerror() + ")");
    using Make = c10d::Backend* (*)(const c10::intrusive_ptr<c10d::Store>&, int, int);
    const auto make = reinterpret_cast<Make>(::dlsym(opened, "headroomNcclGroup"));
    if (!make)
        refuseGpus(std::string(kLibrary) + " is of another version");
    return c10::intrusive_ptr<c10d::Backend>::reclaim(make(store, place.rank, place.world));
}

} // namespace headroom::training
