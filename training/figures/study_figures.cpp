// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/study_figures.h"

#include "core/errors/error.h"
#include "training/figures/files.h"
#include "training/figures/study_view.h"
#include "core/tensors/atomic_file.h"
#include "core/tensors/npy.h"

#include <algorithm>

namespace headroom {

namespace figures {

StudyTable windowsTable(const StudyView& view);
StudyTable headKindsTable(const StudyView& view);
StudyTable latencyTable(const StudyView& view);

std::vector<Figure> studyFigures(const Study& study, const StudyArrays& arrays, const StudyArrays& example,
                                 double width) {
    std::vector<Figure> figures;
    const auto add = [&](std::vector<Figure>&& more) {
        std::move(more.begin(), more.end(), std::back_inserter(figures));
    };
    switch (study.kind) {
    case StudyKind::Windows:
        add(windowsFigures(study, arrays, width));
        [[fallthrough]];
    case StudyKind::Diagonality:
        add(diagonalityFigures(study, arrays, width));
        add(contributionFigures(study, arrays, example, width));
        break;
    case StudyKind::Heads:
        add(headFigures(study, arrays, width));
        break;
    case StudyKind::Phones:
        add(phoneFigures(study, arrays, width));
        break;
    case StudyKind::Probe:
        add(probeFigures(study, arrays, width));
        break;
    case StudyKind::Latency:
        add(latencyFigures(study, arrays, width));
        break;
    case StudyKind::Mixing:
        add(mixingFigures(study, arrays, width));
        break;
    case StudyKind::Similarity:
        add(similarityFigures(study, arrays, width));
        break;
    }
    return figures;
}

std::vector<std::pair<std::string, std::string>> paperTables(const Study& study, const StudyArrays& arrays) {
    std::vector<std::pair<std::string, std::string>> tables;
    for (const StudyView& view : views(study, arrays)) {
        StudyTable one;
        if (study.kind == StudyKind::Windows)
            one = windowsTable(view);
        else if (study.kind == StudyKind::Heads)
            one = headKindsTable(view);
        else if (study.kind == StudyKind::Latency)
            one = latencyTable(view);
        else
            continue;
        tables.emplace_back(one.name, latexText(one));
    }
    return tables;
}

namespace {

void check(const StudyFigureOptions& options) {
    for (const std::string& format : options.formats)
        if (format != "svg" && format != "pdf" && format != "png")
            throw Error("figures.format", "“" + format + "” is not a figure format; use svg, pdf or png.");
    if (options.width != 0 && (options.width < 144 || options.width > 1440))
        throw Error("figures.format", "A figure is 144 to 1440 points wide, or 0 for its own width.");
    if (!(options.dotsPerInch >= 36 && options.dotsPerInch <= 2400))
        throw Error("figures.format", "A PNG has 36 to 2400 dots to the inch.");
}

} // namespace

} // namespace figures

std::vector<std::filesystem::path> writeStudyFigures(const Study& study, const StudyArrays& arrays,
                                                     const std::filesystem::path& folder,
                                                     const figures::StudyFigureOptions& options,
                                                     const StudyArrays& example) {
    figures::check(options);
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem)
        throw Error("figures.unwritable", folder.string() + " could not be created: " + problem.message() +
            ".");
    std::vector<std::filesystem::path> files;
    const auto file = [&](const std::string& name) { return files.emplace_back(folder / name); };
    for (const figures::Figure& figure : figures::studyFigures(study, arrays, example, options.width)) {
        for (const std::string& format : options.formats)
            figures::writeScene(figure.scene, file(figure.name + "." + format), options.dotsPerInch);
        writeAtomically(file(figure.name + ".caption.txt"), figure.caption + "\n", "figures.unwritable");
        if (figure.values)
            writeAtomically(file(figure.name + ".csv"), csvText(*figure.values), "figures.unwritable");
        if (!figure.arrays.empty()) {
            NpzWriter writer(file(figure.name + ".npz"));
            for (const auto& [name, tensor] : figure.arrays)
                writer.add(name, tensor.view());
            writer.close();
        }
    }
    if (options.tables)
        for (const auto& [name, latex] : figures::paperTables(study, arrays))
            writeAtomically(file(name + ".tex"), latex, "figures.unwritable");
    return files;
}

std::vector<std::filesystem::path> drawStudy(const std::filesystem::path& folder,
                                             const std::filesystem::path& out,
                                             const figures::StudyFigureOptions& options) {
    const StudyPaths paths{folder};
    const Study study = readStudy(folder);
    if (study.state != RunState::Finished)
        throw Error("figures.unfinished",
                    paths.study().string() +
                        " is not finished. Figures need a finished study: "
                        "resume it first.");
    StudyArrays example;
    if (const auto file = folder / "example.npz"; std::filesystem::exists(file))
        for (auto& [name, tensor] : readNpz(file))
            example.emplace(name, std::move(tensor));
    return writeStudyFigures(study, readStudyArrays(folder), out.empty() ? paths.figures() : out, options,
                             example);
}

} // namespace headroom
