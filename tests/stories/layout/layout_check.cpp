// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/stories/layout/layout_check.h"

#include "app/parts/panel_header.h"
#include "app/window/page_area.h"
#include "tests/stories/layout/ground.h"
#include "tests/stories/layout/painted.h"
#include "widgets/run_monitor/fitted_titles.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QMouseEvent>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTabBar>
#include <QTextEdit>
#include <QToolTip>

#include <qcustomplot.h>

#include <algorithm>

namespace headroom::testing {

namespace {

constexpr double kCut = 1.0;        ///< pixels of a letter that may be lost to rounding
constexpr double kContrast = 4.5;   ///< WCAG 2.1, success criterion 1.4.3
constexpr qsizetype kShortChoice = 10; ///< letters: half of a short word is no word

/// Names of the widget and the parents that say where it is.
QString pathOf(const QWidget* widget) {
    QStringList parts;
    for (; widget; widget = widget->parentWidget()) {
        const QString name = widget->objectName();
        if (parts.isEmpty() || (!name.isEmpty() && !name.startsWith(QLatin1String("qt_"))))
            parts.prepend(name.isEmpty() ? QString::fromLatin1(widget->metaObject()->className())
                                               .remove(QStringLiteral("headroom::app::"))
                                               .remove(QStringLiteral("headroom::widgets::"))
                                         : name);
        if (widget->isWindow())
            break;
    }
    return parts.join(QLatin1Char('/'));
}

/// Parts that Qt makes for itself and names, or that only carry others.
bool isInner(const QWidget* widget) {
    return widget->objectName().startsWith(QLatin1String("qt_")) || qobject_cast<const QScrollBar*>(widget) ||
           qobject_cast<const QSplitterHandle*>(widget) || qobject_cast<const QLineEdit*>(widget->parentWidget()) ||
           qobject_cast<const QTabBar*>(widget->parentWidget());
}

/// A main window keeps panels and bars that stand behind a tab, or that it does not need now, beside its rectangle.
bool isPutAside(const QWidget* widget) {
    return qobject_cast<const QMainWindow*>(widget->parentWidget()) &&
           (qobject_cast<const QTabBar*>(widget) || qobject_cast<const QDockWidget*>(widget)) &&
           widget->visibleRegion().isEmpty();
}

/// The tool tip at this point, as the mouse would get it.
QString tipAt(QWidget* widget, const QPoint& at) {
    static const QString none = QStringLiteral("\u2060none");
    const QPoint global = widget->mapToGlobal(at);
    QToolTip::showText(global, none, widget);
    QMouseEvent move(QEvent::MouseMove, at, global, Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(widget, &move);
    QHelpEvent event(QEvent::ToolTip, at, global);
    QApplication::sendEvent(widget, &event);
    const QString text = QToolTip::text();
    return text == none ? QString() : text;
}

/// "−45.6…": a number that lost digits reads as another number. Only "…" alone is honest.
bool isCutNumber(const QString& text) {
    static const QRegularExpression number(QStringLiteral("^[-−+±]?[0-9][0-9., \u202f\u2009±]*…|…[., \u202f]*[0-9][0-9., \u202f]*( ?[%A-Za-z]{0,3})$"));
    return number.match(text).hasMatch();
}

/// "faile…" of "13, 1 failed", beside the title of a panel: neither a word nor the count.
bool isCutWord(const QWidget* widget, const QString& text) {
    static const QRegularExpression word(QStringLiteral("^\\p{L}+…$"));
    return qobject_cast<const app::PanelHeader*>(widget->parentWidget()) && widget->property("secondary").toBool() && word.match(text).hasMatch();
}

/// Whether what is left of an elided text is part of this tool tip.
bool isIn(const QString& elided, QString tip) {
    if (Qt::mightBeRichText(tip))
        tip.remove(QRegularExpression(QStringLiteral("<[^>]*>")));
    tip.remove(QChar(0x200B));
    for (QString part : elided.trimmed().split(QChar(0x2026)))
        if (!tip.contains(part.remove(QChar(0x200B)).trimmed()))
            return false;
    return !tip.isEmpty();
}

/// Menu entries and buttons that lead to a dialogue end in the same character as an elided text.
bool isWhole(const QWidget* widget, const QPoint& at, const QString& painted) {
    QString text = widget->property("text").toString();
    if (const auto* view = qobject_cast<const QAbstractItemView*>(widget->parentWidget()))
        text = view->indexAt(at).data().toString();
    if (const auto* menu = qobject_cast<const QMenu*>(widget))
        if (const QAction* action = menu->actionAt(at))
            text = action->text();
    return painted.endsWith(QChar(0x2026)) && text.remove(QLatin1Char('&')).contains(painted.trimmed());
}

bool isOn(const PaintedCurve& curve, const QRectF& box) {
    constexpr int kSteps = 8;
    for (std::size_t i = 1; i < curve.points.size(); ++i) {
        const QPointF from = curve.points[i - 1], to = curve.points[i];
        if (std::max(from.x(), to.x()) < box.left() || std::min(from.x(), to.x()) > box.right())
            continue;
        for (int step = 0; step <= kSteps; ++step)
            if (box.contains(from + (to - from) * step / kSteps))
                return true;
    }
    return false;
}

/// Whether two rows of a list have different texts of which the same is left.
bool readAlike(const QWidget* widget, const Painted& painted, const PaintedText& one, const PaintedText& other) {
    const auto* view = qobject_cast<const QAbstractItemView*>(widget->parentWidget());
    if (!view || view->viewport() != widget || one.text != other.text || !one.isElided())
        return false;
    const auto itemOf = [&](const PaintedText& text) { return view->indexAt(text.ink.center().toPoint()); };
    const auto linesOf = [&](const QModelIndex& item) {
        QStringList lines;
        for (const PaintedText& text : painted.texts)
            if (itemOf(text) == item)
                lines << text.text;
        return lines;
    };
    const QModelIndex here = itemOf(one), there = itemOf(other);
    return here.column() == there.column() && here.data() != there.data() && linesOf(here) == linesOf(there);
}

/// "C...s" in a bar: a short choice is whole, and what is left of a long one could be no other of its list.
bool isChoiceLost(const QComboBox& box, const QString& painted) {
    if (box.currentText().size() <= kShortChoice)
        return true;
    for (int row = 0; row < box.count(); ++row)
        if (const QString other = box.itemText(row); other != box.currentText() && widgets::couldBe(painted, other))
            return true;
    return false;
}

/// What stands there says what it does: half of it is not enough.
bool mayElide(const QWidget* widget) {
    return !qobject_cast<const QAbstractButton*>(widget) && !qobject_cast<const QTabBar*>(widget) &&
           !qobject_cast<const QMenuBar*>(widget);
}

/// Whether what the edge cuts can be scrolled into view.
bool scrollsTo(const QWidget* widget, const PaintedText& text) {
    const auto* area = qobject_cast<const QAbstractScrollArea*>(widget->parentWidget());
    if (!area || area->viewport() != widget)
        return false;
    if (qobject_cast<const QHeaderView*>(area)) // scrolls with its table
        area = qobject_cast<const QAbstractScrollArea*>(area->parentWidget());
    if (!area)
        return false;
    const QRectF room = widget->rect();
    const bool sideways = text.ink.left() < room.left() || text.ink.right() > room.right();
    const bool upright = text.ink.top() < room.top() || text.ink.bottom() > room.bottom();
    const bool bySideways = area->horizontalScrollBar()->isVisible(), byUpright = area->verticalScrollBar()->isVisible();
    return (sideways || upright) && (!sideways || bySideways) && (!upright || byUpright);
}

} // namespace

struct LayoutFindings::Look {
    QString setting;
    QWidget* window;
    QImage picture;
    PaintedWidgets painted;
};

void LayoutFindings::add(const Look& look, const char* defect, const QWidget* widget, const QString& detail) {
    const QString key = QStringLiteral("%1: %2 %3").arg(QLatin1String(defect), pathOf(widget), detail);
    if (!m_found.contains(key))
        m_found.insert(key, look.setting);
}

QString LayoutFindings::report() const {
    QString lines;
    for (auto it = m_found.cbegin(); it != m_found.cend(); ++it)
        lines += QStringLiteral("%1 (%2)\n").arg(it.key(), it.value());
    return lines;
}

namespace {

/// The widgets that make a window so wide, from the outside in: "QSplitter 900 > analyse 700 > …".
QString widestInside(const QWidget* window) {
    QStringList chain;
    for (const QWidget* at = window; at;) {
        const QWidget* widest = nullptr;
        int most = 0;
        for (const QObject* child : at->children())
            if (const auto* widget = qobject_cast<const QWidget*>(child); widget && !widget->isHidden() && !widget->isWindow()) {
                const int least = std::max(widget->minimumSizeHint().width(), widget->minimumWidth());
                if (least > most) {
                    most = least;
                    widest = widget;
                }
            }
        if (widest)
            chain << QStringLiteral("%1/%2 %3").arg(QLatin1String(widest->metaObject()->className()), widest->objectName()).arg(most);
        at = widest;
    }
    return chain.join(QStringLiteral(" > "));
}

} // namespace

void LayoutFindings::lookAtMinimum(const QWidget* window, QSize most, const QString& setting) {
    QSize least = window->minimumSizeHint().expandedTo(window->minimumSize());
    if (const auto* pages = window->findChild<const app::PageArea*>()) { // on a small screen the pages scroll instead
        const QSize whole = pages->leastOfContent();
        least = {std::max(least.width(), whole.width()), least.height() + whole.height() - pages->minimumSizeHint().height()};
    }
    if (least.width() > most.width() || least.height() > most.height())
        add({setting, nullptr, {}, {}}, "window too large", window,
            QStringLiteral("%1 × %2: %3").arg(least.width()).arg(least.height()).arg(widestInside(window)));
}

void LayoutFindings::look(QWidget* window, const QString& setting) {
    const Look look{setting, window, window->grab().toImage(), paintedIn(window)};
    ++m_looks;
    if (const QString folder = qEnvironmentVariable("HEADROOM_LAYOUT_PICTURES"); !folder.isEmpty())
        look.picture.save(QStringLiteral("%1/%2 %3.png").arg(folder, window->objectName(), setting));
    QList<QWidget*> all = window->findChildren<QWidget*>();
    all.prepend(window);
    for (QWidget* widget : all) {
        if (!widget->isVisible() || widget->window() != window || widget->size().isEmpty())
            continue;
        lookAtPlace(look, widget);
        lookAtName(look, widget);
        if (!widget->visibleRegion().isEmpty())
            lookAtTexts(look, widget);
    }
    QToolTip::hideText();
}

/// Inside its parent, and not over its sisters.
void LayoutFindings::lookAtPlace(const Look& look, QWidget* widget) {
    const QWidget* parent = widget->parentWidget();
    if (!parent || widget == look.window || isInner(widget) || isPutAside(widget) ||
        widget->property("overlay").toBool())
        return;
    const auto* area = qobject_cast<const QAbstractScrollArea*>(parent->parentWidget());
    const bool scrolled = area && area->viewport() == parent;
    // What is wider than the view and has no scroll bar is cut as well.
    const bool cut = qobject_cast<const QScrollArea*>(area) && scrolled && !area->horizontalScrollBar()->isVisible() &&
                     widget->width() > parent->width();
    if (const auto* own = qobject_cast<QScrollArea*>(widget); own && own->widgetResizable() && own->horizontalScrollBar()->isVisible())
        add(look, "scrolls sideways", widget, QStringLiteral("%1 of %2").arg(own->widget()->width()).arg(own->viewport()->width()));
    if ((!scrolled || cut) && !parent->rect().contains(widget->geometry()))
        add(look, "outside its parent", widget,
            QStringLiteral("%1 %2, %3 × %4 in %5 × %6")
                .arg(widget->x())
                .arg(widget->y())
                .arg(widget->width())
                .arg(widget->height())
                .arg(parent->width())
                .arg(parent->height()));
    for (const QObject* child : parent->children()) {
        const auto* other = qobject_cast<const QWidget*>(child);
        if (!other || other == widget || !other->isVisible() || other->isWindow() || isInner(other) || isPutAside(other) ||
            other->property("overlay").toBool() || other->size().isEmpty())
            continue;
        const QRect shared = other->geometry() & widget->geometry();
        if (shared.width() > 1 && shared.height() > 1 && pathOf(widget) <= pathOf(other))
            add(look, "overlap", widget, QStringLiteral("and %1").arg(pathOf(other)));
    }
}

/// Whoever cannot see a control hears its name.
void LayoutFindings::lookAtName(const Look& look, QWidget* widget) {
    const bool isControl = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
                           qobject_cast<QLineEdit*>(widget) || qobject_cast<QAbstractSpinBox*>(widget) ||
                           qobject_cast<QAbstractSlider*>(widget) || qobject_cast<QAbstractItemView*>(widget) ||
                           qobject_cast<QTextEdit*>(widget) || widget->focusPolicy() != Qt::NoFocus;
    if (!isControl || isInner(widget) || qobject_cast<QMainWindow*>(widget) || qobject_cast<QHeaderView*>(widget) || qobject_cast<QTabBar*>(widget) ||
        qobject_cast<QComboBox*>(widget->parentWidget()) ||
        qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) || widget->focusProxy() ||
        qobject_cast<QDockWidget*>(widget))
        return;
    QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
    if (!interface || interface->text(QAccessible::Name).trimmed().isEmpty())
        add(look, "no accessible name", widget, {});
}

void LayoutFindings::lookAtTexts(const Look& look, QWidget* widget) {
    const auto known = look.painted.find(widget);
    const Painted painted = known != look.painted.end() ? known->second : paintedBy(widget);
    m_texts += qsizetype(painted.texts.size());
    const QPoint origin = widget->mapTo(look.window, QPoint(0, 0));
    const QRegion visible = widget->visibleRegion();
    const bool pictures = !painted.curves.empty();
    const auto isHidden = [&](const PaintedText& text) {
        for (const PaintedGround& ground : painted.grounds)
            if (ground.order > text.order && ground.rect.contains(text.ink))
                return true;
        return false;
    };
    for (std::size_t i = 0; i < painted.texts.size(); ++i) {
        const PaintedText& text = painted.texts[i];
        const QPoint centre = text.ink.center().toPoint();
        if (!text.clip.intersects(text.ink) && !QRectF(widget->rect()).contains(text.ink.center()))
            continue; // scrolled out of sight
        if (isHidden(text) || text.colour.alphaF() < 0.05)
            continue;
        const QString quoted = QStringLiteral("“%1”").arg(text.text);
        const auto* edit = qobject_cast<QLineEdit*>(widget);
        if (text.cut() > kCut && !scrollsTo(widget, text) &&
            !(edit && (edit->hasFocus() || !tipAt(widget, widget->rect().center()).isEmpty())))
            add(look, "text cut", widget, quoted);
        if (isCutNumber(text.text))
            add(look, "number cut", widget, quoted);
        else if (isCutWord(widget, text.text))
            add(look, "word cut", widget, quoted);
        else if (text.isElided() && text.text.trimmed().size() > 1) {
            if (!isWhole(widget, centre, text.text) &&
                (!mayElide(widget) || !isIn(text.text, tipAt(widget, centre))))
                add(look, "elided without a tool tip", widget, quoted);
            if (const auto* box = qobject_cast<const QComboBox*>(widget); box && !box->isEditable() && isChoiceLost(*box, text.text))
                add(look, "choice cut", widget, quoted);
        }
        for (std::size_t j = i + 1; j < painted.texts.size(); ++j) {
            const PaintedText& other = painted.texts[j];
            if (readAlike(widget, painted, text, other))
                add(look, "reads like another row", widget, quoted);
            const QRectF shared = other.ink & text.ink & text.clip & other.clip;
            if (shared.width() > 1 && shared.height() > 1 && other.text != text.text && !isHidden(other))
                add(look, "texts overlap", widget, QStringLiteral("%1 and “%2”").arg(quoted, other.text));
        }
        for (const PaintedGround& ground : painted.grounds) {
            const QRectF shared = ground.rect & text.ink & text.clip;
            if (ground.order > text.order && shared.width() > 2 && shared.height() > 2)
                add(look, "text half covered", widget, quoted);
        }
        for (const QWidget* child : widget->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
            const QRectF shared = QRectF(child->geometry()) & text.ink & text.clip;
            if (child->isVisible() && !child->isWindow() && !isInner(child) && !child->property("overlay").toBool() &&
                shared.width() > 1 && shared.height() > 1)
                add(look, "text under a widget", widget, QStringLiteral("%1 and %2").arg(quoted, pathOf(child)));
        }
        if (pictures)
            for (const PaintedCurve& curve : painted.curves)
                if (isOn(curve, text.ink.adjusted(1, 1, -1, -1)))
                    add(look, "text on a curve", widget, quoted);
        if (qobject_cast<QCustomPlot*>(widget)) // elsewhere a small shape beside a word is its icon
            for (const PaintedMarker& marker : painted.markers)
                if (const QRectF shared = marker.rect & text.ink.adjusted(1, 1, -1, -1);
                    shared.width() > 1 && shared.height() > 1)
                    add(look, "text on a point", widget, quoted);
        // A selected text is painted in two colours on two grounds.
        if (!text.rotated && visible.contains(centre) && !(edit && edit->hasSelectedText())) {
            const QColor ground = groundOf(look.picture, text.ink.translated(origin));
            if (ground.isValid() && ground != text.colour && contrast(over(text.colour, ground), ground) < kContrast)
                add(look, "low contrast", widget,
                    QStringLiteral("%1 %2 on %3").arg(quoted, text.colour.name(QColor::HexArgb), ground.name()));
        }
    }
}

} // namespace headroom::testing
