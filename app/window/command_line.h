// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

namespace headroom::app {

/// `headroom [FILE…] [--screenshot FILE.png [--size 1600x1000] [--theme light|dark] [--workspace analyse]]`.
struct CommandLine {
    QStringList files;      ///< audio, models, folders, sessions
    QString screenshot;     ///< empty: an ordinary start
    QSize size{1600, 1000}; ///< logical pixels
    QString theme;          ///< "light", "dark", empty: the user's choice
    QString workspace;      ///< "analyse", "train", empty: the first
    bool helpWanted = false, versionWanted = false;
    QString mistake; ///< a sentence where the usage is wrong (status 2), else empty
};

/// Needs no application object: main() chooses the platform by the result.
CommandLine parseCommandLine(const QStringList& arguments);
QString commandLineHelp();

} // namespace headroom::app
