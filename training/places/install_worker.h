// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/places/check_place.h"
#include "training/places/copy_there.h"

namespace headroom::training {

// The worker of this machine at a place. Its bundle (core/places/worker_bundle.h) goes to FOLDER/worker/VERSION-HASH; the link
// FOLDER/worker/VERSION names the one that is used. Several versions stay beside each other, so that windows
// of different versions may use one place.

/// The SHA-256 of each file of a bundle, as `sha256sum -b` prints it, in the order of their names: "HASH
/// *bin/x\n…". Throws Error "install.noBundle" if the folder is no bundle.
std::string bundleList(const std::filesystem::path& bundle);

struct InstallOptions {
    std::filesystem::path bundle;
    std::string version; ///< of this program
    CopyProgress progress;
    const std::atomic<bool>* stop = nullptr;
};

/// Copies the bundle, unless the same is there, compares the hash of every file there, makes the link and
/// starts the worker once. What is missing there (glibc, Python's torch, another processor) is a check with
/// the line to type. A copy that was cut off is gone on with, and nothing uses it before it is whole. Returns
/// whether the worker runs there. Calls `found` with each line as soon as it is known. Throws Error
/// "install.noBundle"; what is wrong there is a line.
bool installWorker(const Place& place, const InstallOptions& options,
                   const std::function<void(const PlaceCheck&)>& found);

/// Removes every version that installWorker() has put there, and says which in lines. Runs, data, models, and
/// a worker that was brought in another way, stay. Throws as the connection does, and "install.failed".
void removeWorker(const Place& place, const std::function<void(const PlaceCheck&)>& found);

} // namespace headroom::training
