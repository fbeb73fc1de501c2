// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/place_opener.h"

#include "app/documents/items/paths.h"
#include "app/workspaces/analyse/sound/sound_transport.h"
#include "core/audio/audio_name.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {
constexpr Seconds kAround{0.15};  // before the first token and behind the last
constexpr Seconds kShortest{0.6}; // less is a click, not a word

/// The open model that a study was of, where its folder has been moved since; None: no model is known to be it.
ModelId sameWeights(const ModelList& models, const StudyModel& wanted) {
    for (int row = 0; row < models.count(); ++row)
        if (const OpenModel& open = models.at(row);
            open.info && !wanted.weightsHash.empty() && open.info->hash.toStdString() == wanted.weightsHash)
            return open.id;
    return ModelId::None;
}
} // namespace

PlaceOpener::PlaceOpener(Session* session, widgets::TimeAxis* axis, SoundTransport* transport,
                         QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_axis(axis)
    , m_transport(transport) {
    connect(session, &Session::utteranceChanged, this, [this](UtteranceId id) {
        if (m_wanted && m_wanted->utterance == id && m_wanted->place.text.isEmpty())
            arrive();
    });
    const auto goOnInText = [this] {
        if (m_wanted && !m_wanted->place.text.isEmpty())
            arriveInText();
    };
    connect(session, &Session::modelChanged, this, [this, goOnInText] {
        look();
        goOnInText();
    });
    connect(axis, &widgets::TimeAxis::extentChanged, this, goOnInText);
    connect(transport, &SoundTransport::playingChanged, this, [this](bool playing) {
        if (playing || !m_heard)
            return;
        const PendingPlace heard = *std::exchange(m_heard, std::nullopt);
        if (m_session->currentUtteranceId() != heard.utterance)
            return;
        m_axis->setCursor(Seconds(heard.place.place.query));
        m_axis->setPointer(Seconds(heard.place.place.key));
    });
}

widgets::TimeSpan PlaceOpener::spanAround(const StudyPlace& place, Seconds extent) {
    Seconds start = Seconds(std::min(place.query, place.key)) - kAround;
    Seconds end = Seconds(std::max(place.query, place.key)) + kAround;
    if (const Seconds lacking = kShortest - (end - start); lacking > Seconds(0)) {
        start = start - lacking / 2;
        end = end + lacking / 2;
    }
    return {std::clamp(start, Seconds(0), extent), std::clamp(end, Seconds(0), extent)};
}

/// The same file under another name (a link) is the same utterance, and so is the same sentence. A text of no corpus has in the study
/// the number that it had there.
UtteranceId PlaceOpener::openUtterance(const PlaceRow& place, bool isOfCorpus) {
    if (!place.text.isEmpty())
        return m_session->openUtterance(CorpusUtterance{{}, isOfCorpus ? place.utterance : QString(), {place.text, {}}});
    CorpusUtterance utterance{place.audio, isOfCorpus ? place.utterance : QString(), place.texts, place.alignment};
    const AudioName wanted = audioName(place.audio);
    for (int row = 0; row < m_session->utterances()->count(); ++row) {
        const OpenUtterance& open = m_session->utterances()->at(row);
        const AudioName name = audioName(open.file);
        std::error_code ignored;
        if (!open.file.empty() && name.part == wanted.part && name.speed == wanted.speed && fs::equivalent(name.file, wanted.file, ignored) &&
            !ignored) {
            if (place.texts == CorpusTexts()) { // an older study has none
                m_session->offerAlignment(open.id, place.alignment);
                return open.id;
            }
            utterance.audio = open.file;
            break;
        }
    }
    return m_session->openUtterance(utterance);
}

/// The map that is shown must be of the model whose number was clicked.
void PlaceOpener::openModel(const PlacesQuery& query) {
    const auto& models = query.study->document.models;
    if (query.model < 1 || static_cast<std::size_t>(query.model) > models.size())
        return;
    const StudyModel& model = models[static_cast<std::size_t>(query.model) - 1];
    if (model.maps)
        return;
    const OpenModel* current = m_session->currentModel();
    const fs::path folder = normalised(fs::path(model.folder));
    if (current && current->folder == folder)
        return;
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        if (const ModelId moved = sameWeights(*m_session->models(), model); moved != ModelId::None)
            return m_session->setCurrentModel(moved);
        return Q_EMIT failed(tr("The model %1 no longer exists. The map belongs to another model.")
                                 .arg(QString::fromStdString(model.folder)));
    }
    m_session->setCurrentModel(m_session->openModel(folder));
}

void PlaceOpener::open(const PlaceRow& place, const PlacesQuery& query) {
    m_heard.reset();
    m_transport->stop();
    if (place.isMissing)
        return Q_EMIT failed(tr("The recording %1 no longer exists. The place cannot be played.")
                                 .arg(QString::fromStdString(place.audio.string())));
    openModel(query);
    const PendingPlace wanted{place, query, openUtterance(place, !query.study->document.data.empty())};
    m_source = wanted;
    look();
    m_wanted = wanted;
    m_session->setCurrentUtterance(wanted.utterance);
    if (place.text.isEmpty())
        arrive();
    else if (m_wanted) // else it has arrived
        arriveInText();
}

/// Why the map that is shown is not the one that the number was measured on; empty: it is, as far as is
/// known.
QString PlaceOpener::otherModel(const PlacesQuery& query, const OpenModel& current) {
    if (!query.study || query.model < 1 || query.model > query.study->modelCount())
        return {};
    const StudyModel& model = query.study->document.models[static_cast<std::size_t>(query.model) - 1];
    if (model.maps)
        return tr("The number is from the imported maps %1, but the map shown belongs to another model, %2.")
            .arg(QString::fromStdString(model.name), current.shownName());
    const bool known = current.info && !model.weightsHash.empty() && !current.info->hash.isEmpty();
    if (known && current.folder == normalised(fs::path(model.folder)) &&
        current.info->hash.toStdString() != model.weightsHash)
        return tr("The weights in %1 have changed since the study. The map shown belongs to a different "
                  "model.")
            .arg(QString::fromStdString(model.folder));
    return {};
}

/// Layer and head, once the model is there.
void PlaceOpener::look() {
    const OpenModel* model = m_session->currentModel();
    if (!m_source || !model || model->state == OpenState::Reading)
        return;
    const PlacesQuery query = std::exchange(m_source, std::nullopt)->query;
    if (const QString other = otherModel(query, *model); !other.isEmpty())
        return Q_EMIT failed(other); // its layers and heads are not those of the number
    if (query.layer <= 0)
        return;
    m_session->setCurrentLayer(query.layer);
    MapSource source;
    if (query.head > 0) {
        source.kind = MapSource::Kind::Head;
        source.head = query.head;
    } else if (query.ofAttention) {
        source.kind = MapSource::Kind::HeadMean;
    }
    m_session->setMapSource(source);
}

/// The tokens of a text are known when it was analysed, and again when another model has analysed it.
void PlaceOpener::arriveInText() {
    if (m_session->currentUtteranceId() != m_wanted->utterance)
        return m_wanted.reset(); // somebody went on meanwhile
    const double query = std::round(m_wanted->place.place.query), key = std::round(m_wanted->place.place.key);
    if (m_source || !m_axis->countsTokens() || m_axis->extent() <= Seconds(std::max(query, key)))
        return;
    m_wanted.reset();
    const Seconds middle(0.5); // token t lasts from t to t + 1
    m_axis->setSelection(widgets::TimeSpan{Seconds(std::min(query, key)), Seconds(std::max(query, key) + 1)});
    m_axis->setCursor(Seconds(query) + middle);
    m_axis->setPointer(Seconds(key) + middle);
    m_axis->reveal(Seconds(key) + middle);
    m_axis->reveal(Seconds(query) + middle);
}

void PlaceOpener::arrive() {
    const OpenUtterance* utterance = m_session->utterances()->find(m_wanted->utterance);
    if (!utterance || utterance->state == OpenState::Reading)
        return;
    const PendingPlace here = *std::exchange(m_wanted, std::nullopt);
    if (utterance->state == OpenState::Failed)
        return Q_EMIT failed(utterance->sentence);
    if (m_session->currentUtteranceId() != here.utterance)
        return; // somebody went on meanwhile
    const StudyPlace& place = here.place.place;
    m_axis->setSelection(spanAround(place, m_axis->extent()));
    m_axis->setCursor(Seconds(place.query));
    m_axis->setPointer(Seconds(place.key));
    m_axis->reveal(Seconds(place.key));
    m_axis->reveal(Seconds(place.query));
    m_heard = here;
    if (const QString sentence = m_transport->tryToPlay(); !sentence.isEmpty()) {
        m_heard.reset();
        Q_EMIT failed(sentence); // in the list, which must stay in sight
    }
}

} // namespace headroom::app
