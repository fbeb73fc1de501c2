// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace headroom::app {

/// Speech with its texts, or parallel text.
enum class DemoCorpus { Speech, Text };

/// headroom/corpora/demo or demo-text in the user's data folder: where it is made.
std::filesystem::path demoCorpusFolder(DemoCorpus kind);

} // namespace headroom::app
