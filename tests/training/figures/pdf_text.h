// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace headroom::testing {

std::string bytesOf(const std::filesystem::path& file);

/// The letters that a PDF's words map to (its ToUnicode tables), ASCII only, each once: what can be selected
/// and found. Empty where words are drawn as shapes.
std::string pdfLetters(const std::string& pdf);

} // namespace headroom::testing
