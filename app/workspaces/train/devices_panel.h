// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/places/place_monitor.h"

#include <QWidget>

class QStandardItemModel;
class QTableView;

namespace headroom::app {

class PlaceStore;
class RunStore;

/// How busy this machine and the places are: memory and processors of each, its GPUs, which of the user's runs compute there, and what is
/// being copied there. Looks only while it is visible. Window's thread.
class DevicesPanel : public QWidget {
    Q_OBJECT

public:
    /// Both borrowed.
    DevicesPanel(PlaceStore* places, RunStore* runs, QWidget* parent = nullptr);

    PlaceMonitor* monitor() { return &m_monitor; }
    enum Column { Device, Memory, Busy, By, ColumnCount };
    enum Role { ShareRole = Qt::UserRole + 1, HeadRole }; ///< 0 … 1 of the bar; whether the row is a machine's name
    QStandardItemModel* rows() const { return m_rows; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void fill();
    void addMachine(const QString& place);
    void addDevice(const QString& name, double used, double all, double busy, const QString& by, bool old);
    QString aboutMachine(const QString& place, const MachineLoad* load) const;
    QString runsOn(const QString& place, const QString& device) const;

    PlaceStore* m_places;
    RunStore* m_runs;
    PlaceMonitor m_monitor;
    QStandardItemModel* m_rows;
    QTableView* m_view;
};

} // namespace headroom::app
