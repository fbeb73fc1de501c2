// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace headroom::app {

/// A place where runs are computed, as a card: icon, name, what it has, what goes on there. One of several is chosen, as with radio buttons: by a
/// click or the space bar. Window's thread.
class PlaceCard : public QAbstractButton {
    Q_OBJECT

public:
    PlaceCard(const QString& iconName, const QString& name, QWidget* parent = nullptr);
    const QString& name() const { return m_name; }
    void setDetail(const QString& detail);
    QString detail() const { return m_detail; }
    /// What goes on there now, in a line with a dot; `wrong`: something needs attention. Empty: no line.
    void setState(const QString& state, bool wrong);
    QString state() const { return m_state; }
    /// A further sentence for its tool tip.
    void setNote(const QString& note);
    /// How long a run will take there, "38 min", and what that is based on; without a time a dash, without either nothing.
    void setTime(const QString& time, const QString& basis);
    QString time() const { return m_time; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void nextCheckState() override;

private:
    void describe();

    QString m_iconName, m_name, m_detail, m_state, m_note, m_time, m_basis;
    bool m_stateIsWrong = false;
};

} // namespace headroom::app
