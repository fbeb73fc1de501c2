// SPDX-License-Identifier: GPL-3.0-or-later
// Texts among the utterances, and the texts that a corpus has of recordings.
#include "app/documents/items/paths.h"
#include "app/documents/items/text_limits.h"
#include "app/documents/session.h"

#include <QFile>
#include <QLocale>

namespace headroom::app {

namespace {

constexpr qint64 kLargestTextFile = 1 << 20;
constexpr std::size_t kMostTexts = 500; ///< of one file; a corpus is opened in Train

/// The same text with the same reference; any reference where none is given.
UtteranceId sameSentence(const UtteranceList& utterances, const CorpusTexts& given) {
    const QString text = given.transcript.simplified(), target = given.translation.simplified();
    for (int row = 0; row < utterances.count(); ++row)
        if (const OpenUtterance& open = utterances.at(row);
            open.isText && open.text == text && (target.isEmpty() || open.target == target))
            return open.id;
    return UtteranceId::None;
}

} // namespace

UtteranceId Session::addText(const QString& text, const QString& target, const QString& name) {
    OpenUtterance utterance;
    utterance.name = name.isEmpty() ? freeName(tr("text %1"), m_texts) : name;
    utterance.isText = true;
    utterance.text = text.simplified();
    utterance.target = target.simplified();
    utterance.state = OpenState::Ready;
    const UtteranceId id = addUtterance(std::move(utterance));
    setModified();
    setCurrentUtterance(id);
    return id;
}

UtteranceId Session::openUtterance(const CorpusUtterance& given) {
    if (given.audio.empty()) {
        const UtteranceId same = sameSentence(m_utterances, given.texts);
        return same == UtteranceId::None ? addText(given.texts.transcript, given.texts.translation, given.id) : same;
    }
    const UtteranceId id = openUtterance(given.audio);
    offerAlignment(id, given.alignment);
    const OpenUtterance& open = *m_utterances.find(id);
    const QString name = given.id.isEmpty() ? open.name : given.id;
    if (open.name == name && open.texts == given.texts)
        return id;
    m_utterances.update(id, [&](OpenUtterance& utterance) {
        utterance.name = name;
        utterance.texts = given.texts;
    });
    setModified();
    Q_EMIT utteranceChanged(id);
    return id;
}

void Session::setText(UtteranceId id, const QString& text, const QString& target) {
    const OpenUtterance* utterance = m_utterances.find(id);
    const QString source = text.simplified(), given = target.simplified();
    if (!utterance || !utterance->isText || (utterance->text == source && utterance->target == given))
        return;
    m_utterances.update(id, [&](OpenUtterance& changed) {
        changed.text = source;
        changed.target = given;
    });
    setModified();
    Q_EMIT utteranceChanged(id);
}

std::vector<UtteranceId> Session::openTexts(const std::filesystem::path& path) {
    const auto refuse = [&](const QString& sentence) {
        m_messages.post(Severity::Error, sentence);
        return std::vector<UtteranceId>();
    };
    QFile file(toQString(path));
    if (!file.open(QIODevice::ReadOnly))
        return refuse(tr("%1 could not be read: %2.").arg(file.fileName(), file.errorString()));
    if (file.size() > kLargestTextFile)
        return refuse(tr("%1 has more than 1 MB. Open a part of it, or use it as a corpus in Train.").arg(file.fileName()));
    const QByteArray bytes = file.readAll();
    const QString whole = QString::fromUtf8(bytes);
    if (whole.contains(QChar::ReplacementCharacter) || whole.contains(QChar::Null))
        return refuse(tr("%1 is not text in UTF-8.").arg(file.fileName()));
    QStringList lines;
    for (const QString& line : whole.split(QLatin1Char('\n')))
        if (QString text = line.simplified(); !text.isEmpty())
            lines << text.remove(QChar(0xFEFF)); // a byte order mark
    for (qsizetype line = 0; line < lines.size(); ++line)
        if (lines[line].size() > kLongestText)
            return refuse(tr("Text %1 of %2 has more than %3 characters. Put its sentences on lines of their own.")
                              .arg(line + 1)
                              .arg(file.fileName())
                              .arg(QLocale(QLocale::English).toString(kLongestText)));
    if (lines.isEmpty())
        return refuse(tr("%1 has no text.").arg(file.fileName()));
    if (static_cast<std::size_t>(lines.size()) > kMostTexts)
        return refuse(tr("%1 has %2 lines, more than %3. Open a part of it, or use it as a corpus in Train.")
                          .arg(file.fileName())
                          .arg(lines.size())
                          .arg(kMostTexts));
    const QString stem = toQString(path.stem());
    std::vector<UtteranceId> ids;
    for (qsizetype line = 0; line < lines.size(); ++line)
        ids.push_back(addText(lines[line], {}, lines.size() == 1 ? stem : tr("%1, line %2").arg(stem).arg(line + 1)));
    setCurrentUtterance(ids.front());
    return ids;
}

} // namespace headroom::app
