// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/tool_bar.h"

#include "app/parts/actions.h"
#include "app/parts/number_text.h"
#include "app/window/find_action.h"
#include "app/window/segmented_control.h"
#include "app/workspaces/workspace.h"
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

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {

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
    , m_find(new FindAction(this))
    , m_worker(new QToolButton(this)) {
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
        for (QToolButton* button : m_texts) // fitTexts() measures their words again
            button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    });
    addSeparator();
    for (Workspace* workspace : workspaces)
        for (const ToolBarItem& item : workspace->toolBarItems())
            addItem(workspace->switchAction(), item);
    auto* stretch = new QWidget(this);
    stretch->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(stretch);
    connect(actions.workspaces, &QActionGroup::triggered, this, &ToolBar::showSection);
    addWidget(m_find);
    m_worker->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_worker->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_worker);
    menu->addAction(actions.restartWorker);
    m_worker->setMenu(menu);
    m_worker->setAccessibleName(tr("Worker"));
    addWidget(m_worker);
    m_texts.prepend(m_worker); // the last to lose its word
    showSection();
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
        widgets::withTextSize(this, [segments] { segments->setForm(SegmentedControl::Form::Words); });
        m_switches << segments;
        part = addWidget(segments);
        break;
    }
    case ToolBarItem::Kind::Icon:
    case ToolBarItem::Kind::Text:
        part = addButton(item);
        break;
    }
    m_sections[workspace] << part;
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
        m_texts << button;
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
    fitTexts();
}

/// Where the words do not all fit, the last ones leave their icons alone: a cut word says less than none.
/// Then the worker's does, and those of a switch.
void ToolBar::fitTexts() {
    using Form = SegmentedControl::Form;
    const auto savedBy = [](const SegmentedControl* one) {
        return one->widthIn(Form::Words) - one->widthIn(Form::Icons);
    };
    const auto narrow = [](const QToolButton* button) { // with the arrow of a menu
        return Sizes::control() + (button->menu() ? Sizes::icon() : 0);
    };
    int needed = layout()->sizeHint().width();
    for (QToolButton* button : m_texts)
        if (button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon)
            m_wide[button] = button->sizeHint().width();
        else if (!button->isHidden())
            needed += m_wide[button] - narrow(button);
    for (const SegmentedControl* one : m_switches)
        if (!one->isHidden() && one->form() == Form::Icons)
            needed += savedBy(one);
    for (auto it = m_texts.crbegin(); it != m_texts.crend(); ++it) {
        QToolButton* button = *it;
        if (button->isHidden())
            continue;
        const bool fits = needed <= width();
        if (!fits)
            needed -= m_wide[button] - narrow(button);
        const auto style = fits ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly;
        if (button->toolButtonStyle() != style) // a change asks for another layout
            button->setToolButtonStyle(style);
    }
    for (SegmentedControl* one : m_switches) {
        if (one->isHidden())
            continue;
        const Form form = needed <= width() ? Form::Words : Form::Icons;
        if (form == Form::Icons)
            needed -= savedBy(one);
        if (one->form() != form)
            one->setForm(form);
    }
}

void ToolBar::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    fitTexts();
}

/// The words beside the bar's own change too: the worker's state, the field of the time.
bool ToolBar::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest)
        fitTexts();
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
        tip = tr("%1\nheadroom-worker %2, %3 threads, %4 memory")
                  .arg(devices.value(0).section(": ", 1), worker.identity().version)
                  .arg(worker.identity().threads)
                  .arg(decimalBytes(worker.identity().memoryBytes));
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
