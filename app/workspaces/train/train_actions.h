// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QAction;

namespace headroom::app {

/// What TRAIN can do, once: the Runs menu, the tool bar, panels and Find action show these same objects.
/// Words, icons, keys and tool tips stand here; TrainWorkspace does it and says what can be done now.
class TrainActions : public QObject {
    Q_OBJECT

public:
    explicit TrainActions(QObject* parent = nullptr);

    QAction *newRun, *stop, *resume, *compare, *openResult, *runFolder, *copyCommand, *remove,
        *startQueue;
    /// For the Runs menu, after “Train this…”; nullptr stands for a separator.
    QList<QAction*> menu() const;
    QList<QAction*> all() const;

private:
    QAction* add(const QString& text, const char* iconName, const char* key, const QString& toolTip);
};

} // namespace headroom::app
