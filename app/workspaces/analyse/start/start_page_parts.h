// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

#include <functional>

class QLabel;
class QVBoxLayout;

namespace headroom::app {

/// The steps of working with Headroom: icons and words with arrows between them, in two rows where one is too
/// narrow. Window's thread.
class LoopLine : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int place(int width, const std::function<void(std::size_t, QPointF, bool)>& draw) const;
};

/// The dashed field with a waveform in it. Its buttons are added by the page.
class DropField : public QWidget {
    Q_OBJECT

public:
    explicit DropField(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// A framed panel with a rounded border in the theme's line colour.
class Card : public QWidget {
    Q_OBJECT

public:
    explicit Card(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// One row of the recent sessions: folder icon, name, summary, when.
class RecentRow : public QAbstractButton {
    Q_OBJECT

public:
    RecentRow(const QString& name, const QString& summary, const QString& when, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QString m_name, m_summary, m_when;
    bool m_hovered = false;
};

} // namespace headroom::app
