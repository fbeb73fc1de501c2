// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/data/corpus_list.h"

#include "app/documents/items/paths.h"
#include "app/parts/row_delegate.h"

#include <QAction>
#include <QDir>
#include <QListView>
#include <QStandardItemModel>

namespace headroom::app {

namespace {

enum CorpusRole { CorpusFolderRole = Qt::UserRole + 1, RightRole, MistakeRole, ShareRole, GoneRole };

/// "~/corpora" for what lies in the user's home.
QString shortPlace(const QString& folder) {
    const QString home = QDir::homePath();
    return folder.startsWith(home + u'/') ? u'~' + folder.mid(home.size()) : folder;
}

} // namespace

CorpusList::CorpusList(QAction* add, QAction* import, QAction* remove, QWidget* parent)
    : ListPanel(tr("Add a corpus: a folder with corpus.json, a manifest, or recordings with their texts. Import a corpus of another kind."),
                {{add, QStringLiteral("plus")}, {import, QStringLiteral("folder")}}, parent)
    , m_model(new QStandardItemModel(this)) {
    view()->setModel(m_model);
    view()->setAccessibleName(tr("Corpora"));
    auto* delegate = new RowDelegate(
        [remove](const QModelIndex& index) {
            const std::filesystem::path folder = toPath(index.data(CorpusFolderRole).toString());
            RowContent row;
            row.iconName = QStringLiteral("audio");
            row.title = index.data(Qt::DisplayRole).toString();
            row.second = shortPlace(toQString(folder.parent_path()));
            row.right = index.data(RightRole).toString();
            row.sentence = index.data(GoneRole).toBool() ? tr("This folder no longer exists.") : index.data(MistakeRole).toString();
            if (!row.sentence.isEmpty()) {
                row.severity = Severity::Error;
                row.buttons << remove->iconText();
            }
            if (const QVariant share = index.data(ShareRole); share.isValid()) {
                row.working = true;
                row.share = share.toDouble();
            }
            return row;
        },
        this);
    view()->setItemDelegate(delegate);
    view()->addAction(remove);
    connect(delegate, &RowDelegate::buttonClicked, this, [this, remove](const QModelIndex& index) {
        setCurrent(folder(index.row()));
        remove->trigger();
    });
    connect(view()->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) {
                if (now.isValid() && !m_quiet)
                    Q_EMIT chosen(folder(now.row()));
            });
}

int CorpusList::add(const std::filesystem::path& named) {
    const auto folder = normalised(named);
    if (const int row = rowOf(folder); row >= 0)
        return row;
    auto* item = new QStandardItem(toQString(folder.filename()));
    item->setData(toQString(folder), CorpusFolderRole);
    item->setToolTip(toQString(folder));
    item->setEditable(false);
    m_quiet = true; // the view makes the first row the current one
    m_model->appendRow(item);
    m_quiet = false;
    setEmpty(false);
    return m_model->rowCount() - 1;
}

void CorpusList::remove(const std::filesystem::path& folder) {
    const int row = rowOf(folder);
    if (row < 0)
        return;
    m_quiet = true; // the view makes another row the current one
    m_model->removeRow(row);
    m_quiet = false;
    setEmpty(count() == 0);
}

void CorpusList::lookForFolders() {
    for (int row = 0; row < count(); ++row) {
        std::error_code ignored;
        m_model->item(row)->setData(!std::filesystem::is_directory(folder(row), ignored), GoneRole);
    }
    view()->doItemsLayout(); // a sentence makes a row higher
}

std::filesystem::path CorpusList::folder(int row) const {
    return toPath(m_model->index(row, 0).data(CorpusFolderRole).toString());
}

int CorpusList::rowOf(const std::filesystem::path& folder) const {
    const QString wanted = toQString(normalised(folder));
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_model->index(row, 0).data(CorpusFolderRole).toString() == wanted)
            return row;
    return -1;
}

int CorpusList::count() const {
    return m_model->rowCount();
}

void CorpusList::setCurrent(const std::filesystem::path& folder) {
    m_quiet = true;
    view()->setCurrentIndex(m_model->index(rowOf(folder), 0));
    m_quiet = false;
}

void CorpusList::setState(const std::filesystem::path& folder, const QString& right, const QString& mistake,
                          std::optional<double> share) {
    QStandardItem* item = m_model->item(rowOf(folder));
    if (!item)
        return;
    item->setData(right, RightRole);
    item->setData(mistake, MistakeRole);
    item->setData({}, GoneRole); // it was read since
    item->setData(share ? QVariant(*share) : QVariant(), ShareRole);
    view()->doItemsLayout(); // a sentence makes a row higher
}

} // namespace headroom::app
