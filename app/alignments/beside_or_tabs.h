// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

#include <array>

class QSplitter;
class QTabBar;

namespace headroom::app {

/// Two parts of a panel: beside each other where it is wide, else one at a time, each with its whole width, behind two tabs. Window's
/// thread.
class BesideOrTabs : public QWidget {
    Q_OBJECT

public:
    /// Parts without a parent; each is called by its title and asks for so many of `wide` units of Sizes::unit(), the least width
    /// for both.
    struct Part {
        QString title;
        QWidget* widget;
        int units;
    };
    BesideOrTabs(const Part& left, const Part& right, int wide, QWidget* parent = nullptr);
    /// Brings a part to the front, where only one is.
    void bring(const QWidget* part);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    int m_wide;
    std::array<QWidget*, 2> m_parts;
    QTabBar* m_tabs;
    QSplitter* m_splitter;
    QList<int> m_sizes; ///< of the parts, when both were shown
};

} // namespace headroom::app
