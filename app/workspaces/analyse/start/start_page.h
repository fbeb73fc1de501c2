// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QScrollArea>

#include <vector>

class QAction;
class QCheckBox;
class QVBoxLayout;

namespace headroom::app {

/// A session that was open before, as the start page lists it.
struct RecentSession {
    QString folder;
    QString name;
    QString summary; ///< "1 utterance, 2 models"; empty where it was not counted
    QDateTime lastOpened;
};

/// The middle of the window while nothing is open: drop field, demo, model, recent sessions. Everything here is
/// also in a menu. Window's thread.
class StartPage : public QScrollArea {
    Q_OBJECT

public:
    struct Actions {
        QAction *openAudio, *record, *openDemo, *openModel;
    };
    explicit StartPage(const Actions& actions, QWidget* parent = nullptr);

    void setRecent(const std::vector<RecentSession>& sessions);
    void setOpensLast(bool opensLast);

Q_SIGNALS:
    void recentChosen(const QString& folder);
    void recentForgotten(const QString& folder); ///< not shown any more; the session itself stays
    void showInFolderRequested(const QString& path);
    void opensLastToggled(bool opensLast);

protected:
    void changeEvent(QEvent* event) override;

private:
    void updateColours();
    QVBoxLayout* m_recentRows;
    QWidget* m_recent;
    QCheckBox* m_opensLast;
};

} // namespace headroom::app
