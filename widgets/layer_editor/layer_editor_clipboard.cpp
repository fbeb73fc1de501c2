// SPDX-License-Identifier: GPL-3.0-or-later
// Heads as text, out of the grid and into it.
#include "widgets/layer_editor/heads_line.h"
#include "widgets/layer_editor/layer_editor.h"
#include "widgets/look/number_text.h"

#include <QApplication>
#include <QClipboard>
#include <QRegularExpression>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace headroom::widgets {

namespace {

/// The lines of a text, or the heads in a document of any layout: { "heads": "4 local 17" },
std::vector<HeadsLine> headsIn(const QString& text) {
    static const QRegularExpression pattern(QStringLiteral("\"heads\"\\s*:\\s*\"([^\"]*)\""));
    std::vector<HeadsLine> lines;
    for (auto match = pattern.globalMatch(text); match.hasNext();)
        lines.push_back({std::nullopt, false, match.next().captured(1)});
    if (!lines.empty())
        return lines;
    for (const QString& line : text.split(QLatin1Char('\n')))
        if (HeadsLine read = readHeadsLine(line); !read.heads.isEmpty())
            lines.push_back(std::move(read));
    return lines;
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
    void addCross() { m_noCross = true; }
    /// A sentence; empty if all of it fits.
    QString sentence() const {
        const QString heads = counted(m_count, LayerEditor::tr("1 head"), LayerEditor::tr("%1 heads"));
        QStringList parts;
        if (m_layers == 1 && m_layer == kCrossAttention)
            parts << (m_heads == 1 ? LayerEditor::tr("the cross-attention has %1, and %2 of %3 was left out")
                                   : LayerEditor::tr("the cross-attention has %1, and %2 of %3 were left out"))
                         .arg(heads)
                         .arg(m_heads)
                         .arg(m_named);
        else if (m_layers == 1)
            parts << (m_heads == 1 ? LayerEditor::tr("layer %1 has %2, and %3 of %4 was left out")
                                   : LayerEditor::tr("layer %1 has %2, and %3 of %4 were left out"))
                         .arg(m_layer)
                         .arg(heads)
                         .arg(m_heads)
                         .arg(m_named);
        else if (m_layers > 1)
            parts << LayerEditor::tr("%1 layers have too few heads, and %2 of %3 were left out").arg(m_layers).arg(m_heads).arg(m_named);
        if (!m_lines.isEmpty())
            parts << m_lines;
        if (m_noCross)
            parts << LayerEditor::tr("there is no cross-attention here, and its line was left out");
        return parts.isEmpty() ? QString() : LayerEditor::tr("Pasted in part: %1.").arg(parts.join(QStringLiteral("; ")));
    }

private:
    int m_layer = 0, m_count = 0, m_layers = 0, m_heads = 0, m_named = 0;
    bool m_noCross = false;
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
    if (isCrossSelected())
        return headsLine(m_grid->grid(), kCrossAttention) + QLatin1Char('\n');
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

QString LayerEditor::whyNoClipboard() const {
    return selectedHeads().empty() && !isCrossSelected() ? tr("Select heads first.") : QString();
}

bool LayerEditor::canUseClipboard() const {
    const QString why = whyNoClipboard();
    if (!why.isEmpty() && isVisible()) // the keys are not offered anywhere that could say it
        QToolTip::showText(viewport()->mapToGlobal(visualRect(currentIndex()).bottomLeft()), why, viewport());
    return why.isEmpty();
}

void LayerEditor::copy() const {
    if (canUseClipboard())
        QApplication::clipboard()->setText(selectedText());
}

void LayerEditor::paste() {
    if (!canUseClipboard())
        return;
    const std::vector<HeadsLine> lines = headsIn(QApplication::clipboard()->text());
    const auto runs = selectedHeads();
    const HeadGrid& grid = m_grid->grid();
    const auto headsOfLayer = [&grid](int layer) { return static_cast<int>(grid.layer(layer).cells.size()); };
    std::vector<CellEdit> edits;
    LeftOut leftOut;
    // Lines of layers are those from the first that is selected on, over the heads selected there. Numbers say how far apart they are.
    const auto layerLines = std::ranges::count_if(lines, [](const HeadsLine& line) { return !line.isCross; });
    const int first = runs.empty() ? grid.layerCount() + 1 : runs.front().layer;
    std::optional<int> numberOfFirst;
    int place = 0;
    qsizetype fitting = 0;
    for (const HeadsLine& line : lines) {
        if (line.isCross || (lines.size() == 1 && runs.empty())) { // the selection is the cross-attention
            if (grid.has(kCrossAttention))
                edits.push_back(pastedOnto({kCrossAttention, 1, headsOfLayer(kCrossAttention), {}}, headsOfLayer(kCrossAttention), line.heads, leftOut));
            else
                leftOut.addCross();
            fitting += line.isCross ? 0 : 1;
        } else if (layerLines == 1 && !runs.empty()) {
            for (const CellEdit& run : runs)
                edits.push_back(pastedOnto(run, headsOfLayer(run.layer), line.heads, leftOut));
            ++fitting;
        } else {
            if (line.layer && !numberOfFirst)
                numberOfFirst = *line.layer - place;
            const int layer = first + (line.layer ? *line.layer - *numberOfFirst : place);
            ++place;
            if (runs.empty() || layer < 1 || layer > grid.layerCount())
                continue;
            const int heads = headsOfLayer(layer);
            edits.push_back(pastedOnto({layer, std::min(runs.front().firstHead, heads), std::min(runs.front().lastHead, heads), {}}, heads,
                                       line.heads, leftOut));
            ++fitting;
        }
    }
    leftOut.addLines(grid.layerCount(), layerLines - fitting, layerLines);
    if (!edits.empty())
        Q_EMIT edited(edits, false);
    if (const QString sentence = leftOut.sentence(); !sentence.isEmpty())
        Q_EMIT pastedInPart(sentence);
}

} // namespace headroom::widgets
