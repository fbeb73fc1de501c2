// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/studies/place_list.h"
#include "widgets/time_axis/time_axis.h"

#include <QObject>

#include <optional>

namespace headroom::app {

class SoundTransport;

/// Goes to a place behind a number: its utterance is opened where it is not and becomes current, cursor and
/// pointer stand on the two tokens, the layer and head concerned become the map's source, and the span around
/// both plays. Playing moves the cursor, so it is put back on the query when the sound ends. A text has no sound: both
/// tokens and those between them are selected as soon as it was analysed. Window's thread.
class PlaceOpener : public QObject {
    Q_OBJECT

public:
    /// Everything borrowed.
    PlaceOpener(Session* session, widgets::TimeAxis* axis, SoundTransport* transport,
                QObject* parent = nullptr);

    void open(const PlaceRow& place, const PlacesQuery& query);
    /// What is played of a place: both tokens and a little around them, within the recording.
    static widgets::TimeSpan spanAround(const StudyPlace& place, Seconds extent);

Q_SIGNALS:
    void failed(const QString& sentence); ///< a recording that is not there, a model that is gone

private:
    UtteranceId openUtterance(const PlaceRow& place, bool isOfCorpus);
    void openModel(const PlacesQuery& query);
    static QString otherModel(const PlacesQuery& query, const OpenModel& current);
    void look();
    void arrive();
    void arriveInText();

    struct PendingPlace {
        PlaceRow place;
        PlacesQuery query;
        UtteranceId utterance = UtteranceId::None;
    };
    Session* m_session;
    widgets::TimeAxis* m_axis;
    SoundTransport* m_transport;
    std::optional<PendingPlace> m_wanted; ///< its recording is still being read
    std::optional<PendingPlace> m_source; ///< its model is still being opened
    std::optional<PendingPlace> m_heard;  ///< is being played
};

} // namespace headroom::app
