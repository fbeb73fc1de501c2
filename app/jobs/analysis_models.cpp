// SPDX-License-Identifier: GPL-3.0-or-later
// Models in the worker, and what happens when the worker comes and goes.
#include "app/documents/items/beyond_session.h"
#include "app/documents/items/paths.h"
#include "app/jobs/analysis_running.h"
#include "app/jobs/analysis_service.h"
#include "app/jobs/worker_answers.h"

#include <QPointer>

#include <algorithm>
#include <utility>

namespace headroom::app {

namespace {

const QString kWorkerCause = QStringLiteral("worker"), kRestartCause = QStringLiteral("restart of the worker");

} // namespace

void AnalysisService::connectWorker() {
    connect(m_worker, &WorkerProcess::started, this, &AnalysisService::schedule);
    connect(m_worker, &WorkerProcess::failed, this, &AnalysisService::workerFailed);
    connect(m_worker, &WorkerProcess::stateChanged, this, [this] {
        if (m_worker->state() != WorkerProcess::State::Ready)
            m_handles.clear(); // handles die with the process that gave them
        else
            sayWorkerRuns();
        tellBusy();
    });
    connect(m_worker, &WorkerProcess::stoppedUnexpectedly, this, [this](const QString& sentence) {
        m_stopped = sentence;
        m_session->messages()->post(Severity::Error, tr("%1 It is restarting. Your session is safe.").arg(sentence), {}, {}, {kRestartCause, kBeyondSession});
        schedule();
    });
}

/// Takes back what no longer holds: it could not be started, or it was restarting.
void AnalysisService::sayWorkerRuns() {
    Messages* messages = m_session->messages();
    messages->settle(kWorkerCause);
    messages->settle(kRestartCause);
    if (const QString stopped = std::exchange(m_stopped, {}); !stopped.isEmpty())
        messages->post(Severity::Error, tr("%1 It was restarted. Your session is safe.").arg(stopped), {}, {}, {kBeyondSession});
}

void AnalysisService::openModels() {
    const auto state = m_worker->state();
    const ModelList* models = m_session->models();
    for (int row = 0; row < models->count(); ++row) {
        const OpenModel model = models->at(row); // a copy: the list may change below
        if (model.state == OpenState::Failed || m_handles.contains(model.id) || m_opening.contains(model.id))
            continue;
        if (model.maps) {
            if (!m_maps.contains(model.id))
                openMaps(model);
            continue;
        }
        if (state == WorkerProcess::State::Stopped)
            m_worker->start();
        if (m_worker->state() == WorkerProcess::State::Failed) {
            m_failedWithWorker.insert(model.id);
            if (model.state == OpenState::Reading)
                m_session->setModelFailed(model.id, m_worker->sentence());
            continue;
        }
        if (!isWorkerOpening()) // one by one: the one that it dies of is known
            openModel(model);
    }
}

bool AnalysisService::isWorkerOpening() const {
    return std::ranges::any_of(m_opening, [this](ModelId id) {
        const OpenModel* model = m_session->models()->find(id);
        return !model || !model->maps;
    });
}

void AnalysisService::openModel(const OpenModel& model) {
    m_opening.insert(model.id);
    const auto folder = model.folder.u8string();
    WorkerProcess::Request request(protocol::OpenModel{std::string(folder.begin(), folder.end())});
    const QPointer<AnalysisService> self(this);
    request.finished = [self, id = model.id](const WorkerReply& reply) {
        if (self)
            self->modelAnswered(id, reply);
    };
    if (!m_running) {
        m_worker->setActivity(tr("opening %1").arg(model.shownName()));
        setProgress({tr("Opening %1").arg(model.shownName()), 0, 0, UtteranceId::None, model.id});
    }
    m_worker->request(std::move(request));
}

void AnalysisService::modelAnswered(ModelId id, const WorkerReply& reply) {
    m_opening.erase(id);
    schedule();
    const OpenModel* model = m_outdated.erase(id) > 0 ? nullptr : m_session->models()->find(id);
    if (reply.workerStopped()) {
        // Opening it may be what the worker dies of: it is tried once more, not for ever, also if it was open before.
        const bool restarts = m_worker->state() == WorkerProcess::State::Starting;
        if (!model || (restarts && ++m_openingCrashes[id] < 2))
            return;
        m_failedWithWorker.insert(id);
        if (restarts)
            m_session->setModelFailed(id, tr("%1 It failed twice on this model and will not retry automatically.").arg(reply.sentence));
        else if (model->state == OpenState::Reading)
            m_session->setModelFailed(id, reply.sentence);
        return;
    }
    if (!model) { // it is opened again, if it is still there
        if (reply.ok() && reply.result.is_object() && reply.result.contains("model"))
            m_worker->request(WorkerProcess::Request(protocol::CloseModel{modelHandle(reply.result)}));
        return;
    }
    if (!reply.ok()) {
        m_session->setModelFailed(id, reply.sentence);
        return;
    }
    try {
        ModelDescription info = readModelDescription(reply.result, toQString(model->folder));
        m_handles[id] = modelHandle(reply.result);
        m_openingCrashes.erase(id);
        // Other numbers than before (the folder has changed while the worker was away): what was read is
        // worthless.
        if (model->info && model->info->hash != info.hash) {
            m_cache.remove(id);
            std::erase_if(m_profiles, [&](const auto& entry) { return entry.first.model == id; });
            std::erase_if(m_transcribed, [&](const AnalysisKey& key) { return key.model == id; });
            std::erase_if(m_layersRefused, [&](const LayerWish& wish) { return wish.key.model == id; });
            std::erase_if(m_mixingRefused, [&](const MixingWish& wish) { return wish.key.model == id; });
        }
        m_session->setModelOpened(id, std::move(info));
    } catch (const std::exception& failure) {
        m_session->setModelFailed(id, QString::fromUtf8(failure.what()));
    }
}

void AnalysisService::forgetModel(ModelId id) {
    if (m_opening.contains(id))
        m_outdated.insert(id);
    if (m_running && m_running->asked.key.model == id)
        abandon(AnalysisResult::State::Cancelled);
    if (const auto handle = m_handles.find(id); handle != m_handles.end()) {
        m_worker->request(WorkerProcess::Request(protocol::CloseModel{handle->second}));
        m_handles.erase(handle);
    }
    for (const AnalysisKey& key : std::list<AnalysisKey>(m_cache.order()))
        if (key.model == id)
            forgetFailure(key);
    m_cache.remove(id);
    std::erase_if(m_profiles, [&](const auto& entry) { return entry.first.model == id; });
    // Undo brings the model back under this number.
    std::erase_if(m_transcribed, [&](const AnalysisKey& key) { return key.model == id; });
    std::erase_if(m_notInBackground, [&](const AnalysisKey& key) { return key.model == id; });
    m_maps.erase(id);
    m_failedWithWorker.erase(id);
    const auto isOfModel = [&](const LayerWish& wish) { return wish.key.model == id; };
    std::erase_if(m_layersWanted, isOfModel);
    std::erase_if(m_layersRefused, isOfModel);
    dropMixing([&](AnalysisKey key) { return key.model == id; });
    dropWords([&](AnalysisKey key) { return key.model == id; });
    dropWordMixing([&](AnalysisKey key) { return key.model == id; }, false);
    std::erase_if(m_mixingRefused, [&](const MixingWish& wish) { return wish.key.model == id; });
    schedule();
}

void AnalysisService::workerFailed(const QString& sentence) {
    m_stopped.clear();
    m_session->messages()->settle(kRestartCause);
    m_session->messages()->post(
        Severity::Error, sentence, tr("Restart"),
        [self = QPointer(this)] {
            if (self)
                self->restartWorker();
        },
        {kWorkerCause, kBeyondSession});
    for (const AnalysisKey& key : std::list<AnalysisKey>(m_cache.order())) {
        AnalysisResult& result = *m_cache.find(key);
        if (result.state != AnalysisResult::State::Waiting && result.state != AnalysisResult::State::Working)
            continue;
        result.state = AnalysisResult::State::Failed;
        result.code = QStringLiteral("worker.stopped");
        result.sentence = sentence;
        Q_EMIT resultChanged(key.utterance, key.model);
    }
    setProgress({});
    schedule();
}

void AnalysisService::restartWorker() {
    m_crashes.clear();
    m_openingCrashes.clear();
    m_worker->start();
    for (const AnalysisKey& key : std::list<AnalysisKey>(m_cache.order())) {
        AnalysisResult& result = *m_cache.find(key);
        if (result.state == AnalysisResult::State::Failed && result.code == QLatin1String("worker.stopped")) {
            result.state = AnalysisResult::State::Waiting;
            Q_EMIT resultChanged(key.utterance, key.model);
        }
    }
    for (const ModelId id : std::exchange(m_failedWithWorker, {}))
        m_session->retryModel(id);
    schedule();
}

} // namespace headroom::app
