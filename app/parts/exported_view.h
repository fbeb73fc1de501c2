// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/figure.h"

#include <QStringList>

#include <string>

namespace headroom::app {

class AppSettings;
class Messages;

/// What a view exports: a drawing, a table, or both. Window's thread.
struct ExportedView {
    Figure figure;     ///< without parts: none
    std::string table; ///< CSV; empty: none

    bool isEmpty() const { return figure.parts.empty() && table.empty(); }
    QStringList suffixes() const; ///< "pdf", "svg", "png", "csv": what can be written, the usual one first
    QStringList filters() const;  ///< the same for the dialogue, "Figure, PDF (*.pdf)"
    /// The suffix decides. Remembers the folder and says in Messages that the file was saved. Returns a sentence if that failed.
    QString save(const QString& file, AppSettings* settings, Messages* messages) const;
};

/// "PDF (*.pdf)", for a dialogue.
QString fileFilter(const QString& suffix);
/// ".pdf, .svg or .png"
QString listedEndings(const QStringList& suffixes);
/// Tab-separated text as CSV. An unknown number is an empty cell, as in the tables of studies.
std::string csvOfTabs(const QString& text);

} // namespace headroom::app
