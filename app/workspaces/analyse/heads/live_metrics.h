// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/workspaces/analyse/heads/layer_metrics.h"

#include <QObject>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace headroom::app {

class AlignmentStore;

/// The metrics of the attention maps that were fetched: of the current utterance and model, layer by layer.
/// Computed on the global thread pool when a layer's attention arrives, and kept (kilobytes) while recording,
/// alignment, phone map and part stay what they are, also after the maps are gone. Window's thread.
class LiveMetrics : public QObject {
    Q_OBJECT

public:
    /// All borrowed. `alignments`: whose phone map says what the labels are; null: ARPABET.
    LiveMetrics(Session* session, AnalysisService* analysis, const AlignmentStore* alignments,
                QObject* parent = nullptr);

    /// Of the current utterance and model, `number` from 1; null until it is known.
    std::shared_ptr<const LayerMetrics> layer(int number) const;
    int layerCount() const; ///< of the current model
    int knownLayers() const;
    /// Asks for the attention of one layer, or of all.
    void require(int number);
    void requireAll();
    /// The pairs whose layers were all asked for, or are all known: their CAD is that of speech. For the session's view.
    using Pair = std::pair<UtteranceId, ModelId>;
    std::set<Pair> complete() const;
    void setComplete(std::set<Pair> pairs); ///< asks for the rest of each when it is looked at
    /// What requireAll() asked for is on its way.
    bool isReadingAll() const;
    bool isComputing() const { return !m_running.empty(); }
    /// What is said at each token of the current utterance; empty where no phones are known, or no tokens.
    std::vector<int> phones() const;

Q_SIGNALS:
    void changed();

private:
    using Key = std::tuple<UtteranceId, ModelId, int>;
    /// What the metrics were made of: where one of them is another now, they are of no use.
    struct Origin {
        std::weak_ptr<const Recording> recording;
        std::shared_ptr<const Alignment> alignment;
        std::optional<Part> part;
        int mapRound = 0; ///< of the phone map
        int opening = 0;  ///< of the model: another one may be in its folder when it is opened again
    };
    struct Known {
        Origin origin;
        std::weak_ptr<const AttentionMaps> maps;
        std::shared_ptr<const LayerMetrics> metrics;
    };
    void follow();
    void forget();
    Pair here() const { return {m_session->currentUtteranceId(), m_session->currentModelId()}; }
    /// What the metrics of a pair are made of now.
    Origin originOf(const OpenUtterance& utterance, ModelId model) const;
    static bool isSame(const Origin& one, const Origin& other);
    bool isUpToDate(const Key& key, const std::shared_ptr<const AttentionMaps>& maps) const;

    Session* m_session;
    AnalysisService* m_analysis;
    const AlignmentStore* m_alignments;
    int m_mapRound = 0;
    std::map<ModelId, int> m_openings;
    std::map<Key, Known> m_known;
    std::set<Key> m_running;
    std::set<Pair> m_all; ///< of which all layers were asked for
};

} // namespace headroom::app
