// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/heads/head_content.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QStackedLayout;

namespace headroom::widgets {
class StudyTableView;
} // namespace headroom::widgets

namespace headroom::app {

class MetricsNote;

/// Entropy, mean distance, largest weight and share on silence per head: sorted, filtered, copied. Window's
/// thread.
class StatisticsPanel : public QWidget {
    Q_OBJECT

public:
    explicit StatisticsPanel(QWidget* evidence, QWidget* parent = nullptr);

    void showContent(std::shared_ptr<const HeadContent> content); ///< null: nothing yet
    void setEmptySentence(const QString& sentence);
    void setSelected(std::optional<widgets::HeadId> head); ///< tells nobody
    widgets::StudyTableView* table() const { return m_table; }
    QLineEdit* filterField() const { return m_filter; }
    MetricsNote* note() const { return m_note; }

Q_SIGNALS:
    void headSelected(headroom::widgets::HeadId head);
    void headActivated(headroom::widgets::HeadId head);

private:
    std::shared_ptr<const HeadContent> m_content;
    QStackedLayout* m_pages;
    QLabel* m_empty;
    QLineEdit* m_filter;
    widgets::StudyTableView* m_table;
    MetricsNote* m_note;
};

} // namespace headroom::app
