// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/curves_panel.h"

#include "app/parts/availability.h"
#include "app/parts/panel_header.h"
#include "app/parts/shown_number.h"
#include "core/runs/score_decimals.h"
#include "core/runs/task_kind.h"
#include "widgets/look/context_menu.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>

#include <algorithm>
#include <array>
#include <utility>

namespace headroom::app {

using widgets::CurveAxis;
using widgets::MetricPlot;
using widgets::Sizes;

namespace {

struct Score {
    const char* key;
    const char* word;
    const char* title;
    int decimals;
};
constexpr std::array kScores{Score{"validation.wer", QT_TRANSLATE_NOOP("CurvesPanel", "WER"),
                                   QT_TRANSLATE_NOOP("CurvesPanel", "Dev WER, %"), kScoreDecimals},
                             Score{"validation.bleu", QT_TRANSLATE_NOOP("CurvesPanel", "BLEU"),
                                   QT_TRANSLATE_NOOP("CurvesPanel", "Dev BLEU"), kScoreDecimals},
                             Score{"validation.loss", QT_TRANSLATE_NOOP("CurvesPanel", "Dev loss"),
                                   QT_TRANSLATE_NOOP("CurvesPanel", "Dev loss, bits per piece"), kLossDecimals}};
constexpr std::array kStretch{5, 3, 3, 5};

MetricPlot::Metric scoreMetric(const Score& score) {
    return {QLatin1String(score.key), CurvesPanel::tr(score.title), 1, score.decimals, false, true};
}

constexpr std::size_t kSpeed = 2; ///< of the plots
constexpr int kMostKeyRows = 6;   ///< beyond, names are shortened: the plots need the height

MetricPlot::Metric speedMetric(const QString& unit, const QString& brief) {
    return {QStringLiteral("framesPerSecond"), CurvesPanel::tr("Speed, %1").arg(unit), 1, 0, true, false, brief, true};
}

} // namespace

CurvesPanel::CurvesPanel(QWidget* parent) : QWidget(parent) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHeader());
    auto* below = new QHBoxLayout;
    below->setContentsMargins(qRound(Sizes::unit() * 1.5), 0, qRound(Sizes::unit() * 1.5), 0);
    m_keyBelow = new widgets::CurveKey(kMostKeyRows, this);
    m_keyBelow->setAccessibleName(tr("Compared runs"));
    m_keyBelow->hide();
    m_keyBelow->resize(0, 0); // the plots paint at once when it makes them lower, before it is moved to its place
    below->addWidget(m_keyBelow);
    layout->addLayout(below);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    const std::array metrics{
        MetricPlot::Metric{"loss", tr("Training loss, bits per piece"), 1, kLossDecimals, true, true, tr("Loss, bits per piece")},
        MetricPlot::Metric{"learningRate", tr("Learning rate, × 10⁻³"), 1e3, 2, false, false, tr("LR, × 10⁻³")},
        speedMetric(tr("frames/s"), tr("frames/s")),
        scoreMetric(kScores[0])};
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        m_plots.push_back(new MetricPlot(metrics[i], this));
        row->addWidget(m_plots.back(), kStretch[i]);
    }
    layout->addLayout(row, 1);
    for (MetricPlot* plot : m_plots) {
        widgets::setContextMenu(plot, {m_fit, nullptr, widgets::makeCopyAction(plot, [plot] { return plot->tableText(); })});
        connect(plot, &MetricPlot::cursorMoved, this, [this, plot](std::optional<double> x) {
            for (MetricPlot* other : m_plots)
                if (other != plot)
                    other->setCursor(x);
        });
        connect(plot, &MetricPlot::spanChanged, this, [this, plot](const auto& span) {
            for (MetricPlot* other : m_plots)
                if (other != plot)
                    other->setVisibleSpan(span);
        });
    }
    apply();
}

QWidget* CurvesPanel::makeHeader() {
    auto* header = m_header = new PanelHeader(tr("Curves"), this);
    m_key = new widgets::CurveKey(1, header);
    QSizePolicy wide(QSizePolicy::Expanding, QSizePolicy::Preferred);
    wide.setHorizontalStretch(100); // the header's own words have little to say here
    m_key->setSizePolicy(wide);
    m_key->setAccessibleName(tr("Compared runs"));
    m_key->installEventFilter(this);
    header->addTrailing(m_key);
    m_mean = new QCheckBox(tr("Mean ± std"), header);
    m_mean->setChecked(m_reading.mean);
    m_mean->setToolTip(
        tr("Show the seeds of an experiment as their mean, with the sample standard deviation as a band. Where not all of them have a "
           "value, the line is thin."));
    m_log = new QCheckBox(tr("Log"), header);
    m_log->setToolTip(tr("Use a logarithmic axis for loss and scores."));
    m_smoothing = new QDoubleSpinBox(header);
    m_smoothing->setRange(0, 0.99);
    m_smoothing->setSingleStep(0.1);
    m_smoothing->setDecimals(2);
    m_smoothing->setLocale(QLocale::c());
    m_smoothing->setValue(m_reading.smoothing);
    m_smoothing->setProperty("small", true);
    m_smoothing->setAccessibleName(tr("Smooth"));
    m_smoothing->setToolTip(tr("Weight of the moving average of loss and throughput; 0 shows the measured "
                               "values."));
    m_axis = new QComboBox(header);
    m_axis->addItems({tr("Updates"), tr("Hours")});
    m_axis->setProperty("small", true);
    m_axis->setAccessibleName(tr("Horizontal axis"));
    m_score = new QComboBox(header);
    for (const Score& score : kScores)
        m_score->addItem(tr(score.word), QLatin1String(score.key));
    m_score->setProperty("small", true);
    m_score->setAccessibleName(tr("Metric of the last plot"));
    m_score->setToolTip(tr("Score of each validation during training, with the weights of that update; WER and BLEU are of the utterances that the recipe "
                           "decodes (validation.maxUtterances), greedily; a decoder writes at most validation.maxTokens pieces. The exported model is usually "
                           "a mean of checkpoints; use Evaluate… to score it."));
    auto* smooth = new QLabel(tr("Smooth"), header);
    smooth->setProperty("caption", true);
    auto* fit = new QAction(widgets::icon(QStringLiteral("fit")), tr("Show all"), this);
    fit->setToolTip(tr("Show the whole curves. Scroll to zoom, drag to move. On the keyboard, + and − zoom, ← and → go from point to point, and 0 shows everything."));
    connect(fit, &QAction::triggered, this, [this] {
        for (MetricPlot* plot : m_plots)
            plot->setVisibleSpan(std::nullopt);
    });
    for (QWidget* control :
         {static_cast<QWidget*>(m_mean), static_cast<QWidget*>(m_log), static_cast<QWidget*>(smooth),
          static_cast<QWidget*>(m_smoothing), static_cast<QWidget*>(m_axis), static_cast<QWidget*>(m_score)})
        header->addTrailing(control);
    header->addButton(fit);
    m_fit = fit;
    connect(m_mean, &QCheckBox::toggled, this, &CurvesPanel::apply);
    connect(m_log, &QCheckBox::toggled, this, &CurvesPanel::apply);
    connect(m_smoothing, &QDoubleSpinBox::valueChanged, this, &CurvesPanel::apply);
    connect(m_axis, &QComboBox::currentIndexChanged, this, &CurvesPanel::apply);
    connect(m_score, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_plots.back()->setMetric(scoreMetric(kScores[static_cast<std::size_t>(index)]));
    });
    connect(m_score, &QComboBox::activated, this, [this] {
        m_scoreChosen = true;
        Q_EMIT readingChanged();
    });
    return header;
}

void CurvesPanel::apply() {
    m_reading.mean = m_mean->isChecked();
    m_reading.logarithmic = m_log->isChecked();
    m_reading.smoothing = m_smoothing->value();
    m_reading.axis = m_axis->currentIndex() == 0 ? CurveAxis::Updates : CurveAxis::Hours;
    for (MetricPlot* plot : m_plots)
        plot->setReading(m_reading);
    showKey(); // a mean is of fewer runs
    Q_EMIT readingChanged();
}

void CurvesPanel::setReading(const widgets::CurveReading& reading) {
    {
        const QSignalBlocker mean(m_mean), log(m_log), smoothing(m_smoothing), axis(m_axis);
        m_mean->setChecked(reading.mean);
        m_log->setChecked(reading.logarithmic);
        showNumber(m_smoothing, reading.smoothing);
        m_axis->setCurrentIndex(reading.axis == CurveAxis::Updates ? 0 : 1);
    }
    apply();
}

void CurvesPanel::setHasRuns(bool hasRuns) {
    for (MetricPlot* plot : m_plots)
        plot->setEmptySentence(hasRuns ? tr("Tick runs below") : tr("No runs yet"));
}

void CurvesPanel::setRuns(std::vector<Compared> runs) {
    if (runs == m_runs) // while any run goes on they are told every second
        return;
    m_runs = std::move(runs);
    std::vector<widgets::ComparedRuns> curves;
    for (const Compared& one : m_runs)
        curves.push_back(one.curves);
    showKey();
    if (m_export)
        setAvailable(m_export, whyNothingToExport());
    for (MetricPlot* plot : m_plots)
        plot->setRuns(curves);
    const auto texts = std::count_if(m_runs.begin(), m_runs.end(), [](const Compared& one) { return readsText(one.task.toStdString()); });
    const QString unit = texts == 0                               ? tr("frames/s")
                         : texts == std::ptrdiff_t(m_runs.size()) ? tr("tokens/s")
                                                                  : QString();
    m_plots[kSpeed]->setMetric(unit.isEmpty() ? speedMetric(tr("frames or tokens/s"), tr("Speed")) : speedMetric(unit, unit));
    chooseScore();
}

void CurvesPanel::showKey() {
    std::vector<widgets::KeyEntry> entries;
    // Scores of another task stand on the same axis.
    const bool same = std::ranges::all_of(m_runs, [this](const Compared& one) { return one.task == m_runs.front().task; });
    for (const Compared& one : m_runs) {
        const QString& detail = m_reading.mean || one.detailOfRuns.isEmpty() ? one.detail : one.detailOfRuns;
        entries.push_back({one.curves.name, same ? detail : tr("%1, %2").arg(one.task, detail), widgets::runPen(one.curves.style, Sizes::unit() / 4)});
    }
    m_entries = std::move(entries);
    placeKey();
}

/// In the header if it has room for every name, else in rows below it.
void CurvesPanel::placeKey() {
    const widgets::KeyRows row = widgets::layKey(m_entries, m_key->width(), 1);
    bool whole = row.left == 0;
    for (std::size_t i = 0; whole && i < row.entries.size(); ++i)
        whole = row.entries[i].text == m_entries[i].name;
    m_key->setEntries(whole ? m_entries : std::vector<widgets::KeyEntry>());
    m_keyBelow->setEntries(whole ? std::vector<widgets::KeyEntry>() : m_entries);
    m_keyBelow->setVisible(!whole);
}

bool CurvesPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_key && event->type() == QEvent::Resize)
        placeKey();
    return QWidget::eventFilter(watched, event);
}

void CurvesPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_key)
        showKey(); // in the colours of the theme
}

/// Until somebody chooses: the score that says most of the first run, where any run has it.
void CurvesPanel::chooseScore() {
    if (m_scoreChosen || m_runs.empty())
        return;
    std::array order{0, 1, 2};
    if (isTranslation(m_runs.front().task.toStdString())) // BLEU says more of it than WER
        std::swap(order[0], order[1]);
    for (const int place : order) {
        const char* key = kScores[static_cast<std::size_t>(place)].key;
        for (const Compared& one : m_runs)
            for (const auto& run : one.curves.runs)
                if (run && run->series().contains(key))
                    return setScore(QLatin1String(key));
    }
}

void CurvesPanel::setScore(const QString& key) {
    m_score->setCurrentIndex(m_score->findData(key));
}

void CurvesPanel::restoreChosenScore(const QString& key) {
    if (m_score->findData(key) >= 0) {
        setScore(key);
        m_scoreChosen = true;
    } else if (key.isEmpty()) {
        m_scoreChosen = false;
        chooseScore();
    }
}

QString CurvesPanel::score() const {
    return m_score->currentData().toString();
}

} // namespace headroom::app
