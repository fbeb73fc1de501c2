// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/colour/colour.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headroom::figures {

// A figure as values: lines, areas, text and maps, in points (1/72 inch) from the upper left corner, x to the
// right, y downwards, drawn in insertion order. Independent of files; files.h writes it.

struct Position {
    double x = 0, y = 0;
    bool operator==(const Position&) const = default;
};

struct Box {
    double x = 0, y = 0, width = 0, height = 0;
    double right() const { return x + width; }
    double bottom() const { return y + height; }
    bool operator==(const Box&) const = default;
};

struct Stroke {
    Colour colour;
    double width = 0.5;       ///< points
    std::vector<double> dash; ///< points on, off …; empty: solid
};

/// Lines from point to point, with round joins.
struct Polyline {
    std::vector<Position> points;
    Stroke stroke;
};

/// A closed area without an outline.
struct Area {
    std::vector<Position> points;
    Colour fill;
};

enum class Script { Normal, Sub, Super };
struct TextRun {
    std::string text; ///< UTF-8
    Script script = Script::Normal;
    bool operator==(const TextRun&) const = default;
};
/// Parses "C_{ij} of 10^{3}" into runs; a backslash before _ or ^ escapes it. Without braces both are
/// ordinary characters.
std::vector<TextRun> runs(std::string_view marked);
/// Returns the runs as plain text.
std::string plainText(const std::vector<TextRun>& runs);
/// Relative size of scripts, and their relative shifts.
inline constexpr double kScriptSize = 0.7, kSubDrop = 0.18, kSuperRise = 0.36;

enum class Anchor { Start, Middle, End };
struct Text {
    Position at; ///< on the baseline; start, middle or end of the text
    std::vector<TextRun> runs;
    double size = 8; ///< points
    Anchor anchor = Anchor::Start;
    bool bold = false;
    double rotation = 0; ///< degrees clockwise about `at`
    Colour colour;
};

/// A map with one colour per cell; never interpolated.
struct Image {
    Box box;
    std::size_t rows = 0, columns = 0;
    std::vector<std::uint8_t> rgb; ///< [rows, columns, 3]
};

/// Clips the following items to the box until EndClip.
struct Clip {
    Box box;
};
struct EndClip {};

using Item = std::variant<Polyline, Area, Text, Image, Clip, EndClip>;

/// A value.
struct Scene {
    double width = 0, height = 0; ///< points
    std::string title;            ///< <title> in SVG, Title in PDF, tEXt in PNG
    std::string description;      ///< the caption: <desc>, Subject, tEXt
    std::string created;          ///< UTC, "2026-11-21T16:00:00Z"; empty: none. Never the time of writing
    std::vector<Item> items;

    void line(Position from, Position to, const Stroke& stroke) {
        items.push_back(Polyline{{from, to}, stroke});
    }
    void fill(const Box& box, Colour colour);
    void frame(const Box& box, const Stroke& stroke);
};

/// Returns the width of the text in points, from the advance widths of Noto Sans, so that a layout is the
/// same on every machine whatever its fonts.
double textWidth(const std::vector<TextRun>& runs, double size, bool bold = false);

} // namespace headroom::figures
