// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/common/captioned.h"
#include "app/workspaces/analyse/heads/head_content.h"

#include <QWidget>

#include <memory>
#include <optional>

class QLabel;
class QStackedLayout;

namespace headroom::widgets {
class StudyTableView;
}

namespace headroom::app {

class EvidenceField;
class MetricsNote;
class TabHead;

/// What the tabs about heads share: a row of choosers, below it the tab's own widgets or a sentence while there is
/// nothing to show, and a note. A tab shows what it is given and emits what the user chose. Window's thread.
class HeadTab : public QWidget, public Captioned {
    Q_OBJECT

public:
    /// null: nothing yet. Tabs show what they know about the selected head again.
    void showContent(std::shared_ptr<const HeadContent> content);
    void setEmptySentence(const QString& sentence);
    /// Marks this head; without one, the layer (from 0) where rows are layers. Statistics leaves its rows in sight. Emits no signal.
    virtual void setSelected(std::optional<widgets::HeadId> head, int layer) = 0;
    widgets::StudyTableView* table() const { return m_table; }
    MetricsNote* note() const { return m_note; }
    QString figureCaption() const override; ///< which study, and the caption of the table; empty: nothing is shown

Q_SIGNALS:
    void headSelected(headroom::widgets::HeadId head);
    void headActivated(headroom::widgets::HeadId head);

protected:
    /// `evidence`: the chooser of what the numbers are computed from; becomes a child, may be null.
    HeadTab(EvidenceField* evidence, QWidget* parent);

    /// The row of choosers, which begins with the evidence.
    TabHead* head() const { return m_head; }
    /// What is shown while there is content: the table alone, or with `picture` above it.
    void setBody(QWidget* picture = nullptr);
    /// Without content, the table keeps its columns, and with them the order and the widths that the user chose.
    void setRows(StudyTable rows);
    /// Shows content().
    virtual void refresh() = 0;
    virtual QString noteOf(const HeadContent& content) const = 0;
    /// A number in the table while that is a study's, which has places: a click asks for them. A click on another cell, or on one
    /// of the open utterance, only selects.
    bool hasPlaces(int column) const;
    /// The content with heads, else null.
    const HeadContent* content() const;

private:
    std::shared_ptr<const HeadContent> m_content;
    EvidenceField* m_evidence; ///< may be null
    TabHead* m_head;
    QStackedLayout* m_pages;
    QLabel* m_empty;
    widgets::StudyTableView* m_table;
    MetricsNote* m_note;
};

} // namespace headroom::app
