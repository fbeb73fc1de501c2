// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

namespace headroom::app {

/// One line of a check list. `value` is the measured number; "–" where nothing was measured.
struct Check {
    enum class State {
        Unknown, ///< not measured (yet)
        Passed,
        Remark, ///< something to know, not wrong
        Failed,
    };
    State state = State::Unknown;
    QString name, value, toolTip;
    bool leadsToAlignments = false; ///< a click shows what was found
};

/// A list of what was checked, each with its measured number or its answer, which gets a line of its own where the name
/// leaves it no room. In a scroll area, what failed is scrolled to. Window's thread.
class ChecksPanel : public QWidget {
    Q_OBJECT

public:
    explicit ChecksPanel(QWidget* parent = nullptr);
    void setChecks(QList<Check> checks);
    const QList<Check>& checks() const { return m_checks; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

Q_SIGNALS:
    void alignmentsRequested();

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void scrollToFailed();
    int linesOf(const Check& check, int width) const;
    QRect rowRect(qsizetype row) const;
    QRect textRect(const QRect& row) const;
    QList<Check> m_checks;
};

} // namespace headroom::app
