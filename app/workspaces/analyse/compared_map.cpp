// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/compared_map.h"

#include "widgets/look/icons.h"
#include "widgets/look/metrics.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::Metrics;

int mapCaptionHeight() {
    return Metrics::smallControl() + qRound(Metrics::unit() / 2);
}

ComparedMap::ComparedMap(widgets::TimeAxis* axis, QAction* compare, QWidget* parent)
    : QWidget(parent)
    , m_model(new QComboBox(this))
    , m_layer(new QComboBox(this))
    , m_row(new widgets::RowProfile(this))
    , m_matrix(new widgets::LayerMatrixView(this)) {
    const int unit = qRound(Metrics::unit());
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* caption = new QWidget(this);
    caption->setFixedHeight(mapCaptionHeight());
    auto* row = new QHBoxLayout(caption);
    row->setContentsMargins(unit, 0, unit / 2, 0);
    row->setSpacing(unit / 2);
    m_model->setAccessibleName(tr("Model beside the current one"));
    m_model->setToolTip(tr("The model whose map is shown beside the current one."));
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_layer->setAccessibleName(tr("Layer beside the current one"));
    m_layer->setToolTip(tr("The layer that is shown beside the current one. Shift + click on a small map "
                           "chooses it too."));
    auto* close = new QToolButton(caption);
    close->setIcon(widgets::icon(QStringLiteral("close")));
    close->setToolTip(tr("Show the current map alone."));
    close->setAccessibleName(close->toolTip());
    connect(close, &QToolButton::clicked, compare, [compare] { compare->setChecked(false); });
    close->setProperty("small", true);
    close->setAutoRaise(true);
    close->setFixedSize(Metrics::smallControl(), Metrics::smallControl());
    m_layer->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (QComboBox* field : {m_model, m_layer})
        field->setProperty("small", true);
    row->addWidget(m_model, 1);
    row->addWidget(m_layer);
    row->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(caption);
    layout->addWidget(m_row);
    layout->addWidget(m_matrix, 1);
    m_row->setAxis(axis);
    m_matrix->setAxis(axis);
    connect(m_model, &QComboBox::activated, this,
            [this](int index) { Q_EMIT modelChosen(m_choices[static_cast<std::size_t>(index)].id); });
    connect(m_layer, &QComboBox::activated, this, &ComparedMap::layerChosen);
}

void ComparedMap::setModels(const std::vector<Choice>& models, ModelId shown) {
    if (models != m_choices) {
        m_choices = models;
        m_model->clear();
        for (const Choice& choice : models)
            m_model->addItem(choice.name);
    }
    for (std::size_t row = 0; row < models.size(); ++row)
        if (models[row].id == shown)
            m_model->setCurrentIndex(static_cast<int>(row));
}

void ComparedMap::setLayer(int layer, int layers, bool fixed) {
    if (m_layer->count() != layers + 1) {
        m_layer->clear();
        m_layer->addItem(tr("same layer"));
        for (int number = 1; number <= layers; ++number)
            m_layer->addItem(tr("Layer %1").arg(number));
    }
    m_layer->setCurrentIndex(fixed && layer <= layers ? layer : 0);
}

} // namespace headroom::app
