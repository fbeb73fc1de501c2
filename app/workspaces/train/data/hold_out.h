// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <string>

class QPushButton;
class QWidget;

namespace headroom {
class Corpus;
struct CorpusDocument;
}

namespace headroom::app {

/// The only split of a corpus of speech, if utterances of it can be held out for dev: at least two have a text. Empty: there are other
/// splits, or none can be held out. Any thread.
std::string splitToDivide(const Corpus& corpus, const std::string& task);

/// "Hold out a part for dev, or set data.trainSplit in All values.": where a split is missing that these keys of the recipe name. `where`:
/// the values are. Any thread.
QString missingSplitAdvice(const QStringList& keys, bool canBeDivided, const QString& where);

/// What an import says of the part that it held out of this corpus ("note" in corpus.json). Empty: nothing was. Any thread.
QString heldOutNote(const CorpusDocument& document);

/// “Hold out dev…”, to be shown where splitToDivide() finds one.
QPushButton* makeHoldOutButton(QWidget* parent);

} // namespace headroom::app
