// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/run_place.h"
#include "training/places/watch_work.h"
#include "training/worker/console.h"

#include <filesystem>
#include <functional>

namespace CLI {
class App;
}

namespace headroom::training {

/// The command line of the parsed options for the worker at a place, with the paths there. Models, corpora and files that the options
/// name are copied first, each once; OUT/place.json and the console say how far that is. Throws Error "input.missing", "model.noRun",
/// "copy.stopped" as soon as `stop` says so, and what copying throws.
WorkCommand commandThere(const CLI::App& command, RunPlace& where, const std::filesystem::path& out, const std::function<bool()>& stop,
                         Console& console);

/// Removes the folder of an evaluation or a study there, and the checkpoint that was copied for it, unless another evaluation uses it, too.
/// Throws what the connection throws.
void clearThere(const RunPlace& where);

} // namespace headroom::training
