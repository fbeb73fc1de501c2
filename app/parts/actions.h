// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QAction;
class QActionGroup;
class QUndoStack;

namespace headroom::app {

/// Owns every action of the window, each defined once with text, icon, key and tool tip: menus, tool bar, panels
/// and Find action show these same objects. The object that carries an action out connects it. Window's thread.
class Actions : public QObject {
    Q_OBJECT

public:
    Actions(QUndoStack* undoStack, QObject* parent);

    // Files and sessions
    QAction *openAudio = nullptr, *openFolder = nullptr, *newText = nullptr, *openModel = nullptr, *openMaps = nullptr,
        *openDemoModel = nullptr, *openDemo = nullptr, *exportFigure = nullptr, *exportData = nullptr, *exportTab = nullptr,
        *quit = nullptr;
    QAction* figureInWindowColours = nullptr;
    QAction *newSession = nullptr, *openSession = nullptr, *saveSession = nullptr, *saveSessionAs = nullptr;
    // Edit
    QAction *undo = nullptr, *redo = nullptr, *copyReadOut = nullptr;
    // Sound
    QAction *record = nullptr, *toStart = nullptr, *play = nullptr, *loop = nullptr;
    QAction *previousToken = nullptr, *nextToken = nullptr, *previousWord = nullptr, *nextWord = nullptr, *firstToken = nullptr,
        *lastToken = nullptr;
    QAction *selectPreviousToken = nullptr, *selectNextToken = nullptr, *selectPreviousWord = nullptr, *selectNextWord = nullptr,
        *selectToStart = nullptr, *selectToEnd = nullptr;
    QAction* goToTime = nullptr;
    // View
    QAction *zoomIn = nullptr, *zoomOut = nullptr, *fit = nullptr, *fitSelection = nullptr, *equalAxes = nullptr,
        *linkAxes = nullptr, *hideDiagonal = nullptr, *showWindow = nullptr, *fullScreen = nullptr, *resetLayout = nullptr;
    QAction *themeSystem = nullptr, *themeLight = nullptr, *themeDark = nullptr;
    QActionGroup* themes = nullptr;
    QActionGroup* textSizes = nullptr; ///< data(): per cent
    // Analysis
    QAction *previousLayer = nullptr, *nextLayer = nullptr, *focusWindow = nullptr, *suggestedWindow = nullptr,
        *suggestedWindows = nullptr, *fullWindow = nullptr, *compare = nullptr, *difference = nullptr, *blink = nullptr,
        *keepCurve = nullptr;
    QAction *encoderView = nullptr, *words = nullptr, *decoderView = nullptr; ///< what stands under the sound: one of them is checked
    QAction *newStudy = nullptr, *showStudies = nullptr, *openStudy = nullptr;
    QAction* trainThis = nullptr; ///< of every workspace that shows a draft; Train does it
    QAction *alignments = nullptr, *analyseSelection = nullptr, *analyseWhole = nullptr, *analyseAgain = nullptr,
        *cancel = nullptr, *restartWorker = nullptr;
    // Window and help
    QAction *analyseWorkspace = nullptr, *designWorkspace = nullptr, *trainWorkspace = nullptr, *findAction = nullptr,
        *guide = nullptr, *keys = nullptr, *about = nullptr;
    QActionGroup* workspaces = nullptr; ///< one action per workspace that exists, in the order of the switch; data(): its icon

    /// All of them, in the order above, with the menu they stand in: for Find action and for tests.
    struct Listed {
        QAction* action;
        QString section;
    };
    const QList<Listed>& all() const { return m_all; }

private:
    QAction* add(const QString& section, const QString& text, const QString& iconName,
                 const QKeySequence& key, const QString& toolTip);
    void addFiles();
    void addSound();
    void addView();
    void addAnalysis();
    void addSearchWords();

    QList<Listed> m_all;
};

/// Words by which people look for an action that is called otherwise, between blanks: "delete bin" of the wastebasket. Find
/// action finds it by them.
void setSearchWords(QAction* action, const QString& words);
QString searchWordsOf(const QAction* action);

/// The same of a panel or a tab, by its object name; empty: its title is enough.
QString panelSearchWords(const QString& objectName);

/// The tool tip with the key behind it: "Play the selection. Space".
void setToolTipWithKey(QAction* action, const QString& sentence);

} // namespace headroom::app
