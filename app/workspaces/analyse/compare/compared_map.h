// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"

#include "widgets/time_axis/time_axis.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

class QAction;
class QComboBox;
class QHBoxLayout;

namespace headroom::widgets {
class LayerMatrixView;
class RowProfile;
} // namespace headroom::widgets

namespace headroom::app {

/// The map beside the current one: which model, layer, map and recording it is, the cursor's row, the matrix,
/// on the time axis of its recording. It shows what it is given and emits what the user chose. Window's thread.
class ComparedMap : public QWidget {
    Q_OBJECT

public:
    ComparedMap(widgets::TimeAxis* axis, QAction* compare, QWidget* parent = nullptr);

    /// One entry of a field.
    template <class Id>
    struct Choice {
        Id id{};
        QString name;
        QString whyNot = {}; ///< it cannot be chosen
        bool operator==(const Choice&) const = default;
    };
    void setModels(const std::vector<Choice<ModelId>>& models, ModelId shown);
    /// `fixed`: it stays at this layer; else it is always the current one's. `canFollow`: the current one's would be another map than A.
    void setLayer(int layer, int layers, bool fixed, bool canFollow = true);
    /// `fixed`: it stays at this map; nothing: it is always the current one's.
    void setMaps(const std::vector<Choice<MapSource>>& maps, std::optional<MapSource> fixed);
    /// The other open recordings or texts; with none the field is hidden. `shown` None: the current one.
    void setRecordings(const std::vector<Choice<UtteranceId>>& recordings, UtteranceId shown, bool areTexts);
    void setAxis(widgets::TimeAxis* axis);
    widgets::LayerMatrixView* matrix() const { return m_matrix; }
    widgets::RowProfile* rowProfile() const { return m_row; }
    QComboBox* modelField() const { return m_model; }
    QComboBox* layerField() const { return m_layer; }
    QComboBox* mapField() const { return m_map; }
    QComboBox* recordingField() const { return m_recording; }

Q_SIGNALS:
    void modelChosen(headroom::app::ModelId model);
    void layerChosen(int layer); ///< 0: that of the current map
    void mapChosen(std::optional<headroom::app::MapSource> source);
    void recordingChosen(headroom::app::UtteranceId utterance); ///< None: the current one
    /// Of the line over the map, which has two rows of fields where one is too narrow; the map beside it
    /// keeps level.
    void captionHeightChanged(int pixels);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrangeFields();

    std::vector<Choice<ModelId>> m_models;
    std::vector<Choice<MapSource>> m_maps;
    std::vector<Choice<UtteranceId>> m_recordings;
    QComboBox *m_model, *m_layer, *m_map, *m_recording;
    QWidget* m_caption;
    QHBoxLayout *m_first, *m_second; ///< rows of fields; the second one may be empty
    widgets::RowProfile* m_row;
    widgets::LayerMatrixView* m_matrix;
};

} // namespace headroom::app
