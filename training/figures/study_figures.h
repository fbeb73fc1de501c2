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

/// A figure with what stands in it. A value.
struct Figure {
    std::string name;    ///< the stem of its files: "windows-histogram"
    std::string caption; ///< formula, mode, models with hash, utterances, n: one paragraph
    Scene scene;
    std::optional<StudyTable> values;                   ///< exactly what is shown: NAME.csv
    std::vector<std::pair<std::string, Tensor>> arrays; ///< the same for maps: NAME.npz
};

/// The two widths that papers have.
inline constexpr double kColumn = 234, kPage = 486; ///< points: 3.25 in, 6.75 in

struct StudyFigureOptions {
    std::vector<std::string> formats{"svg", "pdf", "png"}; ///< of these three
    double width = 0;         ///< points, 144 … 1440; 0: kColumn or kPage, as each is made for
    double dotsPerInch = 300; ///< of PNG
    bool tables = true;       ///< NAME.tex of the papers' tables too
};

/// The figures of a study's kind, in the order of training/figures/README.md. `example` is example.npz of the
/// folder: `m.token_seconds` f64 [N] and `m.layer.l.contributions` f32 [N, N] of the utterance named by
/// `settings.example`; empty: the figures that need maps are left out. Throws Error "figures.missing" where
/// an array that the kind has to have is not there, or has another shape than the study says.
std::vector<Figure> studyFigures(const Study& study, const StudyArrays& arrays, const StudyArrays& example,
                                 double width = 0);

/// The tables of the study in the form of the papers', which `tables/` has in full: name and LaTeX.
std::vector<std::pair<std::string, std::string>> paperTables(const Study& study, const StudyArrays& arrays);

} // namespace figures

/// Draws every figure of the study into `folder` (made where it is missing): NAME.svg, .pdf, .png,
/// NAME.caption.txt, NAME.csv or NAME.npz of exactly what is shown, and NAME.tex of the tables. Returns the
/// files, in that order. `example` as above. Throws Error "figures.unwritable", "figures.missing",
/// "figures.format". Not thread-bound; writes, so one thread per folder.
std::vector<std::filesystem::path> writeStudyFigures(const Study& study, const StudyArrays& arrays,
                                                     const std::filesystem::path& folder,
                                                     const figures::StudyFigureOptions& options = {},
                                                     const StudyArrays& example = {});

/// Reads a finished study's folder (study.json, results.npz, example.npz where there is one) and draws into
/// `out`, or into its figures/ where `out` is empty. Throws what reading throws, and Error
/// "figures.unfinished".
std::vector<std::filesystem::path> drawStudy(const std::filesystem::path& study,
                                             const std::filesystem::path& out = {},
                                             const figures::StudyFigureOptions& options = {});

} // namespace headroom
