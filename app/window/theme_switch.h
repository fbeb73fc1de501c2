// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QSize>
#include <QString>
#include <QTimer>

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

Q_SIGNALS:
    void textMadeSmaller(const QString& sentence); ///< because the window would not have fitted the screen

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void chooseTextSize(int percent);
    void offerSizesThatFit();
    void keepOnScreen();
    AppSettings* m_settings;
    QString m_forced;
    bool m_desktopIsDark;
    QList<QAction*> m_sizes; ///< of the text
    int m_textSize = 100; ///< that the widgets were laid out with
    std::map<QWidget*, std::pair<QSize, QSize>> m_grown; ///< windows that grew with the text: before, and then
    QTimer m_settling; ///< since a layout of a window changed
};

} // namespace headroom::app
