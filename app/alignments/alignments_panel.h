// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"

#include <QWidget>

#include <functional>

class QComboBox;
class QLabel;
class QTableView;

namespace headroom::app {

class AlignmentStore;
class BesideOrTabs;
class FindingTable;
class LabelTable;

/// What was found in the alignments, each with its place, and the phone map: which label counts as what. A
/// click on a finding goes there. Window's thread.
class AlignmentsPanel : public QWidget {
    Q_OBJECT

public:
    /// Borrowed.
    AlignmentsPanel(Session* session, AlignmentStore* store, QWidget* parent = nullptr);

    QTableView* findings() const { return m_findings; }
    QTableView* labels() const { return m_labels; }
    QComboBox* mapField() const { return m_map; }
    /// "52 checked, 2 left out of studies of phones": for the dock's header.
    QString headline() const;
    /// The findings of one utterance come to the top of the view.
    void reveal(UtteranceId id);
    /// How files are chosen; empty answers are nothing. A dialogue unless set.
    using Ask = std::function<QString(const QString& title)>;
    void setPickers(Ask open, Ask save);

Q_SIGNALS:
    void headlineChanged();
    void problem(const QString& sentence); ///< a map that cannot be read or written
    void saved(const QString& file);       ///< the phone map

private:
    void refresh();
    void showMap();
    void openMap();
    void saveMap();
    QString folder() const;
    QWidget* makeFindings();
    QWidget* makeMap();

    const Session* m_session;
    AlignmentStore* m_store;
    Ask m_askOpen, m_askSave;
    BesideOrTabs* m_parts;
    FindingTable* m_found;
    LabelTable* m_labelled;
    QTableView *m_findings, *m_labels;
    QLabel *m_allGood, *m_reason;
    QComboBox* m_map;
};

} // namespace headroom::app
