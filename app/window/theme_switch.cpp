// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/theme_switch.h"

#include "app/parts/actions.h"
#include "app/settings/app_settings.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QHeaderView>
#include <QLayout>
#include <QMainWindow>
#include <QPalette>

#include <utility>

namespace headroom::app {

using Choice = AppSettings::ThemeChoice;

namespace {

int scaled(int pixels, double ratio) {
    return qRound(pixels * ratio);
}

void scaleLayout(QLayout* layout, double ratio) {
    const QMargins margins = layout->contentsMargins();
    layout->setContentsMargins(scaled(margins.left(), ratio), scaled(margins.top(), ratio),
                               scaled(margins.right(), ratio), scaled(margins.bottom(), ratio));
    if (layout->spacing() > 0)
        layout->setSpacing(scaled(layout->spacing(), ratio));
    for (int i = 0; i < layout->count(); ++i)
        if (QLayout* inner = layout->itemAt(i)->layout())
            scaleLayout(inner, ratio);
}

/// Widgets read their sizes when they are made; what is fixed since then follows here.
void scaleLayouts(double ratio) {
    for (QWidget* widget : QApplication::allWidgets()) {
        if (auto* header = qobject_cast<QHeaderView*>(widget)) {
            const bool rows = header->orientation() == Qt::Vertical;
            if (rows)
                header->setDefaultSectionSize(scaled(header->defaultSectionSize(), ratio));
            for (int i = 0; !rows && i < header->count(); ++i)
                if (header->sectionResizeMode(i) == QHeaderView::Interactive && !header->isSectionHidden(i))
                    header->resizeSection(i, scaled(header->sectionSize(i), ratio));
        }
        if (widget->minimumHeight() > 0 && widget->minimumHeight() == widget->maximumHeight())
            widget->setFixedHeight(scaled(widget->minimumHeight(), ratio));
        if (widget->minimumWidth() > 0 && widget->minimumWidth() == widget->maximumWidth())
            widget->setFixedWidth(scaled(widget->minimumWidth(), ratio));
        if (QLayout* layout = widget->layout(); layout && !qobject_cast<QMainWindow*>(widget))
            scaleLayout(layout, ratio);
    }
}

} // namespace

ThemeSwitch::ThemeSwitch(AppSettings* settings, const QString& forced, QObject* parent)
    : QObject(parent)
    , m_settings(settings)
    , m_forced(forced)
    , m_desktopIsDark(QGuiApplication::palette().color(QPalette::Window).lightness() < 128) {}

QString ThemeSwitch::name() const {
    if (!m_forced.isEmpty())
        return m_forced;
    switch (m_settings->theme()) {
    case Choice::Light:
        return QStringLiteral("light");
    case Choice::Dark:
        return QStringLiteral("dark");
    case Choice::System:
        break;
    }
    return m_desktopIsDark ? QStringLiteral("dark") : QStringLiteral("light");
}

void ThemeSwitch::apply() {
    const int before = std::exchange(m_textSize, m_settings->textSize());
    widgets::setTextSize(m_textSize);
    widgets::Theme::apply(name());
    if (m_textSize != before)
        scaleLayouts(double(m_textSize) / before);
}

void ThemeSwitch::connectActions(const Actions& actions) {
    const auto at = [this](QAction* action, Choice choice) {
        action->setChecked(m_settings->theme() == choice);
        connect(action, &QAction::triggered, this, [this, choice] {
            m_forced.clear();
            m_settings->setTheme(choice);
            apply();
        });
    };
    at(actions.themeSystem, Choice::System);
    at(actions.themeLight, Choice::Light);
    at(actions.themeDark, Choice::Dark);
    for (QAction* size : actions.textSizes->actions()) {
        size->setChecked(size->data().toInt() == m_settings->textSize());
        connect(size, &QAction::triggered, this, [this, size] {
            m_settings->setTextSize(size->data().toInt());
            apply();
        });
    }
}

} // namespace headroom::app
