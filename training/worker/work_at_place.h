// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/evaluations.h"
#include "training/worker/console.h"

#include <filesystem>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace headroom::training {

/// A command that is done at another place: `evaluate --place` or `study --place`.
struct PlacedWork {
    std::string place;         ///< of core/places, by name; empty: where the folder says
    std::filesystem::path out; ///< the folder of the results here
    bool resume = false;       ///< go on with the study of this folder
    std::string document;      ///< what --json prints: a file of the folder
    std::optional<EvaluationRequest> evaluation{}; ///< what is evaluated, for progress.json; nullopt: a study
    bool deviceIsNamed = false; ///< by --device, and not by the place
    bool leaves = false; ///< a signal ends the watching, not the command there
};

/// Whether a command is done at another place: one is named, or the folder's own is not finished.
bool isAtPlace(const PlacedWork& work);

/// Copies the models, corpora and files there that the options of the parsed command name, has the worker there do the same command,
/// and brings its results here. A signal stops the command there, unless the work `leaves`; so does control.json in the folder. The
/// same command in the same folder finds one again whose watching was cut off; an evaluation that is not found, because its machine
/// restarted, is begun again. Throws Error "place.unknown", "work.otherPlace", and what the place says.
void workAtPlace(const PlacedWork& work, const CLI::App& command, Console& console);

} // namespace headroom::training
