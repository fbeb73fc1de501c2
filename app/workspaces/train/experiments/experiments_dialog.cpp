// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/experiments/experiments_dialog.h"

#include "app/documents/items/paths.h"
#include "app/jobs/in_background.h"
#include "app/parts/access_keys.h"
#include "app/parts/availability.h"
#include "app/parts/forms/few_lines.h"
#include "app/parts/forms/form_row.h"
#include "app/parts/forms/path_field.h"
#include "app/parts/number_text.h"
#include "app/places/where_field.h"
#include "app/settings/app_settings.h"
#include "app/settings/resource_folders.h"
#include "core/experiments/frames_text.h"
#include "core/runs/run_folder.h"
#include "widgets/look/duration_text.h"
#include "widgets/look/icons.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/study_table/study_table_view.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>

#include <algorithm>
#include <utility>

namespace headroom::app {

using widgets::StudyTableView;
namespace fs = std::filesystem;

namespace {

constexpr int kPlanMilliseconds = 250;    // while somebody types
constexpr int kLookMilliseconds = 1000;
constexpr int kStartMilliseconds = 15000; // a process that has no lock by then will not get one

/// How much the trainings compute, and how long that takes at a place; empty: here.
QString trainingSentence(const ExperimentForecast& forecast, const QString& place) {
    const QString frames = QString::fromStdString(framesText(forecast.work.frames));
    const QString where = place.isEmpty() ? ExperimentsDialog::tr("here") : ExperimentsDialog::tr("at %1").arg(place);
    if (!forecast.seconds)
        return (forecast.work.atMost ? ExperimentsDialog::tr("At most %1 frames of training; no run of this size has finished %2 yet, so "
                                                        "the duration is unknown.")
                                : ExperimentsDialog::tr("%1 frames of training; no run of this size has finished %2 yet, so the "
                                                        "duration is unknown."))
            .arg(frames, where);
    const QString time = widgets::durationText(*forecast.seconds);
    return (forecast.work.atMost ? ExperimentsDialog::tr("The runs take at most %1 %3 (%2 frames).")
                            : ExperimentsDialog::tr("The runs take about %1 %3 (%2 frames)."))
        .arg(time, frames, where);
}

/// Documents mark commands with backticks; on the screen these are quotation marks.
QString withQuotes(QString text) {
    for (bool open = true; text.contains(QLatin1Char('`')); open = !open)
        text.replace(text.indexOf(QLatin1Char('`')), 1, open ? QStringLiteral("“") : QStringLiteral("”"));
    return text;
}

/// What did not change keeps its order and its chosen row.
void showTable(StudyTableView* view, const StudyTable& table) {
    if (view->study()->table().rows == table.rows && view->study()->table().columns.size() == table.columns.size())
        return;
    const int row = view->currentRow();
    view->setTable(table);
    if (row >= 0 && static_cast<std::size_t>(row) < table.rows.size())
        view->setCurrentRow(row);
}

} // namespace

ExperimentsDialog::ExperimentsDialog(fs::path beside, std::function<TrainingTime(const QString& place, const QString& device)> time, const Parts& parts,
                                     QWidget* parent)
    : QDialog(parent)
    , askPath(pathQuestion(parts.settings, this))
    , m_beside(std::move(beside))
    , m_time(std::move(time))
    , m_settings(parts.settings)
    , m_places(parts.places)
    , m_devices(parts.devices)
    , m_runs(parts.runs)
    , m_paused(parts.paused)
    , m_experiments(listExperiments(resourceFolder())) {
    setWindowTitle(tr("Experiments of the papers"));
    setObjectName(QStringLiteral("experiments"));
    makeLayout();
    m_planSoon.setSingleShot(true);
    m_planSoon.setInterval(kPlanMilliseconds);
    m_starting.setSingleShot(true);
    m_starting.setInterval(kStartMilliseconds);
    m_lookAgain.setInterval(kLookMilliseconds);
    connect(&m_planSoon, &QTimer::timeout, this, &ExperimentsDialog::plan);
    connect(&m_lookAgain, &QTimer::timeout, this, [this] {
        lookAtOthers();
        if (isVisible() || m_state.runs || m_starting.isActive()) // when nobody looks, only for the end of what runs
            look();
    });
    connect(&m_starting, &QTimer::timeout, this, &ExperimentsDialog::showState);
    restore();
    m_lookAgain.start();
}

ExperimentsDialog::~ExperimentsDialog() {
    remember();
}

void ExperimentsDialog::done(int result) {
    remember();
    setAttribute(Qt::WA_DeleteOnClose, m_followed.empty() && !m_state.runs && !m_starting.isActive() && !isPending());
    QDialog::done(result);
}

void ExperimentsDialog::choose(const QString& name) {
    for (std::size_t i = 0; i < m_experiments.size(); ++i)
        if (toQString(m_experiments[i].file.stem()) == name)
            m_list->setCurrentRow(static_cast<int>(i));
}

const ListedExperiment* ExperimentsDialog::current() const {
    const int row = m_list->currentRow();
    return row >= 0 && static_cast<std::size_t>(row) < m_experiments.size() ? &m_experiments[static_cast<std::size_t>(row)] : nullptr;
}

/// Another experiment: its own words, its own number of seeds, and an output folder of its name.
void ExperimentsDialog::showCurrent() {
    const ListedExperiment* one = current();
    ++m_asked; // what is on its way is of another
    leaveRecord();
    m_starting.stop();
    m_planning = false;
    m_forecast = {};
    m_state = {};
    if (!one)
        return;
    if (!one->mistake.isEmpty()) {
        m_title->setText(toQString(one->file.stem()));
        m_needs->setText(one->mistake);
        return showState();
    }
    const Experiment& document = one->document;
    m_title->setText(tr("%1, %2: %3").arg(QString::fromStdString(document.paper), QString::fromStdString(document.table),
                                         QString::fromStdString(document.title)));
    QStringList needs;
    for (const std::string& need : document.needs)
        needs << withQuotes(QString::fromStdString(need));
    const bool needsCorpora = !document.corpora.empty();
    m_needs->setText(needsCorpora ? tr("Needs %1.").arg(needs.join(QStringLiteral("; "))) : tr("Needs no corpora: nothing is trained."));
    setAvailable(m_data, needsCorpora ? QString() : m_needs->text());
    setAvailable(m_chooseData, needsCorpora ? QString() : m_needs->text());
    m_needs->setToolTip(m_needs->text());
    setSeeds(document.seeds);
    const fs::path folder = m_out->path();
    const fs::path beside = folder.empty() ? m_beside : folder.parent_path();
    m_out->setText(toQString(beside / one->file.stem()));
    m_planSoon.start();
}

QString ExperimentsDialog::needs() const {
    return m_needs->text();
}

QString ExperimentsDialog::sentence() const {
    return m_sentence->text();
}

void ExperimentsDialog::plan() {
    const ListedExperiment* one = current();
    if (!one || !one->mistake.isEmpty())
        return;
    if (!m_recordOf.isEmpty() && m_recordOf != m_out->text().trimmed())
        leaveRecord();
    m_planning = true;
    buildInBackground(
        this,
        [experiment = *one, wanted = options(), resources = resourceFolder(), time = m_time(m_where->place(), m_where->device())] {
            return app::forecast(experiment, wanted, resources, time);
        },
        [this, asked = ++m_asked](Built<ExperimentForecast>& built) {
            if (asked != m_asked)
                return; // of what was chosen before
            m_planning = false;
            m_mistake = built.mistake;
            m_forecast = std::move(built.value);
            m_state = {};
            showState();
            look();
        });
}

void ExperimentsDialog::look() {
    if (m_looking || m_planning || !m_forecast.plan || options().out.is_relative())
        return;
    m_looking = true;
    buildInBackground(
        this,
        [plan = m_forecast.plan, folder = options().out, unread = m_recordOf.isEmpty()] { return stateOf(*plan, folder, unread); },
        [this, asked = m_asked, of = m_out->text().trimmed()](Built<ExperimentState>& built) {
            m_looking = false;
            if (asked != m_asked)
                return;
            m_state = std::move(built.value);
            if (m_state.record && of == m_out->text().trimmed())
                adopt(*m_state.record); // other settings ask for another plan
            // A table without trainings may be finished before anybody sees its process.
            const bool atOnce = m_starting.isActive() && isThrough();
            if (m_state.runs || atOnce)
                m_starting.stop();
            const fs::path folder = options().out;
            const bool ran = followed(folder) && followed(folder)->ran;
            follow(m_state.runs);
            const bool ended = (ran || atOnce) && !m_state.runs;
            showState();
            if (!ended)
                return;
            std::erase_if(m_followed, [&](const Followed& one) { return one.folder == folder; });
            Q_EMIT said(QString::fromStdString(options().name), sentence());
            if (m_state.result)
                m_pages->setCurrentIndex(1);
        });
}

void ExperimentsDialog::startOrStop() {
    const ExperimentOptions wanted = options();
    if (m_state.runs) {
        askToStop(wanted.out);
        setAvailable(m_start, tr("It stops after saving what it has."));
        return;
    }
    if (std::error_code ignored; fs::exists(wanted.data / "corpus.json", ignored)) // a folder of corpora is none
        m_settings->addRecentCorpus(toQString(wanted.data));
    remember();
    if (const QString failure = startExperiment(wanted); !failure.isEmpty()) {
        m_sentence->setText(failure);
        Q_EMIT said(QString::fromStdString(wanted.name), failure);
        return;
    }
    follow(true);
    if (Followed* one = followed(wanted.out))
        one->ran = false;
    m_starting.start();
    showState();
}

QString ExperimentsDialog::whyNotOpened() const {
    using Kind = ExperimentStep::Kind;
    if (m_forecast.plan && m_forecast.plan->steps.empty())
        return tr("Nothing is trained, so there is no model.");
    const int row = m_steps->currentRow();
    if (!m_forecast.plan || row < 0 || static_cast<std::size_t>(row) >= m_forecast.plan->steps.size())
        return tr("Choose a step that trains a model.");
    const PlannedStep& planned = m_forecast.plan->steps[static_cast<std::size_t>(row)];
    if (planned.step.kind != Kind::Train && planned.step.kind != Kind::Average)
        return tr("This step makes no model. Choose one that trains a model.");
    std::error_code ignored;
    return fs::exists(ExperimentPaths{options().out}.model(planned) / "model.safetensors", ignored)
               ? QString()
               : tr("The model of this step appears when it has finished.");
}

void ExperimentsDialog::openStep() {
    if (whyNotOpened().isEmpty())
        Q_EMIT openModelRequested(ExperimentPaths{options().out}.model(m_forecast.plan->steps[static_cast<std::size_t>(m_steps->currentRow())]));
}

/// Steps that can be done and are not finished.
int ExperimentsDialog::unfinished() const {
    return unfinishedSteps(m_forecast, m_state);
}

bool ExperimentsDialog::isThrough() const {
    return m_state.result && !m_state.runs && unfinished() == 0;
}

QString ExperimentsDialog::waitingSentence() const {
    if (const QString paused = m_paused ? m_paused() : QString(); !paused.isEmpty())
        return tr("%1 waits for “%2”, which is paused on this machine. Resume or stop that run.").arg(m_state.waitsForTurn, paused);
    return tr("%1 waits, because the queue computes on this machine. It continues when this window is closed.").arg(m_state.waitsForTurn);
}

void ExperimentsDialog::showState() {
    const ListedExperiment* one = current();
    QString running;
    for (std::size_t i = 0; i < m_state.steps.size(); ++i)
        if (m_state.steps[i].state == StepProgress::State::Running)
            running = QString::fromStdString(m_forecast.plan->steps[i].id);
    const bool starting = m_starting.isActive() && !m_state.runs;
    QString why, text;
    if (!one)
        why = tr("Choose a table on the left.");
    else if (!one->mistake.isEmpty())
        why = one->mistake;
    else if (!m_mistake.isEmpty())
        why = m_mistake;
    else if (!one->document.corpora.empty() && m_data->text().trimmed().isEmpty())
        why = tr("Choose the folder with the corpora.");
    else if (m_out->text().trimmed().isEmpty())
        why = tr("Choose a folder for the experiment.");
    else if (const QString relative = relativeText(); !relative.isEmpty())
        why = relative;
    else if (!m_forecast.plan)
        why = tr("Reading the plan…");
    else if (m_record && !begun() && m_recordOf == m_out->text().trimmed())
        why = tr("This folder holds the experiment “%1”. Choose another folder.").arg(QString::fromStdString(m_record->name));
    else if (starting)
        why = tr("Starting…");
    else if (!m_forecast.hasData && !m_state.begun)
        why = m_forecast.missing;
    if (m_forecast.plan) {
        const ExperimentWork& work = m_forecast.work;
        text = (work.steps == 1 ? tr("%1 step (runs: %2, studies: %3, decodings: %4).") : tr("%1 steps (runs: %2, studies: %3, decodings: %4)."))
                   .arg(thousands(work.steps), thousands(static_cast<std::int64_t>(work.trainings.size())), thousands(work.studies),
                        thousands(work.decodings));
        if (!work.trainings.empty())
            text += QLatin1Char(' ') + trainingSentence(m_forecast, m_where->place());
        if (!m_forecast.missing.isEmpty())
            text += QLatin1Char(' ') + tr("Left out: %1").arg(m_forecast.missing);
        if (m_state.begun || m_forecast.plan->steps.empty())
            text = stepsText(m_forecast, m_state);
        if (m_state.runs && !m_state.waitsForTurn.isEmpty())
            text += QLatin1Char(' ') + waitingSentence();
        else if (m_state.runs)
            text += QLatin1Char(' ') + (!running.isEmpty()   ? tr("Running %1. It continues when this window is closed.").arg(running)
                                        : unfinished() == 0 ? tr("The table is being written.")
                                                            : tr("It is running, and continues when this window is closed."));
        else if (!m_state.said.isEmpty() && !m_state.result)
            text += QLatin1Char(' ') + m_state.said;
        showTable(m_steps, stepTable(m_forecast, m_state));
    }
    m_sentence->setText(!why.isEmpty() ? why : text);
    // What is not chosen yet is no mistake.
    const bool lacksData = m_forecast.plan && !m_forecast.hasData && !m_state.begun && !m_data->text().trimmed().isEmpty();
    markMistake(m_sentence, lacksData || !relativeText().isEmpty());
    const bool trains = !one || !one->mistake.isEmpty() || !one->document.corpora.empty();
    const QString settled = !trains ? m_needs->text()
                            : begun() ? tr("The experiment in this folder was started with these settings. Choose another folder for others.")
                                      : QString();
    const bool once = one && !one->document.steps.empty() && std::ranges::all_of(one->document.steps, &ExperimentStep::once);
    setAvailable(m_scale, settled);
    setAvailable(m_seeds, settled.isEmpty() && once ? tr("Every step of this experiment is done once, with one seed.") : settled);
    setTextWithKey(m_start, m_state.runs ? tr("Stop") : m_state.begun ? tr("Continue") : tr("Start"));
    setAvailable(m_start, why.isEmpty() && isThrough()
                              ? tr("Every step is finished. Choose another folder to start again.")
                              : why);
    setAvailable(m_copy, why);
    setAvailable(m_folder, m_state.begun ? QString() : tr("The folder is created at the start."));
    setAvailable(m_open, whyNotOpened());
    showTable(m_result, m_state.result.value_or(StudyTable()));
    m_notesArea->setText(m_state.result ? m_state.notes : tr("The table appears when all steps have finished."));
}

} // namespace headroom::app
