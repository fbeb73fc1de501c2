// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/figures/scene.h"
#include "core/studies/study.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

namespace figures {

/// A figure and its data. A value.
struct Figure {
    std::string name;    ///< the stem of its files: "windows-histogram"
    std::string caption; ///< formula, mode, models with hash, utterances, n: one paragraph
    Scene scene;
    std::optional<StudyTable> values;                   ///< exactly what is shown: NAME.csv
    std::vector<std::pair<std::string, Tensor>> arrays; ///< the same for maps: NAME.npz
};

/// The two usual widths in papers.
inline constexpr double kColumn = 234, kPage = 486; ///< points: 3.25 in, 6.75 in

struct StudyFigureOptions {
    std::vector<std::string> formats{"svg", "pdf", "png"}; ///< of these three
    double width = 0;         ///< points, 144 … 1440; 0: the default of each figure, kColumn or kPage
    double dotsPerInch = 300; ///< of PNG
    bool tables = true;       ///< also NAME.tex of the papers' tables
};

/// Returns the figures of a study's kind, in the order of training/figures/README.md. `example` is
/// example.npz of the folder: `m.token_seconds` f64 [N] and `m.layer.l.contributions` f32 [N, N] of the
/// utterance `settings.example`; if empty, figures that need maps are left out. Throws Error
/// "figures.missing" if a required array is missing or has a shape that contradicts the study.
std::vector<Figure> studyFigures(const Study& study, const StudyArrays& arrays, const StudyArrays& example,
                                 double width = 0);

/// Returns the tables of the study in the form of the papers', as name and LaTeX; `tables/` has them in full.
std::vector<std::pair<std::string, std::string>> paperTables(const Study& study, const StudyArrays& arrays);

} // namespace figures

/// Draws every figure of the study into `folder` (created if missing): NAME.svg, .pdf, .png,
/// NAME.caption.txt, NAME.csv or NAME.npz of exactly what is shown, and NAME.tex of the tables. Returns the
/// files in that order. `example` as above. Throws Error "figures.unwritable", "figures.missing",
/// "figures.format". Any thread; one thread per folder.
std::vector<std::filesystem::path> writeStudyFigures(const Study& study, const StudyArrays& arrays,
                                                     const std::filesystem::path& folder,
                                                     const figures::StudyFigureOptions& options = {},
                                                     const StudyArrays& example = {});

/// Reads a finished study's folder (study.json, results.npz, example.npz if present) and draws into `out`, or
/// into its figures/ if `out` is empty. Throws the errors of reading, and Error "figures.unfinished".
std::vector<std::filesystem::path> drawStudy(const std::filesystem::path& study,
                                             const std::filesystem::path& out = {},
                                             const figures::StudyFigureOptions& options = {});

} // namespace headroom
