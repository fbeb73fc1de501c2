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

template <typename View>
void addViews(const QWidget* tab, std::vector<Figure::Part>& parts) {
    for (View* view : tab->findChildren<View*>())
        if (view->isVisible())
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
    for (const auto* view : tab->findChildren<widgets::StudyTableView*>())
        if (view->isVisible() && !view->property("notInFiles").toBool() && !view->study()->table().rows.empty())
            return csvText(view->selectedTable(2));
    for (const auto* view : tab->findChildren<widgets::WindowsTable*>())
        if (view->isVisible())
            return csvOfTabs(view->asText(2));
    for (const auto* view : tab->findChildren<widgets::CellMap*>())
        if (view->isVisible())
            return csvOfTabs(view->asText());
    return {};
}

} // namespace headroom::app
