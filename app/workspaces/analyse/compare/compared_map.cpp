// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/compare/compared_map.h"

#include "app/workspaces/analyse/map/matrix_panel.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;

namespace {

/// A field may be narrower than its words, its list not.
void widenList(QComboBox* field) {
    int widest = 0;
    for (int row = 0; row < field->count(); ++row)
        widest = std::max(widest, field->fontMetrics().horizontalAdvance(field->itemText(row)));
    field->view()->setMinimumWidth(widest + qRound(4 * Sizes::unit()));
}

} // namespace

ComparedMap::ComparedMap(widgets::TimeAxis* axis, QAction* compare, QWidget* parent)
    : QWidget(parent)
    , m_model(new QComboBox(this))
    , m_layer(new QComboBox(this))
    , m_map(new QComboBox(this))
    , m_recording(new QComboBox(this))
    , m_row(new widgets::RowProfile(this))
    , m_matrix(new widgets::LayerMatrixView(this)) {
    const int unit = qRound(Sizes::unit());
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* caption = new QWidget(this);
    caption->setFixedHeight(mapCaptionHeight());
    auto* row = new QHBoxLayout(caption);
    row->setContentsMargins(unit, 0, unit / 2, 0);
    row->setSpacing(unit / 2);
    row->addWidget(new QLabel(tr("B:"), caption));
    m_model->setAccessibleName(tr("Model of map B"));
    m_model->setToolTip(tr("The model of the map shown beside the current one."));
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_layer->setAccessibleName(tr("Layer of map B"));
    m_layer->setToolTip(tr("The layer of the map shown beside the current one. You can also Shift + click "
                           "a small map."));
    auto* close = new QToolButton(caption);
    close->setIcon(widgets::icon(QStringLiteral("close")));
    close->setToolTip(tr("Show only the current map."));
    close->setAccessibleName(close->toolTip());
    connect(close, &QToolButton::clicked, compare, [compare] { compare->setChecked(false); });
    close->setProperty("small", true);
    close->setAutoRaise(true);
    close->setFixedSize(Sizes::smallControl(), Sizes::smallControl());
    m_map->setAccessibleName(tr("Map B"));
    m_map->setToolTip(tr("The head or contributions of the map shown beside the current one."));
    m_recording->setAccessibleName(tr("Recording of map B"));
    m_recording->setToolTip(
        tr("The recording of the map shown beside the current one. Another recording has its own time "
           "axis, with its waveform above it."));
    for (QComboBox* field : {m_model, m_layer, m_map, m_recording}) {
        field->setProperty("small", true);
        field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        field->setMinimumContentsLength(
            4); // narrow columns keep all four; the lists are as wide as their words
        row->addWidget(field, field == m_layer ? 2 : 3);
    }
    m_recording->hide();
    row->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(caption);
    layout->addWidget(m_row);
    layout->addWidget(m_matrix, 1);
    setAxis(axis);
    connect(m_model, &QComboBox::activated, this,
            [this](int index) { Q_EMIT modelChosen(m_choices[static_cast<std::size_t>(index)].id); });
    connect(m_layer, &QComboBox::activated, this, &ComparedMap::layerChosen);
    connect(m_map, &QComboBox::activated, this, [this](int index) {
        Q_EMIT mapChosen(index == 0 ? std::nullopt
                                    : std::optional(m_maps[static_cast<std::size_t>(index - 1)].source));
    });
    connect(m_recording, &QComboBox::activated, this, [this](int index) {
        Q_EMIT recordingChosen(index == 0 ? UtteranceId::None
                                          : m_recordings[static_cast<std::size_t>(index - 1)].id);
    });
}

void ComparedMap::setAxis(widgets::TimeAxis* axis) {
    if (m_matrix->axis() == axis)
        return;
    m_row->setAxis(axis);
    m_matrix->setAxis(axis);
}

void ComparedMap::setMaps(const std::vector<MapChoice>& maps, std::optional<MapSource> fixed) {
    if (maps != m_maps || m_map->count() == 0) {
        m_maps = maps;
        m_map->clear();
        m_map->addItem(tr("as A"));
        for (const MapChoice& choice : maps)
            m_map->addItem(choice.name);
        widenList(m_map);
    }
    int index = 0;
    for (std::size_t row = 0; row < maps.size(); ++row)
        if (fixed && maps[row].source == *fixed)
            index = static_cast<int>(row) + 1;
    m_map->setCurrentIndex(index);
}

void ComparedMap::setRecordings(const std::vector<Recording>& recordings, UtteranceId shown) {
    if (recordings != m_recordings || m_recording->count() == 0) {
        m_recordings = recordings;
        m_recording->clear();
        m_recording->addItem(tr("as A"));
        for (const Recording& recording : recordings)
            m_recording->addItem(recording.name);
        widenList(m_recording);
    }
    int index = 0;
    for (std::size_t row = 0; row < recordings.size(); ++row)
        if (recordings[row].id == shown)
            index = static_cast<int>(row) + 1;
    m_recording->setCurrentIndex(index);
    m_recording->setVisible(!recordings.empty());
}

void ComparedMap::setModels(const std::vector<Choice>& models, ModelId shown) {
    if (models != m_choices) {
        m_choices = models;
        m_model->clear();
        for (const Choice& choice : models)
            m_model->addItem(choice.name);
        widenList(m_model);
    }
    for (std::size_t row = 0; row < models.size(); ++row)
        if (models[row].id == shown)
            m_model->setCurrentIndex(static_cast<int>(row));
}

void ComparedMap::setLayer(int layer, int layers, bool fixed) {
    if (m_layer->count() != layers + 1) {
        m_layer->clear();
        m_layer->addItem(tr("as A"));
        for (int number = 1; number <= layers; ++number)
            m_layer->addItem(tr("Layer %1").arg(number));
        widenList(m_layer);
    }
    m_layer->setCurrentIndex(fixed && layer <= layers ? layer : 0);
}

} // namespace headroom::app
