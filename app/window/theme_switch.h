// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QSize>
#include <QString>

#include <map>
#include <utility>

class QAction;
class QWidget;

namespace headroom::app {

class Actions;
class AppSettings;

/// Light, dark, or as the desktop is, and the size of the text. Qt 6.4 cannot be asked for the desktop's choice, so the palette it
/// started with is read once, before ours replaces it.
class ThemeSwitch : public QObject {
    Q_OBJECT

public:
    /// `forced`: "light" or "dark" from the command line, not remembered; empty: the settings decide.
    ThemeSwitch(AppSettings* settings, const QString& forced = {}, QObject* parent = nullptr);
    /// Gives the window the colours and the text size of the settings. What is already laid out is brought to the new
    /// size in proportion: fixed heights and widths, rows of tables, margins.
    void apply();
    QString name() const; ///< of the theme that holds: "light" or "dark"
    void connectActions(const Actions& actions);
    /// Why text of so many per cent is not offered on a screen of this size; empty: it is. What is open in the window decides nothing, since a
    /// part that needs more room scrolls (PageArea).
    static QString whyNotOffered(int percent, QSize screen);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void chooseTextSize(int percent);
    void offerSizes();
    AppSettings* m_settings;
    QString m_forced;
    bool m_desktopIsDark;
    QList<QAction*> m_sizes; ///< of the text
    int m_textSize = 100; ///< that the widgets were laid out with
    std::map<QWidget*, std::pair<QSize, QSize>> m_grown; ///< windows that what they show made larger: before, and then
};

} // namespace headroom::app
