// SPDX-License-Identifier: GPL-3.0-or-later
// Heads as text, out of the grid and into it.
#include "widgets/layer_editor/layer_editor.h"

#include <QApplication>
#include <QClipboard>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace headroom::widgets {

namespace {

/// The heads of a text, by layer: of each line, or of a document of any layout: { "heads": "4 local 17" },
QStringList headsIn(const QString& text) {
    static const QRegularExpression pattern(QStringLiteral("\"heads\"\\s*:\\s*\"([^\"]*)\""));
    QStringList heads;
    for (auto match = pattern.globalMatch(text); match.hasNext();)
        heads << match.next().captured(1);
    if (!heads.isEmpty())
        return heads;
    for (const QString& line : text.split(QLatin1Char('\n')))
        if (!line.trimmed().isEmpty())
            heads << line.simplified();
    return heads;
}

/// The heads that a text names, each with a count of 1; empty if it is no heads' text.
std::vector<HeadGroup> headsNamedIn(const QString& text) {
    std::vector<HeadGroup> heads;
    try {
        for (HeadGroup group : parseHeads(text.toStdString())) {
            const int count = std::exchange(group.count, 1);
            heads.insert(heads.end(), static_cast<std::size_t>(count), group);
        }
    } catch (const Error&) {
        heads.clear();
    }
    return heads;
}

/// What was pasted and does not fit.
class LeftOut {
public:
    void addHeads(int layer, int count, int leftOut, int named) {
        m_layer = layer;
        m_count = count;
        ++m_layers;
        m_heads += leftOut;
        m_named += named;
    }
    void addLines(int lastLayer, qsizetype leftOut, qsizetype named) {
        if (leftOut > 0)
            m_lines = (leftOut == 1 ? LayerEditor::tr("layer %1 is the last, and %2 of %3 lines was left out")
                                    : LayerEditor::tr("layer %1 is the last, and %2 of %3 lines were left out"))
                          .arg(lastLayer)
                          .arg(leftOut)
                          .arg(named);
    }
    /// A sentence; empty if all of it fits.
    QString sentence() const {
        QStringList parts;
        if (m_layers == 1)
            parts << (m_heads == 1 ? LayerEditor::tr("layer %1 has %2 heads, and %3 of %4 was left out")
                                   : LayerEditor::tr("layer %1 has %2 heads, and %3 of %4 were left out"))
                         .arg(m_layer)
                         .arg(m_count)
                         .arg(m_heads)
                         .arg(m_named);
        else if (m_layers > 1)
            parts << LayerEditor::tr("%1 layers have too few heads, and %2 of %3 were left out").arg(m_layers).arg(m_heads).arg(m_named);
        if (!m_lines.isEmpty())
            parts << m_lines;
        return parts.isEmpty() ? QString() : LayerEditor::tr("Pasted in part: %1.").arg(parts.join(QStringLiteral("; ")));
    }

private:
    int m_layer = 0, m_count = 0, m_layers = 0, m_heads = 0, m_named = 0;
    QString m_lines;
};

/// Where a line goes that is pasted onto `run` of a layer with `count` heads. As in a spreadsheet: from the first
/// selected head on, as many heads as the line names; over the whole selection if it holds them several times.
CellEdit pastedOnto(CellEdit run, int count, const QString& line, LeftOut& leftOut) {
    run.text = line;
    const std::vector<HeadGroup> named = headsNamedIn(line);
    const int size = static_cast<int>(named.size()), selected = run.lastHead - run.firstHead + 1;
    if (named.empty() || size == selected)
        return run; // a mistake is said where it is written
    if (size == count) { // a whole layer
        run.firstHead = 1;
        run.lastHead = count;
        return run;
    }
    const int wanted = selected % size == 0 ? selected : size;
    run.lastHead = std::min(count, run.firstHead + wanted - 1);
    if (const int fitting = run.lastHead - run.firstHead + 1; fitting < wanted)
        leftOut.addHeads(run.layer, count, wanted - fitting, wanted);
    std::vector<HeadGroup> groups;
    for (int head = run.firstHead; head <= run.lastHead; ++head) {
        HeadGroup one = named[static_cast<std::size_t>((head - run.firstHead) % size)];
        if (!groups.empty() && (one.count = groups.back().count, one == groups.back()))
            ++groups.back().count;
        else
            (one.count = 1, groups.push_back(one));
    }
    run.text = QString::fromStdString(toText(groups));
    return run;
}

} // namespace

QString LayerEditor::selectedText() const {
    QStringList lines;
    int shown = 0;
    for (const CellEdit& run : selectedHeads()) {
        const auto& cells = m_grid->grid().layer(run.layer).cells;
        LayerCells part(cells.begin() + run.firstHead - 1, cells.begin() + run.lastHead);
        part.front().joined = false;
        const auto text = QString::fromStdString(textOf(part));
        if (run.layer == shown)
            lines.last() += QStringLiteral(" + ") + text;
        else
            lines << text;
        shown = run.layer;
    }
    return lines.isEmpty() ? QString() : lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void LayerEditor::copy() const {
    if (const QString text = selectedText(); !text.isEmpty())
        QApplication::clipboard()->setText(text);
}

void LayerEditor::paste() {
    const QStringList lines = headsIn(QApplication::clipboard()->text());
    const auto runs = selectedHeads();
    if (lines.isEmpty() || runs.empty())
        return;
    const auto headsOf = [this](int layer) { return static_cast<int>(m_grid->grid().layer(layer).cells.size()); };
    std::vector<CellEdit> edits;
    LeftOut leftOut;
    const auto finish = [&] {
        Q_EMIT edited(edits, false);
        if (const QString sentence = leftOut.sentence(); !sentence.isEmpty())
            Q_EMIT pastedInPart(sentence);
    };
    if (lines.size() == 1) {
        for (const CellEdit& run : runs)
            edits.push_back(pastedOnto(run, headsOf(run.layer), lines.front(), leftOut));
        return finish();
    }
    // Several lines are several layers, from the first that is selected on, over the heads selected there.
    const int layers = m_grid->grid().layerCount();
    for (qsizetype i = 0; i < lines.size() && runs.front().layer + i <= layers; ++i) {
        const int layer = runs.front().layer + int(i), heads = headsOf(layer);
        edits.push_back(pastedOnto({layer, std::min(runs.front().firstHead, heads),
                                    std::min(runs.front().lastHead, heads), {}},
                                   heads, lines[i], leftOut));
    }
    leftOut.addLines(layers, lines.size() - qsizetype(edits.size()), lines.size());
    finish();
}

} // namespace headroom::widgets
