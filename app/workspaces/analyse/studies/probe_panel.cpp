// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/probe_panel.h"

#include "app/parts/choice_focus.h"
#include "app/parts/forms/few_lines.h"
#include "app/parts/least_height_area.h"
#include "app/parts/tab_parts.h"
#include "app/studies/study_layers.h"
#include "app/studies/study_names.h"
#include "app/workspaces/analyse/common/evidence_field.h"
#include "app/workspaces/analyse/studies/study_plot_tab.h"
#include "core/statistics/moments.h"
#include "core/studies/notes.h"
#include "widgets/look/percent_text.h"
#include "widgets/look/sizes.h"
#include "widgets/study_plots/spread_plot.h"
#include "widgets/study_table/study_table_view.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>
#include <cmath>

namespace headroom::app {

using widgets::ConfusionMap;
using widgets::Sizes;

namespace {

constexpr int kLinesOfPlots = 40; // a matrix of 37 rows needs its height more than the caption

QString layerName(int layer) {
    return ProbePanel::tr("Layer %1").arg(layer);
}

/// By layer, over seeds.
struct AccuracyCurve {
    std::vector<double> layers, mean, deviation;
};

/// Mean and standard deviation over seeds of [L + 1, S], in per cent as in the table.
AccuracyCurve accuracyCurve(const OpenStudy::Numbers& accuracy) {
    AccuracyCurve curve;
    if (accuracy.shape.size() != 2)
        return curve;
    const std::int64_t seeds = accuracy.shape[1];
    for (std::int64_t layer = 0; layer < accuracy.shape[0]; ++layer) {
        std::vector<double> values;
        for (std::int64_t seed = 0; seed < seeds; ++seed)
            values.push_back(accuracy.at({layer, seed}));
        const Moments moments(values);
        curve.layers.push_back(static_cast<double>(layer));
        curve.mean.push_back(100 * moments.mean());
        curve.deviation.push_back(100 * moments.deviation());
    }
    return curve;
}

/// Whose its numbers are, how they were found, and what else its readers are to know. The intervals, of which the caption speaks last,
/// are in the table alone.
QString probeNote(const OpenStudy& study, int model, bool withIntervals) {
    const StudyTable* table = study.table("probe");
    QString caption = table ? QString::fromStdString(table->caption) : QString();
    if (const qsizetype intervals = caption.lastIndexOf(QLatin1String("95 % intervals:")); intervals >= 0 && !withIntervals)
        caption.truncate(intervals);
    QString text = whoseNumbers(study, model) + QLatin1Char(' ') + caption.trimmed();
    for (const std::string& note : notesAbout(study.document, {model - 1}))
        if (const QString one = QString::fromStdString(note); !caption.contains(one))
            text += QLatin1Char(' ') + one;
    return widgets::withWholePercents(text.trimmed());
}

} // namespace

ProbePanel::ProbePanel(StudyEvidence* evidence, QWidget* parent)
    : QWidget(parent)
    , m_evidence(evidence)
    , m_field(new EvidenceField(evidence, StudyKind::Probe, EvidenceField::Live::Not, this))
    , m_layers(new QComboBox(this))
    , m_view(new QComboBox(this))
    , m_below(new QStackedWidget(this))
    , m_accuracy(new widgets::SpreadPlot(this))
    , m_confusion(new ConfusionMap)
    , m_table(new widgets::StudyTableView)
    , m_filter(tableFilter(m_table, this))
    , m_note(new QLabel) {
    const int unit = qRound(Sizes::unit());
    setObjectName(QStringLiteral("probeTab"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    for (QComboBox* box : {m_layers, m_view})
        box->setProperty("small", true);
    m_layers->setSizeAdjustPolicy(QComboBox::AdjustToContents); // a study may be read after the tab was shown
    m_layers->setAccessibleName(tr("Layer of the probe"));
    m_view->setAccessibleName(tr("Probe result to show"));
    m_view->addItems({tr("Confusion"), tr("Table")});
    auto* head = new TabHead(this);
    head->add(m_field);
    head->add(m_field->makeModelField(m_accuracy, this));
    head->add(m_layers);
    head->add(m_view);
    auto* study = new QPushButton(tr("Study…"), this);
    study->setObjectName(QStringLiteral("newStudy"));
    study->setProperty("small", true);
    study->setToolTip(tr("Set up a study of this kind."));
    connect(study, &QPushButton::clicked, m_field, [this] { Q_EMIT m_field->studyWanted(StudyKind::Probe); });
    const auto offer = [this, study] { study->setVisible(!m_evidence->shown(StudyKind::Probe)); };
    connect(evidence, &StudyEvidence::shownChanged, study, offer);
    offer();
    QPushButton* open = makeOpenFinished(StudyKind::Probe, this);
    open->setProperty("small", true);
    head->add(open);
    head->add(study);
    m_filter->hide();
    head->add(m_filter);
    connect(m_below, &QStackedWidget::currentChanged, m_filter,
            [this] { m_filter->setVisible(m_below->currentWidget() == m_table); });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(head);
    auto* plots = new QWidget(this);
    auto* rows = new QVBoxLayout(plots);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(m_accuracy, 4);
    m_below->addWidget(m_confusion);
    m_below->addWidget(m_table);
    rows->addWidget(m_below, 5);
    layout->addWidget(new LeastHeightArea(plots, this), 1);
    m_note->setProperty("caption", true);
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setContentsMargins(unit, unit / 2, unit, unit / 2);
    m_noteArea = new FewLines(m_note, kLinesOfPlots);
    m_noteArea->setAccessibleName(tr("Caption"));
    layout->addWidget(m_noteArea);
    m_confusion->setEmptySentence(tr("How well phones can be predicted from each layer. Run a probe study "
                                     "on recordings with alignments to see it."));
    connect(evidence, &StudyEvidence::coloursChanged, this, [this] {
        if (m_study)
            showAccuracy();
    });
    for (QComboBox* chooser : {m_layers, m_view})
        passFocusOn(chooser, m_accuracy);
    connect(m_layers, &QComboBox::activated, this, &ProbePanel::choose);
    connect(m_view, &QComboBox::currentIndexChanged, this,
            [this](int index) {
                m_below->setCurrentIndex(m_study ? index : 0);
                showNote();
            });
    connect(m_accuracy, &widgets::SpreadPlot::chosen, this,
            [this](double layer) { choose(static_cast<int>(std::lround(layer))); });
    connect(m_table, &widgets::StudyTableView::rowChosen, this, [this](int row) { choose(layerOfRow(m_table->study()->table(), row)); });
    connect(m_confusion, &ConfusionMap::cellActivated, this, &ProbePanel::askForPlaces);
    connect(evidence, &StudyEvidence::shownChanged, this, &ProbePanel::showStudy);
    showStudy();
}

void ProbePanel::showStudy() {
    const OpenStudyPtr study = m_evidence->shown(StudyKind::Probe);
    const int model = study ? m_evidence->model(*study) : 1;
    if (study == m_study && model == m_model && m_layer >= 0)
        return;
    m_study = study;
    m_model = model;
    for (QWidget* part :
         {static_cast<QWidget*>(m_accuracy), static_cast<QWidget*>(m_layers), static_cast<QWidget*>(m_view),
          static_cast<QWidget*>(m_noteArea)})
        part->setVisible(study != nullptr);
    m_confusion->setSelected(std::nullopt);
    if (!study) {
        m_confusion->setCounts({});
        m_below->setCurrentWidget(m_confusion);
        return;
    }
    m_below->setCurrentIndex(m_view->currentIndex());
    const StudyTable* table = study->table("probe");
    m_table->setTable(table ? *table : StudyTable()); // never the rows of another study
    showNote();
    const AccuracyCurve curve = accuracyCurve(study->numbers(model, "accuracy"));
    const QSignalBlocker blocker(m_layers);
    m_layers->clear();
    for (std::size_t layer = 0; layer < curve.layers.size(); ++layer)
        m_layers->addItem(layerName(static_cast<int>(layer)));
    int best = 0; // from which phones are read best
    for (std::size_t layer = 0; layer < curve.mean.size(); ++layer)
        if (curve.mean[layer] > curve.mean[static_cast<std::size_t>(best)])
            best = static_cast<int>(layer);
    m_layer = m_wanted >= 0 && m_wanted < static_cast<int>(curve.layers.size()) ? m_wanted : best;
    showAccuracy();
    showConfusion();
}

void ProbePanel::showNote() {
    if (m_study)
        m_noteArea->setText(probeNote(*m_study, m_model, showsTable()));
}

void ProbePanel::showAccuracy() {
    std::vector<widgets::SpreadPlot::Series> series;
    const bool several = m_study->modelCount() > 1;
    const std::vector<int> colours = m_evidence->colours(*m_study);
    const auto add = [&](int model) {
        AccuracyCurve curve = accuracyCurve(m_study->numbers(model, "accuracy"));
        const QString name =
            QString::fromStdString(m_study->document.models[static_cast<std::size_t>(model - 1)].name);
        series.push_back({several ? name : QString(), std::move(curve.layers), std::move(curve.mean),
                          std::move(curve.deviation), colours[static_cast<std::size_t>(model - 1)], false});
    };
    add(m_model);
    for (int model = 1; model <= m_study->modelCount(); ++model)
        if (model != m_model)
            add(model);
    widgets::SpreadPlot::Axes axes;
    axes.title = tr("Accuracy in %, ± std over seeds");
    axes.x = tr("layer (0: input of layer 1)");
    axes.place = tr("layer %1");
    axes.chooses = true;
    axes.decimals = 1;
    axes.marksPoints = true;
    m_accuracy->setSeries(axes, std::move(series));
    m_accuracy->setCurrent(m_layer);
}

int ProbePanel::seedCount() const {
    const OpenStudy::Numbers accuracy = m_study->numbers(m_model, "accuracy");
    return accuracy.shape.size() == 2 ? static_cast<int>(std::max<std::int64_t>(accuracy.shape[1], 1)) : 1;
}

void ProbePanel::showConfusion() {
    m_layers->setCurrentIndex(m_layer);
    m_accuracy->setCurrent(m_layer);
    revealLayer(m_table, m_layer, m_study->document.models[static_cast<std::size_t>(m_model - 1)].name);
    constexpr auto kClasses = std::size_t(ConfusionMap::kClasses);
    const OpenStudy::Numbers all = m_study->numbers(m_model, "confusion");
    const std::size_t size = kClasses * kClasses, first = static_cast<std::size_t>(m_layer) * size;
    if (all.shape.size() != 3 || first + size > all.values.size())
        return m_confusion->setCounts({});
    // The study adds up its seeds, which are all tested on the same tokens.
    const int seeds = seedCount();
    Matrix<double> counts(kClasses, kClasses);
    for (std::size_t row = 0; row < kClasses; ++row)
        for (std::size_t column = 0; column < kClasses; ++column)
            counts(row, column) = all.values[first + row * kClasses + column] / seeds;
    m_confusion->setCounts(std::move(counts), seeds);
    m_confusion->setAccessibleName(tr("Confusion matrix, %1").arg(layerName(m_layer).toLower()));
}

void ProbePanel::choose(int layer) {
    if (!m_study || layer == m_layer || layer < 0 || layer >= m_layers->count())
        return;
    setLayer(layer);
    if (layer > 0)
        Q_EMIT layerChosen(layer);
}

void ProbePanel::setLayer(int layer) {
    m_wanted = layer;
    if (!m_study || layer == m_layer || layer < 0 || layer >= m_layers->count())
        return;
    m_layer = layer;
    showConfusion();
}

bool ProbePanel::showsTable() const {
    return m_view->currentIndex() == 1;
}

void ProbePanel::setShowsTable(bool table) {
    m_view->setCurrentIndex(table ? 1 : 0);
}

QString ProbePanel::viewInFileName() const {
    return m_study && !showsTable() ? QStringLiteral("layer %1").arg(m_layer) : QString();
}

QString ProbePanel::figureCaption() const {
    if (!m_study)
        return {};
    const int seeds = seedCount();
    const QString matrix =
        tr("Confusion matrix: layer %1 of %2, share of the test tokens of each true phone%3.")
            .arg(QString::number(m_layer),
                 QString::fromStdString(m_study->document.models[static_cast<std::size_t>(m_model - 1)].name),
                 seeds > 1 ? tr(", mean over %1 seeds").arg(seeds) : QString());
    return showsTable() ? m_note->text() : matrix + QLatin1Char(' ') + m_note->text();
}

void ProbePanel::askForPlaces(ConfusionMap::Cell cell) {
    if (!m_study)
        return;
    PlacesQuery query;
    query.study = m_study;
    query.model = m_model;
    query.set = "confused";
    query.index = {m_layer, cell.truth, cell.guess};
    query.title =
        tr("%1, %2 predicted as %3")
            .arg(layerName(m_layer), widgets::phoneName(cell.truth), widgets::phoneName(cell.guess));
    query.valueTitle = tr("Probability");
    query.layer = m_layer;
    const QString truth = widgets::phoneName(cell.truth);
    query.whyNone = std::isfinite(m_confusion->share(cell)) ? tr("No %1 was predicted as %2.").arg(truth, widgets::phoneName(cell.guess))
                                                    : tr("%1 does not occur in the test data.").arg(truth);
    m_evidence->requestPlaces(query);
}

} // namespace headroom::app
