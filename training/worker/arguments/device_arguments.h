// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace headroom::training {

/// Declares --device for every command of the worker that computes, besides `train`, which has its own (run_arguments.h). The option
/// must outlive the parser.
void declareDevice(CLI::App& app, std::string& device);

} // namespace headroom::training
