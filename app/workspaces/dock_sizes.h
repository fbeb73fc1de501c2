// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QSize>

#include <array>

class QDockWidget;
class QMainWindow;

namespace headroom::app {

/// How wide the user wants the docks at the sides, and how high those above and below the middle. A window
/// that becomes smaller squeezes them; when it becomes larger again they take back what they miss, instead of
/// leaving it all to the middle. Pixels. Borrows the window and its docks; window's thread.
class DockSizes : public QObject {
    Q_OBJECT

public:
    explicit DockSizes(QMainWindow* window);

    /// Follows this dock: a separator that the user drags changes the wanted size.
    void add(QDockWidget* dock);
    /// The sizes of the visible docks are the wanted ones from now on.
    void remember();
    /// Whether a dock is visible whose size is not known: it was hidden when remember() or pack() looked.
    bool hasNew() const;
    /// The sizes of such docks are the wanted ones from now on.
    void rememberNew();
    /// take() has read a layout, and settle() has not been called since.
    bool isRestored() const { return m_widths.saved > 0; }
    /// The window has its size. Docks of that layout get what they miss, if the window is larger than the one it was
    /// saved from.
    void settle();
    /// The window has another size, or is shown again. Docks smaller than wanted take what they miss from
    /// what it has grown by since it was last seen; while it is hidden, nothing is laid out.
    void windowResized();

    /// The text may have another size. If so, docks that had to be wider or higher for larger text have their wanted size again, at
    /// once or when the window is shown again; in another theme with the same text they keep the sizes that they have.
    void textResized();

    /// The height that the user wants this dock to have; 0: it was never visible.
    int wantedHeight(QDockWidget* dock) const { return m_heights.wanted.value(dock, 0); }

    /// A layout with the wanted sizes and the size of the text that it was made for, for the settings.
    QByteArray pack(const QByteArray& layout) const;
    /// The layout of such bytes; its wanted sizes count from now on. If it was made for text of another size, settle() does what
    /// textResized() does. Bytes of another form are returned as they are.
    QByteArray take(const QByteArray& packed);

Q_SIGNALS:
    /// The docks have followed textResized(). Panels that need more room for larger text can take it now; their wanted sizes stay.
    void textFitted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Along one direction.
    struct Extents {
        Qt::Orientation along;
        std::array<Qt::DockWidgetArea, 2> sides; ///< whose docks are measured along it
        QHash<QDockWidget*, int> wanted;         ///< of docks that were visible
        int window = 0; ///< of the window when the docks last had a size of their own
        int saved = 0;  ///< of the window of the layout that was read; 0: none
        int of(const QWidget* widget) const;
    };
    bool stands(const QDockWidget* dock) const;
    void grow(const Extents& extents, int by);
    void shrink();
    void share(const Extents& extents, const Extents& across);
    void shareColumns();
    void shareRows();
    QMainWindow* m_window;
    double m_unit; ///< Sizes::unit() of the text that the docks were laid out for
    QList<QDockWidget*> m_docks;
    bool m_textResized = false; ///< and the docks have not followed
    Extents m_widths{Qt::Horizontal, {Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea}, {}};
    Extents m_heights{Qt::Vertical, {Qt::TopDockWidgetArea, Qt::BottomDockWidgetArea}, {}};
};

} // namespace headroom::app
