// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/eliding.h"

#include "widgets/look/frozen_table.h"
#include "widgets/look/sizes.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCursor>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QStyleOptionComboBox>
#include <QToolTip>

#include <algorithm>

namespace headroom::widgets {

namespace {

constexpr const char* kWraps = "wraps"; ///< property of the label of tool tips
constexpr int kWidestTip = 66; ///< units: some 75 letters
constexpr int kWidestList = 100; ///< units, of a chooser
constexpr int kCellPadding = 12; ///< left and right of the text in a table, together, pixels

/// Digits with a sign, separators and a short unit: “−45.68 M”, “1e-4”. Half of it would be another number. Digits with hyphens
/// between them are a name: “1688-142285-0000”.
bool isNumber(const QString& text) {
    static const QRegularExpression number(
        QStringLiteral("^[-−+±≥≤]?\\s?[0-9](?:[0-9.,:\\s±e−]|(?<=e)-)*\\s?[%A-Za-z/]{0,8}$"),
        QRegularExpression::UseUnicodePropertiesOption); // the narrow spaces around ± are spaces
    return number.match(text).hasMatch();
}

int widthIn(const QFont& font, const QString& text) {
    return QFontMetrics(font).horizontalAdvance(text);
}

QString elidedLabel(const QLabel* label) {
    const QString text = label->text();
    const bool oneLine = !label->wordWrap() && !text.contains(QLatin1Char('\n')) &&
                         label->textFormat() != Qt::RichText;
    return oneLine && widthIn(label->font(), text) > label->contentsRect().width() - 2 * label->margin()
               ? text
               : QString();
}

QString elidedChoice(const QComboBox* box) {
    QStyleOptionComboBox option;
    option.initFrom(box);
    option.frame = true;
    option.subControls = QStyle::SC_All;
    const QString text = box->currentIndex() < 0 ? box->placeholderText() : box->currentText();
    return widthIn(box->font(), text) > roomOfChoice(*box, option) ? text : QString();
}

QString elidedField(const QLineEdit* field) {
    const QString text = field->text().isEmpty() ? field->placeholderText() : field->text();
    const int room = field->width() - field->textMargins().left() - field->textMargins().right() - (field->hasFrame() ? 16 : 4); // in a spin box it has none
    return widthIn(field->font(), text) > room ? text : QString();
}

/// Of the icon before the text of a cell, with the gap between them.
int iconWidth(const QAbstractItemView* view, const QModelIndex& index) {
    if (!index.data(Qt::DecorationRole).isValid())
        return 0;
    const auto metric = [view](QStyle::PixelMetric one) { return view->style()->pixelMetric(one, nullptr, view); };
    const int icon = view->iconSize().isValid() ? view->iconSize().width() : metric(QStyle::PM_SmallIconSize);
    return icon + 2 * metric(QStyle::PM_FocusFrameHMargin);
}

/// The text of the cell here, where it is wider than the cell and the cell's own tool tip does not have it.
QString elidedCell(const QAbstractItemView* view, const QPoint& at, QString* tip) {
    const QModelIndex index = view->indexAt(at);
    if (!index.isValid())
        return {};
    *tip = index.data(Qt::ToolTipRole).toString();
    const QString text = index.data(Qt::DisplayRole).toString();
    const QVariant font = index.data(Qt::FontRole);
    const QRect part = view->visualRect(index) & view->viewport()->rect().adjusted(roomFrom(*view, index.column()), 0, 0, 0);
    const int room = part.width() - kCellPadding - iconWidth(view, index);
    const bool fits = widthIn(font.isValid() ? font.value<QFont>() : view->font(), text) <= room;
    return fits || tip->contains(text) ? QString() : text;
}

QString elidedHead(const QHeaderView* header, const QPoint& at, QString* tip) {
    const int section = header->logicalIndexAt(at);
    if (section < 0 || !header->model())
        return {};
    const auto data = [&](int role) {
        return header->model()->headerData(section, header->orientation(), role).toString();
    };
    *tip = data(Qt::ToolTipRole);
    QFont font = header->font();
    font.setBold(true);
    const QString text = data(Qt::DisplayRole);
    const int start = header->sectionViewportPosition(section), length = header->orientation() == Qt::Horizontal ? header->viewport()->width() : header->viewport()->height();
    const int room = std::min(start + header->sectionSize(section), length) - start - kCellPadding;
    return widthIn(font, text) > room && !tip->contains(text) ? text : QString();
}

/// Breaks the lines of a tool tip that is wider than one can read. Its label has just got its text and the size of one line.
void wrapTip(QLabel* tip) {
    const QFontMetrics metrics(tip->font());
    const int most = qRound(kWidestTip * Sizes::unit());
    if (tip->wordWrap() || tip->textFormat() == Qt::RichText || tip->width() <= most)
        return;
    const QSize before = tip->size();
    const int around = before.width() - metrics.size(0, tip->text()).width();
    const int lines = metrics.boundingRect(QRect(0, 0, most, 1 << 15), Qt::TextWordWrap, tip->text()).width();
    tip->setWordWrap(true);
    const int width = std::min(lines + around + 1, before.width());
    const QSize size(width, tip->heightForWidth(width));
    tip->resize(size);
    if (tip->isVisible())
        return; // Qt places it now
    // Qt has placed the line. What is left of it stands where the pointer is, on the same side of it.
    const QPoint pointer = QCursor::pos(), at = tip->pos();
    const QRect screen = tip->screen()->geometry();
    const int x = std::clamp(pointer.x() + 2, at.x(), at.x() + before.width() - size.width());
    int y = at.y() < pointer.y() ? at.y() + before.height() - size.height() : at.y();
    if (y + size.height() > screen.bottom())
        y = pointer.y() - size.height() - qRound(Sizes::unit());
    tip->move(x, std::max(y, screen.top()));
}

/// Qt wraps rich text alone.
class TipWrapping : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* object, QEvent* event) override {
        if (auto* tip = qobject_cast<QLabel*>(object); tip && event->type() == QEvent::Resize)
            wrapTip(tip);
        return false;
    }
};

} // namespace

QString fitted(const QString& text, const QFontMetrics& metrics, int width, int flags) {
    if (metrics.size(flags | Qt::TextSingleLine, text).width() <= width)
        return text;
    if (isNumber(text))
        return QString(QChar(0x2026));
    const bool isName = !text.contains(QLatin1Char(' '));
    const QString cut =
        metrics.elidedText(text, isName ? Qt::ElideMiddle : Qt::ElideRight, std::max(width, 0), flags);
    // "width 25…" would be read as 25.
    static const QRegularExpression number(QStringLiteral("(^|\\s)[-−+±≥≤]?[0-9][0-9.,]*…$"));
    const auto found = isName ? QRegularExpressionMatch() : number.match(cut);
    return found.hasMatch() ? cut.left(found.capturedEnd(1)) + QChar(0x2026) : cut;
}

QSize iconBesideWords() {
    return {Sizes::icon() + qRound(Sizes::unit() / 2), Sizes::icon()};
}

int roomOfChoice(const QComboBox& box, const QStyleOptionComboBox& option) {
    const int room = box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box).width() - 2;
    return box.itemIcon(box.currentIndex()).isNull() ? room : room - box.iconSize().width() - 4; // what the style leaves behind it
}

ElidingStyle::ElidingStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void ElidingStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    if (auto* button = qobject_cast<QPushButton*>(widget); button && !button->text().isEmpty())
        button->setIconSize(iconBesideWords());
    // Names that people give may look like markup, in tool tips (which are labels) too: what is meant as markup says so.
    if (auto* label = qobject_cast<QLabel*>(widget); label && label->textFormat() == Qt::AutoText)
        label->setTextFormat(Qt::PlainText);
    if (widget->inherits("QTipLabel") && !widget->property(kWraps).toBool()) { // which is polished again with another theme
        widget->setProperty(kWraps, true);
        widget->installEventFilter(new TipWrapping(widget));
    }
}

void ElidingStyle::drawItemText(QPainter* painter, const QRect& rect, int flags, const QPalette& palette,
                                bool enabled, const QString& text, QPalette::ColorRole role) const {
    const bool severalLines = (flags & Qt::TextWordWrap) || text.contains(QLatin1Char('\n'));
    QProxyStyle::drawItemText(painter, rect, flags, palette, enabled,
                              severalLines ? text
                                           : fitted(text, painter->fontMetrics(), rect.width(),
                                                    flags & Qt::TextShowMnemonic),
                              role);
}

/// Qt gives an open list the width of its chooser, which in a narrow bar is less than that of its entries.
QRect ElidingStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part, const QWidget* widget) const {
    QRect rect = QProxyStyle::subControlRect(control, option, part, widget);
    const auto* box = control == CC_ComboBox && part == SC_ComboBoxListBoxPopup ? qobject_cast<const QComboBox*>(widget) : nullptr;
    if (const QAbstractItemView* list = box ? box->view() : nullptr)
        rect.setWidth(std::clamp(list->sizeHintForColumn(box->modelColumn()) + 2 * list->frameWidth() +
                                     pixelMetric(PM_ScrollBarExtent, nullptr, list),
                                 rect.width(), std::max(rect.width(), qRound(kWidestList * Sizes::unit()))));
    return rect;
}

int ElidingStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                            QStyleHintReturn* returned) const {
    switch (hint) {
    case SH_DialogButtonBox_ButtonsHaveIcons: // of another family than ours
    case SH_ComboBox_Popup:                   // a long list would cover the window from edge to edge
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returned);
    }
}

bool ElidedTips::eventFilter(QObject* object, QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return false;
    const auto* widget = qobject_cast<QWidget*>(object);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (!widget)
        return false;
    QString whole, tip = widget->toolTip();
    if (const auto* label = qobject_cast<const QLabel*>(widget))
        whole = elidedLabel(label);
    else if (const auto* box = qobject_cast<const QComboBox*>(widget); box && !box->isEditable())
        whole = elidedChoice(box);
    else if (const auto* field = qobject_cast<const QLineEdit*>(widget))
        whole = field->hasFocus() ? QString() : elidedField(field);
    else if (const auto* header = qobject_cast<const QHeaderView*>(widget->parentWidget()))
        whole = elidedHead(header, help->pos(), &tip);
    else if (const auto* view = qobject_cast<const QAbstractItemView*>(widget->parentWidget());
             view && view->viewport() == widget)
        whole = elidedCell(view, help->pos(), &tip);
    if (whole.isEmpty() || tip.contains(whole))
        return false;
    QToolTip::showText(help->globalPos(), tip.isEmpty() ? whole : whole + QLatin1Char('\n') + tip, const_cast<QWidget*>(widget));
    return true;
}

} // namespace headroom::widgets
