// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alignments/alignment_watch.h"
#include "app/documents/session.h"
#include "core/alignment/phone_map.h"
#include "core/alignment/validator.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <map>
#include <optional>
#include <set>

namespace headroom::app {

/// The phone map of the session, and what the validator finds in the alignment of every open utterance.
/// Checks run on a pool of its own; a report is in OpenUtterance::alignmentReport as soon as it is there, and an
/// error is said in Messages once. Window's thread only.
///
/// The map is what the user chose or edited (kept in the session's view); else `phones.tsv` beside the
/// recordings or above their folder audio/; else the map that fits the labels of the open utterances best.
class AlignmentStore : public QObject {
    Q_OBJECT

public:
    explicit AlignmentStore(Session* session, QObject* parent = nullptr);
    ~AlignmentStore() override; ///< waits for what is being checked

    const PhoneMap& map() const { return m_map; }
    /// The map where it was chosen or edited here, or found beside the recordings: what studies of the open utterances use.
    /// Nothing: the best match, which a study finds itself.
    std::optional<PhoneMap> ownMap() const;
    /// Why this map: "fits the labels", "from phones.tsv", "edited here".
    QString mapReason() const;
    /// How often each label occurs in the open utterances.
    LabelCounts labels() const;
    bool isPending() const { return m_pending > 0 || m_choice.isActive() || m_watch.isPending(); }
    /// Reads alignments again that another program has changed. They are watched; this is for file systems that report no changes.
    void readChanged() { m_watch.look(); }

    // Each is one undo step.
    void setClass(const QString& label, std::optional<int> phoneClass);
    void useNamed(const QString& name);
    /// Throws what PhoneMap::read throws.
    void openMap(const std::filesystem::path& file);
    /// Back to the map that fits.
    void useFitting();
    /// Throws Error "phones.unwritable".
    void saveMap(const std::filesystem::path& file) const;
    /// Without undo: for its command. Nothing: not chosen, the map that fits.
    void setChosen(std::optional<PhoneMap> map);

    /// Goes to a place; whoever shows the time axis listens.
    void show(UtteranceId id, const AlignmentFinding& finding);

    /// What the session keeps: the chosen map, or null.
    nlohmann::json state() const;
    void restore(const nlohmann::json& state);

Q_SIGNALS:
    void mapChanged();
    void reportsChanged(); ///< also the labels
    void placeRequested(headroom::app::UtteranceId id, headroom::Seconds start, headroom::Seconds end);

private:
    /// What a report was made of: another recording, alignment or map makes it stale.
    struct Seen {
        const void* recording = nullptr;
        const void* alignment = nullptr;
        std::filesystem::path file;
        int map = 0;
        bool operator==(const Seen&) const = default;
    };

    void look(UtteranceId id);
    void check(const OpenUtterance& utterance);
    void take(UtteranceId id, const Seen& seen, CheckedAlignment checked);
    void choose();
    void pushMap(const QString& text, std::optional<PhoneMap> map);

    Session* m_session;
    AlignmentWatch m_watch;
    QThreadPool m_pool;
    PhoneMap m_map;
    std::optional<PhoneMap> m_chosen;
    std::filesystem::path m_beside; ///< the phones.tsv that m_map comes from; empty: none
    int m_round = 1;                ///< of m_map
    int m_pending = 0;
    std::map<UtteranceId, Seen> m_seen;
    std::map<UtteranceId, LabelCounts> m_labels;
    QTimer m_choice;                    ///< until the map is chosen for other labels
    std::set<UtteranceId> m_relabelled; ///< which are checked then
    std::map<UtteranceId, std::string> m_said;
};

} // namespace headroom::app
