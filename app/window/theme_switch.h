// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace headroom::app {

class Actions;
class AppSettings;

/// Light, dark, or as the desktop is. Qt 6.4 cannot be asked for the desktop's choice, so the palette it
/// started with is read once, before ours replaces it.
class ThemeSwitch : public QObject {
    Q_OBJECT

public:
    /// `forced`: "light" or "dark" from the command line, not remembered; empty: the settings decide.
    ThemeSwitch(AppSettings* settings, const QString& forced = {}, QObject* parent = nullptr);
    void apply();
    QString name() const; ///< of the theme that holds: "light" or "dark"
    void connectActions(const Actions& actions);

private:
    AppSettings* m_settings;
    QString m_forced;
    bool m_desktopIsDark;
};

} // namespace headroom::app
