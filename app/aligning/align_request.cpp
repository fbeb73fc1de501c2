// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/aligning/align_request.h"

#include "app/aligning/undone_alignments.h"
#include "app/documents/items/paths.h"
#include "core/alignment/readers.h"
#include "core/tensors/tensor.h"

#include <QPointer>
#include <QUndoCommand>

#include <memory>
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

/// What the worker warned of, until the alignment is undone.
QString warningsOf(const std::filesystem::path& file) {
    return QStringLiteral("alignment written to ") + toQString(file);
}

/// Another alignment in the place of the one that was there, with its file.
class ReplaceAlignment : public QUndoCommand {
public:
    ReplaceAlignment(Session* session, UndoneAlignments* undone, UtteranceId id, WrittenAlignment written, const QString& name)
        : QUndoCommand(AlignRequest::tr("alignment of %1").arg(name))
        , m_session(session)
        , m_undone(undone)
        , m_id(id)
        , m_written(std::make_shared<WrittenAlignment>(std::move(written)))
        , m_other(session->keptAlignment(id)) {}
    void redo() override {
        if (std::exchange(m_isNew, false))
            return m_session->openAlignment(m_written->file(), m_id);
        if (isOpen()) {
            if (m_undone)
                m_undone->redone(m_written);
            swap();
        }
    }
    void undo() override {
        if (isOpen()) {
            swap();
            m_session->messages()->settle(warningsOf(m_written->file()));
            if (m_undone)
                m_undone->undone(m_written);
        }
    }

private:
    bool isOpen() {
        const bool isOpen = m_session->utterances()->find(m_id) != nullptr;
        setObsolete(!isOpen); // closed, and back under another number
        return isOpen;
    }
    void swap() {
        auto now = m_session->keptAlignment(m_id);
        m_session->putAlignment(m_id, std::exchange(m_other, std::move(now)));
    }

    Session* m_session;
    QPointer<UndoneAlignments> m_undone;
    UtteranceId m_id;
    std::shared_ptr<WrittenAlignment> m_written;
    bool m_isNew = true; ///< not read yet
    Session::KeptAlignment m_other;
};

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
    try {
        const auto found = protocol::AlignResult::from(reply.result);
        Alignment alignment;
        alignment.words = tierOf(found.words);
        alignment.phones = tierOf(found.phones);
        alignment.origin = found.origin;
        written.emplace(file, textGridOf(alignment, duration));
        m_undone->forget(file);
        for (const auto& warning : found.warnings)
            m_session->messages()->post(Severity::Warning,
                                        name + QStringLiteral(": ") + QString::fromStdString(warning.sentence), {}, {}, {warningsOf(file)});
    } catch (const std::exception& mistake) {
        return fail(QString::fromUtf8(mistake.what()));
    }
    m_session->undoStack()->push(new ReplaceAlignment(m_session, m_undone, id, *std::move(written), name));
    Q_EMIT finished(id, {});
}

} // namespace headroom::app
