// SPDX-License-Identifier: GPL-3.0-or-later
// The curves as a figure and as a table.
#include "app/parts/availability.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/train/curves_panel.h"
#include "widgets/look/context_menu.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/run_words.h"

#include <QAction>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headroom::app {

using widgets::MetricPlot;
using widgets::Sizes;

QString CurvesPanel::whyNothingToExport() const {
    return m_runs.empty() ? tr("No curves are shown. Tick runs in Runs first.") : QString();
}

void CurvesPanel::setExportAction(QAction* action) {
    m_export = action;
    setAvailable(action, whyNothingToExport());
    m_header->addButton(action);
    for (MetricPlot* plot : m_plots)
        widgets::setContextMenu(plot, {action});
}

ExportedView CurvesPanel::exported() {
    ExportedView view;
    if (m_runs.empty())
        return view;
    int x = 0, height = 0;
    QStringList rows;
    for (MetricPlot* plot : m_plots) {
        const QSize size(plot->width(), plot->figureSize().height()); // beside each other as on the screen
        view.figure.parts.push_back({plot, QRect(QPoint(x, 0), size), [plot](QPainter& painter, const QRect& place) { plot->renderTo(painter, place); }});
        x += size.width();
        height = std::max(height, size.height());
        const QString metric = plot->metric().title;
        QStringList lines = plot->tableText().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QStringList head = lines.takeFirst().split(QLatin1Char('\t'));
        if (rows.isEmpty())
            rows << QStringList{head[0], head[1], tr("metric"), tr("value"), head[3], head[4]}.join(QLatin1Char('\t'));
        for (const QString& line : lines) {
            QStringList cells = line.split(QLatin1Char('\t'));
            cells.insert(2, metric);
            rows << cells.join(QLatin1Char('\t'));
        }
    }
    const double margin = 2 * Sizes::unit();
    const int most = static_cast<int>(m_entries.size());
    const int keyHeight = static_cast<int>(std::ceil(widgets::layKey(m_entries, x - 2 * margin, most).height + margin / 2));
    view.figure.parts.push_back({this, QRect(0, height, x, keyHeight), [this, margin, most](QPainter& painter, const QRect& place) {
                                     painter.fillRect(place, widgets::Theme::current().panel);
                                     const double width = place.width() - 2 * margin; // the entries have the colours of now
                                     widgets::paintKey(painter, QPointF(place.left() + margin, place.top()), width, m_entries, widgets::layKey(m_entries, width, most));
                                 }});
    view.figure.title = tr("Training curves");
    view.figure.caption = figureCaption();
    view.table = csvOfTabs(rows.join(QLatin1Char('\n')));
    return view;
}

QString CurvesPanel::figureCaption() const {
    QStringList sentences{m_reading.axis == widgets::CurveAxis::Updates ? tr("Horizontal axes: updates.") : tr("Horizontal axes: hours.")};
    const bool several = std::ranges::any_of(m_runs, [](const Compared& one) { return one.curves.runs.size() > 1; });
    if (several)
        sentences << (m_reading.mean ? tr("Mean over the seeds; the band is ± the sample standard deviation.") : tr("Each seed is a line."));
    if (std::ranges::any_of(m_plots, &MetricPlot::hasMeansOfFewer))
        sentences << tr("Thin lines and small points: fewer seeds, because the others have no value there.");
    if (m_reading.mean && std::ranges::any_of(m_runs, [](const Compared& one) { return !one.detailOfRuns.isEmpty(); }))
        sentences << tr("Of several runs with one seed, the newest finished one counts.");
    if (m_reading.smoothing > 0)
        sentences << tr("Training loss and speed: moving average with the weight %1.").arg(widgets::numberText(m_reading.smoothing, 2));
    sentences << tr("Scores on dev are of the weights at each validation, not of the exported model.");
    if (score() != QLatin1String("validation.loss")) {
        widgets::DecodedTexts texts;
        for (const Compared& one : m_runs)
            widgets::addDecoded(texts, one.decoded, one.curves.name);
        if (const QString decoded = widgets::decodedNote(texts); !decoded.isEmpty())
            sentences << decoded;
    }
    return sentences.join(QLatin1Char(' '));
}

} // namespace headroom::app
