// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alignments/alignment_store.h"

#include "app/alignments/alignment_severity.h"
#include "app/alignments/phone_map_search.h"
#include "app/alignments/set_phone_map.h"
#include "app/documents/items/paths.h"
#include "app/parts/view_values.h"
#include "core/alignment/phones.h"
#include "core/alignment/readers.h"

#include <QMetaObject>

#include <algorithm>
#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

QString causeOfPhones(UtteranceId id) {
    return QStringLiteral("phones of ") + causeOf(id);
}

} // namespace

AlignmentStore::AlignmentStore(Session* session, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_watch(session) {
    m_pool.setMaxThreadCount(2);
    // Once for all that come in a turn: choosing reads the labels of every open utterance.
    m_choice.setSingleShot(true);
    m_choice.setInterval(0);
    connect(&m_choice, &QTimer::timeout, this, [this] {
        choose();
        for (const UtteranceId id : std::exchange(m_relabelled, {}))
            if (const OpenUtterance* utterance = m_session->utterances()->find(id); utterance && utterance->state == OpenState::Ready)
                check(*utterance);
    });
    connect(session, &Session::utteranceAdded, this, &AlignmentStore::look);
    connect(session, &Session::utteranceChanged, this, &AlignmentStore::look);
    connect(session, &Session::utteranceRemoved, this, [this](UtteranceId id) {
        m_seen.erase(id);
        if (m_said.erase(id) > 0)
            m_session->messages()->settle(causeOfPhones(id));
        if (m_labels.erase(id) > 0)
            m_choice.start();
        Q_EMIT reportsChanged();
    });
}

AlignmentStore::~AlignmentStore() {
    m_pool.clear();
    m_pool.waitForDone();
}

void AlignmentStore::look(UtteranceId id) {
    const OpenUtterance* utterance = m_session->utterances()->find(id);
    if (!utterance || utterance->state != OpenState::Ready)
        return;
    const Seen seen{utterance->recording.get(), utterance->alignment.get(), utterance->alignmentFile,
                    m_round};
    if (m_seen[id] == seen)
        return;
    const bool relabelled = m_seen[id].alignment != seen.alignment;
    m_seen[id] = seen;
    if (utterance->alignmentFile.empty() && !utterance->alignment) {
        m_relabelled.erase(id); // one that came in the same turn
        if (m_labels.erase(id) > 0)
            m_choice.start();
        if (m_said.erase(id) > 0) // it was taken back
            m_session->messages()->settle(causeOfPhones(id));
        return Q_EMIT reportsChanged(); // its own is gone
    }
    if (relabelled) {
        LabelCounts labels;
        if (utterance->alignment)
            for (const Interval& phone : utterance->alignment->phones)
                ++labels[phone.label];
        m_labels[id] = std::move(labels);
        m_relabelled.insert(id); // checked with the map that is chosen then
        return m_choice.start();
    }
    if (!m_relabelled.contains(id))
        check(*utterance);
}

void AlignmentStore::check(const OpenUtterance& utterance) {
    ++m_pending;
    m_pool.start([this, id = utterance.id, seen = m_seen[utterance.id], map = m_map, recording = utterance.recording,
                  alignment = utterance.alignment, file = utterance.alignmentFile,
                  names = NamesInLists(utterance.name.toStdString(), utterance.file)] {
        CheckedAlignment checked;
        if (alignment)
            checked.report = checkAlignment(*alignment, recording->duration(), map, recording->samples);
        else
            checked = readCheckedAlignment(file, names, recording->duration(), map, recording->samples);
        QMetaObject::invokeMethod(
            this, [this, id, seen, checked = std::move(checked)] { take(id, seen, checked); },
            Qt::QueuedConnection);
    });
}

void AlignmentStore::take(UtteranceId id, const Seen& seen, CheckedAlignment checked) {
    --m_pending;
    const OpenUtterance* utterance = m_session->utterances()->find(id);
    if (!utterance || m_seen[id] != seen) // replaced or taken back meanwhile
        return;
    const QString name = utterance->shownName();
    const bool couldBeRead = utterance->alignment != nullptr;
    const std::string reason = checked.report.reason();
    const auto report = std::make_shared<const AlignmentReport>(std::move(checked.report));
    m_session->setAlignmentReport(id, report);
    // What cannot be read was said when it was tried.
    const QString cause = causeOfPhones(id);
    if (m_said[id] != reason)
        m_session->messages()->settle(cause);
    if (!reason.empty() && couldBeRead && m_said[id] != reason)
        m_session->messages()->post(
            severityOf(*report),
            tr("Phone studies leave out %1. %2").arg(name, QString::fromStdString(reason)),
            tr("Show"), [this, id, report] { show(id, report->findings.front()); },
            {cause}); // not that of the recording, which is settled whenever it is read again
    m_said[id] = reason;
    Q_EMIT reportsChanged();
}

void AlignmentStore::choose() {
    PhoneMap map;
    m_beside.clear();
    if (m_chosen) {
        map = *m_chosen;
    } else {
        PhoneMapSearch search;
        for (int row = 0; row < m_session->utterances()->count() && m_beside.empty(); ++row)
            m_beside = search.beside(m_session->utterances()->at(row).file);
        try {
            map = m_beside.empty() ? PhoneMap::fitting(labels()) : PhoneMap::read(m_beside);
        } catch (const Error& error) {
            if (m_said[UtteranceId::None] != error.what())
                m_session->messages()->post(Severity::Warning, QString::fromUtf8(error.what()));
            m_said[UtteranceId::None] = error.what();
            m_beside.clear();
            map = PhoneMap::fitting(labels());
        }
    }
    if (map == m_map && map.title() == m_map.title())
        return;
    m_map = std::move(map);
    ++m_round;
    m_relabelled.clear(); // all are checked below
    Q_EMIT mapChanged();
    for (int row = 0; row < m_session->utterances()->count(); ++row)
        look(m_session->utterances()->at(row).id);
}

std::optional<PhoneMap> AlignmentStore::ownMap() const {
    return m_chosen || !m_beside.empty() ? std::optional(m_map) : std::nullopt;
}

QString AlignmentStore::mapReason() const {
    if (m_chosen)
        return tr("chosen or edited here, saved with the session");
    if (!m_beside.empty())
        return tr("found beside the recordings");
    return m_labels.empty() ? tr("no alignment is open") : tr("best match for the labels of the open utterances");
}

LabelCounts AlignmentStore::labels() const {
    LabelCounts all;
    for (const auto& [id, labels] : m_labels)
        for (const auto& [label, count] : labels)
            all[label] += count;
    return all;
}

void AlignmentStore::pushMap(const QString& text, std::optional<PhoneMap> map) {
    m_session->undoStack()->push(new SetPhoneMap(this, text, m_chosen, std::move(map)));
}

void AlignmentStore::setClass(const QString& label, std::optional<int> phoneClass) {
    auto map = m_map;
    map.set(label.toStdString(), phoneClass);
    if (map == m_map)
        return;
    const QString name = phoneClass ? QString::fromUtf8(phoneClassName(*phoneClass).data(),
                                                        qsizetype(phoneClassName(*phoneClass).size()))
                                    : tr("ignored");
    if (const QString title = QString::fromStdString(map.title()); !title.endsWith(tr(", edited")))
        map.setTitle((title + tr(", edited")).toStdString());
    pushMap(tr("phone “%1”: %2").arg(label, name), std::move(map));
}

void AlignmentStore::useNamed(const QString& name) {
    const auto map = PhoneMap::named(name.toStdString());
    pushMap(tr("phone map %1").arg(QString::fromStdString(map.title())), map);
}

void AlignmentStore::openMap(const fs::path& file) {
    pushMap(tr("phone map %1").arg(toQString(file.filename())), PhoneMap::read(file));
}

void AlignmentStore::useFitting() {
    if (m_chosen)
        pushMap(tr("best matching phone map"), std::nullopt);
}

void AlignmentStore::saveMap(const fs::path& file) const {
    m_map.write(file);
}

void AlignmentStore::setChosen(std::optional<PhoneMap> map) {
    m_chosen = std::move(map);
    choose();
}

void AlignmentStore::show(UtteranceId id, const AlignmentFinding& finding) {
    if (m_session->utterances()->find(id))
        Q_EMIT placeRequested(id, finding.start, finding.end);
}

nlohmann::json AlignmentStore::state() const {
    if (!m_chosen)
        return nullptr;
    return {{"title", m_chosen->title()}, {"text", m_chosen->text()}};
}

void AlignmentStore::restore(const nlohmann::json& state) {
    std::optional<PhoneMap> map;
    if (const auto text = stringIn(state, "text"))
        try {
            map = PhoneMap::parse(*text, "phones.tsv");
            if (const auto title = stringIn(state, "title"))
                map->setTitle(*title);
        } catch (const Error& error) {
            m_session->messages()->post(
                Severity::Warning,
                tr("The phone map of the session could not be read. "
                   "%1").arg(QString::fromUtf8(error.what())));
        }
    setChosen(std::move(map));
}

} // namespace headroom::app
