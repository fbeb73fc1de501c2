// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/export/tab_views.h"

#include "app/parts/exported_view.h"
#include "app/workspaces/analyse/common/captioned.h"
#include "core/studies/table.h"
#include "widgets/curves/plot_frame.h"
#include "widgets/curves/windows_table.h"
#include "widgets/matrix/cell_map.h"
#include "widgets/study_plots/layer_map.h"
#include "widgets/study_table/study_table_view.h"

#include <algorithm>
#include <numeric>

namespace headroom::app {

namespace {

// Tabs hide what has no content, except for maps, which say why they are empty.
bool isFilled(const widgets::PlotFrame&) {
    return true;
}
bool isFilled(const widgets::LayerMap&) {
    return true;
}
bool isFilled(const widgets::CellMap& map) {
    return !map.isEmpty();
}
bool isFilled(const widgets::WindowsTable& table) {
    return table.model()->rowCount() > 0;
}
bool isFilled(const widgets::StudyTableView& table) {
    return !table.property("notInFiles").toBool() && !table.study()->table().rows.empty();
}

template <typename View>
QList<View*> filledViews(const QWidget* tab) {
    QList<View*> views;
    for (View* view : tab->findChildren<View*>())
        if (view->isVisible() && isFilled(*view))
            views << view;
    return views;
}

template <typename... Views>
bool hasFilled(const QWidget* tab) {
    return (!filledViews<Views>(tab).isEmpty() || ...);
}

template <typename... Views>
QList<QWidget*> childrenOf(const QWidget* tab) {
    QList<QWidget*> all;
    const auto add = [&all](const auto& views) {
        for (QWidget* view : views)
            all << view;
    };
    (add(tab->findChildren<Views*>()), ...);
    return all;
}

template <typename View>
void addViews(const QWidget* tab, std::vector<Figure::Part>& parts) {
    for (View* view : filledViews<View>(tab))
        parts.push_back({view, QRect(view->mapTo(tab, QPoint(0, 0)), view->figureSize()),
                         [view](QPainter& painter, const QRect& place) { view->renderTo(painter, place); }});
}

/// By how much each view moves in one direction because those that end before it are larger than on the screen.
template <class Start, class Shown, class Drawn>
std::vector<int> shiftsOf(const std::vector<Figure::Part>& parts, const Start& start, const Shown& shown, const Drawn& drawn) {
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) { return start(parts[one]) < start(parts[other]); });
    std::vector<int> shifts(parts.size(), 0);
    for (const std::size_t i : order)
        for (const std::size_t k : order)
            if (start(parts[k]) + shown(parts[k]) <= start(parts[i]))
                shifts[i] = std::max(shifts[i], shifts[k] + drawn(parts[k]) - shown(parts[k]));
    return shifts;
}

/// Views move down where one above them is higher than on the screen, and right where one beside them is wider.
void makeRoom(std::vector<Figure::Part>& parts) {
    using Part = Figure::Part;
    std::sort(parts.begin(), parts.end(), [](const Part& one, const Part& other) { return one.place.top() < other.place.top(); });
    const auto down = shiftsOf(
        parts, [](const Part& part) { return part.place.top(); }, [](const Part& part) { return part.widget->height(); },
        [](const Part& part) { return part.place.height(); });
    const auto right = shiftsOf(
        parts, [](const Part& part) { return part.place.left(); }, [](const Part& part) { return part.widget->width(); },
        [](const Part& part) { return part.place.width(); });
    for (std::size_t i = 0; i < parts.size(); ++i)
        parts[i].place.translate(right[i], down[i]);
}

} // namespace

bool isEmptyTab(const QWidget* tab) {
    using namespace widgets;
    return !tab || !hasFilled<PlotFrame, CellMap, LayerMap, StudyTableView, WindowsTable>(tab);
}

QList<QWidget*> savedViewsOf(const QWidget* tab) {
    using namespace widgets;
    return tab ? childrenOf<PlotFrame, CellMap, LayerMap, StudyTableView, WindowsTable>(tab) : QList<QWidget*>();
}

std::vector<Figure::Part> viewsOf(const QWidget* tab) {
    std::vector<Figure::Part> parts;
    if (!tab)
        return parts;
    addViews<widgets::PlotFrame>(tab, parts);
    addViews<widgets::CellMap>(tab, parts);
    addViews<widgets::LayerMap>(tab, parts);
    makeRoom(parts);
    QPoint corner(tab->width(), tab->height());
    for (const Figure::Part& part : parts)
        corner = {std::min(corner.x(), part.place.x()), std::min(corner.y(), part.place.y())};
    for (Figure::Part& part : parts)
        part.place.translate(-corner);
    return parts;
}

QString captionOf(const QWidget* tab) {
    const auto* captioned = dynamic_cast<const Captioned*>(tab);
    return captioned ? captioned->figureCaption() : QString();
}

std::string csvOf(const QWidget* tab) {
    if (!tab)
        return {};
    if (const auto* captioned = dynamic_cast<const Captioned*>(tab))
        if (std::string full = captioned->fullData(); !full.empty())
            return full;
    if (const auto tables = filledViews<widgets::StudyTableView>(tab); !tables.isEmpty())
        return csvText(tables.first()->selectedTable(2));
    if (const auto tables = filledViews<widgets::WindowsTable>(tab); !tables.isEmpty())
        return csvOfTabs(tables.first()->asText(2));
    if (const auto maps = filledViews<widgets::CellMap>(tab); !maps.isEmpty())
        return csvOfTabs(maps.first()->asText());
    return {};
}

} // namespace headroom::app
