// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/windows.h"
#include "widgets/curves/windows_model.h"

#include <QTableView>

#include <array>

class QSortFilterProxyModel;

namespace headroom::widgets {

/// The table of windows. Click a header to sort; the current layer is tinted; the suggested window's CL is a bar
/// with a tick at the threshold; Ctrl+C copies the selected rows (all if none is) as tab-separated text with headers and full
/// precision. Window's thread only.
class WindowsTable : public QTableView {
    Q_OBJECT

public:
    explicit WindowsTable(QWidget* parent = nullptr);

    WindowsModel* windows() const { return m_windows; }
    /// As the model's.
    void setRows(std::vector<WindowsRow> rows, int utterances, const QString& of = {}, const QString& selections = {});
    void setCurrentLayer(int layer); ///< from 0; −1: none
    int currentLayer() const;
    void setThreshold(
        double loss); ///< "Full above CL"; bars above it have the warning colour
    double threshold() const { return m_windows->fullAbove(); }
    /// Tab-separated, full precision, every column under a name of its own: the selected rows where at least `fewest`
    /// are, otherwise all. With 1, the text copied by Ctrl+C. A saved table takes 2: one row is the current layer, which
    /// nobody need have selected.
    QString asText(int fewest = 1) const;
    void renderTo(QPainter& painter, const QRect& target);
    QSize minimumSizeHint() const override; ///< a head, five rows and a scroll bar under them

Q_SIGNALS:
    void layerSelected(int layer); ///< from 0

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyMetrics();
    void measure();
    void fitColumns(bool anew); ///< `anew`: the widths that the user gave do not stay
    /// How much room the columns have: the wide padding of all tables, a narrow one, and short heads besides.
    enum class Room { Wide, Narrow, Brief };
    int widthOf(int column, Room room) const;
    void fitBar();

    WindowsModel* m_windows;
    QSortFilterProxyModel* m_sorted;
    bool m_selecting = false;
    Room m_room = Room::Wide;
    struct Widths {
        int head = 0, cell = 0; ///< of the widest text, without padding
    };
    std::array<std::array<Widths, WindowsModel::ColumnCount>, 2> m_widths{}; ///< whole, brief
};

} // namespace headroom::widgets
