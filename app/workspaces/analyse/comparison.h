// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"

#include <QObject>

#include <optional>

namespace headroom::app {

/// What the current map is seen beside: the same layer of another open model, or a layer that was chosen. Off
/// at the start. Whoever becomes current changes places with what was beside it: two models can be swapped
/// without choosing again. Window's thread.
class Comparison : public QObject {
    Q_OBJECT

public:
    explicit Comparison(Session* session, QObject* parent = nullptr);

    struct Side {
        ModelId model = ModelId::None;
        int layer = 1; ///< from 1; may be more than the model has
        bool operator==(const Side&) const = default;
    };
    bool isOn() const { return m_on; }
    /// Nothing: off, or no model is open.
    std::optional<Side> side() const;
    int fixedLayer() const { return m_layer; } ///< 0: always that of the current map

    /// On without a choice: the model that was current before, else another that is open, else the layer
    /// beside the current one.
    void setOn(bool on);
    /// The same layer of another model, which is ticked, so that it is read too. On.
    void compareModel(ModelId model);
    /// A layer that stays while the current one changes; 0: always the current one's. On.
    void compareLayer(ModelId model, int layer);

    /// What a session keeps of it, and back: {"on": true, "model": place in the list, "layer": 0}.
    nlohmann::json state() const;
    void restore(const nlohmann::json& state);

Q_SIGNALS:
    void changed(); ///< isOn(), or side() for another reason than the current layer

private:
    void follow();
    ModelId otherModel() const;

    Session* m_session;
    bool m_on = false;
    ModelId m_model = ModelId::None; ///< chosen; None: none was
    int m_layer = 0;
    ModelId m_current = ModelId::None, m_before = ModelId::None;
};

} // namespace headroom::app
