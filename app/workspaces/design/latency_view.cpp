// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/latency_view.h"

#include "app/parts/action_button.h"
#include "app/parts/availability.h"
#include "app/parts/number_text.h"
#include "app/studies/study_item.h"
#include "core/errors/count_text.h"
#include "core/studies/busy_machine.h"
#include "widgets/look/duration_text.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::CostPlot;
using widgets::Sizes;

namespace {

CostPlot::Curve curveOf(const LatencyByLength& times) {
    return {times.tokens, times.median, times.lower, times.upper};
}

QString millisecondsText(double value) {
    return widgets::timeText(value, value < 100 ? 1 : 0) + widgets::kNarrowSpace + QStringLiteral("ms");
}

} // namespace

LatencyView::LatencyView(LatencyMeasurements* measurements, QWidget* parent)
    : QWidget(parent)
    , m_measurements(measurements)
    , m_plot(new CostPlot({}, tr("measured here"), this))
    , m_sentence(new QLabel(this))
    , m_measure(new QAction(this)) {
    const int unit = int(Sizes::unit());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_plot, 1);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(unit * 3 / 2, 0, unit, unit);
    row->setSpacing(unit);
    m_sentence->setProperty("caption", true);
    m_sentence->setWordWrap(true);
    m_measure->setText(tr("Measure"));
    m_button = new ActionButton(m_measure, QString(), this);
    m_button->setProperty("small", true);
    m_button->setFixedHeight(Sizes::smallControl());
    row->addWidget(m_sentence, 1);
    row->addWidget(m_button, 0, Qt::AlignTop);
    column->addLayout(row);
    connect(m_measure, &QAction::triggered, this, &LatencyView::measureOrStop);
    if (m_measurements)
        connect(m_measurements, &LatencyMeasurements::changed, this, [this] {
            const OpenStudyPtr before = m_found.study;
            refresh();
            if (m_found.study != before)
                Q_EMIT changed();
        });
    showNothing();
}

void LatencyView::show(const LatencyMeasurements::Wanted& shown, std::vector<CostPlot::Mark> marks,
                       double longest) {
    m_shown = shown;
    m_marks = std::move(marks);
    for (CostPlot::Mark& mark : m_marks)
        mark.text.clear(); // the plots above have the names, which would cover a measured point here
    m_longest = longest;
    m_any = true;
    refresh();
}

void LatencyView::showNothing() {
    m_any = false;
    m_shown = {};
    m_found = {};
    refresh();
}

QString LatencyView::sentence() const {
    return m_sentence->text();
}

void LatencyView::refresh() {
    m_plot->setTitle(m_shown.architecture.languageModel ? tr("Latency of the language model, ms") : tr("Latency of the encoder, ms"), tr("Latency, ms"));
    m_found = m_any && m_measurements ? m_measurements->find(m_shown.architecture, m_shown.baseline)
                                      : LatencyMeasurements::Found();
    // "Not measured yet" over the curve of the baseline would be wrong; the line below says what is missing.
    const QString whyNot = !m_any            ? tr("Open a model or start from a preset first.")
                           : !m_measurements ? tr("There is no folder for studies.")
                                             : LatencyMeasurements::whyNot(m_shown.architecture);
    m_plot->setEmptyText(!m_found.baseline.tokens.empty() ? QString()
                         : m_any && !whyNot.isEmpty()     ? tr("Cannot be measured")
                                                          : tr("Not measured yet"));
    m_plot->show(curveOf(m_found.now), curveOf(m_found.baseline),
                 m_any ? m_marks : std::vector<CostPlot::Mark>(), m_longest);
    m_plot->setTip(table());
    showState(whyNot);
}

void LatencyView::showState(const QString& whyNot) {
    const StudyItem* study = m_measurements ? m_measurements->current() : nullptr;
    m_running = study && study->runs();
    const bool isOwn = m_any && m_measurements && m_measurements->currentIsOf(m_shown.architecture);
    QString text;
    if (m_running) {
        const StudyProgress& at = study->progress;
        const QString what = isOwn ? tr("Measuring") : tr("Measuring “%1”").arg(m_measurements->currentName());
        text = study->state == StudyItem::State::Stopping ? tr("Stopping.")
               : at.total > 0 ? tr("%1, %2%3%").arg(what).arg(100 * at.done / at.total).arg(widgets::kNarrowSpace)
                              : tr("%1: starting").arg(what);
        if (study->state == StudyItem::State::Running && at.secondsLeft >= 0)
            text += QStringLiteral(", ") + widgets::timeLeftText(at.secondsLeft);
    } else if (!m_problem.isEmpty()) {
        text = m_problem;
    } else if (study && study->state == StudyItem::State::Failed && isOwn) {
        text = tr("Not measured. %1").arg(study->sentence);
    } else if (m_any && !whyNot.isEmpty()) {
        text = whyNot;
    } else if (!m_found.now.tokens.empty()) {
        text = conditions();
    } else if (!m_found.baseline.tokens.empty()) {
        text = tr("Dashed: the baseline. This architecture has not been measured yet.");
    } else if (m_any) {
        text = tr("Times this architecture and the baseline in turn, in a minute or two.");
    }
    m_sentence->setText(text);
    m_sentence->setToolTip(m_found.study && !m_running ? table() : QString());
    m_measure->setText(m_running                    ? tr("Cancel")
                       : m_found.now.tokens.empty() ? tr("Measure")
                                                    : tr("Measure again"));
    m_button->setText(m_measure->text());
    m_button->setAccessibleName(m_running ? tr("Cancel the measurement of latency")
                                          : tr("Measure the latency"));
    m_measure->setToolTip(
        m_running ? tr("Stop measuring. Earlier measurements are kept.")
                  : tr("Time the encoder of this architecture and of the baseline on this machine, in "
                       "turn, as a latency study in Analyse. Times depend on the heads and not on the "
                       "weights. Shim et al. 2022, Table 3."));
    setAvailable(m_measure, m_running ? QString() : whyNot);
}

/// "Median of 15, bars: quartiles. 1 thread, 23 Nov 06:31".
QString LatencyView::conditions() const {
    const Study& study = m_found.study->document;
    QString text = tr("Medians of %1, bars are quartiles; %2.")
                       .arg(study.settings.value("repeats", 0))
                       .arg(QString::fromStdString(counted(study.settings.value("threads", 1), "thread")));
    if (m_found.nowModel == m_found.baselineModel)
        text += tr(" The baseline has the same encoder.");
    else if (m_found.baselineModel == 0)
        text += tr(" This baseline has not been measured with it.");
    for (const std::string& note : study.notes) // what doubts the numbers is seen beside them
        if (note.starts_with(kBusyMachine))
            text += tr(" The machine was not idle: the times vary. Hover for details.");
    return text;
}

/// Every number of the plot, and under what conditions it was measured.
QString LatencyView::table() const {
    if (!m_found.study)
        return {};
    const LatencyByLength& now = m_found.now;
    const LatencyByLength& before = m_found.baseline;
    const LatencyByLength& rows = now.tokens.empty() ? before : now;
    QStringList lines;
    for (std::size_t i = 0; i < rows.tokens.size(); ++i) {
        QStringList parts;
        if (!now.tokens.empty())
            parts << tr("%1 (%2 to %3)")
                         .arg(millisecondsText(now.median[i]), millisecondsText(now.lower[i]),
                              millisecondsText(now.upper[i]));
        if (!before.tokens.empty() && m_found.nowModel != m_found.baselineModel)
            parts << tr("baseline %1").arg(millisecondsText(before.median[i]));
        if (const auto ratio = share(std::int64_t(rows.tokens[i])); ratio && !now.tokens.empty())
            parts << tr("%1%2% of it in the median over the rounds").arg(decimals(*ratio * 100, 0), QString(widgets::kNarrowSpace));
        lines << tr("%1: %2").arg(widgets::counted(std::int64_t(rows.tokens[i]), tr("1 token"), tr("%1 tokens")), parts.join(QStringLiteral(", ")));
    }
    for (const std::string& note : m_found.study->document.notes)
        lines << QString::fromStdString(note);
    lines << tr("Study %1.").arg(m_found.study->name());
    return lines.join(QLatin1Char('\n'));
}

QStringList LatencyView::lines() const {
    QStringList lines;
    for (std::size_t i = 0; i < m_found.now.tokens.size(); ++i) {
        const auto full = [&](const LatencyByLength& times) {
            return i < times.median.size() ? QString::number(times.median[i], 'g', 17) : kUnknown;
        };
        lines << tr("Latency of %1, ms\t%2\t%3")
                     .arg(widgets::counted(std::int64_t(m_found.now.tokens[i]), tr("1 token"), tr("%1 tokens")), full(m_found.now),
                          full(m_found.baseline));
    }
    return lines;
}

void LatencyView::measureOrStop() {
    m_problem = m_running ? m_measurements->stop() : m_measurements->start(m_shown);
    refresh();
}

} // namespace headroom::app
