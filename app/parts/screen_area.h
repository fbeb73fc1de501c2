// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointer>
#include <QScrollArea>

namespace headroom::app {

/// How large this window can be on its screen, without its frame. Until the desktop has put it into one, the frame is a title bar as the style has it.
QSize roomOnScreen(const QWidget* window);

/// Gives its content the size that it needs at least, so that the window grows with it, but never beyond the screen: there, with large
/// text on a small screen, the content scrolls. Window's thread.
class ScreenArea : public QScrollArea {
    Q_OBJECT

public:
    explicit ScreenArea(QWidget* content, QWidget* parent = nullptr); ///< takes `content` over
    /// What stands above and below in the window, and the margins between: their height is not for the content. Borrowed.
    void setAround(const QList<QWidget*>& around, int margins = 0);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    virtual QSize leastOfContent() const; ///< whatever the screen

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void followRoom();
    QList<QWidget*> m_around;
    QPointer<QWidget> m_window;
    QSize m_room; ///< of m_window, when the layouts were last told
    int m_margins = 0;
};

} // namespace headroom::app
