// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QAction;

namespace headroom::app {

/// Owns the actions of DESIGN, each defined once; menus, header and Find action show these same objects. Window's
/// thread.
class DesignActions : public QObject {
    Q_OBJECT

public:
    explicit DesignActions(QObject* parent);

    QAction *openArchitecture, *saveArchitecture, *saveArchitectureAs, *copyAsText, *startFromPreset, *closeDocument;
    QAction *setFull, *setLocal, *setBlock, *setConv, *setMasked, *setReuse,
        *setRelaxed; ///< need selected heads
    QAction *useSuggested, *narrower, *wider, *resetDraft, *nextMistake;
    QAction *showGrid, *showText; ///< one of them is checked
    const QList<QAction*>& all() const { return m_all; }

private:
    QAction* add(const QString& text, const QString& icon, const QKeySequence& key, const QString& toolTip);
    QList<QAction*> m_all;
};

} // namespace headroom::app
