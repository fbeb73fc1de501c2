// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

#include <functional>

class QDockWidget;
class QMainWindow;
class QSplitter;

namespace headroom::app {

class Dock;

/// Where the docks of Analyse stand at first, how large they are, and the room they lend each other. Not a
/// widget; window's thread.
class AnalyseLayout {
public:
    static constexpr double kMessagesHeight = 18; ///< units
    /// Everything borrowed.
    struct Docks {
        Dock *utterances, *models, *readOut, *checks; ///< left, from top to bottom
        Dock *layers, *analysis;                      ///< right, from top to bottom
        Dock* heads;                                  ///< behind the layers, in front while the words are shown
        Dock* studies;                                ///< behind the layers
        Dock *places, *messages, *alignments;         ///< below, hidden at first
    };
    /// `middle`: the sound above the map.
    AnalyseLayout(QMainWindow* window, QSplitter* middle, const Docks& docks);

    void place(); ///< as at the first start
    void size();  ///< the same sizes; needs a window that is shown
    /// Two maps need more of the middle than one: the docks at the right lend it while they are shown.
    void makeRoomBeside(bool shown);
    /// A form is higher than a list: the docks below the studies lend it room while it is filled in.
    void makeRoomForForm(bool shown);
    void windowShown(); ///< again: a form that was shown meanwhile needs its room now
    /// After a layout that was restored, or the first sizes: two maps or a form that are shown need their room of it, too.
    void laidOut();
    /// Calls `look` while the docks have the sizes that are theirs: what is lent now is no size that the user gave.
    void withGivenSizes(const std::function<void()>& look);

private:
    /// How high docks of one side are.
    struct Heights {
        QList<QDockWidget*> docks;
        QList<int> heights;
    };
    QDockWidget* rightDock() const; ///< one that is visible in the layers' column; nullptr: none
    void setRightWidth(int width);  ///< of that column
    void lendWidth();
    void lendHeight();
    Heights heightsOfColumn() const;
    void setHeights(const Heights& heights);
    QMainWindow* m_window;
    QSplitter* m_middle;
    Docks m_docks;
    bool m_isBeside = false; ///< two maps are shown
    bool m_isForm = false;   ///< the studies show a form
    int m_widthBefore = 0; ///< of the right docks, before two maps needed their room
    Heights m_heightsBefore; ///< of the docks of the studies' column, before the form needed room; empty: they lend none
};

} // namespace headroom::app
