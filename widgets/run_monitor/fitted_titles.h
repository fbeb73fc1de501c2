// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>
#include <QHash>
#include <QList>
#include <QStringList>

namespace headroom::widgets {

/// A title of a run, with the seed if it has one, as it fits into `width` pixels: the middle of what is before the seed is cut first, so that
/// seeds stay apart, and runs that differ in the changes at its end, "400 updates".
QString fittedTitle(const QString& title, const QFontMetrics& metrics, int width);

struct Titles {
    QString whole, brief; ///< the brief one is without what tells the least, and marked there, so that the seed stays in less room; empty: none
    QList<int> apart{};   ///< the words of the whole one that stay as long as they have room, as from wordsApart()
    QString least{};     ///< what the brief one gives way to, "demo, seed 1 … best checkpoint"; empty: none
    qsizetype tells = 0; ///< letters behind the name in it that stay, whatever becomes of the name: " … best"
};
QString fittedTitle(const Titles& titles, const QFontMetrics& metrics, int width);

/// For each of these titles, the words that tell it from each of the others: those at which it first differs from one of them, as
/// numbers from 0. Runs that differ only in their seeds have none.
QHash<QString, QList<int>> wordsApart(const QStringList& titles);

/// Titles of evaluations, and the brief one of each, "demo, seed 1 … on test…". Where several have one brief title, what tells each from
/// the others is at its end: "demo, seed 1 … on test … best checkpoint", and in least room "demo, seed 1 … best checkpoint".
QHash<QString, Titles> evaluationsApart(const QHash<QString, QString>& briefs);

/// Whether `shown`, where "…" stands for any letters, could be what is left of `whole`.
bool couldBe(const QString& shown, const QString& whole);

/// One of these names as it fits into `width` pixels: what is left could be no other of them, as long as what differs has room.
QString fittedAmong(const QStringList& names, const QString& name, const QFontMetrics& metrics, int width);

} // namespace headroom::widgets
