// SPDX-License-Identifier: GPL-3.0-or-later
// Heads as text, out of the grid and into it.
#include "widgets/layer_editor/layer_editor.h"

#include <QApplication>
#include <QClipboard>
#include <QRegularExpression>

namespace headroom::widgets {

namespace {

/// The heads of a line: the text itself, or what stands in a line of a document: { "heads": "4 local 17" },
QString headsIn(const QString& line) {
    static const QRegularExpression pattern(QStringLiteral("\"heads\"\\s*:\\s*\"([^\"]*)\""));
    const auto match = pattern.match(line);
    return match.hasMatch() ? match.captured(1) : line.simplified();
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
    QStringList lines;
    const bool isDocument = QApplication::clipboard()->text().contains(QLatin1String("\"heads\""));
    for (const QString& line : QApplication::clipboard()->text().split(QLatin1Char('\n')))
        if (!line.trimmed().isEmpty() && (!isDocument || line.contains(QLatin1String("\"heads\""))))
            lines << headsIn(line);
    const auto runs = selectedHeads();
    if (lines.isEmpty() || runs.empty())
        return;
    if (lines.size() == 1)
        return writeSelected(lines.front());
    // Several lines are several layers, from the first that is selected on, over the heads selected there.
    std::vector<CellEdit> edits;
    const int layers = m_grid->grid().layerCount();
    for (qsizetype i = 0; i < lines.size() && runs.front().layer + i <= layers; ++i) {
        const int layer = runs.front().layer + int(i), heads = int(m_grid->grid().layer(layer).cells.size());
        edits.push_back({layer, std::min(runs.front().firstHead, heads),
                         std::min(runs.front().lastHead, heads), lines[i]});
    }
    Q_EMIT edited(edits, false);
}

} // namespace headroom::widgets
