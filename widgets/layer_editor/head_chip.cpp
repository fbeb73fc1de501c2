// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layer_editor/head_chip.h"

#include "core/architecture/shortest.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/look/translate.h"

#include <QFontMetricsF>
#include <QIcon>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

/// `share` of the colour over the panel.
QColor over(const QColor& colour, double share) {
    const QColor panel = Theme::current().panel;
    const auto mix = [share](int top, int bottom) {
        return int(std::lround(share * top + (1 - share) * bottom));
    };
    return {mix(colour.red(), panel.red()), mix(colour.green(), panel.green()),
            mix(colour.blue(), panel.blue())};
}

std::optional<HeadKind> guess(const std::string& text) {
    const auto word = QString::fromStdString(text).section(QLatin1Char(' '), 0, 0);
    for (const HeadKind kind :
         {HeadKind::Full, HeadKind::Local, HeadKind::Conv, HeadKind::Masked, HeadKind::Reuse})
        if (!word.isEmpty() && word.left(3) == nameOf(kind).left(3))
            return kind == HeadKind::Local && text.find("block") != std::string::npos ? HeadKind::LocalBlock
                                                                                      : kind;
    return std::nullopt;
}

double glyphSide(HeadKind kind) {
    return Sizes::unit() * (kind == HeadKind::Reuse ? 2 : 2.25);
}

/// Where the words of a chip begin: after the glyph, if there is one.
double textLeft(const ChipText& text) {
    return Sizes::unit() + (text.kind ? glyphSide(*text.kind) + Sizes::unit() : 0);
}

} // namespace

QStringList modifierList(const HeadGroup& group) {
    QStringList parts;
    if (group.relaxed)
        parts << QStringLiteral("γ ") + QString::fromStdString(shortest(*group.relaxed));
    if (group.relaxedMatched)
        parts << tr("matched");
    if (group.relaxedFuzzy)
        parts << QStringLiteral("σ ") + QString::fromStdString(shortest(*group.relaxedFuzzy));
    if (group.smoothed)
        parts << tr("smoothed");
    if (group.suppressed)
        parts << tr("suppressed ") + QString::fromStdString(shortest(*group.suppressed));
    return parts;
}

ChipText chipText(const std::string& cell) {
    try {
        return chipText(parseHeads("1 " + cell).front());
    } catch (const Error&) {
        return {guess(cell), QString::fromStdString(cell), {}};
    }
}

ChipText chipText(HeadGroup head) {
    ChipText text{head.kind, {}, modifierList(head).join(QLatin1Char(' '))};
    if (head.kind == HeadKind::Reuse) {
        text.label = tr("map of layer %1").arg(head.reusedLayer);
        return text;
    }
    head.count = 1;
    head.relaxed.reset();
    head.relaxedMatched = head.smoothed = false;
    head.relaxedFuzzy.reset();
    head.suppressed.reset();
    text.label = QString::fromStdString(toText({head})).mid(2);
    return text;
}

QColor colourOf(HeadKind kind) {
    const Theme& theme = Theme::current();
    switch (kind) {
    case HeadKind::Full:
        return theme.headFull;
    case HeadKind::Local:
        return theme.headLocal;
    case HeadKind::LocalBlock:
        return theme.headBlock;
    case HeadKind::Conv:
        return theme.headConv;
    case HeadKind::Masked:
        return theme.headMasked;
    case HeadKind::Reuse:
        break;
    }
    return theme.text2;
}

QString glyphOf(HeadKind kind) {
    switch (kind) {
    case HeadKind::Full:
        return QStringLiteral("head-full");
    case HeadKind::Local:
        return QStringLiteral("head-local");
    case HeadKind::LocalBlock:
        return QStringLiteral("head-block");
    case HeadKind::Conv:
        return QStringLiteral("head-conv");
    case HeadKind::Masked:
        return QStringLiteral("head-masked");
    case HeadKind::Reuse:
        break;
    }
    return QStringLiteral("reuse");
}

QString nameOf(HeadKind kind) {
    switch (kind) {
    case HeadKind::Full:
        return QStringLiteral("full");
    case HeadKind::Local:
        return QStringLiteral("local");
    case HeadKind::LocalBlock:
        return QStringLiteral("local block");
    case HeadKind::Conv:
        return QStringLiteral("conv");
    case HeadKind::Masked:
        return QStringLiteral("masked");
    case HeadKind::Reuse:
        break;
    }
    return QStringLiteral("reuse");
}

QString modifierSign(const QString& modifiers) {
    if (modifiers.isEmpty())
        return {};
    if (modifiers.startsWith(QStringLiteral("γ"))) // what inference does is another model
        return modifiers.contains(tr("matched")) ? tr("γ m") : QStringLiteral("γ");
    return modifiers.startsWith(tr("suppressed ")) ? QStringLiteral("↓") : QStringLiteral("∗");
}

QString mediumLabel(const QString& label) {
    const QLatin1String local("local "), block(" block");
    return label.startsWith(local) && label.endsWith(block)
               ? QLatin1String("block ") + label.mid(local.size()).chopped(block.size()) // a number alone says nothing
               : label;
}

QString shortLabel(const QString& label) {
    QString text = label;
    for (const QLatin1String kind : {QLatin1String("local "), QLatin1String("masked "), QLatin1String("conv ")})
        if (text.startsWith(kind))
            text = text.mid(kind.size());
    const QLatin1String block(" block");
    return text.endsWith(block) ? text.chopped(block.size()) : text;
}

double leastChipWidth(const ChipText& text) {
    const double unit = Sizes::unit();
    const QString sign = modifierSign(text.modifiers);
    return textLeft(text) + QFontMetricsF(Sizes::text()).horizontalAdvance(shortLabel(text.label)) +
           (sign.isEmpty() ? 0 : QFontMetricsF(Sizes::small()).horizontalAdvance(sign) + unit / 2) + unit;
}

void paintChip(QPainter& painter, const QRectF& rect, const ChipText& text, const ChipState& state) {
    const Theme& theme = Theme::current();
    const double unit = Sizes::unit();
    const bool reuse = text.kind == HeadKind::Reuse;
    const QColor kind = text.kind ? colourOf(*text.kind) : theme.text3;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (!state.enabled)
        painter.setOpacity(0.45);
    const double ring = state.selected || state.mistaken ? unit / 4 : unit / 8;
    QPen pen(state.mistaken   ? theme.error
             : state.selected ? theme.accent
             : reuse          ? theme.buttonBorder
                              : over(kind, 0.3),
             ring);
    if (reuse)
        pen.setDashPattern({3, 2});
    painter.setPen(pen);
    painter.setBrush(reuse ? (state.hovered ? theme.hover : theme.panel)
                           : over(kind, state.hovered ? 0.22 : 0.11));
    const double half = ring / 2;
    painter.drawRoundedRect(rect.adjusted(half, half, -half, -half), unit / 2, unit / 2);
    if (state.mistaken && state.selected) { // within the ring of the mistake
        const double inner = ring * 1.5;
        painter.setPen(QPen(theme.accent, ring));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect.adjusted(inner, inner, -inner, -inner), unit / 4, unit / 4);
    }

    const double x = rect.left() + textLeft(text);
    if (text.kind) {
        const double side = glyphSide(*text.kind);
        const QRect glyph(int(std::lround(rect.left() + unit)), int(std::lround(rect.center().y() - side / 2)), int(side),
                          int(side));
        icon(glyphOf(*text.kind), kind).paint(&painter, glyph);
    }
    double right = rect.right() - unit;
    painter.setFont(Sizes::small());
    const QFontMetricsF metrics(Sizes::text()), small(Sizes::small());
    // Where there is little room the glyph says the kind, and a sign that there is a modifier.
    QString label = text.label, sign = text.modifiers;
    const auto fits = [&] {
        return x + metrics.horizontalAdvance(label) +
                   (sign.isEmpty() ? 0 : small.horizontalAdvance(sign) + unit / 2) <=
               right;
    };
    if (!fits() && text.modifiers.count(QLatin1Char(' ')) > 1) {
        sign = text.modifiers.section(QLatin1Char(' '), 0, 1);
        if (modifierSign(text.modifiers) != modifierSign(sign))
            sign += QLatin1Char(' ') + modifierSign(text.modifiers).section(QLatin1Char(' '), 1); // "γ 0.05 m"
    }
    if (!fits() && !text.modifiers.isEmpty())
        sign = modifierSign(text.modifiers);
    if (!fits())
        label = mediumLabel(label);
    if (!fits())
        label = shortLabel(text.label);
    const double modifiers = sign.isEmpty() ? 0 : small.horizontalAdvance(sign);
    if (modifiers > 0 && right - modifiers - unit / 2 > x + metrics.averageCharWidth() * 2) {
        painter.setPen(theme.text2);
        painter.drawText(QRectF(right - modifiers, rect.top(), modifiers, rect.height()), Qt::AlignVCenter,
                         sign);
        right -= modifiers + unit / 2;
    }
    painter.setFont(Sizes::text());
    painter.setPen(reuse ? theme.text2 : theme.text);
    painter.drawText(QRectF(x, rect.top(), std::max(0.0, right - x), rect.height()),
                     Qt::AlignVCenter | Qt::AlignLeft, metrics.elidedText(label, Qt::ElideRight, right - x));
    painter.restore();
}

void paintFingerprint(QPainter& painter, const QRectF& rect, const std::vector<Architecture::Layer>& layers) {
    int heads = 1;
    for (const auto& layer : layers)
        heads = std::max(heads, layer.headCount());
    if (layers.empty())
        return;
    // Whole device-independent pixels, so that cells are equally wide; at most as large as the mock-up's.
    const double cell = std::max(1.0, std::floor(std::min({rect.width() / double(layers.size()),
                                                           rect.height() / heads, Sizes::unit() / 2})));
    const double gap = cell >= 3 ? 1 : 0;
    double x = std::floor(rect.right() - cell * double(layers.size()));
    const double top = std::floor(rect.center().y() - cell * heads / 2);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const auto& layer : layers) {
        double y = top;
        for (const auto& group : layer.heads)
            for (int head = 0; head < group.count; ++head) {
                const QRectF one(x, y, cell - gap, cell - gap);
                if (group.kind == HeadKind::Reuse) // nothing of its own: outline only
                    painter.fillRect(one, over(colourOf(group.kind), 0.25));
                else
                    painter.fillRect(one, colourOf(group.kind));
                y += cell;
            }
        x += cell;
    }
    painter.restore();
}

} // namespace headroom::widgets
