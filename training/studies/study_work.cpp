// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/study_work.h"

#include <stdexcept>

namespace headroom::training {

std::unique_ptr<StudyWork> studyWork(StudyKind kind, const nlohmann::json& settings) {
    switch (kind) {
    case StudyKind::Windows:
        return windowsStudy(settings);
    case StudyKind::Diagonality:
        return diagonalityStudy(settings);
    case StudyKind::Heads:
        return headsStudy(settings);
    case StudyKind::Phones:
        return phonesStudy(settings);
    case StudyKind::Probe:
        return probeStudy(settings);
    case StudyKind::Latency:
        return latencyStudy(settings);
    case StudyKind::Mixing:
        return mixingStudy(settings);
    case StudyKind::Similarity:
        return similarityStudy(settings);
    }
    throw std::logic_error("a kind of study without its work");
}

} // namespace headroom::training
