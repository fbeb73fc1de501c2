// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/theme_switch.h"

#include "app/parts/actions.h"
#include "app/settings/app_settings.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QGuiApplication>
#include <QPalette>

namespace headroom::app {

using Choice = AppSettings::ThemeChoice;

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
    widgets::Theme::apply(name());
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
}

} // namespace headroom::app
