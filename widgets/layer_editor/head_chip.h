// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_grid.h"

#include <QColor>
#include <QRectF>
#include <QString>

#include <optional>

class QPainter;

namespace headroom::widgets {

/// What a chip shows of a cell. `kind` is guessed from the first word where the text cannot be read; nothing:
/// no glyph.
struct ChipText {
    std::optional<HeadKind> kind;
    QString label;     ///< "local 17", "map of layer 4"
    QString modifiers; ///< "γ 0.01", small, at the right
};
ChipText chipText(const std::string& cell);
/// What stands for modifiers where a chip is narrow: "γ", "↓" suppressed, "∗" smoothed and others.
QString modifierSign(const QString& modifiers);

QColor colourOf(HeadKind kind); ///< of the current theme; a reused map has text2's
QString glyphOf(HeadKind kind); ///< icon name: the kind's mask in miniature
QString nameOf(HeadKind kind);  ///< "full", "local" …

struct ChipState {
    bool hovered = false, selected = false, mistaken = false, enabled = true;
};
/// A chip: ground of its kind at 11 % (22 % hovered), glyph, text; ringed in accent when selected, in the
/// colour of a mistake when wrong; a reused map dashed. Colour is never the only sign: the glyph says the
/// kind.
void paintChip(QPainter& painter, const QRectF& rect, const ChipText& text, const ChipState& state);

/// An architecture in miniature: columns are layers, cells are heads, as wide as they fit into `rect`,
/// right-aligned.
void paintFingerprint(QPainter& painter, const QRectF& rect, const std::vector<Architecture::Layer>& layers);

} // namespace headroom::widgets
