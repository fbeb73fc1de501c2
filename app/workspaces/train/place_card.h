// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headroom::app {

/// A place where runs are computed, as a card: icon, name, what it has. Window's thread.
class PlaceCard : public QWidget {
    Q_OBJECT

public:
    PlaceCard(const QString& iconName, const QString& name, QWidget* parent = nullptr);
    void setDetail(const QString& detail);
    QString detail() const { return m_detail; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_iconName, m_name, m_detail;
};

} // namespace headroom::app
