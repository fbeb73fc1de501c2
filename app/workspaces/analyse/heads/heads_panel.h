// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/heads/head_content.h"

#include <QWidget>

#include <optional>

class QLabel;
class QStackedLayout;

namespace headroom::widgets {
class RelevanceMap;
class StudyTableView;
} // namespace headroom::widgets

namespace headroom::app {

class MetricsNote;

/// Head relevance (Sant et al. 2022, Eq. 4) as a map of layers × heads and as a table. Window's thread.
class HeadsPanel : public QWidget {
    Q_OBJECT

public:
    explicit HeadsPanel(QWidget* evidence, QWidget* parent = nullptr);

    void showContent(std::shared_ptr<const HeadContent> content); ///< null: nothing yet
    void setEmptySentence(const QString& sentence);
    void setSelected(std::optional<widgets::HeadId> head); ///< tells nobody
    widgets::RelevanceMap* map() const { return m_map; }
    widgets::StudyTableView* table() const { return m_table; }
    MetricsNote* note() const { return m_note; }

Q_SIGNALS:
    void headSelected(headroom::widgets::HeadId head);
    void headActivated(headroom::widgets::HeadId head);

private:
    std::shared_ptr<const HeadContent> m_content;
    QStackedLayout* m_pages;
    QLabel* m_empty;
    QLabel* m_mode;
    widgets::RelevanceMap* m_map;
    widgets::StudyTableView* m_table;
    MetricsNote* m_note;
};

} // namespace headroom::app
