// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/aligning/align_request.h"

#include "app/aligning/replace_alignment.h"
#include "app/aligning/undone_alignments.h"
#include "app/documents/items/paths.h"
#include "core/alignment/readers.h"
#include "core/tensors/tensor.h"

#include <QPointer>

#include <optional>
#include <utility>

namespace headroom::app {

namespace {

std::vector<Interval> tierOf(const std::vector<protocol::AlignResult::Label>& labels) {
    std::vector<Interval> tier;
    for (const auto& label : labels)
        tier.push_back({Seconds(label.start), Seconds(label.end), label.label});
    return tier;
}

} // namespace

AlignRequest::AlignRequest(Session* session, WorkerProcess* worker, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_worker(worker)
    , m_undone(new UndoneAlignments(session, this)) {}

void AlignRequest::start(UtteranceId id, const QString& text, const std::filesystem::path& file) {
    const OpenUtterance* utterance = m_session->utterances()->find(id);
    if (!utterance || !utterance->recording)
        return;
    const auto& samples = utterance->recording->samples;
    const Seconds duration = utterance->duration();
    WorkerProcess::Request request(protocol::Align{text.toStdString()});
    request.arrays.emplace_back("samples", Tensor::of<float>({static_cast<std::int64_t>(samples.size())},
                                                             std::span<const float>(samples)));
    request.finished = [guard = QPointer<AlignRequest>(this), id, file, duration](const WorkerReply& reply) {
        if (guard)
            guard->answered(id, file, duration, reply);
    };
    ++m_running;
    m_worker->start();
    m_worker->request(std::move(request));
}

void AlignRequest::answered(UtteranceId id, const std::filesystem::path& file, Seconds duration,
                        const WorkerReply& reply) {
    --m_running;
    const OpenUtterance* utterance = m_session->utterances()->find(id);
    if (!utterance) // closed in the meantime
        return;
    const QString name = utterance->shownName();
    const auto fail = [&](const QString& sentence) {
        m_session->messages()->post(Severity::Error, tr("%1 was not aligned: %2").arg(name, sentence));
        Q_EMIT finished(id, sentence);
    };
    if (!reply.ok())
        return fail(reply.sentence);
    std::optional<WrittenAlignment> written;
    QStringList warnings;
    try {
        const auto found = protocol::AlignResult::from(reply.result);
        Alignment alignment;
        alignment.words = tierOf(found.words);
        alignment.phones = tierOf(found.phones);
        alignment.origin = found.origin;
        written.emplace(file, textGridOf(alignment, duration));
        for (const auto& warning : found.warnings)
            warnings << name + QStringLiteral(": ") + QString::fromStdString(warning.sentence);
    } catch (const std::exception& mistake) {
        return fail(QString::fromUtf8(mistake.what()));
    }
    m_session->undoStack()->push(new ReplaceAlignment(m_session, m_undone, id, *std::move(written), name, warnings));
    Q_EMIT finished(id, {});
}

} // namespace headroom::app
