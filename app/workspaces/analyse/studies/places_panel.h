// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/place_list.h"

#include <QFutureWatcher>
#include <QWidget>

#include <functional>
#include <map>
#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QStackedLayout;
class QTableView;

namespace headroom::app {

class PlacesModel;

/// The list of places behind the number that was clicked, strongest first: sorts, filters, copies. A click or
/// Enter chooses one. Places are read on the global pool; a newer request replaces an older one. Window's
/// thread.
class PlacesPanel : public QWidget {
    Q_OBJECT

public:
    explicit PlacesPanel(QWidget* parent = nullptr);
    ~PlacesPanel() override;

    void show(const PlacesQuery& query);
    /// Shows `query` if the list is of the same table, of another row.
    void follow(const PlacesQuery& query);
    /// Lists nothing.
    void clear();
    /// Whose places are listed, or asked for; null: none.
    OpenStudyPtr study() const { return m_wanted ? m_wanted->study : m_query.study; }
    /// What to do first where no number was clicked yet. `open`: one of a kind that has places.
    void setStudyIsOpen(bool open);
    const PlacesQuery& query() const { return m_wanted ? *m_wanted : m_query; }
    /// Whether the list has a place in this recording, which is missing.
    bool lacks(const std::string& hash) const;
    bool isPending() const { return m_isReading; }
    PlacesModel* places() const { return m_places; }
    QTableView* table() const { return m_table; }
    QLineEdit* filterField() const { return m_filter; }
    /// "Layer 11 · 20 places": for the dock's header.
    QString headline() const;
    /// What a list of studies calls one: by more than its name where several have it. Empty: its name.
    std::function<QString(const OpenStudy& study)> listedName;
    /// Something about the place that was chosen; empty: nothing.
    void say(const QString& sentence);

Q_SIGNALS:
    void chosen(const headroom::app::PlaceRow& place, const headroom::app::PlacesQuery& query);
    void headlineChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void take(PlaceList list);
    void choose(const QModelIndex& index);
    void measure(); ///< the texts of the columns
    void fit();     ///< the columns into the panel

    PlacesModel* m_places;
    QSortFilterProxyModel* m_sorted;
    QTableView* m_table;
    QLineEdit* m_filter;
    QLabel *m_sentence, *m_remark;
    QString m_alignedBy; ///< the remark while there is nothing else to say
    QStackedLayout* m_pages;
    QFutureWatcher<PlaceList> m_reader;
    bool m_isReading = false; ///< until the list is taken
    std::optional<PlacesQuery> m_wanted; ///< asked for while another was being read
    PlacesQuery m_query;
    struct Width {
        double head = 0, cell = 0; ///< pixels: of its texts, without padding
    };
    std::vector<Width> m_widths; ///< of the columns; empty: nothing was listed yet
    std::map<int, int> m_byHand; ///< pixels, of the columns whose width was set by hand
    bool m_isFitting = false;    ///< the widths that change were not
};

} // namespace headroom::app
