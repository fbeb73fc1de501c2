// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"
#include "training/worker/console.h"

#include <functional>

namespace CLI {
class App;
}

namespace headroom::training {

/// The command `places` with its subcommands: list, add, test, runs, copies, install and remove, and those of the other end.
struct PlacesOptions {
    Place place;               ///< add: what is added; test, remove: its name
    bool slurm = false;        ///< add: a Slurm cluster
    bool replace = false;      ///< add: instead of the place that has the name
    std::filesystem::path bundle; ///< install: empty: the program's own, or where packaging/bundle-worker writes
    bool uninstall = false;       ///< install: take away what was installed
    std::string copy;             ///< copies: the one to remove; empty: none
    std::filesystem::path run; ///< follow, work, do, kept: the folder on this machine
    double every = 5; ///< monitor: seconds
    bool json = false;
};

/// Declares the command; `choose` is called with what is to be done when the parser has met one of the
/// subcommands. The options must outlive the parser.
void declarePlaces(CLI::App& app, PlacesOptions& options,
                   const std::function<void(std::function<void(Console&)>)>& choose);

} // namespace headroom::training
