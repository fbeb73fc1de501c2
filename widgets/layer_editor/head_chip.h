// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_grid.h"

#include <QColor>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <optional>

class QPainter;

namespace headroom::widgets {

/// The contents of a chip. `kind` is guessed from the first word if the text is invalid; `nullopt`: no glyph.
struct ChipText {
    std::optional<HeadKind> kind;
    QString label;     ///< "local 17", "map of layer 4"
    QString modifiers; ///< "γ 0.01", small, on the right
};
ChipText chipText(const std::string& cell);
ChipText chipText(HeadGroup head); ///< of a head of this group, whatever its count
/// "γ 0.01", "matched", "σ 0.03": each modifier of a group.
QStringList modifierList(const HeadGroup& group);
/// Returns the short form of modifiers for narrow chips: "γ", "↓" suppressed, "∗" smoothed and others.
QString modifierSign(const QString& modifiers);
/// Returns a label without what its glyph says as well, where the whole has no room: "block 64".
QString mediumLabel(const QString& label);
/// Returns the short form of a label for narrow chips, whose glyph says the kind: "17", "64" of a block, "5/2" of conv.
QString shortLabel(const QString& label);
/// The width from which on a chip shows its short forms whole.
double leastChipWidth(const ChipText& text);

QColor colourOf(HeadKind kind); ///< of the current theme; text2's for a reused map
QString glyphOf(HeadKind kind); ///< icon name: the kind's mask in miniature
QString nameOf(HeadKind kind);  ///< "full", "local" …

struct ChipState {
    bool hovered = false, selected = false, mistaken = false, enabled = true;
};
/// Paints a chip: background in the colour of its kind at 11 % (22 % hovered), glyph, text; outlined in
/// accent if selected, in the error colour if invalid, dashed for a reused map. Colour is never the only
/// sign: the glyph shows the kind.
void paintChip(QPainter& painter, const QRectF& rect, const ChipText& text, const ChipState& state);

/// Paints an architecture in miniature: columns are layers, cells are heads, as wide as they fit into `rect`,
/// right-aligned.
void paintFingerprint(QPainter& painter, const QRectF& rect, const std::vector<Architecture::Layer>& layers);

} // namespace headroom::widgets
