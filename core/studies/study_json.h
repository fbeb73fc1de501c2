// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

#include <string>
#include <string_view>

namespace headroom {

/// study.json as text, and back. The state is the one that stands there. parseStudy throws as readStudy does;
/// `file` stands in the sentences.
std::string studyText(const Study& study);
Study parseStudy(std::string_view text, const std::string& file);
/// The document of `study --json`: what studyText writes.
nlohmann::ordered_json studyDocument(const Study& study);

} // namespace headroom
