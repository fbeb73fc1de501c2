// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/analysis_service.h"
#include "app/parts/tool_bar_item.h"
#include "widgets/time_axis/time_axis.h"

#include <QList>
#include <QObject>

#include <functional>

class QMenu;

namespace headroom::app {

class Actions;

/// The actions of Analyse: its menus, its part of the tool bar, and which of them can be used now. Window's
/// thread.
class AnalyseActions : public QObject {
    Q_OBJECT

public:
    /// Everything borrowed.
    struct Parts {
        Session* session;
        AnalysisService* analysis;
        const Actions* actions;
        widgets::TimeAxis* axis;
        std::function<QString()> whyNoTab = {}; ///< why the tab in front cannot be exported; none: it always can
    };
    explicit AnalyseActions(const Parts& parts, QObject* parent);

    QList<QMenu*> makeMenus(QWidget* parent) const; ///< the caller takes them over
    QList<ToolBarItem> toolBarItems() const;
    /// Enables what can be used, and says why the others cannot.
    void update();

private:
    Parts m_parts;
};

} // namespace headroom::app
