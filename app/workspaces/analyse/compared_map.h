// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/ids.h"

#include "widgets/time_axis/time_axis.h"

#include <QString>
#include <QWidget>

#include <vector>

class QAction;
class QComboBox;

namespace headroom::widgets {
class LayerMatrixView;
class RowProfile;
} // namespace headroom::widgets

namespace headroom::app {

/// The map beside the current one: which model and layer it is, the cursor's row, the matrix, on the same
/// time axis. It shows what it is given and says what was asked for.
class ComparedMap : public QWidget {
    Q_OBJECT

public:
    ComparedMap(widgets::TimeAxis* axis, QAction* compare, QWidget* parent = nullptr);

    struct Choice {
        ModelId id = ModelId::None;
        QString name;
        bool operator==(const Choice&) const = default;
    };
    void setModels(const std::vector<Choice>& models, ModelId shown);
    /// `fixed`: it stays at this layer; else it is always the current one's.
    void setLayer(int layer, int layers, bool fixed);
    widgets::LayerMatrixView* matrix() const { return m_matrix; }
    widgets::RowProfile* rowProfile() const { return m_row; }
    QComboBox* modelField() const { return m_model; }
    QComboBox* layerField() const { return m_layer; }

Q_SIGNALS:
    void modelChosen(headroom::app::ModelId model);
    void layerChosen(int layer); ///< 0: that of the current map

private:
    std::vector<Choice> m_choices;
    QComboBox *m_model, *m_layer;
    widgets::RowProfile* m_row;
    widgets::LayerMatrixView* m_matrix;
};

/// The height of the line over each of two maps that are seen beside each other.
int mapCaptionHeight();

} // namespace headroom::app
