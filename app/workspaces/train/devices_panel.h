// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/places/place_monitor.h"
#include "core/runs/run_folder.h"

#include <QDateTime>
#include <QTimer>
#include <QWidget>

#include <functional>

class QStandardItemModel;
class QTableView;

namespace headroom::app {

class PlaceStore;
class RunStore;

/// How busy this machine and the places are: memory and processors of each, its GPUs, which of the user's runs compute there, and what is
/// being copied there. Old numbers are grey, with their age. Looks only while it is visible. Window's thread.
class DevicesPanel : public QWidget {
    Q_OBJECT

public:
    /// Both borrowed.
    DevicesPanel(PlaceStore* places, RunStore* runs, QWidget* parent = nullptr);

    PlaceMonitor* monitor() { return &m_monitor; }
    /// Seconds of UTC, for a test.
    void setClock(std::function<qint64()> clock);
    enum Column { Device, Memory, Load, By, ColumnCount };
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
    QString runsThere(const QString& place, const std::function<bool(const RunInfo&)>& counts) const;
    QString runsOnProcessor(const QString& place) const;
    QString runsOnGpu(const QString& place, const QString& uuid) const;
    QString runsBeside(const QString& place) const;
    bool isCluster(const QString& place) const;
    bool isOld(const MachineLoad& load) const;

    PlaceStore* m_places;
    RunStore* m_runs;
    PlaceMonitor m_monitor;
    QTimer m_ageing;
    std::function<qint64()> m_clock = &QDateTime::currentSecsSinceEpoch;
    QStandardItemModel* m_rows;
    QTableView* m_view;
};

} // namespace headroom::app
