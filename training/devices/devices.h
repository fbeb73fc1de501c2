// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::models {
struct CheckRow;
}

namespace headroom::training {

/// A processor or GPU of this machine. A value.
struct ComputeDevice {
    std::string id;                            ///< "cpu", "cuda:0" …; what --device takes
    std::string name;                          ///< as the maker calls it
    std::int64_t memoryBytes = 0;              ///< in total
    std::int64_t freeBytes = -1;               ///< now; −1: unknown
    std::string driver;                        ///< of a GPU: the version of its driver
    std::string missing;                       ///< why this worker cannot compute on it; empty: it can
    std::string number{};                      ///< of a GPU: its own (UUID); empty: unknown
    int capability = 0;                        ///< of a GPU: its generation, 90 for compute capability 9.0; 0: unknown
    bool usable() const { return missing.empty(); }
};

struct ComputeDevices {
    std::vector<ComputeDevice> list; ///< the CPU first, then the GPUs by number
    int threads = 1;                 ///< usableThreads()
    std::string noGpu;               ///< why the list has no GPU, as a sentence; empty if it has one
};

/// Returns the processors that this process may use: fewer than there are in a cluster job, and no more than OMP_NUM_THREADS says,
/// where it is set. Any thread.
int usableThreads();
/// Returns the processor as its maker calls it, or "this machine". Any thread.
std::string processorName();
/// Returns the CPU alone, without asking any driver. Any thread.
ComputeDevice computeCpu();

/// Returns what is there now. GPUs are those that the driver's own nvidia-smi lists, so that one which this worker
/// cannot use is named too. Takes a few milliseconds without a driver, up to seconds with one. Any thread.
ComputeDevices computeDevices();

/// Parses the output of `nvidia-smi --query-gpu=index,name,memory.total,memory.free,driver_version,uuid,compute_cap
/// --format=csv,noheader,nounits` (MiB), also without the last two. Lines of another form are passed over.
std::vector<ComputeDevice> parseGpuList(const std::string& output);

/// Returns the CUDA version of the driver library that programs get here, 13000 for 13.0; 0 if there is none. It is newer than the
/// driver itself where NVIDIA's package for forward compatibility is installed. Any thread.
int cudaOfDriverLibrary();
/// Returns why this worker cannot compute on a GPU, whatever is installed, as half a sentence: its driver is older than CUDA 13
/// needs and no newer driver library stands in for it, or its generation is older than our kernels. Empty: neither, or it is unknown.
/// `library`: cudaOfDriverLibrary().
std::string unfitFor(const ComputeDevice& gpu, int library = 0);
/// Returns a sentence if our kernels were not compiled for the generation of a GPU, so that its driver translates them; or "".
std::string translationNote(const ComputeDevice& gpu);

/// Returns those of `gpus` that CUDA shows to this process, with CUDA's numbers: all without a list; else those that the
/// list names by number or UUID, in its order, up to the first that is not there. `list`: CUDA_VISIBLE_DEVICES; null: not set.
std::vector<ComputeDevice> visibleGpus(const std::vector<ComputeDevice>& gpus, const char* list);

/// Makes the device that `wanted` names the one that this process computes on (models/layers/device.h), and returns its id.
/// Loads what a GPU needs. Takes besides what chooseDevice() takes "privateuseone:K", a device that a preloaded library adds
/// to torch. `toCheck`: for `check`, which needs our own kernels. Called once, at the start. Errors: those of chooseDevice().
/// `rankOfHost`: which of several ranks on this host this process is; "auto" and "cuda" then take the GPU of this number,
/// from the first again where there are fewer. −1: no rank.
std::string useChosenDevice(const std::string& wanted, bool toCheck = false, int rankOfHost = -1);
/// Returns the device that useChosenDevice() took, as it was then; the CPU before. Asks no driver. Its thread.
ComputeDevice chosenDevice();

/// Throws Error "device.kernels" if our kernels compute wrong numbers on a GPU, or none; `found`: of models::checkTensorCores(). Every
/// process asks this of its GPU, because the kernels have been tried on few kinds of GPU.
void requireRightNumbers(const std::string& id, const models::CheckRow& found);

/// Returns what `wanted` means to a rank of this host (useChosenDevice()).
std::string deviceOfRank(const std::string& wanted, int rankOfHost, const ComputeDevices& devices);

/// Returns how many GPUs this worker can compute on.
int usableGpus(const ComputeDevices& devices);

/// Returns which of `devices` `wanted` names: "auto" (the best that this worker can use), "cpu", "cuda" (the first GPU)
/// or "cuda:K". Throws Error "device.unknown" for other words and "device.absent" for a device that is not there or
/// cannot be used; the sentence says what is there and what is missing. Never another device than the one asked for.
std::string chooseDevice(const std::string& wanted, const ComputeDevices& devices);

} // namespace headroom::training
