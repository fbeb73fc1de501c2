// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/figures/scene.h"

#include <filesystem>
#include <string>

namespace headroom::figures {

// Writes a scene to a file. The same scene gives the same bytes (SVG everywhere; PDF and PNG with the same
// fonts and the same cairo). Text stays text: real <text> with a list of families and no embedded fonts in
// SVG, real text in PDF. Maps are never smoothed. Atomic; every failure throws Error "figures.unwritable",
// which names the file. Thread-safe.

/// The font families, in order of preference.
inline constexpr const char* kFontFamilies[] = {"Noto Sans", "DejaVu Sans", "Helvetica", "Arial",
                                                "sans-serif"};

/// Returns one sentence with the characters that PDF and PNG will lack; empty if the installed fonts have
/// all.
std::string fontRemark();

std::string svgText(const Scene& scene);
void writeSvg(const Scene& scene, const std::filesystem::path& file);

void writePdf(const Scene& scene, const std::filesystem::path& file);

/// `dotsPerInch` in 36 … 2400. Throws Error "figures.pixels" for more than 32,767 pixels on a side.
void writePng(const Scene& scene, const std::filesystem::path& file, double dotsPerInch = 300);
/// Writes a PNG of this width; the height follows.
void writePngOfWidth(const Scene& scene, const std::filesystem::path& file, int pixels);

/// Returns a PNG of 8-bit RGB cells, each `scale` × `scale` pixels, as embedded in an SVG.
std::string pngOfCells(const Image& image, int scale = 1);

/// Chooses the format by suffix: .svg, .pdf, .png; otherwise throws Error "figures.badSuffix", which lists
/// them.
void writeScene(const Scene& scene, const std::filesystem::path& file, double dotsPerInch = 300);

} // namespace headroom::figures
