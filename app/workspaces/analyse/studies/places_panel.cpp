// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/places_panel.h"

#include "app/parts/breakable.h"
#include "app/workspaces/analyse/studies/places_model.h"
#include "widgets/look/context_menu.h"
#include "widgets/look/dense_table.h"
#include "widgets/look/icons.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/table_heads.h"
#include "widgets/look/text_size.h"
#include "widgets/look/word_filter.h"
#include "widgets/run_monitor/table_text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QtConcurrent>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace headroom::app {

using widgets::Sizes;

namespace {

constexpr double kLeastText = 12, kMostText = 36;        ///< units

/// Names of recordings differ at their ends.
class UtteranceDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideMiddle;
    }
};

} // namespace

PlacesPanel::PlacesPanel(QWidget* parent)
    : QWidget(parent)
    , m_places(new PlacesModel(this))
    , m_sorted(new widgets::WordFilter(this))
    , m_table(new QTableView(this))
    , m_filter(new QLineEdit(this))
    , m_sentence(new QLabel(this))
    , m_remark(new QLabel(this))
    , m_pages(nullptr) {
    const int unit = qRound(Sizes::unit());
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_sorted->setSourceModel(m_places);
    m_sorted->setSortRole(widgets::kRawRole);
    m_table->setHorizontalHeader(new widgets::TableHeads(m_table));
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(PlacesModel::Rank, Qt::AscendingOrder);
    widgets::styleTable(*m_table, Sizes::tableRow());
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAlternatingRowColors(true);
    m_table->setItemDelegateForColumn(PlacesModel::Utterance, new UtteranceDelegate(m_table));
    widgets::withTextSize(m_table, [table = m_table] {
        table->setFont(Sizes::caption());
        table->setIconSize(QSize(Sizes::icon() * 3 / 4, Sizes::icon() * 3 / 4));
    });
    m_table->setAccessibleName(tr("Study places"));
    m_table->setAccessibleDescription(tr("Press Enter to open the utterance at this place and play it."));
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    m_table->horizontalHeader()->setStretchLastSection(true);
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &PlacesPanel::fit);
    connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column, int before, int now) {
        const bool isHiddenOrShown = before == 0 || now == 0;
        if (!m_isFitting && !isHiddenOrShown && column != PlacesModel::Value) // the last one takes what is left
            m_byHand[column] = now;
    });
    connect(m_table, &QTableView::clicked, this, &PlacesPanel::choose);
    auto* open = new QAction(widgets::icon(QStringLiteral("play")), tr("Show and play this place\tEnter"), m_table);
    connect(open, &QAction::triggered, this, [this] { choose(m_table->currentIndex()); });
    widgets::setContextMenu(m_table,
                   {open, nullptr, widgets::makeCopyAction(m_table, [this] { return widgets::tableText(*m_table); })});

    m_filter->setPlaceholderText(tr("Filter by utterance, word or phone"));
    m_filter->setAccessibleName(m_filter->placeholderText());
    m_filter->setClearButtonEnabled(true);
    m_filter->setProperty("small", true);
    m_filter->addAction(widgets::icon(QStringLiteral("search")), QLineEdit::LeadingPosition)->setText(tr("Search"));
    m_filter->setMaximumWidth(unit * 36);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        static_cast<widgets::WordFilter*>(m_sorted)->setWords(text);
        Q_EMIT headlineChanged();
    });
    m_filter->setMinimumWidth(unit * 18);
    m_remark->setProperty("caption", true);
    m_remark->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // elided: a long one would make the columns beside the dock narrower
    auto* above = new QHBoxLayout;
    above->setContentsMargins(unit, unit / 2, unit, unit / 2);
    above->setSpacing(unit);
    above->addWidget(m_filter, 1);
    above->addWidget(m_remark, 2);
    auto* list = new QWidget(this);
    auto* layout = new QVBoxLayout(list);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(above);
    layout->addWidget(m_table, 1);

    auto* empty = new QWidget(this);
    auto* emptyLayout = new QVBoxLayout(empty);
    emptyLayout->setContentsMargins(unit * 3 / 2, unit, unit * 3 / 2, unit);
    m_sentence->setObjectName(QStringLiteral("placesSentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("caption", true);
    setStudyIsOpen(false);
    emptyLayout->addWidget(m_sentence);
    emptyLayout->addStretch(1);
    m_pages = new QStackedLayout(this);
    m_pages->addWidget(empty);
    m_pages->addWidget(list);
    connect(&m_reader, &QFutureWatcherBase::finished, this, [this] { take(m_reader.result()); });
}

PlacesPanel::~PlacesPanel() {
    m_reader.disconnect(this);
    m_reader.waitForFinished();
}

void PlacesPanel::follow(const PlacesQuery& query) {
    const PlacesQuery& listed = m_wanted ? *m_wanted : m_query;
    if (listed.study == query.study && listed.model == query.model && listed.set == query.set && listed.index != query.index)
        show(query);
}

void PlacesPanel::setStudyIsOpen(bool open) {
    if (m_query.study)
        return;
    m_sentence->setText(open ? tr("Click a number in a table of windows or heads, or a cell of a matrix of phones, to see the places in the "
                                  "recordings behind it.")
                             : tr("Open a study of windows, heads, phones or a probe, and click a number in its table of windows or heads, or a "
                                  "cell of its matrix of phones, to see the places in the recordings behind it."));
}

void PlacesPanel::show(const PlacesQuery& query) {
    if (m_isReading) {
        m_wanted = query;
        return;
    }
    m_query = query;
    m_isReading = true;
    m_reader.setFuture(QtConcurrent::run(readPlaces, query));
    Q_EMIT headlineChanged();
}

bool PlacesPanel::lacks(const std::string& hash) const {
    const auto& rows = m_places->list().rows;
    return !hash.empty() && std::any_of(rows.begin(), rows.end(), [&](const PlaceRow& row) { return row.isMissing && row.hash == hash; });
}

void PlacesPanel::clear() {
    m_wanted.reset();
    m_query = {};
    m_alignedBy.clear();
    m_filter->clear();
    m_places->setPlaces({});
    m_pages->setCurrentIndex(0);
    say({});
    Q_EMIT headlineChanged();
}

void PlacesPanel::take(PlaceList list) {
    m_isReading = false;
    if (m_wanted) {
        const PlacesQuery wanted = *std::exchange(m_wanted, std::nullopt);
        return show(wanted);
    }
    if (!m_query.study)
        return Q_EMIT headlineChanged(); // cleared meanwhile
    m_pages->setCurrentIndex(list.rows.empty() ? 0 : 1);
    m_sentence->setText(breakable(list.sentence));
    m_alignedBy = list.alignedBy.isEmpty() ? QString() : tr("Alignment: %1").arg(list.alignedBy);
    say({});
    const bool words = std::any_of(list.rows.begin(), list.rows.end(), [](const PlaceRow& row) { return row.hasWords; });
    const bool phones = std::any_of(list.rows.begin(), list.rows.end(), [](const PlaceRow& row) { return row.hasPhones; });
    const bool one = std::all_of(list.rows.begin(), list.rows.end(),
                                 [](const PlaceRow& row) { return row.place.query == row.place.key; });
    m_places->setPlaces(std::move(list));
    m_table->setColumnHidden(PlacesModel::Words, !words);
    m_table->setColumnHidden(PlacesModel::Phones, !phones);
    m_table->setColumnHidden(PlacesModel::Key, one);
    m_table->setColumnHidden(PlacesModel::Offset, one);
    m_table->sortByColumn(PlacesModel::Rank, Qt::AscendingOrder);
    m_table->setCurrentIndex(m_sorted->index(0, 0));
    measure();
    fit();
    Q_EMIT headlineChanged();
}

void PlacesPanel::measure() {
    QFont bold = Sizes::caption();
    bold.setWeight(QFont::DemiBold);
    const QFontMetrics heads(bold);
    const double unit = Sizes::unit(), padding = 2 * unit * (widgets::isDense(*m_table) ? widgets::kDenseCellPadding : widgets::kCellPadding);
    const auto* view = static_cast<const QAbstractItemView*>(m_table); // where the hint is public
    m_widths.assign(PlacesModel::ColumnCount, {});
    for (int column = 0; column < PlacesModel::ColumnCount; ++column) {
        Width& one = m_widths[std::size_t(column)];
        if (m_table->isColumnHidden(column))
            continue;
        one.head = heads.horizontalAdvance(m_places->headerData(column, Qt::Horizontal).toString());
        // The mark of what is heard, or of what is missing, comes and goes in the utterance's column.
        const double mark = column == PlacesModel::Utterance ? Sizes::icon() + unit / 2 : 0;
        one.cell = view->sizeHintForColumn(column) - padding + mark;
    }
}

/// Where there is less room, the padding goes, and then the longest texts: the numbers stay whole, the one that was clicked above all.
/// A width that was set by hand stays.
void PlacesPanel::fit() {
    if (m_widths.empty())
        return;
    const double unit = Sizes::unit();
    const int room = m_table->viewport()->width();
    const auto isText = [](int column) { return column == PlacesModel::Utterance || column == PlacesModel::Words; };
    const auto widthOf = [&](int column, bool dense) {
        const Width& one = m_widths[std::size_t(column)];
        if (m_table->isColumnHidden(column))
            return 0;
        if (const auto chosen = m_byHand.find(column); chosen != m_byHand.end())
            return chosen->second;
        const double arrow = column == m_table->horizontalHeader()->sortIndicatorSection() ? 1.125 * unit : 0;
        const double wanted = std::max(one.head + arrow + (dense ? 1 : 2.75) * unit, one.cell + 2 * unit * (dense ? widgets::kDenseCellPadding : widgets::kCellPadding) + unit / 4);
        return static_cast<int>(std::ceil(std::min(kMostText * unit, wanted)));
    };
    const auto widthsWith = [&](bool dense, int most) { // of texts
        std::array<int, PlacesModel::ColumnCount> widths{};
        for (int column = 0; column < PlacesModel::ColumnCount; ++column)
            widths[std::size_t(column)] = isText(column) && !m_byHand.contains(column) ? std::min(widthOf(column, dense), most) : widthOf(column, dense);
        return widths;
    };
    const auto sum = [](const auto& widths) { return std::accumulate(widths.begin(), widths.end(), 0); };
    int most = static_cast<int>(kMostText * unit);
    const bool dense = sum(widthsWith(false, most)) > room;
    while (dense && most > kLeastText * unit && sum(widthsWith(true, most)) > room)
        --most;
    widgets::setDense(*m_table, dense);
    const auto widths = widthsWith(dense, most);
    const QScopedValueRollback fitting(m_isFitting, true);
    for (int column = 0; column < PlacesModel::ColumnCount; ++column)
        m_table->horizontalHeader()->resizeSection(column, widths[std::size_t(column)]);
}

void PlacesPanel::choose(const QModelIndex& index) {
    if (!index.isValid())
        return;
    const int row = m_sorted->mapToSource(index).row();
    m_places->setPlaying(row);
    say({});
    Q_EMIT chosen(m_places->at(row), m_places->list().query);
}

void PlacesPanel::say(const QString& sentence) {
    const QString shown = sentence.isEmpty() ? m_alignedBy : sentence;
    m_remark->setText(shown);
    m_remark->setToolTip(shown);
}

QString PlacesPanel::headline() const {
    if (isPending())
        return m_query.title;
    const PlaceList& list = m_places->list();
    if (!list.query.study)
        return {};
    const int shown = m_sorted->rowCount(), all = m_places->rowCount();
    const QString count = shown != all ? tr("%1 of %2").arg(QString::number(shown), widgets::counted(all, tr("1 place"), tr("%1 places")))
                          : all == 1   ? tr("1 place")
                                       : tr("%1 places, strongest first").arg(all);
    QStringList said{list.query.title, count, listedName ? listedName(*list.query.study) : list.query.study->name()};
    if (all == 0)
        said.removeAt(1); // the sentence below says so
    const Study& document = list.query.study->document;
    if (const auto model = static_cast<std::size_t>(list.query.model - 1);
        document.models.size() > 1 && model < document.models.size() && document.kind != StudyKind::Similarity)
        said.insert(1, QString::fromStdString(document.models[model].name)); // of which of them
    return said.join(QStringLiteral(" · "));
}

bool PlacesPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table->viewport() && event->type() == QEvent::Resize && static_cast<QResizeEvent*>(event)->oldSize().width() != m_table->viewport()->width())
        fit();
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            choose(m_table->currentIndex());
            return true;
        }
        if (key->matches(QKeySequence::Copy)) {
            QApplication::clipboard()->setText(widgets::tableText(*m_table));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace headroom::app
