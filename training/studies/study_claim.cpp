// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/study_claim.h"

#include "core/errors/error.h"
#include "core/studies/study.h"

namespace headroom::training {

namespace fs = std::filesystem;

StudyClaim::StudyClaim(const fs::path& folder) : m_folder(folder) {
    std::error_code problem;
    for (fs::path missing = fs::absolute(m_folder).lexically_normal();
         !missing.empty() && !fs::exists(missing, problem); missing = missing.parent_path())
        m_created.push_back(missing);
    fs::create_directories(m_folder, problem);
    if (problem)
        throw Error("study.unwritable", "The folder " + m_folder.string() +
                                            " could not be created: " + problem.message() + ".");
    for (const char* other : {"run.json", "corpus.json", "session.json", "architecture.json"})
        if (fs::exists(m_folder / other, problem))
            throw Error("study.otherFolder", m_folder.string() + " contains " + other +
                                                 ", so it cannot be used for a study. Choose a new "
                                                 "folder.");
    m_lock = FileLock::tryTake(StudyPaths{m_folder}.lock(), "study.unwritable");
    if (!m_lock)
        throw Error("study.inUse",
                    "The study " + m_folder.string() + " is being run by another process.",
                    {{"folder", m_folder.string()}});
}

StudyClaim::~StudyClaim() {
    std::error_code ignored;
    if (fs::exists(StudyPaths{m_folder}.study(), ignored))
        return;
    fs::remove(StudyPaths{m_folder}.lock(), ignored);
    for (const fs::path& folder : m_created)
        fs::remove(folder, ignored); // unless something is in it
}

} // namespace headroom::training
