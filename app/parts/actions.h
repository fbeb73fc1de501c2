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
    QAction *openAudio, *openFolder, *newText, *openModel, *openMaps, *openDemoModel, *openDemo, *exportFigure, *exportData, *exportTab, *quit;
    QAction* figureInWindowColours;
    QAction *newSession, *openSession, *saveSession, *saveSessionAs;
    // Edit
    QAction *undo, *redo, *copyReadOut;
    // Sound
    QAction *record, *toStart, *play, *loop;
    QAction *previousToken, *nextToken, *previousWord, *nextWord, *firstToken, *lastToken;
    QAction *selectPreviousToken, *selectNextToken, *selectPreviousWord, *selectNextWord, *selectToStart, *selectToEnd;
    QAction* goToTime;
    // View
    QAction *zoomIn, *zoomOut, *fit, *fitSelection, *equalAxes, *linkAxes, *hideDiagonal, *showWindow,
        *resetLayout;
    QAction *themeSystem, *themeLight, *themeDark;
    QActionGroup* themes;
    QActionGroup* textSizes; ///< data(): per cent
    // Analysis
    QAction *previousLayer, *nextLayer, *focusWindow, *suggestedWindow, *suggestedWindows, *fullWindow,
        *compare, *difference, *blink, *keepCurve;
    QAction *encoderView, *words, *decoderView; ///< what stands under the sound: one of them is checked
    QAction *newStudy, *showStudies, *openStudy;
    QAction* trainThis; ///< of every workspace that shows a draft; TRAIN does it
    QAction *alignments, *analyseSelection, *analyseWhole, *analyseAgain, *cancel, *restartWorker;
    // Window and help
    QAction *analyseWorkspace, *designWorkspace, *trainWorkspace, *findAction, *guide, *about;
    QActionGroup*
        workspaces; ///< one action per workspace that exists, in the order of the switch; data(): its icon

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

/// The tool tip with the key behind it: "Play the selection. Space".
void setToolTipWithKey(QAction* action, const QString& sentence);

} // namespace headroom::app
