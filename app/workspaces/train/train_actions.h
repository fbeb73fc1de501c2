// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QAction;

namespace headroom::app {

/// Owns the actions of Train, each defined once with text, icon, key and tool tip; the Runs menu, the tool bar,
/// panels and Find action show these same objects. TrainWorkspace carries them out and enables them. Window's
/// thread.
class TrainActions : public QObject {
    Q_OBJECT

public:
    explicit TrainActions(QObject* parent = nullptr);

    QAction *newRun = nullptr, *pause = nullptr, *stop = nullptr, *resume = nullptr, *stopOthers = nullptr, *resumeOthers = nullptr, *branch = nullptr, *evaluate = nullptr,
        *evaluateModel = nullptr, *compare = nullptr, *reference = nullptr, *openResult = nullptr, *exportCurves = nullptr, *rename = nullptr,
        *runFolder = nullptr, *copyCommand = nullptr, *remove = nullptr, *startQueue = nullptr, *places = nullptr,
        *watchThere = nullptr, *data = nullptr, *experiments = nullptr;
    /// A paused run has everything in memory; others are read again.
    static QString resumeTip(bool isPaused);
    /// For the Runs menu, after “Train this…”; nullptr stands for a separator.
    QList<QAction*> menu() const;
    QList<QAction*> all() const;

private:
    QAction* add(const QString& text, const char* iconName, const char* key, const QString& toolTip);
};

} // namespace headroom::app
