// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QAction;
class QMenu;

namespace headroom::app {

class AnalysisService;
class DeviceList;
class PlaceStore;
class WorkerProcess;

/// Where models are computed: a device of this machine or a host of Places, at the top of the worker's menu. A device that
/// cannot be used is listed with its reason. Choosing one
/// starts the worker there and opens the models again. Window's thread.
class DeviceMenu : public QObject {
    Q_OBJECT

public:
    struct Parts {
        PlaceStore* places;
        WorkerProcess* worker;
        AnalysisService* analysis;
        DeviceList* devices;
    };
    /// `menu`: what it holds already follows the places.
    DeviceMenu(QMenu* menu, const Parts& parts, QObject* parent);

    /// Empty: this machine, on `device` (empty: the CPU).
    void choose(const QString& place, const QString& device = {});

private:
    void fill();

    Parts m_parts;
    QMenu* m_menu;
    QList<QAction*> m_mine;
};

} // namespace headroom::app
