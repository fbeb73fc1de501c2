// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/training/figures/synthetic_study.h"
#include "training/figures/study_figures.h"

#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace headroom::testing {

inline std::vector<figures::Figure> drawn(const SyntheticStudy& made, double width = 0) {
    return figures::studyFigures(made.study, made.arrays, made.example, width);
}

inline const figures::Figure& named(const std::vector<figures::Figure>& drawn, const std::string& name) {
    for (const figures::Figure& figure : drawn)
        if (figure.name == name)
            return figure;
    throw std::out_of_range(name);
}

/// Where the words of a text begin and end across; rotated ones are left out.
struct Span {
    double left, right, baseline, size;
    std::string text;
};
inline std::vector<Span> horizontalWords(const figures::Scene& scene) {
    std::vector<Span> spans;
    for (const auto& item : scene.items)
        if (const auto* text = std::get_if<figures::Text>(&item); text && text->rotation == 0) {
            const double width = figures::textWidth(text->runs, text->size, text->bold);
            const double left = text->at.x - (text->anchor == figures::Anchor::Middle ? width / 2
                                              : text->anchor == figures::Anchor::End  ? width
                                                                                      : 0);
            spans.push_back({left, left + width, text->at.y, text->size, figures::plainText(text->runs)});
        }
    return spans;
}

} // namespace headroom::testing
