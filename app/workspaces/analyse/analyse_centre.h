// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QSplitter;
class QStackedWidget;

namespace headroom::app {

class Actions;
class StartPage;

/// The middle of Analyse: the start page while nothing is open, else the sound above the map or the words; the recording
/// bar above both. Also the keys without a modifier, which belong to this workspace alone. Window's thread.
class AnalyseCentre : public QWidget {
    Q_OBJECT

public:
    /// Takes the widgets over.
    struct Parts {
        const Actions* actions;
        QWidget *recordingBar, *sound, *map, *words;
    };
    explicit AnalyseCentre(const Parts& parts, QWidget* parent);

    /// Keys for all of `workspace`, and those that only the middle takes.
    void bindKeys(const Actions& actions, QWidget* workspace);
    /// Shows the middle, or the start page. Returns whether the page changed; then it has no focus yet.
    bool showMiddle(bool shown);
    /// Shows the words under the sound, or the map.
    void showWords(bool shown);

    /// A text needs a few lines only; a recording gets back the height it had.
    void makeShort(bool isText);
    QSplitter* middle() const { return m_middle; } ///< the sound above the map
    StartPage* startPage() const { return m_start; }

private:
    QStackedWidget* m_pages;
    QSplitter* m_middle;
    QWidget* m_sound;
    QList<int> m_heights; ///< of a recording above the map, while a text is shown
    QStackedWidget* m_below; ///< the map or the words
    StartPage* m_start;
};

} // namespace headroom::app
