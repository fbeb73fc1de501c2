// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>

class QWidget;

namespace headroom::app {

/// Writes a picture of a widget as soon as nothing is pending, and reports the exit status: 0, or 1 with a
/// sentence. Waits 120 s at most. Window's thread.
class Screenshot : public QObject {
    Q_OBJECT

public:
    Screenshot(QWidget* widget, const QString& file, std::function<bool()> isPending,
               QObject* parent = nullptr);
    void start();
    void setPatience(int milliseconds) { m_patience = milliseconds; }

Q_SIGNALS:
    void finished(int status, const QString& sentence);

private:
    void look();
    QWidget* m_widget;
    QString m_file;
    std::function<bool()> m_isPending;
    QTimer m_timer;
    QElapsedTimer m_since;
    int m_quietLooks = 0;
    int m_patience = 120000;
};

} // namespace headroom::app
