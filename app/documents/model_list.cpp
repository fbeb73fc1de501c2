// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/model_list.h"

#include "app/documents/items/names_apart.h"
#include "app/documents/items/paths.h"
#include "widgets/run_monitor/run_words.h"

#include <algorithm>

namespace headroom::app {

ModelList::ModelList(QObject* parent) : QAbstractListModel(parent) {}

int ModelList::rowOf(ModelId id) const {
    const auto found = std::find_if(m_models.begin(), m_models.end(),
                                    [&](const OpenModel& model) { return model.id == id; });
    return found == m_models.end() ? -1 : static_cast<int>(found - m_models.begin());
}

const OpenModel* ModelList::find(ModelId id) const {
    const int row = rowOf(id);
    return row < 0 ? nullptr : &at(row);
}

const OpenModel* ModelList::of(const std::filesystem::path& folder) const {
    const auto found = std::find_if(m_models.begin(), m_models.end(),
                                    [&](const OpenModel& model) { return model.folder == folder; });
    return found == m_models.end() ? nullptr : &*found;
}

int ModelList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : count();
}

QVariant ModelList::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const OpenModel& model = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return model.shownName();
    case Qt::ToolTipRole: {
        const QString weights = widgets::exportedText(weightsOfModel(model.folder));
        return weights.isEmpty() ? toQString(model.folder) : tr("%1\nweights: %2").arg(toQString(model.folder), weights);
    }
    case FolderRole:
        return toQString(model.folder);
    case MissingRole:
        return model.isMissing;
    case Qt::CheckStateRole:
        return model.enabled ? Qt::Checked : Qt::Unchecked;
    case IdRole:
        return static_cast<int>(model.id);
    case StateRole:
        return static_cast<int>(model.state);
    case SummaryRole:
        return model.summary();
    case SentenceRole:
        return model.state == OpenState::Failed ? model.sentence : model.warnings.join(QLatin1Char('\n'));
    case ColourRole:
        return model.colour;
    default:
        return {};
    }
}

bool ModelList::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole ||
        !checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return false;
    OpenModel& model = m_models[static_cast<std::size_t>(index.row())];
    const bool enabled = value.toInt() == Qt::Checked;
    if (model.enabled == enabled)
        return true;
    model.enabled = enabled;
    const ModelId id = model.id;
    Q_EMIT dataChanged(index, index);
    Q_EMIT enabledToggled(id);
    return true;
}

Qt::ItemFlags ModelList::flags(const QModelIndex& index) const {
    const auto flags = QAbstractListModel::flags(index);
    return index.isValid() ? flags | Qt::ItemIsUserCheckable : flags;
}

void ModelList::insert(int row, OpenModel model) {
    const QString name = model.name;
    beginInsertRows({}, row, row);
    m_models.insert(m_models.begin() + row, std::move(model));
    endInsertRows();
    keepApart(name);
}

void ModelList::update(ModelId id, const std::function<void(OpenModel&)>& change) {
    const int row = rowOf(id);
    if (row < 0)
        return;
    OpenModel& model = m_models[static_cast<std::size_t>(row)];
    const QString name = model.name;
    const std::filesystem::path folder = model.folder;
    change(model);
    Q_EMIT dataChanged(index(row), index(row));
    if (model.name == name && model.folder == folder)
        return;
    model.apart.clear();
    const QString now = model.name;
    keepApart(name);
    keepApart(now);
    if (model.folder != folder)
        Q_EMIT folderChanged(id, folder);
}

/// Sets what tells those of one name apart.
void ModelList::keepApart(const QString& name) {
    const auto namesOf = [&](const std::vector<OpenModel*>& same) {
        std::vector<std::filesystem::path> folders;
        for (const OpenModel* one : same)
            folders.push_back(placeOfModel(one->folder, one->name));
        return namesApart(name, folders);
    };
    for (const int row : tellApart(m_models, name, [](const OpenModel& one) { return one.name; }, namesOf)) {
        Q_EMIT dataChanged(index(row), index(row));
        Q_EMIT shownNameChanged(at(row).id);
    }
}

void ModelList::remove(ModelId id) {
    const int row = rowOf(id);
    if (row < 0)
        return;
    const QString name = at(row).name;
    beginRemoveRows({}, row, row);
    m_models.erase(m_models.begin() + row);
    endRemoveRows();
    keepApart(name);
}

void ModelList::clear() {
    beginResetModel();
    m_models.clear();
    endResetModel();
}

} // namespace headroom::app
