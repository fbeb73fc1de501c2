// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/data/data_charts.h"

#include "app/parts/number_text.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/train/data/data_tables.h"
#include "core/runs/task_kind.h"
#include "widgets/look/icons.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/study_plots/limited_histogram.h"
#include "widgets/study_plots/spread_plot.h"
#include "widgets/study_table/study_table_view.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::app {

using widgets::LimitedHistogram;
using widgets::SpreadPlot;

namespace {

constexpr double kFrame = 0.01;    ///< s
constexpr double kLimitStep = 0.1; ///< s: what a drag snaps to
constexpr std::int64_t kMostBars = 120;
constexpr std::size_t kMostPoints = 2000; ///< of the curve of speakers

/// The narrowest bars, in frames, that are no more than kMostBars.
std::int64_t barFrames(const SplitFacts& split) {
    const std::int64_t longest = split.frames.empty() ? 1 : split.frames.back();
    for (const std::int64_t frames : {10, 20, 50, 100, 200, 500, 1000})
        if (longest / frames < kMostBars)
            return frames;
    return longest / kMostBars + 1;
}

} // namespace

DataCharts::DataCharts(QWidget* parent)
    : QWidget(parent)
    , m_splits(new widgets::StudyTableView)
    , m_lengths(new LimitedHistogram)
    , m_speakers(new SpreadPlot)
    , m_rates(new SpreadPlot)
    , m_vocabulary(new SpreadPlot)
    , m_recipes(new QComboBox)
    , m_takeBack(new QToolButton) {
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    auto* above = new QSplitter(Qt::Horizontal, this);
    auto* below = new QSplitter(Qt::Horizontal, this);
    above->addWidget(panel("splits", tr("Splits"), m_splits));
    above->addWidget(panel("length", tr("Length"), m_lengths));
    below->addWidget(panel("speakers", tr("Speakers"), m_speakers));
    below->addWidget(panel("rate", tr("Rate of words"), m_rates));
    below->addWidget(panel("vocabulary", tr("Vocabulary"), m_vocabulary));
    for (QSplitter* row : {above, below}) {
        row->setChildrenCollapsible(false);
        rows->addWidget(row, row == above ? 6 : 5);
    }
    QSizePolicy ofLengths = m_lengths->sizePolicy();
    ofLengths.setRetainSizeWhenHidden(true); // its header stays at the top
    m_lengths->setSizePolicy(ofLengths);
    above->setStretchFactor(0, 1);
    above->setStretchFactor(1, 2);
    m_splits->setSelectionMode(QAbstractItemView::SingleSelection);

    m_recipes->setProperty("small", true);
    m_recipes->setAccessibleName(tr("Recipe whose limits of length are shown"));
    m_recipes->setToolTip(m_recipes->accessibleName());
    m_recipes->setMaximumWidth(qRound(widgets::Sizes::unit() * 24));
    m_takeBack->setIcon(widgets::icon(QStringLiteral("undo")));
    m_takeBack->setAutoRaise(true);
    m_takeBack->setProperty("small", true);
    m_takeBack->setAccessibleName(tr("Reset the limits"));
    m_takeBack->setToolTip(tr("Reset the limits to those of the recipe. Esc"));
    auto* limitsOf = new QLabel(tr("Limits of"));
    limitsOf->setProperty("caption", true);
    PanelHeader* header = m_headers["length"];
    for (QWidget* control : {static_cast<QWidget*>(limitsOf), static_cast<QWidget*>(m_recipes),
                             static_cast<QWidget*>(m_takeBack)})
        header->addTrailing(control);
    header->yield(limitsOf);

    connect(m_splits, &widgets::StudyTableView::rowChosen, this, [this](int row) {
        if (m_summary && row >= 0)
            chooseSplit(m_summary->splits[static_cast<std::size_t>(row)].name);
    });
    connect(m_recipes, &QComboBox::activated, this, &DataCharts::recipeChosen);
    connect(m_takeBack, &QToolButton::clicked, this, &DataCharts::takeBack);
    connect(m_lengths, &LimitedHistogram::takeBackRequested, this, &DataCharts::takeBack);
    connect(m_lengths, &LimitedHistogram::limitMoved, this,
            [this](LimitedHistogram::Limit which, double seconds) {
                const std::int64_t frames = std::llround(seconds / kFrame);
                if (which == LimitedHistogram::Limit::Most)
                    m_limits.most = frames;
                else if (m_limits.least = std::min(frames, m_limits.most); m_limits.least < frames) // the shown split may have another longest
                    drawLimits();
                showLimits();
            });
    connect(m_speakers, &SpreadPlot::chosen, this, [this](double rank) {
        const auto* shown = split();
        const auto place = static_cast<std::size_t>(std::llround(rank)) - 1;
        if (!shown || place >= shown->speakers.size())
            return;
        m_speakers->setCurrent(rank);
        const SpeakerFacts& speaker = shown->speakers[place];
        m_headers["speakers"]->setDetail(tr("%1: %2, %3")
                                             .arg(QString::fromStdString(speaker.name), hoursText(speaker.seconds),
                                                  widgets::counted(speaker.utterances, tr("1 utterance"), tr("%1 utterances"))));
    });
    takeBack();
}

QWidget* DataCharts::panel(const char* name, const QString& title, QWidget* content) {
    auto* panel = new QWidget;
    panel->setProperty("panel", true);
    panel->setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_headers[QLatin1String(name)] = new PanelHeader(title, panel);
    layout->addWidget(m_headers[QLatin1String(name)]);
    layout->addWidget(content, 1);
    return panel;
}

QString DataCharts::detail(const QString& panel) const {
    const auto found = m_headers.find(panel);
    return found == m_headers.end() ? QString() : found->second->detail();
}

void DataCharts::setSummary(const CorpusSummary* summary) {
    m_summary = summary;
    m_splits->setTable(splitsTable(*summary));
    const QString count = widgets::counted(summary->utterances(), tr("1 utterance"), tr("%1 utterances"));
    const bool isText = readsText(summary->task); // without recordings, nothing has a length or a speaker
    m_headers["splits"]->setDetail(isText ? count : tr("%1, %2").arg(hoursText(summary->seconds()), count));
    for (const char* ofSound : {"speakers", "rate"})
        m_headers[QLatin1String(ofSound)]->parentWidget()->setVisible(!isText);
    m_lengths->setVisible(!isText); // the recipe is chosen above it
    const bool has = std::any_of(summary->splits.begin(), summary->splits.end(),
                                 [&](const SplitFacts& one) { return one.name == m_split; });
    if (!summary->splits.empty())
        chooseSplit(has ? m_split : summary->splits.front().name);
}

const SplitFacts* DataCharts::split() const {
    return m_summary && !m_summary->splits.empty() ? &m_summary->split(m_split) : nullptr;
}

void DataCharts::chooseSplit(const std::string& name) {
    m_split = name;
    const auto& all = m_summary->splits;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const SplitFacts& one) { return one.name == name; });
    m_splits->setCurrentRow(static_cast<int>(found - all.begin()));
    showSplit();
}

void DataCharts::setRecipes(const QStringList& names, int current, const SplitLimits& recipe, const SplitLimits& form) {
    const QSignalBlocker blocker(m_recipes);
    m_recipes->clear();
    m_recipes->addItems(names);
    m_recipes->setCurrentIndex(current);
    const bool isAnother = recipe.training != m_recipe.training || form.training != m_form.training || !m_summary;
    const bool isChangedElsewhere = recipe != m_recipe || form != m_form; // in the batch or the name of a split
    m_recipe = recipe;
    m_form = form;
    if (isAnother || isChangedElsewhere)
        setLimits(isAnother ? form.training : m_limits);
}

void DataCharts::takeBack() {
    setLimits(m_recipe.training);
}

void DataCharts::setLimits(const LengthLimits& limits) {
    m_limits = limits;
    drawLimits();
    showLimits();
}

LengthLimits DataCharts::shownLimits() const {
    SplitLimits limits = m_form;
    limits.training = m_limits;
    limits.validation.least = m_limits.least;
    return limits.of(m_split);
}

bool DataCharts::areShownChanged() const {
    return shownLimits() != (m_form.onlyValidates(m_split) ? m_recipe.validation : m_recipe.training);
}

/// The longest utterance of validation is what fits into a batch, which nobody chooses by looking at lengths.
void DataCharts::drawLimits() {
    const LengthLimits limits = shownLimits();
    m_lengths->setMostMovable(!m_form.onlyValidates(m_split));
    m_lengths->setLimits(double(limits.least) * kFrame,
                         m_limits == kNoLimits ? std::numeric_limits<double>::infinity() : double(limits.most) * kFrame, kLimitStep);
}

void DataCharts::showLimits() {
    m_takeBack->setVisible(isChanged());
    if (const SplitFacts* shown = split())
        m_lengths->setNote(leftOutText(leftOutBy(*shown, shownLimits())));
    Q_EMIT changed();
}

void DataCharts::showSplit() {
    const SplitFacts& shown = *split();
    const std::int64_t bar = barFrames(shown);
    LimitedHistogram::Content content;
    content.title = tr("Lengths of the utterances of %1").arg(QString::fromStdString(shown.name));
    content.xName = tr("length in feature frames of 10\u202fms, s"); // which the limits count: 15 to 25 ms less than the sound
    content.counts = lengthHistogram(shown, bar);
    content.width = double(bar) * kFrame;
    m_lengths->setContent(std::move(content));
    drawLimits();
    QString detail = QString::fromStdString(shown.name);
    if (!shown.frames.empty())
        detail += tr(", mean %1, bars of %2")
                      .arg(widgets::timeText(shown.seconds / double(shown.frames.size()), 2) +
                               widgets::kNarrowSpace + u's',
                           widgets::timeText(double(bar) * kFrame, 1) + widgets::kNarrowSpace + u's');
    m_headers["length"]->setDetail(readsText(m_summary->task) ? tr("no recordings") : detail);

    SpreadPlot::Series speakers;
    const std::size_t step = shown.speakers.size() / kMostPoints + 1;
    for (std::size_t i = 0; i < shown.speakers.size(); i += step) {
        speakers.x.push_back(double(i + 1));
        speakers.mean.push_back(shown.speakers[i].seconds / 60);
    }
    SpreadPlot::Axes axes;
    axes.title = tr("minutes");
    axes.x = tr("speaker, longest first");
    axes.place = tr("speaker %1");
    axes.chooses = true;
    axes.low = 0;
    axes.decimals = 1;
    axes.marksPoints = shown.speakers.size() <= 40;
    m_speakers->setCurrent(std::nullopt);
    m_speakers->setSeries(axes, {speakers});
    m_speakers->setAccessibleName(tr("Minutes of each speaker"));
    m_headers["speakers"]->setDetail(speakersText(*m_summary, shown));

    std::vector<SpreadPlot::Series> rates;
    std::size_t last = 1;
    for (const auto& text : shown.texts)
        for (std::size_t bin = 0; bin < text.rates.size(); ++bin)
            last = text.rates[bin] > 0 ? std::max(last, bin + 1) : last;
    for (const auto& text : shown.texts) {
        std::int64_t all = 0;
        for (const auto count : text.rates)
            all += count;
        SpreadPlot::Series one;
        one.name = textName(text.language, rates.size(), shown.texts.size());
        one.style = static_cast<int>(rates.size());
        for (std::size_t bin = 0; bin < text.rates.size() && bin <= last && all > 0; ++bin) {
            one.x.push_back((double(bin) + 0.5) * TextFacts::kRateStep);
            one.mean.push_back(100 * double(text.rates[bin]) / double(all));
        }
        rates.push_back(std::move(one));
    }
    axes = {};
    axes.title = tr("% of the utterances");
    axes.x = tr("words per second");
    axes.place = tr("%1 words per second");
    axes.low = 0;
    axes.decimals = 1;
    m_rates->setSeries(axes, rates);
    m_rates->setAccessibleName(tr("Rate of words"));
    m_headers["rate"]->setDetail(ratesText(shown));
    showVocabulary(shown);
    showLimits();
}

void DataCharts::showVocabulary(const SplitFacts& shown) {
    std::vector<SpreadPlot::Series> series;
    for (const TextFacts& text : shown.texts) {
        SpreadPlot::Series curve;
        curve.name = textName(text.language, series.size(), shown.texts.size());
        curve.style = static_cast<int>(series.size());
        for (const auto& [words, share] : text.vocabulary.coverage) {
            curve.x.push_back(double(words));
            curve.mean.push_back(100 * share);
        }
        series.push_back(std::move(curve));
    }
    SpreadPlot::Axes axes;
    axes.title = tr("% of all words");
    axes.x = tr("number of most frequent words");
    axes.place = tr("%1 most frequent words");
    axes.low = 0;
    axes.high = 100;
    axes.decimals = 1;
    axes.logarithmic = true;
    m_vocabulary->setSeries(axes, series);
    m_vocabulary->setAccessibleName(tr("Words covered by the most frequent ones"));
    m_headers["vocabulary"]->setDetail(vocabularyText(*m_summary, shown), vocabularyShares(*m_summary, shown));
}

} // namespace headroom::app
