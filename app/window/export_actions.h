// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

class QMenu;

namespace headroom::app {

class MainWindow;

/// “Export figure…” and “Export data…”: asks where to, writes, and says so in the status bar and in Messages.
class ExportActions : public QObject {
    Q_OBJECT

public:
    explicit ExportActions(MainWindow* window);
    void fillMenu(QMenu* figures); ///< a PNG's width, the figures' colours
    void exportFigure();
    void exportData();

private:
    QString suggestion(const QString& suffix) const; ///< folder/utterance-layer-11.pdf
    void done(const QString& file);
    void failed(const QString& sentence);
    MainWindow* m_window;
};

} // namespace headroom::app
