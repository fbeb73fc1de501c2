// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/tool_bar.h"

#include "app/parts/actions.h"
#include "app/parts/number_text.h"
#include "app/window/find_action.h"
#include "app/window/segmented_control.h"
#include "app/workspaces/analyse/sound/time_field.h"
#include "widgets/look/metrics.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QEvent>
#include <QLayout>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

namespace headroom::app {

using widgets::Metrics;
using widgets::Theme;

namespace {

/// A disc in the state's colour. Drawn as it is painted, so that it follows theme and pixel ratio.
QIcon disc(const QColor& colour) {
    const int size = Metrics::icon() * 4;
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

ToolBar::ToolBar(const Actions& actions, QWidget* parent)
    : QToolBar(tr("Tool bar"), parent)
    , m_time(new TimeField(this))
    , m_find(new FindAction(this))
    , m_worker(new QToolButton(this)) {
    setObjectName(QStringLiteral("toolBar"));
    setMovable(false);
    setFloatable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    setFixedHeight(Metrics::toolBarHeight());
    setIconSize(QSize(Metrics::icon(), Metrics::icon()));
    auto* workspaces = new SegmentedControl(this);
    for (QAction* workspace : actions.workspaces->actions())
        workspaces->addSegment(workspace);
    workspaces->setFixedSize(workspaces->sizeHint());
    addWidget(workspaces);
    addSeparator();
    m_section = actions.analyseWorkspace;
    addText(actions.openAudio);
    addText(actions.record);
    addGap();
    addIcon(actions.toStart);
    addIcon(actions.play);
    addIcon(actions.loop);
    m_sections[m_section] << addWidget(m_time);
    addGap();
    addIcon(actions.undo);
    addIcon(actions.redo);
    addGap();
    addText(actions.linkAxes);
    auto* stretch = new QWidget(this);
    stretch->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_end = addWidget(stretch);
    connect(actions.workspaces, &QActionGroup::triggered, this, &ToolBar::showSection);
    addWidget(m_find);
    m_worker->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_worker->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_worker);
    menu->addAction(actions.restartWorker);
    m_worker->setMenu(menu);
    m_worker->setAccessibleName(tr("Worker"));
    addWidget(m_worker);
}

/// A button of the bar's own, so that hiding it with its section leaves the action in the menus.
QToolButton* ToolBar::addIcon(QAction* action) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setIconSize(iconSize());
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAccessibleName(action->text());
    QAction* part = m_end ? insertWidget(m_end, button) : addWidget(button);
    // A bar enables what stands in it by its own measure: it has to be told.
    const auto follow = [action, part] { part->setEnabled(action->isEnabled()); };
    connect(action, &QAction::changed, part, follow);
    follow();
    m_sections[m_section] << part;
    return button;
}

void ToolBar::addGap() {
    m_sections[m_section] << (m_end ? insertSeparator(m_end) : addSeparator());
}

void ToolBar::addSection(QAction* workspace, const QList<QAction*>& actions) {
    m_section = workspace;
    for (QAction* action : actions)
        action ? addText(action) : addGap();
    showSection();
}

void ToolBar::showSection() {
    for (const auto& [workspace, parts] : m_sections)
        for (QAction* part : parts)
            part->setVisible(workspace->isChecked());
    fitTexts();
}

/// Where the words do not all fit, the last ones leave their icons alone: a cut word says less than none.
void ToolBar::fitTexts() {
    for (QToolButton* button : m_texts)
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    for (auto button = m_texts.crbegin(); button != m_texts.crend(); ++button) {
        if (layout()->sizeHint().width() <= width())
            return;
        if (!(*button)->isHidden())
            (*button)->setToolButtonStyle(Qt::ToolButtonIconOnly);
    }
}

void ToolBar::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    fitTexts();
}

void ToolBar::addText(QAction* action) {
    QToolButton* button = addIcon(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_texts << button;
    // "Open", not "Open audio…": the bar has little room, the tool tip says it all.
    if (action->text().contains(QLatin1Char(' ')) && action->text().endsWith(QChar(0x2026)))
        action->setIconText(QLatin1Char(' ') + action->text().section(QLatin1Char(' '), 0, 0));
    else
        action->setIconText(QLatin1Char(' ') + action->text());
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
                                                       : devices.value(0).section(": ", 1);
        tip = tr("%1\nheadroom-worker %2, %3 threads, %4 of memory")
                  .arg(devices.value(0).section(": ", 1), worker.identity().version)
                  .arg(worker.identity().threads)
                  .arg(decimalBytes(worker.identity().memoryBytes));
        colour = theme.good;
        break;
    }
    case WorkerProcess::State::Starting:
        text = tr("Worker starting");
        tip = tr("The program that computes is being started.");
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
        tip = tr("It is started with the first model.");
        break;
    }
    m_worker->setIcon(disc(colour));
    m_worker->setText(text);
    m_worker->setToolTip(tip);
    m_worker->setAccessibleDescription(text);
}

QString ToolBar::workerText() const {
    return m_worker->text();
}

} // namespace headroom::app
