// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

#include <string>
#include <string_view>

namespace headroom {

/// Converts study.json to and from text. The state is taken literally. parseStudy throws like readStudy;
/// `file` is used in messages.
std::string studyText(const Study& study);
Study parseStudy(std::string_view text, const std::string& file);
/// Returns the document of `study --json`, the same as studyText writes.
nlohmann::ordered_json studyDocument(const Study& study);

} // namespace headroom
