// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QAction;
class QMenu;

namespace headroom::app {

class AnalysisService;
class PlaceStore;
class WorkerProcess;

/// Where models are computed: this machine or a host of Places, at the top of the worker's menu. Choosing one
/// starts the worker there and opens the models again. Window's thread.
class DeviceMenu : public QObject {
    Q_OBJECT

public:
    struct Parts {
        PlaceStore* places;
        WorkerProcess* worker;
        AnalysisService* analysis;
    };
    /// `menu`: what it holds already follows the places.
    DeviceMenu(QMenu* menu, const Parts& parts, QObject* parent);

    /// Empty: this machine.
    void choose(const QString& place);

private:
    void fill();

    Parts m_parts;
    QMenu* m_menu;
    QList<QAction*> m_mine;
};

} // namespace headroom::app
