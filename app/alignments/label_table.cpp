// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alignments/label_table.h"

#include "app/alignments/alignment_store.h"
#include "core/alignment/phones.h"
#include "widgets/look/icons.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QLocale>
#include <QScopedValueRollback>
#include <QTimer>

#include <algorithm>

namespace headroom::app {

namespace {

/// Knows whether a class was reached by typing or turning while the list is closed: that looks for one, and does not choose it.
class ClassChooser : public QComboBox {
public:
    using QComboBox::QComboBox;
    bool isSearched() const { return m_isSearched; }

protected:
    void keyPressEvent(QKeyEvent* event) override {
        const QScopedValueRollback searched(m_isSearched, true);
        QComboBox::keyPressEvent(event);
    }
    void wheelEvent(QWheelEvent* event) override {
        const QScopedValueRollback searched(m_isSearched, true);
        QComboBox::wheelEvent(event);
    }

private:
    bool m_isSearched = false;
};

} // namespace

LabelTable::LabelTable(AlignmentStore* store, QObject* parent)
    : QAbstractTableModel(parent)
    , m_store(store) {}

void LabelTable::refresh() {
    std::vector<Row> rows;
    int unknown = 0;
    for (const auto& [label, count] : m_store->labels()) {
        Row row{QString::fromStdString(label), count, m_store->map().knows(label), kLeftOut};
        row.phoneClass = m_store->map().classOf(label).value_or(kLeftOut);
        unknown += !row.isKnown;
        rows.push_back(std::move(row));
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.isKnown != b.isKnown ? b.isKnown : a.count > b.count;
    });
    if (rows == m_rows)
        return; // each alignment that was checked says so, and a reset closes the list that is open
    beginResetModel();
    m_rows = std::move(rows);
    m_unknown = unknown;
    endResetModel();
}

QString LabelTable::nameOf(int phoneClass) {
    if (phoneClass == kLeftOut)
        return tr("ignored");
    if (phoneClass == kSilenceClass)
        return tr("silence");
    const auto name = phoneClassName(phoneClass);
    return QString::fromUtf8(name.data(), qsizetype(name.size()));
}

int LabelTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_rows.size());
}

int LabelTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant LabelTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Label)
            return row.label.isEmpty() ? tr("(empty)") : row.label;
        if (index.column() == Count)
            return QLocale(QLocale::English).toString(qlonglong(row.count));
        return row.isKnown ? nameOf(row.phoneClass) : tr("unknown");
    case Qt::EditRole:
        return index.column() != Class ? data(index, Qt::DisplayRole) : row.isKnown ? QVariant(row.phoneClass) : QVariant();
    case Qt::DecorationRole:
        return index.column() == Label && !row.isKnown
                   ? widgets::icon(QStringLiteral("warning"), widgets::Theme::current().warning)
                   : QVariant();
    case Qt::ForegroundRole:
        return index.column() == Class && !row.isKnown ? QVariant(widgets::Theme::current().warning)
                                                       : QVariant();
    case Qt::TextAlignmentRole:
        return int((index.column() == Count ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return row.isKnown
                   ? tr("The class of “%1” in phone studies. Click to change it.").arg(row.label)
                   : tr("“%1” is not in the phone map and is ignored. Click to assign a class.")
                         .arg(row.label);
    default:
        return {};
    }
}

bool LabelTable::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || index.column() != Class ||
        !checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return false;
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const int phoneClass = value.toInt();
    if (row.isKnown && row.phoneClass == phoneClass)
        return false;
    // The map's change makes this table anew; the view is still in the middle of closing its editor.
    QTimer::singleShot(0, m_store, [store = m_store, label = row.label, phoneClass] {
        store->setClass(label, phoneClass == kLeftOut ? std::nullopt : std::optional(phoneClass));
    });
    return true;
}

Qt::ItemFlags LabelTable::flags(const QModelIndex& index) const {
    const auto flags = QAbstractTableModel::flags(index);
    return index.column() == Class ? flags | Qt::ItemIsEditable : flags;
}

QVariant LabelTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Count ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == Label ? tr("Label") : section == Count ? tr("Count") : tr("Counts as");
}

QWidget* ClassDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const {
    auto* combo = new ClassChooser(parent);
    combo->setAccessibleName(tr("Class of the phone"));
    for (int phoneClass = 0; phoneClass <= kSilenceClass; ++phoneClass)
        combo->addItem(LabelTable::nameOf(phoneClass), phoneClass);
    combo->addItem(LabelTable::nameOf(LabelTable::kLeftOut), LabelTable::kLeftOut);
    auto* self = const_cast<ClassDelegate*>(this);
    connect(combo, &QComboBox::activated, self, [self, combo] {
        if (combo->isSearched()) // until Enter
            return;
        Q_EMIT self->commitData(combo);
        Q_EMIT self->closeEditor(combo);
    });
    return combo;
}

void ClassDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    auto* combo = qobject_cast<QComboBox*>(editor);
    const QVariant known = index.data(Qt::EditRole);
    combo->setPlaceholderText(index.data().toString());
    combo->setCurrentIndex(known.isValid() ? combo->findData(known) : -1);
    QTimer::singleShot(0, combo, &QComboBox::showPopup);
}

void ClassDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    const QVariant chosen = qobject_cast<QComboBox*>(editor)->currentData();
    if (chosen.isValid()) // an editor that is left is committed, too
        model->setData(index, chosen, Qt::EditRole);
}

} // namespace headroom::app
