// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/fitted_combo.h"
#include "widgets/run_monitor/fitted_titles.h"

#include <QAbstractItemView>
#include <QLabel>
#include <QPainter>

namespace headroom::app {

// Names of models, runs and recordings differ at their ends: where they do not fit, the seed and what follows it stay, and the middle
// is cut (fittedTitle). text() and the tool tip are whole. Window's thread.

/// A chooser among names: what it shows of one could be no other of them, as long as what differs has room.
class NameCombo : public widgets::FittedCombo {
public:
    explicit NameCombo(QWidget* parent = nullptr) : FittedCombo(parent) { view()->setTextElideMode(Qt::ElideMiddle); }

protected:
    QString fittedText(const QString& text, int room) const override {
        QStringList names;
        for (int row = 0; row < count(); ++row)
            names << itemText(row);
        return widgets::fittedAmong(names, text, fontMetrics(), room);
    }
};

/// A line that ends with a name, or with a few words behind one.
class NameLabel : public QLabel {
public:
    using QLabel::QLabel;

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const QRect room = contentsRect();
        style()->drawItemText(&painter, room, static_cast<int>(alignment()), palette(), isEnabled(),
                              widgets::fittedTitle(text(), fontMetrics(), room.width()), foregroundRole());
    }
};

} // namespace headroom::app
