// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/aligning/align_job.h"

#include "app/documents/paths.h"
#include "core/alignment/readers.h"
#include "core/tensors/tensor.h"

#include <QPointer>

namespace headroom::app {

namespace {

std::vector<Interval> tierOf(const nlohmann::json& rows) {
    std::vector<Interval> tier;
    for (const auto& row : rows)
        tier.push_back({Seconds(row.at(0).get<double>()), Seconds(row.at(1).get<double>()),
                        row.at(2).get<std::string>()});
    return tier;
}

} // namespace

AlignJob::AlignJob(Session* session, WorkerProcess* worker, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_worker(worker) {}

void AlignJob::start(UtteranceId id, const QString& text, const std::filesystem::path& file) {
    const Utterance* utterance = m_session->utterances()->find(id);
    if (!utterance || !utterance->recording)
        return;
    const auto& samples = utterance->recording->samples;
    const Seconds duration = utterance->duration();
    WorkerProcess::Request request;
    request.method = "align";
    request.parameters = {{"text", text.toStdString()}};
    request.arrays.emplace_back("samples", Tensor::of<float>({static_cast<std::int64_t>(samples.size())},
                                                             std::span<const float>(samples)));
    request.finished = [guard = QPointer<AlignJob>(this), id, file, duration](const WorkerReply& reply) {
        if (guard)
            guard->answered(id, file, duration, reply);
    };
    ++m_running;
    m_worker->start();
    m_worker->request(std::move(request));
}

void AlignJob::answered(UtteranceId id, const std::filesystem::path& file, Seconds duration,
                        const WorkerReply& reply) {
    --m_running;
    const Utterance* utterance = m_session->utterances()->find(id);
    if (!utterance) // closed in the meantime
        return;
    const QString name = utterance->name;
    const auto fail = [&](const QString& sentence) {
        m_session->messages()->post(Severity::Error, tr("%1 was not aligned: %2").arg(name, sentence));
        Q_EMIT finished(id, sentence);
    };
    if (!reply.ok())
        return fail(reply.sentence);
    try {
        Alignment alignment;
        alignment.words = tierOf(reply.result.at("words"));
        alignment.phones = tierOf(reply.result.at("phones"));
        alignment.origin = reply.result.at("origin").get<std::string>();
        writeTextGrid(file, textGridOf(alignment, duration));
        for (const auto& warning : reply.result.at("warnings"))
            m_session->messages()->post(
                Severity::Warning, name + QStringLiteral(": ") +
                                       QString::fromStdString(warning.at("sentence").get<std::string>()));
    } catch (const std::exception& mistake) {
        return fail(QString::fromUtf8(mistake.what()));
    }
    m_session->openAlignment(file, id);
    Q_EMIT finished(id, {});
}

} // namespace headroom::app
