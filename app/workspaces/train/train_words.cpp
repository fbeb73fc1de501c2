// SPDX-License-Identifier: GPL-3.0-or-later
// What Train says of its runs, and what it finds again.
#include "app/documents/items/beyond_session.h"
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/jobs/device_list.h"
#include "app/parts/number_text.h"
#include "app/parts/view_values.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/data/data_view.h"
#include "app/workspaces/train/evaluate/error_browser.h"
#include "app/workspaces/train/evaluate/evaluation_errors.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_pages.h"
#include "app/workspaces/train/train_workspace.h"
#include "widgets/look/number_text.h"
#include "widgets/run_monitor/log_view.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/run_words.h"

#include <QAction>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::app {

using widgets::QueueModel;
using widgets::RunGroup;
using widgets::RunItem;
namespace fs = std::filesystem;

namespace {

const QString kKept = QStringLiteral("launch");
constexpr const char *kSessionKey = "session", *kFormKey = "form", *kReferenceKey = "reference";
constexpr int kKeepMilliseconds = 2000; // as Autosave

/// One that has no folder is found again by its name.
std::string sessionKey(const Session& session) {
    return toQString(session.folder()).toStdString() + '\n' + (session.folder().empty() ? session.name().toStdString() : std::string());
}

/// Of the messages that offer to resume a run.
QString causeOfResume(const RunItem& run) {
    return QStringLiteral("resume ") + toQString(run.folder);
}

constexpr QLatin1String kStartCause("start ");

/// Of the message that offers to start a job again.
QString causeOfStart(const fs::path& job) {
    return kStartCause + toQString(job);
}

} // namespace

QString noteOnRuns(const widgets::RunTableModel& runs) {
    std::vector<const widgets::RunGroup*> groups;
    for (const widgets::RunGroup& group : runs.groups())
        groups.push_back(&group);
    const auto texts = widgets::decodedTexts(groups);
    const QString decoded = texts.size() > 1 ? TrainWorkspace::tr("In some rows WER and BLEU on dev are of the first utterances only; the tooltip of a row says of how many.")
                                             : widgets::decodedNote(texts);
    return TrainWorkspace::tr("Dev, Δ and p: weights of the best validation. ") + (decoded.isEmpty() ? decoded : decoded + u' ') +
           TrainWorkspace::tr("Evaluated: the exported model, usually a mean of checkpoints, unless another is named. Mean ± std over seeds. Bold: the best of each "
                              "Dev column among runs that can be compared; the tooltip of its header says which these are.");
}

void TrainWorkspace::post(Severity severity, const QString& sentence, const QString& actionText, std::function<void()> action, const QString& cause) {
    QStringList causes{kBeyondSession};
    if (!cause.isEmpty())
        causes << cause;
    m_parts.session->messages()->post(severity, sentence, actionText, std::move(action), causes);
}

void TrainWorkspace::say(const QString& sentence) {
    if (sentence.isEmpty())
        return;
    post(Severity::Error, sentence);
    if (isVisible())
        showMessages();
}

bool TrainWorkspace::isHere(const fs::path& run, const QString& title) {
    std::error_code ignored;
    if (fs::exists(RunPaths{run}.run(), ignored))
        return true;
    say(tr("%1 is no longer in the runs folder. If it is in the wastebasket, bring it back first.").arg(title));
    return false;
}

/// A run ended, however: said in Messages and in the status bar, with what to do next.
void TrainWorkspace::announce(const RunItem& run) {
    const QString title = tr("“%1”").arg(widgets::runTitle(run)); // it has commas of its own
    const fs::path folder = run.folder;
    const auto resume = [this, folder, title] {
        if (isHere(folder, title))
            say(m_queue.resume(folder));
    };
    const QString cause = causeOfResume(run);
    switch (run.info.state) {
    case RunState::Finished: {
        QString score = tr("loss %1").arg(widgets::lossText(run.bestLoss()));
        if (std::isfinite(run.bestWer()))
            score += tr(", WER %1\u202f%").arg(widgets::scoreText(run.bestWer()));
        if (std::isfinite(run.bestBleu()))
            score += tr(", BLEU %1").arg(widgets::scoreText(run.bestBleu()));
        if (const QString decoded = widgets::decodedText(run); !decoded.isEmpty())
            score += tr(" on %1").arg(decoded);
        if (std::isfinite(run.bestPerplexity()))
            score += tr(", perplexity %1").arg(widgets::scoreText(run.bestPerplexity()));
        const QString updates = widgets::counted(run.update, tr("1 update"), tr("%1 updates"));
        post(Severity::Good,
             (run.bestUpdate() == run.update || run.bestUpdate() == 0
                  ? tr("%1 finished after %2: %3.").arg(title, updates, score)
                  : tr("%1 finished after %2. The best validation, at update %3: %4.").arg(title, updates, thousands(run.bestUpdate()), score)),
             tr("Open in Analyse"), [this, folder, title] {
                 if (!isHere(folder, title))
                     return;
                 if (const RunItem* now = m_store.find(folder); now && now->hasModel)
                     openResult(*now);
                 else
                     say(tr("%1 has no trained model in its folder.").arg(title));
             });
        break;
    }
    case RunState::Failed:
        post(Severity::Error, tr("%1: %2").arg(widgets::runTitle(run), QString::fromStdString(run.info.error)), tr("Resume"), resume, cause);
        break;
    case RunState::Interrupted:
        post(Severity::Error, widgets::interruptedText(run, title), tr("Resume"), resume, cause);
        break;
    default:
        post(Severity::Info, tr("%1 was stopped and saved after update %2.").arg(title, thousands(run.info.update)), tr("Resume"), resume, cause);
        break;
    }
}

/// What says that a run can be resumed goes once it goes on; that a job can be started again, once it was, also by another window.
void TrainWorkspace::takeBackOffers(const std::vector<RunItem>& runs) {
    Messages* messages = m_parts.session->messages();
    for (const RunItem& run : runs)
        if (run.goesOn() || run.isQueued || run.info.state == RunState::Finished)
            messages->settle(causeOfResume(run));
    QStringList gone;
    for (int row = 0; row < messages->rowCount(); ++row)
        for (const QString& cause : messages->at(row).causes)
            if (std::error_code ignored; cause.startsWith(kStartCause) && !fs::exists(toPath(cause.mid(kStartCause.size())), ignored))
                gone << cause;
    for (const QString& cause : gone)
        messages->settle(cause);
}

void TrainWorkspace::announce(const widgets::WaitingItem& job) {
    if (const RunItem* run = job.resume ? m_store.find(job.run) : nullptr) {
        const auto resume = [this, folder = run->folder, title = tr("“%1”").arg(job.name)] {
            if (isHere(folder, title))
                say(m_queue.resume(folder));
        };
        post(Severity::Error, tr("“%1” was not resumed: %2").arg(job.name, job.error), tr("Resume"), resume, causeOfResume(*run));
        return;
    }
    const QString sentence = tr("“%1” was not started: %2").arg(job.name, job.error);
    if (job.run.empty()) // it cannot be read, and so not be started again
        post(Severity::Error, sentence);
    else
        post(Severity::Error, sentence, tr("Start again"), [this, file = job.file] { startAgain(file); }, causeOfStart(job.file));
}

/// Of a job that was not started; what says so goes.
void TrainWorkspace::startAgain(const fs::path& job) {
    if (m_store.findWaiting(job)) // else it was asked for already, or removed
        if (const QString failure = m_queue.startAgain(job); !failure.isEmpty())
            return say(failure);
    m_parts.session->messages()->settle(causeOfStart(job));
}

/// Likewise an evaluation.
void TrainWorkspace::announce(const EvaluationInfo& evaluation) {
    const QString title = m_store.titleOf(evaluation);
    switch (evaluation.state) {
    case EvaluationInfo::State::Finished:
        if (std::isfinite(evaluation.perplexity)) {
            post(Severity::Good, tr("%1: perplexity %2.").arg(title, widgets::scoreText(evaluation.perplexity)));
            break;
        }
        post(Severity::Good,
             tr("%1: WER %2\u202f%, BLEU %3.").arg(title, widgets::scoreText(evaluation.wer), widgets::scoreText(evaluation.bleu)) +
                 (std::isfinite(evaluation.mappedWer) ? QLatin1Char(' ') + widgets::mappedWerText(evaluation.mappedWer) + QLatin1Char('.')
                                                      : QString()),
             tr("Show the errors"), [this, folder = evaluation.folder] { showErrors(folder)->show(); });
        break;
    case EvaluationInfo::State::Failed:
        post(Severity::Error, tr("%1: %2").arg(title, QString::fromStdString(evaluation.error)));
        break;
    case EvaluationInfo::State::Interrupted:
        post(Severity::Error, tr("%1: the evaluation ended unexpectedly and has no result.").arg(title));
        break;
    default:
        post(Severity::Info, tr("%1: stopped, without a result.").arg(title));
        break;
    }
}

/// Runs of another folder would look lost if an unusable one were called empty.
void TrainWorkspace::sayWhyEmpty() {
    const QString& mistake = m_form->runsFolderMistake();
    const QString instead = mistake.isEmpty() ? QString() : tr("%1 Choose another runs folder in New run.").arg(mistake);
    m_queueView->setEmptySentence(instead.isEmpty() ? tr("No jobs yet. Set one up on the left.") : instead);
    m_runs->setEmptySentence(instead.isEmpty() ? tr("No runs yet. What you start appears here.") : instead);
    Q_EMIT shownChanged();
}

bool TrainWorkspace::isPending() const {
    return m_store.isPending() || m_parts.devices->isPending() || m_form->isPending() || m_data->isPending() ||
           m_log->isAppending();
}

QString TrainWorkspace::statusText() const {
    if (m_actions->data->isChecked())
        return m_data->statusText();
    const RunItem* run = m_store.find(m_current);
    if (const EvaluationInfo* evaluation = run ? nullptr : m_store.findEvaluation(m_current))
        return m_store.titleOf(*evaluation) + QLatin1Char('.');
    if (const widgets::WaitingItem* job = run ? nullptr : m_store.findWaiting(m_current)) {
        const int row = m_queueView->queue()->rowOf(job->file);
        return row < 0 ? job->name + QLatin1Char('.')
                       : tr("%1: %2.").arg(job->name, QueueModel::kindWord(m_queueView->queue()->kindAt(row)).toLower());
    }
    if (!run)
        return !m_store.isReady()                    ? tr("Loading runs…")
               : m_form->runsFolderMistake().isEmpty() ? tr("No runs yet. Set one up on the left.")
                                                       : m_form->runsFolderMistake();
    QString text = tr("%1: ").arg(widgets::runTitle(*run));
    text += run->goesOn()
                ? tr("update %1 of %2").arg(thousands(run->update), thousands(run->info.maxUpdates))
            : run->isQueued
                ? tr("queued, continues after update %1").arg(thousands(run->info.update))
                : tr("%1 after update %2")
                      .arg(widgets::stateWord(run->info.state).toLower(), thousands(run->update));
    if (run->info.update > 0 && !run->isQueued) // said already
        text += tr(", last checkpoint %1").arg(thousands(run->info.update));
    if (run->waits && !run->lost)
        text += tr(", waits at %1").arg(run->place);
    else if (run->isPaused)
        text += tr(", paused");
    return text + (run->goesOn() ? tr(". Jobs continue when this window is closed.")
                                                        : QStringLiteral("."));
}

/// The next start of the program begins where this one was left, however it ended.
void TrainWorkspace::rememberView() {
    m_viewKept.stop();
    nlohmann::json view = viewState();
    view[kSessionKey] = sessionKey(*m_parts.session);
    m_parts.settings->setFormState(kKept, QByteArray::fromStdString(view.dump()));
}

void TrainWorkspace::restoreKept() {
    const auto kept = nlohmann::json::parse(m_parts.settings->formState(kKept).toStdString(), nullptr, false);
    if (kept.is_object()) {
        const bool isView = kept.contains(kFormKey); // an earlier version kept the form alone
        takeView(isView ? kept : nlohmann::json{{kFormKey, kept}});
        if (isView)
            m_keptOf = stringIn(kept, kSessionKey);
    }
    m_viewKept.setSingleShot(true);
    m_viewKept.setInterval(kKeepMilliseconds);
    connect(&m_viewKept, &QTimer::timeout, this, &TrainWorkspace::rememberView);
    connect(m_form, &LaunchForm::changed, &m_viewKept, qOverload<>(&QTimer::start));
    for (const auto signal : {&widgets::RunTableModel::comparedChanged, &widgets::RunTableModel::referenceChanged})
        connect(m_runs->runs(), signal, &m_viewKept, qOverload<>(&QTimer::start));
    connect(m_curves, &CurvesPanel::readingChanged, &m_viewKept, qOverload<>(&QTimer::start));
}

/// The settings are written more often than the session, so for the session that was open at the last exit they are newer.
bool TrainWorkspace::isKeptOf(const Session& session) {
    const std::optional<std::string> kept = std::exchange(m_keptOf, std::nullopt);
    return kept && *kept == sessionKey(session);
}

nlohmann::json TrainWorkspace::viewState() const {
    nlohmann::json view{{"smoothing", m_curves->reading().smoothing},
                        {"mean", m_curves->reading().mean},
                        {"logarithmic", m_curves->reading().logarithmic},
                        {"hours", m_curves->reading().axis == widgets::CurveAxis::Hours},
                        {"score", m_curves->chosenScore().toStdString()},
                        {"compared", nlohmann::json::array()},
                        {kReferenceKey, m_runs->runs()->referenceKey().toStdString()},
                        {kFormKey, m_form->viewState()}};
    for (const RunGroup* group : m_runs->runs()->compared())
        view["compared"].push_back(group->key.toStdString());
    if (!m_store.isReady()) // their runs are still to come
        for (const QString& key : m_wantedComparison)
            view["compared"].push_back(key.toStdString());
    return view;
}

void TrainWorkspace::restoreView(const nlohmann::json& view) {
    if (!isKeptOf(*m_parts.session) && view.is_object())
        takeView(view);
}

void TrainWorkspace::takeView(const nlohmann::json& view) {
    m_form->restoreView(view.value(kFormKey, nlohmann::json()));
    widgets::CurveReading reading = m_curves->reading();
    reading.smoothing = std::clamp(numberIn(view, "smoothing", reading.smoothing), 0.0, 0.99);
    reading.mean = truthIn(view, "mean", reading.mean);
    reading.logarithmic = truthIn(view, "logarithmic", reading.logarithmic);
    reading.axis = truthIn(view, "hours", reading.axis == widgets::CurveAxis::Hours) ? widgets::CurveAxis::Hours : widgets::CurveAxis::Updates;
    m_curves->setReading(reading);
    if (const auto score = stringIn(view, "score"))
        m_curves->restoreChosenScore(QString::fromStdString(*score));
    if (const nlohmann::json* found = valueIn(view, "compared"); found && found->is_array()) {
        std::vector<QString> before; // colours follow the order
        for (const RunGroup* group : m_runs->runs()->compared())
            before.push_back(group->key);
        for (const QString& key : before)
            m_runs->runs()->setCompared(key, false);
        m_wantedComparison.clear(); // another session's
        for (const auto& key : *found)
            if (key.is_string()) {
                const QString group = QString::fromStdString(key.get<std::string>());
                if (m_runs->runs()->rowOf(group) >= 0)
                    m_runs->runs()->setCompared(group, true);
                else
                    m_wantedComparison << group;
            }
    }
    if (const auto reference = stringIn(view, kReferenceKey))
        m_runs->runs()->setReference(QString::fromStdString(*reference));
}

/// A model that is open and the run that it is the result of have one name, whatever the run is called
/// meanwhile.
void TrainWorkspace::nameResults() {
    const ModelList* models = m_parts.session->models();
    for (int row = 0; row < models->count(); ++row) {
        const OpenModel& model = models->at(row);
        const RunItem* run = model.info ? m_store.find(model.folder.parent_path()) : nullptr;
        if (run && RunPaths{run->folder}.model() == model.folder)
            m_parts.session->renameModel(model.id, widgets::runTitle(*run), run->given.isEmpty() ? run->designed : run->given);
    }
}

} // namespace headroom::app
