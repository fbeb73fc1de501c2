// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/presets_panel.h"

#include "app/parts/access_keys.h"
#include "app/parts/availability.h"
#include "app/parts/breakable.h"
#include "app/workspaces/design/design_texts.h"
#include "widgets/layer_editor/head_chip.h"
#include "widgets/look/eliding.h"
#include "widgets/look/icons.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QShortcut>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

#include <memory>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {

enum PresetsRole { PresetRole = Qt::UserRole + 1, ModelRole, DocumentRole, SecondLineRole, LayersRole };

} // namespace

/// Sections in semi-bold with their authors below; rows with a fingerprint at the right.
class PresetsDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const bool section = !index.parent().isValid();
        const bool wraps = !linesOf(index).second.isEmpty();
        if (!section)
            return {option.rect.width(), wraps ? Sizes::twoLineRow() : Sizes::listRow()};
        const bool two = !index.data(SecondLineRole).toString().isEmpty();
        return {option.rect.width(),
                (two ? Sizes::twoLineRow() : Sizes::listRow() + int(Sizes::unit() / 2)) +
                    (wraps ? QFontMetrics(Sizes::heading()).lineSpacing() : 0)};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& theme = Theme::current();
        const double unit = Sizes::unit();
        painter->save();
        const bool section = !index.parent().isValid();
        QRect row = option.rect;
        if (!section) {
            if (option.state.testFlag(QStyle::State_Selected))
                painter->fillRect(row.adjusted(-row.left(), 0, 0, 0), theme.selectedRow);
            else if (option.state.testFlag(QStyle::State_MouseOver))
                painter->fillRect(row.adjusted(-row.left(), 0, 0, 0), theme.hover);
        }
        row.adjust(int(unit / 4), 0, -int(unit * 1.5), 0);
        if (section) {
            const QString second = index.data(SecondLineRole).toString();
            painter->setFont(Sizes::heading());
            painter->setPen(theme.text);
            QRect line = row;
            if (!second.isEmpty())
                line.setHeight(row.height() - QFontMetrics(Sizes::small()).lineSpacing() - int(unit / 2));
            drawWords(*painter, line, linesOf(index));
            painter->setFont(Sizes::small());
            painter->setPen(theme.text2);
            painter->drawText(QRect(row.left(), line.bottom(), row.width(), row.bottom() - line.bottom()),
                              Qt::AlignTop | Qt::AlignLeft,
                              widgets::fitted(second, painter->fontMetrics(), row.width()));
        } else {
            const auto layers = index.data(LayersRole).value<std::vector<Architecture::Layer>>();
            const int print = printWidth();
            if (print > 0)
                widgets::paintFingerprint(*painter, QRectF(row.right() - print, row.top(), print, row.height()), layers);
            painter->setFont(Sizes::text());
            painter->setPen(theme.text);
            const QRect words = row.adjusted(0, 0, -print - int(unit), 0);
            drawWords(*painter, words, linesOf(index));
        }
        painter->restore();
    }

private:
    /// A name, its second line empty where it has one.
    struct Lines {
        QString first, second;
    };

    const QTreeView* view() const { return static_cast<const QTreeView*>(parent()); }

    /// As if the scroll bar stood there always: rows whose height depended on it would go on changing with it.
    int viewWidth() const { return view()->contentsRect().width() - view()->verticalScrollBar()->sizeHint().width(); }

    /// None where it would leave no room for a word of large text.
    int printWidth() const {
        const double unit = Sizes::unit(), print = unit * 6;
        return viewWidth() - view()->indentation() - print - unit * 3 < unit * 12 ? 0 : int(print);
    }

    /// A name that does not fit into one line takes two: many of a paper's begin alike. The first holds as many words as fit; a name
    /// without a space breaks behind a hyphen. What cannot break keeps one line, and is cut in it.
    Lines linesOf(const QModelIndex& index) const {
        const bool section = !index.parent().isValid();
        const double unit = Sizes::unit();
        const QFontMetrics metrics(section ? Sizes::heading() : Sizes::text());
        const int depth = view()->indentation() * (section ? 1 : 2), print = section ? 0 : printWidth() + int(unit);
        const int room = viewWidth() - depth - int(unit / 4) - int(unit * 1.5) - print;
        const QString name = index.data().toString();
        if (metrics.horizontalAdvance(name) <= room)
            return {name, {}};
        for (const QChar joint : {u' ', u'-'}) {
            qsizetype cut = 0;
            for (qsizetype at = name.indexOf(joint); at >= 0 && at + 1 < name.size(); at = name.indexOf(joint, at + 1))
                if (metrics.horizontalAdvance(name.left(at + 1).trimmed()) <= room)
                    cut = at + 1;
            if (cut > 0)
                return {name.left(cut).trimmed(), name.mid(cut).trimmed()};
        }
        return {name, {}};
    }

    /// A line is cut in its middle where it must be: many names differ at the end.
    static void drawWords(QPainter& painter, const QRect& rect, const Lines& lines) {
        const QFontMetrics metrics = painter.fontMetrics();
        const auto draw = [&](const QRect& line, const QString& text) {
            painter.drawText(line, Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideMiddle, line.width()));
        };
        if (lines.second.isEmpty())
            return draw(rect, lines.first);
        const int height = metrics.lineSpacing(), top = rect.center().y() - height + 1;
        draw(QRect(rect.left(), top, rect.width(), height), lines.first);
        draw(QRect(rect.left(), top + height, rect.width(), height), lines.second);
    }
};

PresetsPanel::PresetsPanel(Drafts* drafts, std::vector<Preset> presets, QWidget* parent)
    : QWidget(parent)
    , m_drafts(drafts)
    , m_presets(std::move(presets))
    , m_filter(new QLineEdit(this))
    , m_nothing(new QLabel(this))
    , m_view(new QTreeView(this))
    , m_items(new QStandardItemModel(this)) {
    const int unit = int(Sizes::unit());
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, unit, 0, 0);
    layout->setSpacing(unit / 2);
    auto* field = new QWidget(this);
    auto* fieldLayout = new QVBoxLayout(field);
    fieldLayout->setContentsMargins(unit, 0, unit, 0);
    m_filter->setPlaceholderText(tr("Filter architectures"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setProperty("small", true);
    m_filter->addAction(widgets::icon(QStringLiteral("search")), QLineEdit::LeadingPosition)->setText(tr("Search"));
    m_filter->setAccessibleName(m_filter->placeholderText());
    fieldLayout->addWidget(m_filter);
    layout->addWidget(field);
    m_view->setModel(m_items);
    m_view->setHeaderHidden(true);
    m_view->setIndentation(int(unit * 2));
    m_view->setItemDelegate(new PresetsDelegate(m_view));
    m_view->setMouseTracking(true);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setExpandsOnDoubleClick(false);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setAccessibleName(tr("Architectures"));
    m_nothing->setObjectName(QStringLiteral("noPresets"));
    m_nothing->setTextFormat(Qt::PlainText);
    m_nothing->setWordWrap(true);
    m_nothing->setProperty("caption", true);
    m_nothing->setContentsMargins(unit, unit, unit, 0);
    layout->addWidget(m_nothing);
    layout->addWidget(m_view, 1);
    auto* hint =
        new QLabel(tr("Columns are layers, cells are heads. Press Enter to start from a preset."), this);
    hint->setWordWrap(true);
    hint->setProperty("caption", true);
    hint->setContentsMargins(unit, unit, unit, unit);
    layout->addWidget(hint);

    m_filter->installEventFilter(this);
    connect(m_filter, &QLineEdit::textChanged, this, &PresetsPanel::filter);
    connect(m_view, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (index.data(PresetRole).isValid())
            Q_EMIT presetActivated(index.data(PresetRole).toInt());
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& index) {
                const int model = index.data(ModelRole).toInt(), document = index.data(DocumentRole).toInt();
                if (!m_refreshing && (model > 0 || document > 0))
                    Q_EMIT draftChosen({ModelId(model), document});
                Q_EMIT presetSelected();
            });
    connect(m_view, &QWidget::customContextMenuRequested, this, &PresetsPanel::showMenu);
    const auto atKey = [this](const QKeySequence& key, auto work) {
        auto* shortcut = new QShortcut(key, m_view);
        shortcut->setContext(Qt::WidgetShortcut); // elsewhere Delete belongs to what is being typed
        connect(shortcut, &QShortcut::activated, this, [this, work] {
            if (const QModelIndex index = m_view->currentIndex(); index.parent().isValid())
                work(index);
        });
    };
    atKey(QKeySequence::Delete, [this](const QModelIndex& index) {
        const std::unique_ptr<QAction> close(makeClose(index, nullptr));
        triggerOrSayWhy(close.get(), m_view->viewport(), m_view->visualRect(index));
    });
    atKey(Qt::Key_F2, [this](const QModelIndex& index) { sayWhyNotRenamed(index); });
    // At the next turn: a click that chooses a draft comes from the very list that is filled anew.
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &PresetsPanel::refresh);
    const auto soon = [this] { m_soon.start(); };
    connect(drafts, &Drafts::listChanged, this, soon);
    connect(drafts, &Drafts::currentChanged, this, soon);
    connect(drafts, &Drafts::draftChanged, this, soon);
    refresh();
}

/// Rows of two lines depend on the width: a tree keeps the heights that it once asked for.
void PresetsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_view->doItemsLayout();
}

/// Down and Enter lead from the filter to the first preset that it left.
bool PresetsPanel::eventFilter(QObject* watched, QEvent* event) {
    const int key = watched == m_filter && event->type() == QEvent::KeyPress ? static_cast<QKeyEvent*>(event)->key() : 0;
    if (key != Qt::Key_Down && key != Qt::Key_Return && key != Qt::Key_Enter)
        return QWidget::eventFilter(watched, event);
    for (int i = 0; i < m_items->rowCount(); ++i)
        for (int row = 0; row < m_items->item(i)->rowCount(); ++row) {
            const QModelIndex index = m_items->item(i)->child(row)->index();
            if (index.data(PresetRole).isValid() && !m_view->isRowHidden(row, index.parent())) {
                m_view->setCurrentIndex(index);
                m_view->setFocus(Qt::OtherFocusReason);
                return true;
            }
        }
    return true;
}

QStandardItem* PresetsPanel::addSection(const QString& title, const QString& second) {
    auto* item = new QStandardItem(title);
    item->setFlags(Qt::ItemIsEnabled);
    item->setData(second, SecondLineRole);
    item->setToolTip(second.isEmpty() ? title : title + QLatin1Char('\n') + second);
    m_items->appendRow(item);
    return item;
}

void PresetsPanel::refresh() {
    m_refreshing = true;
    const QVariant preset = m_view->currentIndex().data(PresetRole);
    m_items->clear();
    QStandardItem* wanted = nullptr;
    const auto addRow = [](QStandardItem* section, const QString& name,
                           const std::vector<Architecture::Layer>& layers) {
        auto* item = new QStandardItem(name);
        item->setData(QVariant::fromValue(layers), LayersRole);
        section->appendRow(item);
        return item;
    };
    QStandardItem *models = nullptr, *mine = nullptr;
    for (const DraftKey key : m_drafts->keys()) {
        QStandardItem*& section = key.document > 0 ? mine : models;
        if (!section)
            section = addSection(key.document > 0 ? tr("Mine") : tr("Models"), {});
        auto* item = addRow(section, m_drafts->shownName(key), m_drafts->grid(key).validLayers());
        item->setData(int(key.model), ModelRole);
        item->setData(key.document, DocumentRole);
        item->setToolTip(m_drafts->shownName(key) + QLatin1Char('\n') + m_drafts->origin(key));
        if (key == m_drafts->current() && (key != m_shown || !preset.isValid()))
            wanted = item;
    }
    QString paper;
    QStandardItem* section = nullptr;
    for (std::size_t i = 0; i < m_presets.size(); ++i) {
        const Preset& one = m_presets[i];
        if (!section || one.paper != paper) {
            const QString title = titleOf(one.paper);
            section = addSection(!title.isEmpty()      ? title
                                 : one.paper.isEmpty() ? tr("Presets")
                                                       : one.paper,
                                 title.isEmpty() ? QString() : one.paper);
            paper = one.paper;
        }
        auto* item = addRow(section, one.name, one.architecture.encoder.layers);
        item->setData(int(i), PresetRole);
        item->setToolTip(one.name + QLatin1Char('\n') + QString::fromStdString(one.architecture.source));
        if (!wanted && preset.isValid() && preset.toInt() == int(i))
            wanted = item;
    }
    m_view->expandAll();
    filter(m_filter->text());
    if (wanted && m_drafts->current() != m_shown && m_view->isRowHidden(wanted->row(), wanted->parent()->index()))
        m_filter->clear(); // what was just opened is to be seen
    if (wanted)
        m_view->setCurrentIndex(wanted->index());
    m_shown = m_drafts->current();
    m_refreshing = false;
}

const Preset* PresetsPanel::selectedPreset() const {
    const QVariant preset = m_view->currentIndex().data(PresetRole);
    return preset.isValid() ? &m_presets[std::size_t(preset.toInt())] : nullptr;
}

void PresetsPanel::filter(const QString& text) {
    bool any = false;
    for (int i = 0; i < m_items->rowCount(); ++i) {
        QStandardItem* section = m_items->item(i);
        int shown = 0;
        for (int row = 0; row < section->rowCount(); ++row) {
            const bool matches = section->child(row)->text().contains(text, Qt::CaseInsensitive) ||
                                 section->text().contains(text, Qt::CaseInsensitive) ||
                                 section->data(SecondLineRole).toString().contains(text, Qt::CaseInsensitive);
            m_view->setRowHidden(row, section->index(), !matches);
            shown += matches ? 1 : 0;
        }
        m_view->setRowHidden(i, {}, shown == 0);
        any = any || shown > 0;
    }
    m_nothing->setText(tr("No architecture or paper has “%1” in its name.").arg(breakable(text)));
    m_nothing->setVisible(!any && !text.isEmpty());
}

QAction* PresetsPanel::makeClose(const QModelIndex& index, QObject* parent) {
    auto* close = new QAction(tr("Close"), parent);
    close->setShortcut(QKeySequence::Delete); // which the list itself answers
    close->setShortcutContext(Qt::WidgetShortcut);
    const int document = index.data(DocumentRole).toInt();
    setAvailable(close, document > 0                        ? QString()
                        : index.data(PresetRole).isValid() ? tr("A preset comes with Headroom and stays in the list.")
                                                           : draftStaysSentence());
    connect(close, &QAction::triggered, this, [this, document] { Q_EMIT closeRequested({ModelId::None, document}); });
    return close;
}

void PresetsPanel::sayWhyNotRenamed(const QModelIndex& index) {
    const QString why = index.data(DocumentRole).toInt() > 0 ? tr("An architecture has the name of its file. Save it under another name.")
                        : index.data(PresetRole).isValid()  ? tr("A preset keeps its name. Start a new architecture from it and save that under a name of yours.")
                                                            : tr("A draft has the name of its model.");
    sayWhy(why, m_view->viewport(), m_view->visualRect(index));
}

void PresetsPanel::showMenu(const QPoint& position) {
    const QModelIndex index = m_view->indexAt(position);
    QMenu menu(this);
    if (index.data(PresetRole).isValid()) {
        const int preset = index.data(PresetRole).toInt();
        connect(menu.addAction(tr("Start a new architecture from this preset")), &QAction::triggered, this,
                [this, preset] { Q_EMIT presetActivated(preset); });
        const DraftKey key = m_drafts->current();
        QAction* heads = menu.addAction(tr("Copy its heads to %1").arg(asActionText(m_drafts->shownName(key))));
        const int layers = int(m_presets[std::size_t(preset)].architecture.encoder.layers.size());
        setAvailable(heads, !m_drafts->has(key) ? tr("Choose a draft or an architecture first.")
                            : m_drafts->grid(key).layerCount() != layers
                                ? tr("The preset has %1, %2 has %3.")
                                      .arg(widgets::counted(layers, tr("1 layer"), tr("%1 layers")), m_drafts->shownName(key))
                                      .arg(m_drafts->grid(key).layerCount())
                                : QString());
        connect(heads, &QAction::triggered, this, [this, preset] { Q_EMIT headsRequested(preset); });
    } else if (index.parent().isValid()) {
        menu.addAction(makeClose(index, &menu));
    }
    menu.setToolTipsVisible(true);
    if (index.data(ModelRole).toInt() > 0 || index.data(DocumentRole).toInt() > 0)
        menu.addActions(actions()); // the owner's, of the draft that is current
    if (!menu.isEmpty())
        menu.exec(m_view->viewport()->mapToGlobal(position));
}

} // namespace headroom::app
