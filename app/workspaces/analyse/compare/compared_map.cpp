// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/compare/compared_map.h"

#include "app/parts/availability.h"
#include "app/parts/choice_focus.h"
#include "app/parts/name_views.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;

namespace {

constexpr int kMostShare = 16; ///< letters: a longer name gives way to the others

/// The frame, the arrow and their spaces.
int roomAroundWords(const QComboBox* field) {
    QStyleOptionComboBox option;
    option.initFrom(field);
    option.frame = true;
    option.subControls = QStyle::SC_All;
    option.rect = QRect(0, 0, 1000, field->height());
    return 1000 - field->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, field).width();
}

/// Shows `choices` in a field, after an entry `first` (empty: none), and selects the one of `shown`, else the first. The
/// list is made again only when it changes, so that an open list stays open.
template <class Id>
void fill(QComboBox* field, std::vector<ComparedMap::Choice<Id>>& kept,
          const std::vector<ComparedMap::Choice<Id>>& choices, const std::optional<Id>& shown,
          const QString& first) {
    const int before = first.isEmpty() ? 0 : 1;
    if (choices != kept || field->count() == 0) {
        kept = choices;
        field->clear();
        if (before > 0)
            field->addItem(first);
        for (const auto& choice : choices)
            field->addItem(choice.name);
        for (std::size_t i = 0; i < choices.size(); ++i)
            setAvailable(field, before + static_cast<int>(i), choices[i].whyNot);
    }
    const auto found = std::find_if(choices.begin(), choices.end(),
                                    [&](const auto& choice) { return shown && choice.id == *shown; });
    if (found != choices.end())
        field->setCurrentIndex(before + static_cast<int>(found - choices.begin()));
    else if (before > 0)
        field->setCurrentIndex(0);
}

} // namespace

ComparedMap::ComparedMap(widgets::TimeAxis* axis, QAction* compare, QWidget* parent)
    : QWidget(parent)
    , m_model(new NameCombo(this))
    , m_layer(new QComboBox(this))
    , m_map(new QComboBox(this))
    , m_recording(new NameCombo(this))
    , m_caption(new QWidget(this))
    , m_first(new QHBoxLayout)
    , m_second(new QHBoxLayout)
    , m_row(new widgets::RowProfile(this))
    , m_matrix(new widgets::LayerMatrixView(this)) {
    const int unit = qRound(Sizes::unit());
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_caption->setFixedHeight(mapCaptionHeight());
    auto* rows = new QVBoxLayout(m_caption);
    rows->setContentsMargins(unit, 0, unit / 2, 0);
    rows->setSpacing(0);
    for (QHBoxLayout* row : {m_first, m_second}) {
        row->setSpacing(unit / 2);
        rows->addLayout(row);
    }
    m_first->addWidget(new QLabel(tr("B:"), m_caption));
    m_model->setAccessibleName(tr("Model of map B"));
    m_model->setToolTip(tr("The model of the map shown beside the current one."));
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_layer->setAccessibleName(tr("Layer of map B"));
    m_layer->setToolTip(tr("The layer of the map shown beside the current one. You can also Shift+click a "
                           "small map."));
    auto* close = new QToolButton(m_caption);
    close->setIcon(widgets::icon(QStringLiteral("close")));
    close->setToolTip(tr("Show only the current map."));
    close->setAccessibleName(close->toolTip());
    connect(close, &QToolButton::clicked, compare, [compare] { compare->setChecked(false); });
    close->setProperty("small", true);
    close->setAutoRaise(true);
    close->setFixedSize(Sizes::smallControl(), Sizes::smallControl());
    m_map->setAccessibleName(tr("Map B"));
    m_map->setToolTip(tr("The head or contributions of the map shown beside the current one."));
    for (QComboBox* field : {m_model, m_layer, m_map, m_recording}) {
        field->setProperty("small", true);
        field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        field->setMinimumContentsLength(
            4); // narrow columns keep all four; the lists are as wide as their words
        m_first->addWidget(field, 1);
        connect(field, &QComboBox::currentTextChanged, this, &ComparedMap::arrangeFields);
        passFocusOn(field, m_matrix);
    }
    m_recording->hide();
    // In a small window all four have half of the middle: the name of the model is what must stay readable.
    for (QComboBox* field : {m_model, m_layer, m_map, m_recording})
        field->setMinimumWidth(field == m_model ? 11 * unit : 7 * unit);
    m_first->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_caption);
    layout->addWidget(m_row);
    layout->addWidget(m_matrix, 1);
    setAxis(axis);
    connect(m_model, &QComboBox::activated, this,
            [this](int index) { Q_EMIT modelChosen(m_models[static_cast<std::size_t>(index)].id); });
    connect(m_layer, &QComboBox::activated, this, &ComparedMap::layerChosen);
    connect(m_map, &QComboBox::activated, this, [this](int index) {
        Q_EMIT mapChosen(index == 0 ? std::nullopt
                                    : std::optional(m_maps[static_cast<std::size_t>(index - 1)].id));
    });
    connect(m_recording, &QComboBox::activated, this, [this](int index) {
        Q_EMIT recordingChosen(index == 0 ? UtteranceId::None
                                          : m_recordings[static_cast<std::size_t>(index - 1)].id);
    });
}

/// Each field has a share of the room as large as what it says. Where their words do not fit into one row,
/// layer and map stand in a second one.
void ComparedMap::arrangeFields() {
    const auto wordsOf = [](const QComboBox* field) {
        const int most = field->fontMetrics().averageCharWidth() * kMostShare;
        constexpr int kBesideWords = 3; // pixels: a style leaves one on either side, and shares are rounded
        const int words = std::min(most, field->fontMetrics().horizontalAdvance(field->currentText())) + kBesideWords;
        return std::max(words + roomAroundWords(field), field->minimumWidth());
    };
    const QMargins around = m_caption->layout()->contentsMargins();
    int needed = around.left() + around.right() - m_first->spacing();
    for (const QLayout* row : {m_first, m_second})
        for (int i = 0; i < row->count(); ++i)
            if (const auto* field = qobject_cast<const QComboBox*>(row->itemAt(i)->widget()); !row->itemAt(i)->isEmpty())
                needed += m_first->spacing() + (field ? wordsOf(field) : row->itemAt(i)->sizeHint().width());
    const bool two = needed > width();
    if (two != (m_second->count() > 0)) {
        for (QComboBox* field : {m_layer, m_map}) {
            (two ? m_first : m_second)->removeWidget(field);
            if (two)
                m_second->addWidget(field);
            else
                m_first->insertWidget(m_first->indexOf(m_recording), field);
        }
        m_caption->setFixedHeight(mapCaptionHeight() * (two ? 2 : 1));
        Q_EMIT captionHeightChanged(m_caption->height());
    }
    for (QComboBox* field : {m_model, m_layer, m_map, m_recording})
        (two && (field == m_layer || field == m_map) ? m_second : m_first)
            ->setStretchFactor(field, wordsOf(field));
    if (!two || m_recording->currentIndex() != 0)
        return;
    // "Recording as A" stays whole: what is left of a long name of a model still tells it from the others.
    int room = width() - around.left() - around.right() - wordsOf(m_recording) + m_first->spacing();
    for (int i = 0; i < m_first->count(); ++i)
        if (const QLayoutItem* item = m_first->itemAt(i); !item->isEmpty())
            room -= m_first->spacing() + (qobject_cast<const QComboBox*>(item->widget()) ? 0 : item->sizeHint().width());
    m_first->setStretchFactor(m_model, std::clamp(room, m_model->minimumWidth(), std::max(wordsOf(m_model), m_model->minimumWidth())));
}

void ComparedMap::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrangeFields();
}

void ComparedMap::setAxis(widgets::TimeAxis* axis) {
    if (m_matrix->axis() == axis)
        return;
    m_row->setAxis(axis);
    m_matrix->setAxis(axis);
}

void ComparedMap::setMaps(const std::vector<Choice<MapSource>>& maps, std::optional<MapSource> fixed) {
    fill(m_map, m_maps, maps, fixed, tr("Map as A"));
}

void ComparedMap::setRecordings(const std::vector<Choice<UtteranceId>>& recordings, UtteranceId shown, bool areTexts) {
    const QString same = areTexts ? tr("Text as A") : tr("Recording as A");
    m_recording->setAccessibleName(areTexts ? tr("Text of map B") : tr("Recording of map B"));
    m_recording->setToolTip(areTexts ? tr("The text of the map shown beside the current one. Another text has its own token "
                                          "axis, with its tokens above it.")
                                     : tr("The recording of the map shown beside the current one. Another recording has its "
                                          "own time axis, with its waveform above it."));
    fill(m_recording, m_recordings, recordings, std::optional(shown), same);
    m_recording->setItemText(0, same);
    m_recording->setVisible(!recordings.empty());
    arrangeFields();
}

void ComparedMap::setModels(const std::vector<Choice<ModelId>>& models, ModelId shown) {
    fill(m_model, m_models, models, std::optional(shown), {});
}

void ComparedMap::setLayer(int layer, int layers, bool fixed, bool canFollow) {
    if (m_layer->count() != layers + 1) {
        m_layer->clear();
        m_layer->addItem(tr("Layer as A"));
        for (int number = 1; number <= layers; ++number)
            m_layer->addItem(tr("Layer %1").arg(number));
    }
    setAvailable(m_layer, 0, canFollow ? QString() : tr("Map B would be the same as map A. Choose another model, map or recording first."));
    m_layer->setPlaceholderText(tr("Layer %1").arg(layer)); // of a model that has fewer
    m_layer->setCurrentIndex(!fixed ? 0 : layer <= layers ? layer : -1);
}

} // namespace headroom::app
