// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/evaluate/evaluate_dialog.h"

#include "app/documents/items/names_apart.h"
#include "app/documents/items/paths.h"
#include "app/jobs/in_background.h"
#include "app/jobs/worker_command.h"
#include "app/parts/availability.h"
#include "app/parts/forms/form_row.h"
#include "app/parts/forms/opening_entry.h"
#include "app/parts/name_views.h"
#include "app/parts/screen_area.h"
#include "app/places/where_field.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headroom::app {

using widgets::Sizes;
namespace fs = std::filesystem;

namespace {

constexpr int kMostBeams = 100;

QComboBox* narrowCombo(QWidget* parent) {
    auto* combo = new NameCombo(parent);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(20);
    return combo;
}

/// By their folders' names, after what tells them apart where two have one name.
void nameCorpora(QComboBox* corpora) {
    std::vector<int> rows;
    std::vector<QString> names;
    std::vector<fs::path> folders;
    for (int row = 0; row < corpora->count(); ++row)
        if (corpora->itemData(row).isValid()) {
            const fs::path folder = normalised(toPath(corpora->itemData(row).toString()));
            rows.push_back(row);
            names.push_back(toQString(folder.filename()));
            folders.push_back(folder.parent_path());
        }
    const std::vector<QString> apart = namesApart(names, folders);
    for (std::size_t i = 0; i < rows.size(); ++i)
        corpora->setItemText(rows[i], apart[i].isEmpty() ? names[i] : apart[i]);
}

} // namespace

EvaluateDialog::EvaluateDialog(std::vector<Model> models, const QStringList& corpora, PlaceStore* places, DeviceList* devices,
                               QWidget* parent)
    : QDialog(parent)
    , m_models(std::move(models))
    , m_model(narrowCombo(this))
    , m_checkpoint(narrowCombo(this))
    , m_data(narrowCombo(this))
    , m_split(narrowCombo(this))
    , m_task(narrowCombo(this))
    , m_beam(new QSpinBox(this))
    , m_where(new WhereField(places, devices, this))
    , m_options(new EvaluateOptions(this))
    , m_sentence(new QLabel(this))
    , m_start(new QPushButton(widgets::iconOnAccent(QStringLiteral("play")), tr("Evaluate"), this))
    , m_copy(new QPushButton(widgets::icon(QStringLiteral("terminal")), tr("Copy command"), this)) {
    setWindowTitle(tr("Evaluate a model"));
    setObjectName(QStringLiteral("evaluate"));
    const int unit = qRound(Sizes::unit());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * unit, 2 * unit, 2 * unit, 2 * unit);
    layout->setSpacing(unit);
    auto* fields = new QWidget;
    m_fields = new ScreenArea(fields, this);
    layout->addWidget(m_fields, 1);
    FormColumn form(fields);
    form.layout()->setContentsMargins(0, 0, 0, 0);
    form.add(tr("Model"), m_model);
    m_checkpointRow = form.add(tr("Weights"), m_checkpoint);
    m_dataRow = form.add(tr("Corpus"), m_data);
    form.add(tr("Split"), m_split);
    m_taskRow = form.add(tr("Task"), m_task);
    form.add(tr("Beams"), m_beam);
    m_beam->setRange(1, kMostBeams);
    m_beam->setToolTip(tr("1 decodes greedily. More beams find likelier texts; the time grows with their number."));
    form.layout()->addWidget(m_options);
    m_whereRow = form.add(tr("Where"), m_where);
    FormRow::alignLabels(this);
    m_where->setAccessibleName(tr("Where"));
    m_checkpoint->setToolTip(tr("As exported: the mean of the last checkpoints, or the best one if the recipe averages none. "
                                "Dev columns and curves are of the weights at a single update, so their scores differ."));
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("caption", true);
    form.layout()->addStretch(1);
    layout->addWidget(m_sentence);
    auto* foot = new QHBoxLayout;
    m_start->setProperty("primary", true);
    m_start->setDefault(true);
    m_copy->setToolTip(tr("Copy the equivalent command line."));
    auto* cancel = new QPushButton(tr("Cancel"), this);
    foot->addWidget(m_copy);
    foot->addStretch(1);
    foot->addWidget(m_start);
    foot->addWidget(cancel);
    layout->addLayout(foot);
    m_fields->setAround({m_sentence, m_start}, 6 * unit);
    setTabOrder(m_options->windowField(), m_where); // in the order in which they stand
    setTabOrder(m_copy, m_start);
    resize(unit * 68, unit * 46);
    m_foldedHeight = height();
    connect(m_options->opener(), &QToolButton::toggled, this, &EvaluateDialog::layOutFields);
    connect(m_options, &EvaluateOptions::folded, this, &EvaluateDialog::shrinkAfterFolding);
    connect(m_options->windowField(), &QDoubleSpinBox::valueChanged, this, &EvaluateDialog::validate); // the longest text

    for (const Model& model : m_models) {
        m_model->addItem(model.name);
        m_model->setItemData(m_model->count() - 1, toQString(model.folder), Qt::ToolTipRole);
    }
    for (const QString& folder : corpora) {
        m_data->addItem(QString(), folder);
        m_data->setItemData(m_data->count() - 1, folder, Qt::ToolTipRole);
    }
    nameCorpora(m_data);
    m_data->addItem(tr("Open a corpus…"));
    connect(m_model, &QComboBox::currentIndexChanged, this, &EvaluateDialog::fillCheckpoints);
    connect(m_data, &QComboBox::currentIndexChanged, this, &EvaluateDialog::readCorpus);
    letLastEntryOpen(m_data, [this] {
        if (const QString folder = m_options->askPath({AppSettings::FolderOf::Corpora, tr("Open a corpus")}); !folder.isEmpty())
            chooseData(toPath(folder));
    });
    connect(m_split, &QComboBox::currentIndexChanged, this, &EvaluateDialog::fillTasks);
    for (QComboBox* combo : {m_task, m_checkpoint})
        connect(combo, &QComboBox::currentIndexChanged, this, &EvaluateDialog::validate);
    connect(m_beam, &QSpinBox::valueChanged, this, &EvaluateDialog::validate);
    connect(m_model, &QComboBox::currentIndexChanged, this, &EvaluateDialog::fillOptions);
    connect(m_model, &QComboBox::currentIndexChanged, this, &EvaluateDialog::followModel);
    connect(m_data, &QComboBox::activated, this, [this](int at) { m_dataByHand = m_dataByHand || m_data->itemData(at).isValid(); });
    connect(m_split, &QComboBox::activated, this, [this] { m_splitByHand = m_split->currentText(); });
    connect(m_task, &QComboBox::activated, this, [this] { m_taskByHand = m_task->currentText(); });
    connect(m_beam, &QSpinBox::valueChanged, this, &EvaluateDialog::fillOptions);
    connect(m_where, &QComboBox::currentIndexChanged, this, &EvaluateDialog::validate);
    connect(m_where, &WhereField::choicesChanged, this, [this] { m_whereRow->setVisible(m_where->hasChoice()); });
    m_whereRow->setVisible(m_where->hasChoice());
    m_where->look();
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        if (const auto wanted = request())
            QApplication::clipboard()->setText(
                shellLine(arguments(*wanted, "evaluation-" + wanted->split)) + QLatin1Char('\n'));
    });
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (const auto wanted = request()) {
            Q_EMIT startRequested(*wanted);
            accept();
        }
    });
    fillCheckpoints();
    fillOptions();
    readCorpus();
    followModel();
}

void EvaluateDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    fitSentence();
    // The options are open before their fields are shown, so the height that these need is not taken for the other.
    if (!m_options->isOpen() && !isMaximized() && !isFullScreen())
        m_foldedHeight = height();
}

/// A window is never lower than its fields need, but does not count the lines of a wrapped text by itself.
void EvaluateDialog::fitSentence() {
    const QMargins sides = layout()->contentsMargins();
    const int height = m_sentence->heightForWidth(width() - sides.left() - sides.right());
    m_sentence->setMinimumHeight(std::max(height, Sizes::tableRow() * 2));
}

/// At once, from the inside: the window's least height is still that of the fields before.
void EvaluateDialog::layOutFields() {
    m_options->layout()->activate();
    m_fields->widget()->layout()->activate();
    m_fields->updateGeometry();
    layout()->activate();
}

/// The window is as high as it was before its options were opened.
void EvaluateDialog::shrinkAfterFolding() {
    if (isMaximized() || isFullScreen())
        return;
    layOutFields();
    resize(width(), m_foldedHeight);
}

void EvaluateDialog::fillOptions() {
    const int model = m_model->currentIndex();
    const DecodableModel can =
        model < 0 ? DecodableModel() : DecodableModel::of(m_models[static_cast<std::size_t>(model)].folder);
    m_searchesCtc = !can.hasDecoder && can.hasCtc;
    m_options->setModel(can, m_beam->value());
    setAvailable(m_beam, m_options->whyNotDecoded());
    if (std::exchange(m_isLanguageModel, can.isLanguageModel) != can.isLanguageModel)
        fillSplits(); // its tasks are others
    validate(); // it may not read them
}

const EvaluationSplits::Counts& EvaluateDialog::counts() const {
    return m_isLanguageModel ? m_found.sentences : m_found.utterances;
}

QByteArray EvaluateDialog::state() const {
    return QByteArray::number(m_beam->value()) + ' ' + m_where->state().toPercentEncoding() + '\n' + m_options->state();
}

void EvaluateDialog::restore(const QByteArray& state) {
    const auto line = state.indexOf('\n');
    if (line < 0) // nothing yet
        return;
    const QByteArray first = state.left(line);
    const auto space = first.indexOf(' ');
    m_beam->setValue(first.left(space).toInt()); // −1: all of it, as an earlier version wrote it
    if (space >= 0)
        m_where->restore(QByteArray::fromPercentEncoding(first.mid(space + 1)));
    m_options->restore(state.mid(line + 1));
}

void EvaluateDialog::setPathQuestion(const PathQuestion& ask) {
    m_options->askPath = ask;
}

bool EvaluateDialog::chooseModel(const fs::path& folder) {
    const auto model = std::ranges::find_if(m_models, [&](const Model& one) { return normalised(one.folder) == normalised(folder); });
    if (model == m_models.end())
        return false;
    m_model->setCurrentIndex(static_cast<int>(model - m_models.begin()));
    return true;
}

void EvaluateDialog::chooseNoModel(const QString& why) {
    m_whyNoModel = why;
    m_model->setCurrentIndex(-1);
    validate();
}

const EvaluateDialog::Model* EvaluateDialog::model() const {
    const int index = m_model->currentIndex();
    return index < 0 ? nullptr : &m_models[static_cast<std::size_t>(index)];
}

/// Whatever the user did not choose by hand is as the model was trained.
void EvaluateDialog::followModel() {
    const Model* chosen = model();
    std::error_code ignored;
    if (!m_dataByHand)
        m_missingData.clear();
    if (chosen && !m_dataByHand && !chosen->data.empty()) {
        if (fs::exists(chosen->data, ignored)) {
            showData(chosen->data);
        } else { // moved, or at another place; a score on another corpus would be taken for one on its own
            m_missingData = chosen->data;
            m_data->setCurrentIndex(-1);
        }
    }
    fillSplits();
}

void EvaluateDialog::chooseData(const fs::path& folder) {
    m_dataByHand = true;
    showData(folder);
}

void EvaluateDialog::showData(const fs::path& folder) {
    const QString wanted = toQString(normalised(folder));
    int at = -1;
    for (int i = 0; i < m_data->count(); ++i)
        if (m_data->itemData(i).isValid() && toQString(normalised(toPath(m_data->itemData(i).toString()))) == wanted)
            at = i;
    if (at < 0) {
        m_data->insertItem(0, QString(), wanted);
        m_data->setItemData(0, wanted, Qt::ToolTipRole);
        nameCorpora(m_data);
        at = 0;
    }
    m_data->setCurrentIndex(at);
    readCorpus();
}

void EvaluateDialog::fillCheckpoints() {
    const int index = m_model->currentIndex();
    const bool has = index >= 0 && m_models[static_cast<std::size_t>(index)].hasCheckpoints;
    {
        const QSignalBlocker blocker(m_checkpoint);
        const int before = std::max(m_checkpoint->currentIndex(), 0);
        m_checkpoint->clear();
        m_checkpoint->addItem(has ? tr("As exported") : tr("As in the folder"), QStringLiteral("model"));
        if (has) {
            m_checkpoint->addItem(tr("Best checkpoint"), QStringLiteral("best"));
            m_checkpoint->addItem(tr("Last checkpoint"), QStringLiteral("last"));
        }
        m_checkpoint->setCurrentIndex(std::min(before, m_checkpoint->count() - 1));
    }
    m_checkpointRow->setVisible(has);
    m_model->setToolTip(m_model->currentData(Qt::ToolTipRole).toString());
    validate();
}

void EvaluateDialog::readCorpus() {
    const QString folder = m_data->currentData().toString();
    m_data->setToolTip(folder);
    if (!folder.isEmpty())
        m_missingData.clear();
    if (!folder.isEmpty() && toPath(folder) == m_folder)
        return;
    m_folder = toPath(folder);
    m_found = {};
    m_reading = !folder.isEmpty();
    fillSplits();
    if (folder.isEmpty())
        return;
    buildInBackground(
        this, [corpus = m_folder] { return EvaluationSplits::of(corpus); },
        [this, corpus = m_folder](Built<EvaluationSplits>& built) {
            if (corpus != m_folder)
                return; // another one was chosen meanwhile
            m_reading = false;
            m_found = std::move(built.value);
            fillSplits();
        });
}

void EvaluateDialog::fillSplits() {
    m_corpusMistake = counts().empty() ? m_found.mistake : QString();
    {
        const QSignalBlocker blocker(m_split);
        m_split->clear();
        for (const auto& [split, tasks] : counts())
            m_split->addItem(QString::fromStdString(split));
        // What was not trained on comes first.
        for (const QString& wanted : {m_splitByHand, QStringLiteral("test"), QStringLiteral("tst-COMMON"), QStringLiteral("test-clean"),
                                      QStringLiteral("dev"), QStringLiteral("dev-clean"), QStringLiteral("valid")})
            if (const int at = m_split->findText(wanted); at >= 0) {
                m_split->setCurrentIndex(at);
                break;
            }
    }
    fillTasks();
}

void EvaluateDialog::fillTasks() {
    const QString wanted = model() ? model()->task : QString();
    {
        const QSignalBlocker blocker(m_task);
        m_task->clear();
        if (const auto split = counts().find(m_split->currentText().toStdString()); split != counts().end())
            for (const auto& [task, count] : split->second)
                m_task->addItem(QString::fromStdString(task));
        for (const QString& task : {wanted, m_taskByHand})
            if (const int at = m_task->findText(task); at >= 0)
                m_task->setCurrentIndex(at);
    }
    m_taskRow->setVisible(m_task->count() > 1);
    validate();
}

std::optional<EvaluationRequest> EvaluateDialog::request() const {
    const int model = m_model->currentIndex();
    if (model < 0 || m_reading || !mistakeOfData().isEmpty() || m_split->currentIndex() < 0)
        return std::nullopt;
    EvaluationRequest wanted;
    wanted.model = m_models[static_cast<std::size_t>(model)].folder;
    wanted.checkpoint = m_checkpoint->currentData().toString().toStdString();
    wanted.data = m_folder;
    wanted.split = m_split->currentText().toStdString();
    wanted.task = m_task->currentText().toStdString();
    const int beams = m_isLanguageModel ? 1 : m_beam->value();
    (m_searchesCtc && beams > 1 ? wanted.ctcBeam : wanted.beam) = beams;
    m_options->applyTo(wanted);
    wanted.place = m_where->place().toStdString();
    if (!m_where->device().isEmpty())
        wanted.device = m_where->device().toStdString();
    return wanted;
}

} // namespace headroom::app
