// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/model_chooser.h"

#include "app/documents/items/paths.h"
#include "app/parts/availability.h"
#include "app/parts/number_text.h"
#include "app/parts/row_delegate.h"
#include "widgets/look/context_menu.h"
#include "widgets/look/sizes.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace headroom::app {

namespace {

enum CachedRole { FamilyRole = Qt::UserRole + 1, FolderRole, RemarkRole, OpensRole };

RowContent describeCached(const QModelIndex& index) {
    RowContent row;
    row.iconName = QStringLiteral("model");
    row.title = index.data().toString();
    row.second = index.data(FamilyRole).toString();
    row.sentence = index.data(RemarkRole).toString();
    row.severity = row.sentence.isEmpty() ? Severity::Info : Severity::Warning;
    return row;
}

/// What the list says below the name: why the model cannot be opened, or that it may not fit.
QString remarkOn(const CachedModel& model, std::optional<double> free) {
    const auto needed = static_cast<double>(model.memory);
    if (!model.reason.empty() || !free || needed <= *free)
        return QString::fromStdString(model.reason);
    return ModelChooser::tr("Needs about %1 of memory; %2 is free. Close other models or programs first.")
        .arg(decimalBytes(needed), decimalBytes(*free));
}

QStandardItem* itemOf(const CachedModel& model, std::optional<double> free) {
    auto* item = new QStandardItem(QString::fromStdString(model.name));
    QString size = decimalBytes(static_cast<double>(model.bytes));
    if (model.memory > 0 && model.reason.empty())
        size = ModelChooser::tr("%1, takes %2 of memory").arg(size, decimalBytes(static_cast<double>(model.memory)));
    const QString family = QString::fromStdString(model.family);
    const QString remark = remarkOn(model, free);
    item->setData(family.isEmpty() ? size : ModelChooser::tr("%1, %2").arg(family, size), FamilyRole);
    item->setData(toQString(model.snapshot), FolderRole);
    item->setData(remark, RemarkRole);
    item->setData(model.reason.empty(), OpensRole);
    item->setData(QStringList{item->text(), family, size, remark}.join(QStringLiteral(", ")),
                  Qt::AccessibleTextRole);
    return item;
}

} // namespace

ModelChooser::ModelChooser(const std::vector<CachedModel>& models, const std::filesystem::path& cache,
                           std::optional<double> free, QWidget* parent)
    : QDialog(parent)
    , m_list(new QListView(this))
    , m_open(new QPushButton(tr("Open"), this))
    , m_another(new QPushButton(tr("Choose a folder…"), this)) {
    setWindowTitle(tr("Open a model"));
    const double unit = widgets::Sizes::unit();
    const int gap = qRound(2 * unit);
    auto* said = new QLabel(tr("Speech models in your Hugging Face cache"), this);
    said->setBuddy(m_list);
    auto* where = new QLabel(toQString(cache), this);
    where->setProperty("secondary", true);
    where->setWordWrap(true);

    auto* rows = new QStandardItemModel(this);
    for (const CachedModel& model : models)
        rows->appendRow(itemOf(model, free));
    m_list->setModel(rows);
    m_list->setAccessibleName(said->text());
    m_list->setItemDelegate(new RowDelegate(describeCached, this));
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setWordWrap(true); // a sentence wraps anew with each width; Adjust looks at the height alone

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->addButton(m_open, QDialogButtonBox::AcceptRole);
    buttons->addButton(m_another, QDialogButtonBox::ActionRole);
    m_open->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(gap, gap, gap, gap);
    layout->setSpacing(qRound(unit));
    layout->addWidget(said);
    layout->addWidget(m_list, 1);
    layout->addWidget(where);
    layout->addWidget(buttons);
    resize(qRound(70 * unit), qRound(50 * unit));

    auto* open = new QAction(tr("Open"), this);
    const auto follow = [this, open] {
        const QModelIndex current = m_list->currentIndex();
        const QString whyNot = !current.isValid()   ? tr("Choose a model first.")
                               : folder().isEmpty() ? current.data(RemarkRole).toString()
                                                    : QString();
        setAvailable(m_open, whyNot);
        setAvailable(open, whyNot);
    };
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, follow);
    connect(m_list, &QListView::doubleClicked, this, [this] {
        if (!folder().isEmpty())
            accept();
    });
    connect(m_another, &QPushButton::clicked, this, [this] {
        m_wantsAnother = true;
        accept();
    });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* copy = new QAction(tr("Copy the folder's path"), this);
    connect(open, &QAction::triggered, this, [this] {
        if (!folder().isEmpty())
            accept();
    });
    connect(copy, &QAction::triggered, this,
            [this] { QApplication::clipboard()->setText(m_list->currentIndex().data(FolderRole).toString()); });
    widgets::setContextMenu(m_list, {open, copy});
    m_list->setCurrentIndex(rows->index(0, 0));
    follow();
}

QString ModelChooser::folder() const {
    const QModelIndex current = m_list->currentIndex();
    const bool opens = current.isValid() && current.data(OpensRole).toBool();
    return opens ? current.data(FolderRole).toString() : QString();
}

} // namespace headroom::app
