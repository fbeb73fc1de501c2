// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>

class QDockWidget;
class QMainWindow;

namespace headroom::app {

/// How wide the user wants the docks at the sides. A window that becomes narrower squeezes them; when it becomes wider
/// again they take back what they miss, instead of leaving it all to the middle. Widths in pixels. Borrows the window and
/// its docks; window's thread.
class DockWidths : public QObject {
    Q_OBJECT

public:
    explicit DockWidths(QMainWindow* window);

    /// Follows this dock: a separator that the user drags changes the wanted width.
    void add(QDockWidget* dock);
    /// The widths of the visible docks are the wanted ones from now on.
    void remember();
    /// The window has its size. Docks of a layout that take() read get what they miss, if the window is wider than
    /// the one it was saved from.
    void settle();
    /// The window was `before` wide. Docks narrower than wanted take what they miss from what it has grown by.
    void windowResized(int before);

    /// A layout with the wanted widths, for the settings.
    QByteArray pack(const QByteArray& layout) const;
    /// The layout of such bytes; its wanted widths count from now on. Bytes of another form are returned as they are.
    QByteArray take(const QByteArray& packed);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void grow(int by);
    QMainWindow* m_window;
    QList<QDockWidget*> m_docks;
    QHash<QDockWidget*, int> m_wanted; ///< of docks that were visible
    int m_windowWidth = 0;             ///< when the docks last had a size of their own
    int m_savedWidth = 0;              ///< of the window of the layout that was read; 0: none
};

} // namespace headroom::app
