// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/places_dialog.h"

#include "app/parts/forms/form_row.h"
#include "app/places/copies_panel.h"
#include "app/places/place_store.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"

#include <QClipboard>
#include <QComboBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTabWidget>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::Sizes;

namespace {

constexpr int kNameRole = Qt::UserRole; ///< of a row: the place in the file; empty: the new one

/// A name that is too long for the list ends in "…".
class ElidedRows : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return {0, QStyledItemDelegate::sizeHint(option, index).height()};
    }
};

} // namespace

PlacesDialog::PlacesDialog(PlaceStore* store, QWidget* parent) : QDialog(parent), m_store(store) {
    setWindowTitle(tr("Places"));
    setObjectName(QStringLiteral("places"));
    const int unit = qRound(Sizes::unit());
    auto* outer = new QHBoxLayout(this);
    outer->setContentsMargins(2 * unit, 2 * unit, 2 * unit, 2 * unit);
    outer->setSpacing(2 * unit);
    outer->addWidget(makeSide());
    auto* right = new QVBoxLayout;
    right->setSpacing(unit);
    outer->addLayout(right, 1);
    auto* form = new QWidget(this);
    auto* rows = new QFormLayout(form);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    right->addWidget(form);
    makeFields();
    rows->addRow(tr("Name"), m_name);
    rows->addRow(tr("Kind"), m_kind);
    rows->addRow(tr("Host"), m_host);
    rows->addRow(tr("Folder"), m_folder);
    rows->addRow(tr("Worker"), m_worker);
    rows->addRow(tr("Device"), m_device);
    right->addWidget(m_slurm);
    m_checks = new ChecksPanel(this);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(m_checks);
    scroll->setAccessibleName(tr("Test results"));
    scroll->setWidgetResizable(true);
    scroll->setMinimumHeight(Sizes::tableRow() * 6);
    m_copies = new CopiesPanel(this);
    m_tabs = new QTabWidget(this);
    m_tabs->addTab(scroll, tr("Test"));
    // Its sentence wraps. A page whose height depends on its width would take its room from the fields above.
    auto* copies = new QScrollArea(this);
    copies->setWidget(m_copies);
    copies->setAccessibleName(tr("Copies"));
    copies->setWidgetResizable(true);
    copies->setFrameShape(QFrame::NoFrame);
    m_tabs->addTab(copies, tr("Copies"));
    m_tabs->setTabToolTip(1, tr("Corpora, models, checkpoints and workers that were copied there, and the runs that use them."));
    right->addWidget(m_tabs, 1);
    m_sentence = new QLabel(this);
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("caption", true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_sentence->setMinimumHeight(Sizes::tableRow() * 2);
    right->addWidget(m_sentence);
    auto* foot = new QHBoxLayout;
    m_test = new QPushButton(widgets::icon(QStringLiteral("refresh")), tr("Test"), this);
    m_test->setToolTip(tr("Check whether a run can start there, with these fields. Saves nothing."));
    m_install = new QPushButton(widgets::icon(QStringLiteral("import")), tr("Install…"), this);
    m_install->setToolTip(tr("Copy the worker there and verify it by hash. Asks first, and saves the place once the worker is there."));
    // Rare buttons leave the letters W and O to fields.
    m_uninstall = new QPushButton(tr("Remo&ve worker…"), this);
    m_uninstall->setToolTip(tr("Delete what Install… copied there. Asks first. Runs, data and models are kept."));
    m_copyLine = new QPushButton(widgets::icon(QStringLiteral("terminal")), tr("Cop&y the command"), this);
    m_copyLine->hide();
    m_save = new QPushButton(tr("Save"), this);
    m_save->setProperty("primary", true);
    m_save->setDefault(true); // Enter in a field
    auto* close = new QPushButton(tr("Clos&e"), this);
    foot->addWidget(m_test);
    foot->addWidget(m_install);
    foot->addWidget(m_uninstall);
    foot->addWidget(m_copyLine);
    foot->addStretch(1);
    foot->addWidget(m_save);
    foot->addWidget(close);
    right->addLayout(foot);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_save, &QPushButton::clicked, this, &PlacesDialog::save);
    connect(m_test, &QPushButton::clicked, this, [this] {
        if (!m_checker.isRunning())
            return test();
        m_checker.cancel();
        setTesting(false);
        say(tr("Cancelled."), false);
    });
    connect(m_install, &QPushButton::clicked, this, &PlacesDialog::askToInstall);
    connect(m_uninstall, &QPushButton::clicked, this, &PlacesDialog::askToRemoveWorker);
    connect(m_copyLine, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(lineToType(sentence())); });
    connect(m_store, &PlaceStore::changed, this, &PlacesDialog::takeChange);
    connect(&m_checker, &PlaceChecker::finished, this, &PlacesDialog::takeEnd);
    resize(unit * 96, unit * 72);
    fillList();
    showPlace(m_store->places().empty() ? QString() : QString::fromStdString(m_store->places().front().name));
    if (!m_store->problem().isEmpty())
        say(m_store->problem(), true);
}

QWidget* PlacesDialog::makeSide() {
    auto* side = new QWidget(this);
    side->setFixedWidth(qRound(Sizes::unit() * 26));
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    m_list = new QListWidget(side);
    m_list->setAccessibleName(tr("Places"));
    m_list->setItemDelegate(new ElidedRows(m_list));
    widgets::withTextSize(m_list, [list = m_list] { list->setIconSize(QSize(Sizes::icon(), Sizes::icon())); });
    column->addWidget(m_list, 1);
    auto* buttons = new QHBoxLayout;
    m_add = new QPushButton(widgets::icon(QStringLiteral("plus")), tr("Add"), side);
    m_add->setToolTip(tr("Add a host or a cluster."));
    m_remove = new QPushButton(tr("Remove…"), side);
    m_remove->setToolTip(tr("Remove the place from the list. Asks first. Its folder and its runs are kept."));
    buttons->addWidget(m_add);
    buttons->addWidget(m_remove);
    column->addLayout(buttons);
    connect(m_add, &QPushButton::clicked, this, [this] {
        leave([this] {
            showPlace({});
            m_name->setFocus();
        });
    });
    connect(m_remove, &QPushButton::clicked, this, &PlacesDialog::askToRemove);
    connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        const QString name = item ? item->data(kNameRole).toString() : QString();
        if (name.isEmpty())
            return;
        leave([this, name] { showPlace(name); });
        // While the user is asked, the list shows the place of the fields: set when the click that chose another one is over.
        if (m_shown != name)
            QMetaObject::invokeMethod(this, &PlacesDialog::fillList, Qt::QueuedConnection);
    });
    return side;
}

void PlacesDialog::fillList() {
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    for (const Place& place : m_store->places()) {
        const bool slurm = place.kind == Place::Kind::Slurm;
        m_list->addItem(new QListWidgetItem(widgets::icon(slurm ? QStringLiteral("cluster") : QStringLiteral("server")),
                                            QString::fromStdString(place.name)));
        m_list->item(m_list->count() - 1)->setToolTip(QString::fromStdString(place.name));
        m_list->item(m_list->count() - 1)->setData(kNameRole, QString::fromStdString(place.name));
        if (m_shown == QString::fromStdString(place.name))
            m_list->setCurrentRow(m_list->count() - 1);
    }
    if (m_store->places().empty()) {
        auto* none = new QListWidgetItem(tr("No places yet."), m_list);
        none->setFlags(Qt::NoItemFlags);
    } else if (m_shown.isEmpty()) { // a list without a current row chooses its first one when it gets the focus
        m_list->addItem(new QListWidgetItem(widgets::icon(QStringLiteral("plus")), tr("New place")));
        m_list->setCurrentRow(m_list->count() - 1);
    }
    showRemoval();
}

/// Another program has changed the file, or Save has. Fields that the user has changed stay as they are.
void PlacesDialog::takeChange() {
    fillList();
    const Place* now = m_store->find(m_shown);
    if (m_shown.isEmpty() || isWorking() || !m_store->problem().isEmpty() || (now && *now == m_filled))
        return;
    const bool isUntouched = place() == m_filled;
    const QString name = m_shown;
    if (now && isUntouched) {
        setFields(*now);
        say(tr("Another program has changed %1.").arg(name), false);
    } else if (now) {
        say(tr("Another program has changed %1. Save overwrites its changes with these fields.").arg(name), true);
    } else if (isUntouched) {
        showPlace(m_store->places().empty() ? QString() : QString::fromStdString(m_store->places().front().name));
        say(tr("Another program has removed %1 from the list.").arg(name), false);
    } else {
        say(tr("Another program has removed %1 from the list. Save adds it again.").arg(name), true);
    }
}

void PlacesDialog::showPlace(const QString& name) {
    m_checker.cancel();
    setTesting(false);
    const Place* place = m_store->find(name);
    m_shown = place ? name : QString();
    setFields(place ? *place : Place());
    m_checks->setChecks(notTested());
    m_copies->setPlace(m_shown);
    say(place ? QString()
              : tr("A place is a host that you can reach by ssh with a key, or a Slurm cluster. Runs that start "
                   "there appear here."),
        false);
    fillList();
}

QList<Check> PlacesDialog::notTested() {
    return {{Check::State::Unknown, tr("Not tested yet"), {}, tr("Test checks whether a run can start there.")}};
}

bool PlacesDialog::save() {
    m_store->reload(); // fields that the user has not changed may be outdated
    const Place wanted = place();
    if (const QString sentence = m_store->put(wanted, m_shown); !sentence.isEmpty()) {
        sayMistake(sentence);
        return false;
    }
    m_shown = QString::fromStdString(wanted.name);
    m_filled = wanted;
    m_copies->setPlace(m_shown);
    fillList();
    say(savedText(), false);
    return true;
}

void PlacesDialog::done(int result) {
    leave([this, result] { QDialog::done(result); });
}

void PlacesDialog::leave(const std::function<void()>& then) {
    if (!isChanged())
        return then();
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Unsaved changes"),
                                m_shown.isEmpty() ? tr("Save the new place?") : tr("Save the changes to %1?").arg(m_shown),
                                QMessageBox::Cancel, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(box->addButton(tr("Save"), QMessageBox::AcceptRole), &QPushButton::clicked, this, [this, then] {
        if (save())
            then();
    });
    connect(box->addButton(tr("Discard"), QMessageBox::DestructiveRole), &QPushButton::clicked, this, then);
    box->open();
}

void PlacesDialog::showCopies() {
    m_tabs->setCurrentIndex(1);
}

void PlacesDialog::askToRemove() {
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Remove the place"), tr("Remove %1 from the list?").arg(m_shown),
                                QMessageBox::Cancel, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(tr("The values in its fields will be lost. Its folder, its worker and its runs are kept."));
    box->setDefaultButton(QMessageBox::Cancel);
    const QPushButton* remove = box->addButton(tr("Remove"), QMessageBox::DestructiveRole);
    connect(remove, &QPushButton::clicked, this, [this, name = m_shown] {
        if (const QString sentence = m_store->remove(name); !sentence.isEmpty())
            return say(sentence, true);
        showPlace(m_store->places().empty() ? QString() : QString::fromStdString(m_store->places().front().name));
        say(tr("%1 is no longer in the list.").arg(name), false);
    });
    box->open();
}

QString PlacesDialog::lineToType(const QString& sentence) {
    static const QRegularExpression line(QStringLiteral("(?:[Tt]ype[^:]*|Install it|bring it there|source folder): (\\S.*)$"));
    return line.match(sentence).captured(1);
}

void PlacesDialog::sayMistake(const QString& sentence) {
    say(sentence, true);
    m_isMistaken = true;
}

void PlacesDialog::say(const QString& sentence, bool wrong) {
    m_isMistaken = false;
    m_sentence->setText(sentence);
    m_copyLine->setVisible(!lineToType(sentence).isEmpty());
    markMistake(m_sentence, wrong);
}

QString PlacesDialog::sentence() const {
    return m_sentence->text();
}

const QList<Check>& PlacesDialog::checks() const {
    return m_checks->checks();
}

} // namespace headroom::app
