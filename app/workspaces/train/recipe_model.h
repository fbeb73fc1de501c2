// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/recipe.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <map>

namespace headroom::app {

/// Every value of a recipe, editable; what differs from the recipe's own is marked and can be taken back. A
/// value that cannot be stays as written, with its sentence. Window's thread.
class RecipeModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Key, Value, ColumnCount };
    enum Role { ChangedRole = Qt::UserRole + 1, MistakeRole }; ///< bool; QString

    explicit RecipeModel(QObject* parent = nullptr);

    /// Another recipe: changes are kept where the key still differs from it. Those that mean nothing for its kind of task, as lengths in
    /// frames for a recipe that counts tokens, are reset, and come back with the next recipe of the former kind.
    void setBase(const Recipe& base);
    /// Which values the last setBase() reset, as a sentence; empty: none.
    QString resetNote() const;
    const Recipe& base() const { return m_base; }
    /// With every change that is right.
    const Recipe& recipe() const { return m_recipe; }
    std::vector<std::string> changes() const; ///< "key=JSON", in the document's order
    int changeCount() const { return static_cast<int>(m_written.size()); }
    /// The changes that cannot be, by key, each with its sentence.
    const std::map<std::string, QString>& mistakes() const { return m_mistakes; }
    /// `text` as somebody types it: 32000, 1e-3, adam.
    void write(const QString& key, const QString& text);
    /// As changes() gave them; keys that no recipe has are left out.
    void restore(const std::vector<std::string>& changes);
    void takeBack(const QString& key);
    void takeAllBack();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void recipeChanged();

private:
    void apply();

    Recipe m_base, m_recipe;
    std::map<std::string, std::string> m_written; ///< key → JSON as written
    std::map<std::string, std::map<std::string, std::string>> m_ofOtherKind; ///< what they are for, as scopeOf() says → such changes
    QStringList m_reset; ///< keys
    std::map<std::string, QString> m_mistakes;
};

} // namespace headroom::app
