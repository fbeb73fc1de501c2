// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/list_panel.h"

#include <QString>

#include <filesystem>
#include <optional>

class QStandardItemModel;

namespace headroom::app {

/// The corpora that are known, by folder: name, where it is, hours once it was read, what is wrong. Window's
/// thread.
class CorpusList : public ListPanel {
    Q_OBJECT

public:
    /// `remove` stands in the menu of the rows, and as a button in those that cannot be read.
    CorpusList(QAction* add, QAction* import, QAction* remove, QWidget* parent = nullptr);

    /// Adds a folder at the end if it is not there; returns its row.
    int add(const std::filesystem::path& folder);
    std::filesystem::path folder(int row) const;
    void remove(const std::filesystem::path& folder); ///< emits no signal
    /// Which folders are gone is said in their rows, until it is asked again.
    void lookForFolders();
    int rowOf(const std::filesystem::path& folder) const; ///< −1: not there
    int count() const;
    void setCurrent(const std::filesystem::path& folder); ///< emits no signal
    /// `right`: "3.2 h"; `mistake`: the sentence under the row; `share` of what is being read, 0 … 1.
    void setState(const std::filesystem::path& folder, const QString& right, const QString& mistake,
                  std::optional<double> share = {});

Q_SIGNALS:
    void chosen(const std::filesystem::path& folder);

private:
    QStandardItemModel* m_model;
    bool m_quiet = false;
};

} // namespace headroom::app
