// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <QString>

#include <optional>

namespace headroom::app {

/// The architecture of a model folder as its document says it; nullopt if it has none that can be read (a
/// folder of another toolkit). Blocks.
std::optional<Architecture> architectureOfModel(const std::filesystem::path& model);

/// Why the weights of a model cannot begin those of another architecture, which has what training adds: in words where sizes, layers or
/// heads differ, else by the tensors that the worker takes at the start of the run. Empty: the documents agree. Pure.
QString whyNotFrom(const Architecture& model, const Architecture& architecture, bool encoderOnly);

/// Why an architecture cannot be trained for a task, a sentence: it is a language model, or reads speech or text, and the task another. Empty: it can. Pure.
QString whyNotFor(const Architecture& architecture, const std::string& task);

} // namespace headroom::app
