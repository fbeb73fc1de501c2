// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/figures_command.h"

#include "core/errors/count_text.h"
#include "training/figures/files.h"
#include "training/figures/study_figures.h"

#include <charconv>
#include <CLI/CLI.hpp>

namespace headroom::training {

std::optional<double> figureWidth(const std::string& text) {
    if (text == "column")
        return figures::kColumn;
    if (text == "page")
        return figures::kPage;
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc())
        return std::nullopt;
    const std::string unit(end, text.data() + text.size());
    const double factor = unit.empty() || unit == "pt" ? 1
                          : unit == "in"               ? 72
                          : unit == "mm"               ? 72 / 25.4
                          : unit == "cm"               ? 72 / 2.54
                                                       : 0;
    const double points = value * factor;
    return points >= 144 && points <= 1440 ? std::optional(points) : std::nullopt;
}

CLI::App* declareFiguresArguments(CLI::App& app, FiguresOptions& options) {
    auto* command = app.add_subcommand("figures", "redraw the figures of a finished study");
    command->add_option("STUDY", options.study, "the study's folder")->required();
    command->add_option("--out", options.out, "folder for the files; default: figures/ of the study");
    command->add_option("--format", options.formats, "svg, pdf, png")
        ->delimiter(',')
        ->capture_default_str()
        ->check(CLI::IsMember({"svg", "pdf", "png"}));
    command->add_option("--width", options.width, "column (3.25in), page (6.75in), or a length: 85mm, 234pt")
        ->check([](const std::string& text) {
            return figureWidth(text) ? std::string()
                                     : "column, page, or 2in to 20in (in, mm, cm, pt), not “" + text + "”";
        });
    command->add_option("--dpi", options.dotsPerInch, "of PNG")
        ->capture_default_str()
        ->check(CLI::Range(36, 2400));
    command->add_flag("--json", options.json, "print one JSON document to standard output");
    return command;
}

void figuresOfStudy(const FiguresOptions& options, Console& console) {
    figures::StudyFigureOptions drawing;
    drawing.formats = options.formats;
    drawing.width = figureWidth(options.width).value_or(0);
    drawing.dotsPerInch = options.dotsPerInch;
    const auto files = drawStudy(options.study, options.out, drawing);
    if (const auto remark = figures::fontRemark(); !remark.empty())
        console.note(remark);
    auto names = nlohmann::json::array();
    for (const auto& file : files) {
        console.line(file.string());
        names.push_back(file.string());
    }
    console.note(counted(static_cast<std::int64_t>(files.size()), "file") + " written.");
    console.document({{"format", "headroom/figures"},
                      {"version", 1},
                      {"study", options.study.string()},
                      {"files", names}});
}

} // namespace headroom::training
