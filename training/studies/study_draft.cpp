// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/study_draft.h"

#include "core/architecture/architecture.h"
#include "core/errors/error.h"
#include "core/tensors/atomic_file.h"

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

fs::path placeOfDraft(const fs::path& study) {
    return study / "draft.json";
}

} // namespace

fs::path keptDraft(const fs::path& study) {
    std::error_code ignored;
    return fs::exists(placeOfDraft(study), ignored) ? placeOfDraft(study) : fs::path();
}

void requireNoDraft(const fs::path& study) {
    if (!keptDraft(study).empty())
        throw Error("study.otherFolder",
                    study.string() + " contains a draft.json that is not part of this study. Choose a new folder, or "
                                     "pass the file as --draft.",
                    {{"folder", study.string()}});
}

std::string keepDraft(const fs::path& study, const fs::path& draft) {
    const Architecture architecture = readArchitecture(draft);
    writeAtomically(placeOfDraft(study), std::string_view(canonicalText(architecture)), "study.unwritable");
    return architecture.name;
}

bool isKeptDraft(const fs::path& study, const fs::path& draft) {
    const fs::path kept = keptDraft(study);
    if (draft.empty() || kept.empty())
        return draft.empty() == kept.empty();
    return canonicalText(readArchitecture(draft)) == canonicalText(readArchitecture(kept));
}

} // namespace headroom::training
