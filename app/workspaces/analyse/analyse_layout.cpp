// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/analyse_layout.h"

#include "app/parts/dock.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"

#include <QLayout>
#include <QMainWindow>
#include <QSplitter>
#include <QTabBar>

#include <algorithm>
#include <utility>

namespace headroom::app {

using widgets::Sizes;

namespace {

constexpr double kFormHeight = 70; ///< units

/// The height of a dock for resizeDocks(), which counts the tabs below a dock that shares its place. Another workspace may hide both.
int placeHeight(const QMainWindow& window, const QDockWidget& dock) {
    const QRect below(dock.x(), dock.geometry().bottom() + 1, dock.width(), 1);
    for (const QTabBar* tabs : window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
        if (!tabs->isHidden() && tabs->geometry().intersects(below))
            return dock.height() + tabs->height();
    return dock.height();
}

/// Whether a dock has its place in the window, which may be hidden by another workspace. A dock behind a tab is not in it: it keeps the
/// size that it had in front.
bool standsIn(const QMainWindow& window, const QDockWidget& dock) {
    return !dock.isHidden() && !dock.isFloating() && window.rect().intersects(dock.geometry());
}

} // namespace

AnalyseLayout::AnalyseLayout(QMainWindow* window, QSplitter* middle, const Docks& docks)
    : m_window(window)
    , m_middle(middle)
    , m_docks(docks) {
    window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    for (Dock* dock : {docks.utterances, docks.models, docks.readOut, docks.checks})
        widgets::withTextSize(dock, [dock] { dock->setMinimumWidth(qRound(23 * Sizes::unit())); }); // for the numbers of the read-out
}

void AnalyseLayout::place() {
    const auto put = [this](Qt::DockWidgetArea area, Dock* dock) {
        dock->setFloating(false);
        m_window->addDockWidget(area, dock);
    };
    const QList<Dock*> left{m_docks.utterances, m_docks.models, m_docks.readOut, m_docks.checks};
    for (Dock* dock : left) {
        put(Qt::LeftDockWidgetArea, dock);
        dock->show();
    }
    for (qsizetype i = 1; i < left.size(); ++i)
        m_window->splitDockWidget(left[i - 1], left[i], Qt::Vertical);
    for (Dock* dock : {m_docks.layers, m_docks.analysis}) {
        put(Qt::RightDockWidgetArea, dock);
        dock->show();
    }
    m_window->splitDockWidget(m_docks.layers, m_docks.analysis, Qt::Vertical);
    // In the place of the layers: one looks at the layers or at a decoder's heads, or makes a study.
    const bool heads = m_docks.heads->isVisible();
    for (Dock* dock : {m_docks.heads, m_docks.studies}) {
        dock->setFloating(false);
        m_window->tabifyDockWidget(m_docks.layers, dock);
    }
    (heads ? m_docks.heads : m_docks.layers)->raise();
    m_docks.heads->setVisible(heads);
    m_docks.studies->hide();
    // In one place: beside each other none of them would have room for its sentences.
    for (Dock* dock : {m_docks.places, m_docks.messages, m_docks.alignments})
        put(Qt::BottomDockWidgetArea, dock);
    m_window->tabifyDockWidget(m_docks.places, m_docks.messages);
    m_window->tabifyDockWidget(m_docks.messages, m_docks.alignments);
    for (Dock* dock : {m_docks.places, m_docks.messages, m_docks.alignments})
        dock->hide();
    size();
}

void AnalyseLayout::size() {
    const int unit = qRound(Sizes::unit());
    // In a small window the middle keeps the room that its fields need to be whole.
    const int right = std::clamp(m_window->width() - unit * (28 + 82), unit * 47, unit * 68);
    m_window->resizeDocks({m_docks.utterances, m_docks.layers}, {unit * 28, right}, Qt::Horizontal);
    // Read-out and checks are as high as their lines; the lists, which scroll, share what is left.
    const int readOut = unit * 34;
    int checks = unit * 16;
    if (m_window->height() >= unit * 100)
        checks += Sizes::tableRow(); // for a number or a failure that needs a line of its own
    const int left = std::max(m_window->height() - readOut - checks, unit * 28);
    const int two = Sizes::dockHeaderHeight() + 2 * Sizes::twoLineRow() + 2; // of them are whole in a low window, too
    const int models = std::clamp(left / 3, two, std::max(two, unit * 20));
    m_window->resizeDocks({m_docks.utterances, m_docks.models, m_docks.readOut, m_docks.checks},
                          {left - models, models, readOut, checks}, Qt::Vertical);
    // In a low window two rows of small maps are enough: plots and tables below need the room.
    const int height = m_window->height(), layers = std::clamp(height - unit * 64, unit * 30, std::max(unit * 46, height * 46 / 112));
    m_window->resizeDocks({m_docks.layers, m_docks.analysis}, {layers, std::max(height - layers, unit * 30)}, Qt::Vertical);
    m_middle->setSizes({unit * 37, unit * 75});
}

void AnalyseLayout::makeRoomBeside(bool shown) {
    m_isBeside = shown;
    if (shown && m_widthBefore == 0) {
        lendWidth();
    } else if (!shown && m_widthBefore > 0) {
        setRightWidth(std::exchange(m_widthBefore, 0));
    }
}

QDockWidget* AnalyseLayout::rightDock() const {
    for (QDockWidget* dock : QList<QDockWidget*>{m_docks.layers, m_docks.heads, m_docks.studies, m_docks.analysis})
        if (standsIn(*m_window, *dock) && m_window->dockWidgetArea(dock) == m_window->dockWidgetArea(m_docks.layers))
            return dock;
    return nullptr;
}

void AnalyseLayout::setRightWidth(int width) {
    if (QDockWidget* dock = rightDock())
        m_window->resizeDocks({dock}, {width}, Qt::Horizontal);
}

void AnalyseLayout::lendWidth() {
    const int unit = qRound(Sizes::unit());
    const int wanted = unit * 124, least = unit * 50;
    const QDockWidget* dock = rightDock();
    if (!dock || m_middle->width() >= wanted || dock->width() <= least)
        return;
    m_widthBefore = dock->width();
    setRightWidth(std::max(least, m_widthBefore - (wanted - m_middle->width())));
}

void AnalyseLayout::makeRoomForForm(bool shown) {
    m_isForm = shown;
    if (shown && m_heightsBefore.docks.isEmpty())
        lendHeight();
    else if (!shown)
        setHeights(std::exchange(m_heightsBefore, {}));
}

void AnalyseLayout::windowShown() {
    if (m_isForm && m_heightsBefore.docks.isEmpty())
        lendHeight();
}

void AnalyseLayout::lendHeight() {
    if (!m_window->isVisible()) // a panel that was shown meanwhile has no size yet
        return;
    m_window->layout()->activate(); // the panel may have been shown just now
    const int wanted = qRound(Sizes::unit() * kFormHeight);
    if (m_docks.studies->isFloating() || m_docks.studies->height() >= wanted)
        return;
    m_heightsBefore = heightsOfColumn();
    m_window->resizeDocks({m_docks.studies}, {wanted}, Qt::Vertical);
}

AnalyseLayout::Heights AnalyseLayout::heightsOfColumn() const {
    Heights all;
    for (QDockWidget* dock : m_window->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
        if (standsIn(*m_window, *dock) && m_window->dockWidgetArea(dock) == m_window->dockWidgetArea(m_docks.studies)) {
            all.docks << dock;
            all.heights << placeHeight(*m_window, *dock);
        }
    return all;
}

/// Closed docks are included: their heights are those of places that other docks behind the same tabs may fill now.
void AnalyseLayout::setHeights(const Heights& heights) {
    Heights standing;
    for (qsizetype i = 0; i < heights.docks.size(); ++i)
        if (!heights.docks[i]->isFloating()) {
            standing.docks << heights.docks[i];
            standing.heights << heights.heights[i];
        }
    m_window->resizeDocks(standing.docks, standing.heights, Qt::Vertical);
}

void AnalyseLayout::laidOut() {
    m_widthBefore = 0;
    m_heightsBefore = {};
    if (m_isForm)
        lendHeight();
    if (!m_isBeside)
        return;
    m_window->layout()->activate(); // the widths are those of the new layout then
    lendWidth();
}

void AnalyseLayout::withGivenSizes(const std::function<void()>& look) {
    const QDockWidget* const lender = m_widthBefore > 0 ? rightDock() : nullptr;
    if (!lender && m_heightsBefore.docks.isEmpty())
        return look();
    const int width = lender ? lender->width() : 0;
    const Heights heights = heightsOfColumn();
    if (lender)
        setRightWidth(m_widthBefore);
    setHeights(m_heightsBefore);
    m_window->layout()->activate(); // the docks have their sizes then
    look();
    if (lender)
        setRightWidth(width);
    if (!m_heightsBefore.docks.isEmpty())
        setHeights(heights);
}

} // namespace headroom::app
