// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/tool_bar.h"

#include "app/parts/actions.h"
#include "app/parts/number_text.h"
#include "app/window/find_action.h"
#include "app/window/segmented_control.h"
#include "app/workspaces/workspace.h"
#include "widgets/look/icons.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QEvent>
#include <QLayout>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <set>
#include <utility>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {

constexpr const char* kArrow = "qt_toolbar_ext_button"; ///< Qt's name of the arrow before which the items end

/// A disc in the state's colour. Drawn as it is painted, so that it follows theme and pixel ratio.
QIcon disc(const QColor& colour) {
    const int size = Sizes::icon() * 4;
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawEllipse(QPointF(size / 2.0, size / 2.0), size * 0.25, size * 0.25);
    return QIcon(pixmap);
}

} // namespace

ToolBar::ToolBar(const Actions& actions, const QList<Workspace*>& workspaces, QWidget* parent)
    : QToolBar(tr("Tool bar"), parent)
    , m_find(new FindAction)
    , m_worker(new QToolButton) {
    setObjectName(QStringLiteral("toolBar"));
    setMovable(false);
    setFloatable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    auto* workspaceSwitch = new SegmentedControl(tr("Workspace"), this);
    for (const Workspace* workspace : workspaces)
        workspaceSwitch->addSegment(workspace->switchAction());
    addWidget(workspaceSwitch);
    widgets::withTextSize(this, [this, workspaceSwitch] {
        setFixedHeight(Sizes::toolBarHeight());
        setIconSize(QSize(Sizes::icon(), Sizes::icon()));
        workspaceSwitch->setFixedSize(workspaceSwitch->sizeHint());
    });
    addSeparator();
    for (Workspace* workspace : workspaces)
        for (const ToolBarItem& item : workspace->toolBarItems())
            addItem(workspace->switchAction(), item);
    auto* stretch = new QWidget(this);
    stretch->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(stretch);
    connect(actions.workspaces, &QActionGroup::triggered, this, &ToolBar::showSection);
    // No items: a bar folds its last ones away first, and by this field everything else is found.
    m_find->setParent(this);
    m_worker->setParent(this);
    m_worker->setAutoRaise(true); // as a bar's items are
    m_worker->setIconSize(iconSize());
    connect(this, &QToolBar::iconSizeChanged, m_worker, &QToolButton::setIconSize);
    m_worker->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_worker->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_worker);
    menu->addAction(actions.restartWorker);
    m_worker->setMenu(menu);
    m_worker->setAccessibleName(tr("Worker"));
    m_texts.prepend({m_worker, nullptr, {}, {}, {}}); // the last to lose its word
    if (auto* arrow = findChild<QToolButton*>(QLatin1String(kArrow))) {
        arrow->installEventFilter(this);
        arrow->setIcon(widgets::icon(QStringLiteral("more"))); // the style's is dark in both themes, as if it were off
    }
    showSection();
    widgets::withTextSize(this, [this] { fit(); }); // after its items: some views paint the window before it is laid out
}

void ToolBar::addItem(QAction* workspace, const ToolBarItem& item) {
    QAction* part = nullptr;
    switch (item.kind) {
    case ToolBarItem::Kind::Gap:
        part = addSeparator();
        break;
    case ToolBarItem::Kind::Field:
        part = addWidget(item.make(this));
        break;
    case ToolBarItem::Kind::Switch: {
        auto* segments = new SegmentedControl(item.word, this);
        for (QAction* action : item.segments)
            segments->addSegment(action);
        segments->setForm(SegmentedControl::Form::Words);
        widgets::withTextSize(this, [segments] { segments->setForm(segments->form()); }); // its size follows
        part = addWidget(segments);
        m_switches.append({segments, part});
        break;
    }
    case ToolBarItem::Kind::Icon:
    case ToolBarItem::Kind::Text:
        part = addButton(item);
        break;
    }
    m_sections[workspace] << part;
    m_actionsOf[part] = item.action ? QList<QAction*>{item.action} : item.segments;
}

/// A button of the bar's own, so that hiding it with its section leaves the action in the menus.
QAction* ToolBar::addButton(const ToolBarItem& item) {
    QAction* action = item.action;
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    connect(this, &QToolBar::iconSizeChanged, button, &QToolButton::setIconSize);
    button->setIconSize(iconSize());
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAccessibleName(action->text());
    QAction* part = addWidget(button);
    // A bar enables what stands in it by its own measure: it has to be told.
    const auto follow = [action, part] { part->setEnabled(action->isEnabled()); };
    connect(action, &QAction::changed, part, follow);
    follow();
    if (item.kind == ToolBarItem::Kind::Text) {
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        m_texts.append({button, part, {}, {}, {}});
        // "Open", not "Open audio…": the bar has little room, the tool tip says it all.
        const QString text = action->text();
        const bool isLong = text.contains(QLatin1Char(' ')) && text.endsWith(QChar(0x2026));
        const QString word = !item.word.isEmpty() ? item.word
                             : isLong             ? text.section(QLatin1Char(' '), 0, 0)
                                                  : text;
        action->setIconText(QLatin1Char(' ') + word);
    }
    return part;
}

void ToolBar::showSection() {
    for (const auto& [workspace, parts] : m_sections)
        for (QAction* part : parts)
            part->setVisible(workspace->isChecked());
    fit();
}

void ToolBar::measure(Worded& one) const {
    QToolButton* button = one.button;
    button->ensurePolished();
    if (one.wide > 0 && one.text == button->text() && one.font == button->font() && one.icon == iconSize())
        return;
    one.text = button->text();
    one.font = button->font();
    one.icon = iconSize();
    const auto now = button->toolButtonStyle();
    const auto widthIn = [button](Qt::ToolButtonStyle style) {
        button->setToolButtonStyle(Qt::ToolButtonTextOnly); // a button keeps the width of the style that it has
        button->setToolButtonStyle(style);
        return button->sizeHint().width();
    };
    one.wide = widthIn(Qt::ToolButtonTextBesideIcon);
    one.narrow = widthIn(Qt::ToolButtonIconOnly);
    button->setToolButtonStyle(now);
}

/// Where the words do not all fit, the last ones leave their icons alone: a cut word says less than none. Then the worker's
/// does, then those of a switch, and then the field is shorter. Every width is that of the result, whatever is shown now, so that
/// one pass does, before anything is painted.
void ToolBar::fit() {
    using Form = SegmentedControl::Form;
    if (std::exchange(m_isFitting, true))
        return;
    const QMargins sides = layout()->contentsMargins();
    const int spacing = layout()->spacing(), longFind = m_find->sizeHint().width(), shortFind = m_find->minimumSizeHint().width();
    int needed = sides.left() + sides.right() + longFind;
    const auto isShown = [](const QAction* part) { return !part || part->isVisible(); };
    std::set<const QAction*> measured;
    for (Worded& one : m_texts)
        if (isShown(one.part)) {
            measure(one);
            needed += one.wide + spacing;
            measured.insert(one.part);
        }
    for (const Switch& one : m_switches)
        if (isShown(one.part)) {
            needed += one.segments->widthIn(Form::Words) + spacing;
            measured.insert(one.part);
        }
    for (QAction* part : actions())
        if (const QWidget* widget = widgetForAction(part); widget && part->isVisible() && !measured.contains(part))
            needed += widget->sizeHint().boundedTo(widget->maximumSize()).expandedTo(widget->minimumSize()).width() + spacing;

    bool isOther = false;
    int worker = 0;
    for (auto one = m_texts.crbegin(); one != m_texts.crend(); ++one) {
        if (!isShown(one->part))
            continue;
        const bool fits = needed <= width();
        const auto style = fits ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly;
        needed -= fits ? 0 : one->wide - one->narrow;
        worker = fits ? one->wide : one->narrow; // which comes last
        isOther = isOther || one->button->toolButtonStyle() != style;
        one->button->setToolButtonStyle(style);
    }
    for (const Switch& one : m_switches) {
        if (!isShown(one.part))
            continue;
        const Form form = needed <= width() ? Form::Words : Form::Icons;
        needed -= form == Form::Words ? 0 : one.segments->widthIn(Form::Words) - one.segments->widthIn(form);
        if (one.segments->form() != form) {
            isOther = true;
            one.segments->setForm(form);
        }
    }
    const int beyond = needed - width();
    placeEnd(std::clamp(longFind - beyond, shortFind, longFind), worker, beyond > longFind - shortFind);
    if (isOther)
        layout()->invalidate(); // what is behind the arrow does not tell it
    if (isVisible())
        layout()->activate();
    m_isFitting = false;
}

void ToolBar::placeEnd(int findWidth, int workerWidth, bool hasArrow) {
    const QMargins sides = layout()->contentsMargins();
    const int spacing = layout()->spacing();
    const auto place = [this, sides](QWidget* widget, int left, int wide) { // as high as the layout places its items
        const int high = widget->sizeHint().height();
        widget->setGeometry(left, sides.top() + std::max(0, (Sizes::toolBarHeight() - sides.top() - sides.bottom() - high) / 2), wide, high);
    };
    place(m_worker, width() - sides.right() - workerWidth, workerWidth);
    place(m_find, m_worker->x() - spacing - findWidth, findWidth);
    int beside = width() - sides.right() - m_find->x() + spacing;
    if (const QWidget* arrow = findChild<QWidget*>(QLatin1String(kArrow)); hasArrow && arrow) // as wide as a button
        beside += std::max(0, arrow->minimumWidth() - style()->pixelMetric(QStyle::PM_ToolBarExtensionExtent, nullptr, this));
    const QMargins reserved(0, 0, beside, 0);
    if (contentsMargins() != reserved)
        setContentsMargins(reserved);
}

void ToolBar::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    fit();
}

/// What does not fit is offered in a menu. Qt would make the bar higher, which this one cannot be.
bool ToolBar::eventFilter(QObject* watched, QEvent* event) {
    auto* arrow = qobject_cast<QToolButton*>(watched);
    if (!arrow || arrow->objectName() != QLatin1String(kArrow) ||
        (event->type() != QEvent::MouseButtonPress && event->type() != QEvent::MouseButtonRelease))
        return QToolBar::eventFilter(watched, event);
    if (event->type() == QEvent::MouseButtonRelease)
        return true;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true); // why an action is off
    for (QAction* part : actions())
        if (part->isVisible() && widgetForAction(part)->isHidden())
            menu->addActions(m_actionsOf[part]);
    menu->popup(arrow->mapToGlobal(arrow->rect().bottomLeft()));
    return true;
}

/// The words beside the bar's own change too: the worker's state, the field of the time.
bool ToolBar::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest)
        fit();
    return QToolBar::event(event);
}

void ToolBar::changeEvent(QEvent* event) {
    QToolBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_shownWorker)
        showWorker(*m_shownWorker); // its disc has a colour of the theme
}

void ToolBar::showWorker(const WorkerProcess& worker) {
    m_shownWorker = &worker;
    const Theme& theme = Theme::current();
    QString text, tip;
    QColor colour = theme.text3;
    switch (worker.state()) {
    case WorkerProcess::State::Ready: {
        const QStringList& devices = worker.identity().devices;
        // "cpu: AMD EPYC": the name is for the command line, the description for people.
        const QString device = devices.value(0).section(QStringLiteral(": "), 0, 0);
        text = device.startsWith(QLatin1String("cpu")) ? tr("This machine, CPU")
                                                       : tr("This machine, %1").arg(devices.value(0).section(": ", 1));
        tip = tr("%1\nheadroom-worker %2, %3, %4 memory")
                  .arg(devices.value(0).section(": ", 1), worker.identity().version,
                       widgets::counted(worker.identity().threads, tr("1 thread"), tr("%1 threads")),
                       decimalBytes(worker.identity().memoryBytes));
        if (!worker.place().isEmpty()) {
            text = worker.place();
            tip = tr("Models run at %1.\n%2").arg(worker.place(), tip);
        }
        colour = theme.good;
        break;
    }
    case WorkerProcess::State::Starting:
        text = worker.place().isEmpty() ? tr("Worker starting") : tr("%1 starting").arg(worker.place());
        tip = tr("The worker process is starting.");
        colour = theme.warning;
        break;
    case WorkerProcess::State::Failed:
        text = tr("Worker stopped");
        tip = worker.sentence();
        colour = theme.error;
        break;
    case WorkerProcess::State::Stopped:
    case WorkerProcess::State::Stopping:
        text = tr("No worker yet");
        tip = tr("The worker starts when you open the first model.");
        break;
    }
    m_worker->setIcon(disc(colour));
    m_worker->setText(text);
    m_worker->setToolTip(tip);
    m_worker->setAccessibleDescription(text);
}

QMenu* ToolBar::workerMenu() const {
    return m_worker->menu();
}

QString ToolBar::workerText() const {
    return m_worker->text();
}

} // namespace headroom::app
