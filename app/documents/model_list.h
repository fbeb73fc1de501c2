// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/open_model.h"

#include <QAbstractListModel>

#include <filesystem>
#include <functional>
#include <vector>

namespace headroom::app {

/// The open models. Views read it and may tick rows (Qt::CheckStateRole); everything else the session
/// changes. Window's thread only.
class ModelList : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        IdRole = Qt::UserRole + 1, ///< int(ModelId)
        StateRole,                 ///< int(OpenState)
        SummaryRole,               ///< second line: "12 layers × 4 heads, width 256"
        SentenceRole,              ///< what to say under the row; empty: all is well
        ColourRole,                ///< int, OpenModel::colour
        FolderRole,                ///< QString, native path
        MissingRole,               ///< bool: Failed, because the folder is not there
    };

    explicit ModelList(QObject* parent = nullptr);

    int count() const { return static_cast<int>(m_models.size()); }
    const OpenModel& at(int row) const { return m_models[static_cast<std::size_t>(row)]; }
    const OpenModel* find(ModelId id) const; ///< null where it is closed; borrowed until the list changes
    int rowOf(ModelId id) const;             ///< −1 where it is closed
    /// The open model of a folder, as Session::openModel names it; null where none is.
    const OpenModel* of(const std::filesystem::path& folder) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    void enabledToggled(headroom::app::ModelId id);
    void shownNameChanged(headroom::app::ModelId id); ///< because another one has the same name, or has it no more
    void folderChanged(headroom::app::ModelId id, const std::filesystem::path& from);

private:
    friend class Session;
    void keepApart(const QString& name);
    void insert(int row, OpenModel model);
    void update(ModelId id, const std::function<void(OpenModel&)>& change);
    void remove(ModelId id);
    void clear();

    std::vector<OpenModel> m_models;
};

} // namespace headroom::app
