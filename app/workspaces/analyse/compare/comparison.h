// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"

#include <QObject>

#include <optional>

namespace headroom::app {

/// What the current map is seen beside: the same layer of another open model, or a layer, a head or a
/// recording that was chosen. Off at the start. Whoever becomes current changes places with what was beside
/// it: two models can be swapped without choosing again. Window's thread.
class Comparison : public QObject {
    Q_OBJECT

public:
    explicit Comparison(Session* session, QObject* parent = nullptr);

    struct Side {
        ModelId model = ModelId::None;
        int layer = 1;                             ///< from 1; may be more than the model has
        std::optional<MapSource> source = {};      ///< nothing: that of the current map
        UtteranceId utterance = UtteranceId::None; ///< None: the current recording
        bool operator==(const Side&) const = default;
    };
    bool isOn() const { return m_on; }
    /// Nothing: off, or no model is open.
    std::optional<Side> side() const;
    std::vector<const OpenModel*> offered() const; ///< that can be beside: those that could be opened, and the one that is beside
    int fixedLayer() const { return m_layer; } ///< 0: always that of the current map
    std::optional<MapSource> fixedSource() const { return m_source; }
    bool isOtherMap() const; ///< a head or a recording was chosen, so that the same layer of the current model is not the current map

    /// On without a choice: the model that was current before, else another that is open, else the layer
    /// beside the current one.
    void setOn(bool on);
    /// Off with its choice kept while something else stands in the place of the maps, and as it was afterwards.
    void setAside(bool aside);
    /// The same layer of another model, which is ticked, so that it is read too; of the current model the layer beside the current one,
    /// unless isOtherMap(). On.
    void compareModel(ModelId model);
    /// A layer that stays while the current one changes; 0: always the current one's. On.
    void compareLayer(ModelId model, int layer);
    /// A head, or the contributions, that stays while the current map changes; nothing: always the current
    /// one's. On.
    void compareMap(std::optional<MapSource> source);
    /// Another open recording; None: the current one. On.
    void compareUtterance(UtteranceId utterance);

    /// What a session keeps of it, and back: {"on": true, "aside": false, "model": place in the list, "before": that of the model that was
    /// current before, "layer": 0, "map": {"kind": "head", "head": 2, "raw": false}, "utterance": place in the list}.
    nlohmann::json state() const;
    void restore(const nlohmann::json& state);

Q_SIGNALS:
    void changed(); ///< isOn(), or side() for another reason than the current layer

private:
    void follow();
    void followUtterance();
    ModelId otherModel() const;

    Session* m_session;
    bool m_on = false, m_aside = false; ///< m_aside: on again with setAside(false)
    ModelId m_model = ModelId::None; ///< chosen; None: none was
    int m_layer = 0;
    std::optional<MapSource> m_source;
    UtteranceId m_utterance = UtteranceId::None, m_heard = UtteranceId::None;
    ModelId m_current = ModelId::None, m_before = ModelId::None;
};

} // namespace headroom::app
