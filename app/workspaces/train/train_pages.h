// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/sizes.h"

#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace headroom::widgets {
class RunTableModel;
}

namespace headroom::app {

/// Below Runs: of what its numbers are.
QString noteOnRuns(const widgets::RunTableModel& runs);

/// As small as the page that is shown: the others would keep the window larger than it needs to be.
class MiddlePages : public QStackedWidget {
public:
    explicit MiddlePages(QWidget* parent) : QStackedWidget(parent) {
        connect(this, &QStackedWidget::currentChanged, this, [this] { updateGeometry(); });
    }
    QSize minimumSizeHint() const override {
        return currentWidget() ? currentWidget()->minimumSizeHint() : QStackedWidget::minimumSizeHint();
    }
};

/// The table of runs with the note below it, which is whole or gives way: in a low panel the rows are what one looks at.
class RunsPage : public QWidget {
public:
    RunsPage(QWidget* table, QLabel* note) : m_table(table), m_note(note) {
        setProperty("panel", true);
        setAttribute(Qt::WA_StyledBackground);
        table->setParent(this);
        note->setParent(this);
    }
    QSize minimumSizeHint() const override { return m_table->minimumSizeHint(); }
    QSize sizeHint() const override { return m_table->sizeHint(); }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QWidget::resizeEvent(event);
        arrange();
    }
    bool event(QEvent* event) override {
        if (event->type() == QEvent::LayoutRequest) // the text has another size
            arrange();
        return QWidget::event(event);
    }

private:
    static constexpr int kLeastRows = 6; ///< with the table's head and its scroll bar

    void arrange() {
        const int note = m_note->heightForWidth(width()), left = height() - note;
        const bool fits = left >= kLeastRows * widgets::Sizes::tableRow();
        m_note->setVisible(fits);
        m_table->setGeometry(0, 0, width(), fits ? left : height());
        m_note->setGeometry(0, left, width(), note);
        m_table->setToolTip(fits ? QString() : m_note->text());
    }

    QWidget* m_table;
    QLabel* m_note;
};

/// Log and examples, and above them of which run they are: the panel's header has no room for a name.
class LogPage : public QWidget {
public:
    explicit LogPage(QStackedWidget* pages) : m_run(new QLabel(this)) {
        setProperty("panel", true);
        setAttribute(Qt::WA_StyledBackground);
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        const int unit = qRound(widgets::Sizes::unit());
        m_run->setObjectName(QStringLiteral("logOf"));
        m_run->setProperty("caption", true);
        m_run->setTextFormat(Qt::PlainText);
        m_run->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_run->setWordWrap(true);
        m_run->setContentsMargins(unit * 3 / 2, unit / 2, unit * 3 / 2, unit / 2);
        column->addWidget(m_run);
        column->addWidget(pages, 1);
        setRun({});
    }
    void setRun(const QString& text) {
        m_run->setText(text);
        m_run->setVisible(!text.isEmpty());
    }

private:
    QLabel* m_run;
};

} // namespace headroom::app
