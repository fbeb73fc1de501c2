// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alignments/alignments_panel.h"

#include "app/alignments/alignment_store.h"
#include "app/alignments/beside_or_tabs.h"
#include "app/alignments/finding_table.h"
#include "app/alignments/label_table.h"
#include "app/documents/items/paths.h"
#include "app/parts/file_dialogs.h"
#include "widgets/look/context_menu.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/run_monitor/table_text.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;

namespace {

QTableView* makeTable(QAbstractItemModel* model, const QString& name) {
    auto* table = new QTableView;
    table->setModel(model);
    widgets::styleTable(*table, Sizes::tableRow());
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setAlternatingRowColors(true);
    widgets::withTextSize(table, [table] {
        table->setFont(Sizes::caption());
        table->setIconSize(QSize(Sizes::icon() * 3 / 4, Sizes::icon() * 3 / 4));
    });
    table->setAccessibleName(name);
    return table;
}

/// Names of one speaker differ at their ends, so they are elided in the middle and never wrapped. The view has another
/// mode: problems wrap, and a last line that has no room would lose its middle too.
class UtteranceNameDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    /// No wider than this: the problems need the room. As wide as the head, of which Qt measures too little.
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        const int unit = qRound(Sizes::unit()), most = unit * 19;
        const int width = std::min(size.width(), option.widget ? std::min(most, option.widget->width() * 2 / 5) : most);
        QFont bold = Sizes::caption();
        bold.setBold(true);
        const QString head = index.model()->headerData(index.column(), Qt::Horizontal).toString();
        size.setWidth(std::max(width, QFontMetrics(bold).horizontalAdvance(head) + 3 * unit));
        return size;
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->features &= ~QStyleOptionViewItem::WrapText;
        option->textElideMode = Qt::ElideMiddle;
    }
};

/// Problems are read whole. Qt counts the lines for the width of the cell, with the padding that the style sheet leaves free.
class SentenceDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem shown = option, narrow = option;
        initStyleOption(&shown, index);
        if (option.widget && option.rect.width() > 0)
            narrow.rect.setWidth(option.widget->style()->subElementRect(QStyle::SE_ItemViewItemText, &shown, option.widget).width());
        return QStyledItemDelegate::sizeHint(narrow, index);
    }
};

} // namespace

AlignmentsPanel::AlignmentsPanel(Session* session, AlignmentStore* store, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_store(store)
    , m_found(new FindingTable(session, this))
    , m_labelled(new LabelTable(store, this))
    , m_findings(makeTable(m_found, tr("Problems in the alignments")))
    , m_labels(makeTable(m_labelled, tr("Phone map")))
    , m_allGood(new QLabel(this))
    , m_reason(new QLabel(this))
    , m_map(new QComboBox(this)) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    QWidget *const findings = makeFindings(), *const map = makeMap();
    m_parts = new BesideOrTabs({tr("Problems"), findings, 62}, {tr("Phone map"), map, 38}, 85, this);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_parts);
    connect(store, &AlignmentStore::reportsChanged, this, &AlignmentsPanel::refresh);
    connect(store, &AlignmentStore::mapChanged, this, &AlignmentsPanel::refresh);
    connect(session, &Session::utteranceRemoved, this, &AlignmentsPanel::refresh);
    connect(session->utterances(), &UtteranceList::shownNameChanged, this, &AlignmentsPanel::refresh);
    setPickers(
        [this](const QString& title) {
            return FileDialogs().openFile(this, title, folder(), tr("Phone maps (*.tsv)"));
        },
        [this](const QString& title) {
            return FileDialogs().save(this, title, folder() + QStringLiteral("/phones.tsv"),
                                      {tr("Phone maps (*.tsv)")});
        });
    refresh();
}

QWidget* AlignmentsPanel::makeFindings() {
    const int unit = qRound(Sizes::unit());
    m_findings->horizontalHeader()->setSectionResizeMode(FindingTable::Sentence, QHeaderView::Stretch);
    m_findings->horizontalHeader()->setSectionResizeMode(FindingTable::Name, QHeaderView::ResizeToContents);
    m_findings->setItemDelegateForColumn(FindingTable::Name, new UtteranceNameDelegate(m_findings));
    m_findings->horizontalHeader()->setSectionResizeMode(FindingTable::Time, QHeaderView::ResizeToContents);
    m_findings->setItemDelegateForColumn(FindingTable::Sentence, new SentenceDelegate(m_findings));
    m_findings->setWordWrap(true);
    m_findings->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel); // a problem may have more lines than the panel
    m_findings->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_findings->setAccessibleDescription(tr("Press Enter to go to the place."));
    const auto choose = [this](const QModelIndex& index) {
        const FindingTable::Row row = m_found->at(index.row()); // a copy: going there may change the table
        m_store->show(row.id, row.finding);
    };
    connect(m_findings, &QTableView::clicked, this, choose);
    connect(m_findings, &QTableView::activated, this, choose);
    auto* show = new QAction(tr("Go to this place\tEnter"), m_findings);
    connect(show, &QAction::triggered, this, [this, choose] {
        if (m_findings->currentIndex().isValid())
            choose(m_findings->currentIndex());
    });
    widgets::setContextMenu(m_findings, {show, nullptr, widgets::makeCopyAction(m_findings, [this] {
                                             return widgets::tableText(*m_findings);
                                         })});
    m_allGood->setProperty("caption", true);
    m_allGood->setWordWrap(true);
    m_allGood->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* side = new QWidget;
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* said = new QVBoxLayout; // the style sheet takes a label's own margins
    said->setContentsMargins(unit * 3 / 2, unit, unit * 3 / 2, unit);
    said->addWidget(m_allGood, 1);
    layout->addLayout(said, 1);
    layout->addWidget(m_findings, 1);
    return side;
}

QWidget* AlignmentsPanel::makeMap() {
    const int unit = qRound(Sizes::unit());
    m_labels->horizontalHeader()->setSectionResizeMode(LabelTable::Class, QHeaderView::Stretch);
    m_labels->setColumnWidth(LabelTable::Label, unit * 12);
    m_labels->setColumnWidth(LabelTable::Count, unit * 9);
    m_labels->setItemDelegateForColumn(LabelTable::Class, new ClassDelegate(m_labels));
    // A click opens the list. Letters search the labels, so a row that they reach must not open its own.
    m_labels->setEditTriggers(QAbstractItemView::EditKeyPressed);
    connect(m_labels, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == LabelTable::Class)
            m_labels->edit(index);
    });
    auto* change = new QAction(tr("Change the class\tF2"), m_labels);
    connect(change, &QAction::triggered, this, [this] {
        const int row = m_labels->currentIndex().row();
        if (row >= 0)
            m_labels->edit(m_labelled->index(row, LabelTable::Class));
    });
    widgets::setContextMenu(m_labels, {change, nullptr, widgets::makeCopyAction(m_labels, [this] {
                                           return widgets::tableText(*m_labels);
                                       })});
    m_map->setAccessibleName(tr("Phone map"));
    m_map->setToolTip(tr("The class of each alignment label: one of the 36 classes of Shim et al. 2022, "
                         "silence, or ignored."));
    m_map->setProperty("small", true);
    connect(m_map, &QComboBox::activated, this, [this](int index) {
        const QString name = m_map->itemData(index).toString();
        if (name.isEmpty())
            m_store->useFitting();
        else if (name != QLatin1String("*"))
            m_store->useNamed(name);
    });
    auto* open = new QPushButton(tr("Open…"));
    open->setToolTip(tr("Open a phone map: a table with the columns label and class."));
    auto* save = new QPushButton(tr("Save…"));
    save->setToolTip(tr("Save the phone map. If you save it as phones.tsv in a corpus folder, every study "
                        "of that corpus uses it."));
    for (QPushButton* button : {open, save})
        button->setProperty("small", true);
    connect(open, &QPushButton::clicked, this, &AlignmentsPanel::openMap);
    connect(save, &QPushButton::clicked, this, &AlignmentsPanel::saveMap);
    m_reason->setProperty("caption", true);
    m_reason->setWordWrap(true);
    auto* above = new QHBoxLayout;
    above->setContentsMargins(unit, unit / 2, unit, unit / 2);
    above->setSpacing(unit);
    auto* title = new QLabel(tr("Phone map"));
    title->setBuddy(m_map);
    above->addWidget(title);
    above->addWidget(m_map, 1);
    above->addWidget(open);
    above->addWidget(save);
    auto* side = new QWidget;
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(above);
    auto* reason = new QVBoxLayout; // beside the buttons it would be cut off
    reason->setContentsMargins(unit, 0, unit, unit / 2);
    reason->addWidget(m_reason);
    layout->addLayout(reason);
    layout->addWidget(m_labels, 1);
    return side;
}

void AlignmentsPanel::refresh() {
    m_found->refresh();
    const int row = m_labels->currentIndex().row();
    m_labelled->refresh();
    if (row >= 0 && !m_labels->currentIndex().isValid()) // the next unknown label is where the last one was
        m_labels->setCurrentIndex(m_labelled->index(std::min(row, m_labelled->rowCount() - 1), LabelTable::Class));
    const bool isGood = m_found->rowCount() == 0;
    m_allGood->setVisible(isGood);
    m_findings->setVisible(!isGood);
    const int aligned = m_found->utterances();
    m_allGood->setText(aligned == 0
                           ? tr("No open recording has an alignment. Headroom loads a TextGrid, a CTM or a "
                                "table with the recording's name from the same folder, or from alignments/ beside audio/.")
                           : (aligned == 1 ? tr("No problems in the alignment of 1 utterance: lengths, order, phones, words and audio "
                                                "are consistent.")
                                           : tr("No problems in the alignments of %1 utterances: lengths, order, phones, words and "
                                                "audio are consistent.")
                                                 .arg(aligned)));
    showMap();
    Q_EMIT headlineChanged();
}

void AlignmentsPanel::showMap() {
    const QString title = QString::fromStdString(m_store->map().title());
    const bool isChosen = !m_store->state().is_null();
    m_map->clear();
    m_map->addItem(tr("Best match"), QString());
    int current = -1;
    for (const auto& name : PhoneMap::names()) {
        const QString shown = QString::fromStdString(PhoneMap::named(name).title());
        m_map->addItem(shown, QString::fromStdString(name));
        if (shown == title)
            current = m_map->count() - 1;
    }
    if (current < 0) {
        m_map->addItem(title, QStringLiteral("*"));
        current = m_map->count() - 1;
    }
    m_map->setCurrentIndex(current);
    const QString unknown =
        m_labelled->unknown() == 0   ? QString()
        : m_labelled->unknown() == 1 ? tr("1 label unknown, ")
                                     : tr("%1 labels unknown, ").arg(m_labelled->unknown());
    m_reason->setText(unknown + m_store->mapReason());
    m_reason->setToolTip(isChosen ? tr("Undo restores the previous map.") : m_reason->text());
}

/// That of the corpus, where the current recording lies in its audio/; else the recording's own.
QString AlignmentsPanel::folder() const {
    const OpenUtterance* utterance = m_session->currentUtterance();
    if (!utterance || utterance->file.empty())
        return {};
    const auto own = utterance->file.parent_path();
    return toQString(own.filename() == "audio" ? own.parent_path() : own);
}

void AlignmentsPanel::setPickers(Ask open, Ask save) {
    m_askOpen = std::move(open);
    m_askSave = std::move(save);
}

void AlignmentsPanel::openMap() {
    const QString file = m_askOpen(tr("Open a phone map"));
    if (file.isEmpty())
        return;
    try {
        m_store->openMap(toPath(file));
    } catch (const Error& error) {
        Q_EMIT problem(QString::fromUtf8(error.what()));
    }
}

void AlignmentsPanel::saveMap() {
    const QString file = m_askSave(tr("Save the phone map"));
    if (file.isEmpty())
        return;
    try {
        m_store->saveMap(toPath(file));
        Q_EMIT saved(file);
    } catch (const Error& error) {
        Q_EMIT problem(QString::fromUtf8(error.what()));
    }
}

QString AlignmentsPanel::headline() const {
    if (m_found->utterances() == 0)
        return {};
    return m_found->leftOut() == 0 ? tr("%1 checked").arg(m_found->utterances())
                                   : tr("%1 checked, %2 left out of phone studies")
                                         .arg(m_found->utterances())
                                         .arg(m_found->leftOut());
}

void AlignmentsPanel::reveal(UtteranceId id) {
    m_parts->bring(m_findings->parentWidget());
    for (int row = 0; row < m_found->rowCount(); ++row)
        if (m_found->at(row).id == id) {
            m_findings->selectRow(row);
            m_findings->scrollTo(m_found->index(row, 0), QAbstractItemView::PositionAtTop);
            return;
        }
    m_findings->clearSelection();
}

} // namespace headroom::app
