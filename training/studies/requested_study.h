// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/studies/study_request.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::training {

/// Returns the document of a request with its sample, as it is before anything is opened or measured; without models, which
/// come with their sources. `problems` receives the rows of the corpus that had mistakes, one sentence each. Throws the
/// errors of drawSample and of the settings.
Study documentOf(const StudyRequest& request, std::vector<std::string>& problems);

/// The models of a request, or its folder of imported maps.
std::vector<std::filesystem::path> requestedModels(const StudyRequest& request);

/// Throws Error "study.other", which names the difference, unless the study `before` in the request's folder is the one that
/// is requested. `asked`: documentOf(request).
void requireSameStudy(const Study& before, const StudyRequest& request, const Study& asked);

} // namespace headroom::training
