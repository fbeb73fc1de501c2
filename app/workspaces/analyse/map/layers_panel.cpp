// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/layers_panel.h"

#include "app/documents/drafts/drafts.h"
#include "app/parts/action_button.h"
#include "app/parts/actions.h"
#include "app/workspaces/analyse/map/head_words.h"
#include "core/architecture/edits.h"
#include "widgets/look/context_menu.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/matrix/layer_thumbnails.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::BandShape;
using widgets::Sizes;
using widgets::ThumbnailState;

namespace {

constexpr int kLayersOfNoModel = 12;     ///< outlines on an empty page
constexpr int kNoBarMilliseconds = 300; ///< what is done by then needs no bar

ThumbnailState stateOf(const std::vector<HeadGroup>& heads, const AnalysisResult* result,
                       const LayerResult* layer, MapSource source, int number) {
    ThumbnailState state;
    state.shape = bandShapeOf(heads);
    state.kinds = otherKinds(heads);
    state.heads = heads;
    if (!result || !layer)
        return state;
    if (auto map = layer->picture(source)) {
        state.status = ThumbnailState::Status::Ready;
        state.map = std::move(map);
        state.profile = layer->profileOf(source).value_or(DiagonalProfile());
        return state;
    }
    if (!layer->reason.isEmpty()) { // read, and there is no such map
        state.sentence = layer->reason;
        return state;
    }
    switch (result->state) {
    case AnalysisResult::State::Failed:
        state.status = ThumbnailState::Status::Failed;
        state.sentence = result->sentence;
        break;
    case AnalysisResult::State::Working:
        // Layers come in order: the first that is missing is the one being read.
        if (number == result->readyLayers() + 1)
            state.status = ThumbnailState::Status::Reading;
        break;
    default:
        break;
    }
    return state;
}

} // namespace

LayersPanel::LayersPanel(const Actions& actions, QWidget* parent)
    : QWidget(parent)
    , m_thumbnails(new widgets::LayerThumbnails)
    , m_progress(new QWidget(this))
    , m_progressText(new QLabel(m_progress))
    , m_bar(new QProgressBar(m_progress)) {
    const int unit = qRound(Sizes::unit());
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* scroll = new QScrollArea(this);
    scroll->setAccessibleName(tr("Layers"));
    scroll->setWidget(m_thumbnails);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // the maps have it
    // PgDn goes on where the panel ends. Where the panel or its maps have another size, what was scrolled to is somewhere else: the panel
    // begins at the top again, or as low as the current map needs.
    const auto reveal = [this, scroll] {
        if (const int layer = m_thumbnails->current(); layer >= 0) {
            const QRect cell = m_thumbnails->cellRect(layer);
            scroll->ensureVisible(cell.center().x(), cell.center().y(), 0, cell.height() / 2 + 1);
        }
    };
    connect(m_thumbnails, &widgets::LayerThumbnails::currentChanged, this, reveal);
    connect(scroll->verticalScrollBar(), &QScrollBar::rangeChanged, this, [scroll, reveal] {
        scroll->verticalScrollBar()->setValue(0);
        reveal();
    });
    auto* row = new QHBoxLayout(m_progress);
    row->setContentsMargins(unit * 3 / 2, 0, unit, unit);
    row->setSpacing(unit);
    widgets::withTextSize(m_progressText, [text = m_progressText] { text->setFont(Sizes::caption()); });
    m_progressText->setMinimumWidth(unit * 8); // its sentence must not widen the window: it is elided
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Layers analysed"));
    row->addWidget(m_progressText);
    row->addWidget(m_bar, 1);
    row->addWidget(new ActionButton(actions.cancel, QStringLiteral("close"), m_progress));
    m_progress->hide();
    m_delay.setSingleShot(true);
    m_delay.setInterval(kNoBarMilliseconds);
    connect(&m_delay, &QTimer::timeout, this, [this] {
        m_isLong = true;
        m_progress->setVisible(hasRoomForProgress());
    });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(scroll, 1);
    layout->addWidget(m_progress);
    widgets::setContextMenu(m_thumbnails, {actions.suggestedWindow, actions.fullWindow, actions.suggestedWindows, nullptr,
                                  actions.compare, actions.keepCurve, nullptr, actions.hideDiagonal, nullptr,
                                  actions.analyseAgain, actions.exportData});
    showOutlines(kLayersOfNoModel);
}

void LayersPanel::showOutlines(int count) {
    m_thumbnails->setLayers(std::vector<ThumbnailState>(static_cast<std::size_t>(count)));
    m_shown.assign(static_cast<std::size_t>(count), Shown{});
}

void LayersPanel::showResult(const OpenModel* model, const Drafts& drafts, const AnalysisResult* result,
                             MapSource source) {
    const int outlines = model && model->state == OpenState::Failed ? 0 : kLayersOfNoModel;
    const int count = model && model->layerCount() > 0 ? model->layerCount() : outlines;
    if (m_thumbnails->count() != count)
        showOutlines(count);
    for (int number = 1; number <= count; ++number) {
        const LayerResult* layer = result ? result->layer(number) : nullptr;
        const ThumbnailState state =
            model && model->info
                ? stateOf(drafts.heads({model->id, 0}, number), result, layer, source, number)
                : ThumbnailState{};
        const Shown now{state.map.get(), int(state.status), state.shape.window, 0,
                        state.sentence,  state.kinds,       state.heads};
        Shown& shown = m_shown[static_cast<std::size_t>(number - 1)];
        if (now == shown)
            continue;
        const bool onlyWindow = now.map == shown.map && now.status == shown.status &&
                                now.sentence == shown.sentence && now.kinds == shown.kinds &&
                                now.heads == shown.heads;
        if (onlyWindow)
            m_thumbnails->setWindow(number - 1, state.shape, state.kinds);
        else
            m_thumbnails->setLayer(number - 1, state);
        shown = now;
    }
}

void LayersPanel::showDragged(int layer, const std::vector<HeadGroup>& heads) {
    if (layer < 1 || layer > m_thumbnails->count())
        return;
    Shown& shown = m_shown[static_cast<std::size_t>(layer - 1)];
    shown.window = bandShapeOf(heads).window;
    shown.kinds = otherKinds(heads);
    m_thumbnails->setWindow(layer - 1, bandShapeOf(heads), shown.kinds);
}

/// In a low panel the line would hide labels of small maps that are in sight without it. The status bar shows the same progress.
bool LayersPanel::hasRoomForProgress() const {
    const int maps = m_thumbnails->heightForWidth(m_thumbnails->width());
    return maps > height() || maps + m_progress->sizeHint().height() <= height();
}

void LayersPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_progress->setVisible(m_isLong && hasRoomForProgress());
}

void LayersPanel::showProgress(const AnalysisService::Progress& progress, const AnalysisKey& shown) {
    const bool working =
        !progress.text.isEmpty() && progress.total > 0 && AnalysisKey{progress.utterance, progress.model} == shown;
    if (!working) {
        m_delay.stop();
        m_isLong = false;
        m_progress->hide();
    } else if (m_isLong) {
        m_progress->setVisible(hasRoomForProgress());
    } else if (!m_delay.isActive()) {
        m_delay.start();
    }
    m_progressText->setText(progress.text);
    m_bar->setRange(0, progress.total);
    m_bar->setValue(progress.done);
}

} // namespace headroom::app
