// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/figures/scene.h"

#include <filesystem>
#include <string>

namespace headroom::figures {

// A scene as a file. The same scene gives the same bytes (SVG everywhere; PDF and PNG on machines with the
// same fonts and the same cairo). Words stay words: in SVG real <text> with a list of families and no
// embedded fonts, in PDF real text. Maps are never smoothed. Atomic; every failure throws Error
// "figures.unwritable" that names the file. Safe from every thread.

/// The families that are looked for, best first.
inline constexpr const char* kFontFamilies[] = {"Noto Sans", "DejaVu Sans", "Helvetica", "Arial",
                                                "sans-serif"};

/// Empty where this machine's fonts have the letters that figures need; else one sentence that names those
/// that PDF and PNG will lack.
std::string fontRemark();

std::string svgText(const Scene& scene);
void writeSvg(const Scene& scene, const std::filesystem::path& file);

void writePdf(const Scene& scene, const std::filesystem::path& file);

/// `dotsPerInch` in 36 … 2400; throws Error "figures.pixels" where the picture would have more than 32,767
/// pixels on a side.
void writePng(const Scene& scene, const std::filesystem::path& file, double dotsPerInch = 300);
/// As wide as so many pixels; the height follows.
void writePngOfWidth(const Scene& scene, const std::filesystem::path& file, int pixels);

/// A PNG of 8-bit RGB cells, each `scale` × `scale` pixels, as it stands in an SVG.
std::string pngOfCells(const Image& image, int scale = 1);

/// By the suffix: .svg, .pdf, .png; else throws Error "figures.badSuffix" naming those that there are.
void writeScene(const Scene& scene, const std::filesystem::path& file, double dotsPerInch = 300);

} // namespace headroom::figures
