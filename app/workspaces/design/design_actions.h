// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QAction;
class QActionGroup;

namespace headroom::app {

/// Owns the actions of Design, each defined once; menus, header and Find action show these same objects. Window's
/// thread.
class DesignActions : public QObject {
    Q_OBJECT

public:
    explicit DesignActions(QObject* parent);

    QAction *openArchitecture = nullptr, *saveArchitecture = nullptr, *saveArchitectureAs = nullptr, *copyAsText = nullptr,
        *startFromPreset = nullptr, *closeDocument = nullptr;
    QAction *setFull = nullptr, *setLocal = nullptr, *setBlock = nullptr, *setConv = nullptr, *setMasked = nullptr,
        *setReuse = nullptr, *setRelaxed = nullptr; ///< need selected heads
    QAction *useSuggested = nullptr, *narrower = nullptr, *wider = nullptr, *resetDraft = nullptr, *nextMistake = nullptr;
    QAction *showGrid = nullptr, *showText = nullptr; ///< one of them is checked
    QActionGroup* positions = nullptr; ///< of the encoder: Positions as their data, those of the draft checked
    const QList<QAction*>& all() const { return m_all; }

private:
    void addPositions();
    QAction* add(const QString& text, const QString& icon, const QKeySequence& key, const QString& toolTip);
    QList<QAction*> m_all;
};

} // namespace headroom::app
