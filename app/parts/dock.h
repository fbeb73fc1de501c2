// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>

class QMenu;

namespace headroom::app {

class PanelHeader;

/// A dock with Headroom's header instead of the style's title bar. Its object name is the key of saved
/// layouts, its toggle action is in the Window menu; a header holds only controls that act on this panel. The ⋯ menu at
/// its end has the context menu of what the panel shows, and floats or hides the panel. A floating panel has the frame of
/// the desktop, and the keys of the window work in it.
/// Window's thread.
class Dock : public QDockWidget {
    Q_OBJECT

public:
    Dock(const QString& objectName, const QString& title, QWidget* content, QWidget* parent = nullptr);
    PanelHeader* header() const { return m_header; }
    /// A close button at the right of the header; `text` is its name and tool tip.
    void addHideButton(const QString& text);

private:
    void fillMenu(QMenu* menu);
    void takeFrame();
    PanelHeader* m_header;
};

} // namespace headroom::app
