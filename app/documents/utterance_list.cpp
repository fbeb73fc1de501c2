// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/utterance_list.h"

#include "app/documents/items/names_apart.h"
#include "app/documents/items/paths.h"
#include "core/audio/audio_name.h"
#include "widgets/look/number_text.h"

#include <algorithm>

namespace headroom::app {

namespace {

/// What it is called while no other one is called the same.
QString nameAlone(const OpenUtterance& utterance) {
    return utterance.isText && utterance.hasSource() ? quotedText(utterance.text) : utterance.name;
}

} // namespace

UtteranceList::UtteranceList(QObject* parent) : QAbstractListModel(parent) {}

int UtteranceList::rowOf(UtteranceId id) const {
    const auto found = std::find_if(m_utterances.begin(), m_utterances.end(),
                                    [&](const OpenUtterance& utterance) { return utterance.id == id; });
    return found == m_utterances.end() ? -1 : static_cast<int>(found - m_utterances.begin());
}

const OpenUtterance* UtteranceList::find(UtteranceId id) const {
    const int row = rowOf(id);
    return row < 0 ? nullptr : &at(row);
}

int UtteranceList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : count();
}

QVariant UtteranceList::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const OpenUtterance& utterance = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return utterance.title();
    case Qt::ToolTipRole: {
        if (utterance.isText)
            return utterance.target.isEmpty() ? utterance.text : utterance.text + QLatin1Char('\n') + utterance.target;
        if (!utterance.recording)
            return toQString(utterance.file);
        const Recording& recording = *utterance.recording;
        const QString channels = recording.originalChannels == 1 ? tr("mono") : tr("%1 channels").arg(recording.originalChannels);
        const QString heard = tr("%1, %2 Hz, %3")
                                  .arg(QString::fromStdString(recording.originalFormat), widgets::numberText(recording.originalRate.hertz(), 0), channels);
        return utterance.file.empty() ? heard : toQString(utterance.file) + QLatin1Char('\n') + heard;
    }
    case IdRole:
        return static_cast<int>(utterance.id);
    case StateRole:
        return static_cast<int>(utterance.state);
    case DurationRole:
        return utterance.duration().value();
    case SentenceRole: {
        if (utterance.state == OpenState::Failed)
            return utterance.sentence;
        QStringList sentences = utterance.warnings;
        if (!utterance.sentence.isEmpty())
            sentences.prepend(utterance.sentence);
        if (utterance.isRecordingGone)
            sentences << tr("The recording was moved or deleted; studies leave it out.");
        if (utterance.isAlignmentGone)
            sentences << tr("The alignment was moved or deleted; studies leave it out.");
        return sentences.join(QLatin1Char('\n'));
    }
    case FindingRole: {
        const AlignmentFinding* finding = utterance.worstFinding();
        if (!finding)
            return QString();
        const auto more = int(utterance.alignmentReport->findings.size()) - 1;
        const QString sentence = tr("Alignment: %1").arg(QString::fromStdString(finding->sentence));
        return more == 0   ? sentence
               : more == 1 ? sentence + tr(" And 1 more finding.")
                           : sentence + tr(" And %1 more findings.").arg(more);
    }
    case LeftOutRole:
        return utterance.alignmentReport && !utterance.alignmentReport->usable();
    case TextRole: // never null for a text: an empty one has nothing yet
        return utterance.isText ? QVariant(utterance.text) : QVariant();
    case TranscriptRole:
        return QStringList({utterance.transcript(), utterance.texts.translation, utterance.isText ? utterance.name : QString()})
            .join(QLatin1Char('\n'))
            .trimmed();
    case MissingRole:
        return utterance.lacksFile();
    case FileRole:
        return toQString(utterance.file);
    default:
        return {};
    }
}

void UtteranceList::append(OpenUtterance utterance) {
    beginInsertRows({}, count(), count());
    m_utterances.push_back(std::move(utterance));
    endInsertRows();
    keepApart(nameAlone(m_utterances.back()));
}

void UtteranceList::update(UtteranceId id, const std::function<void(OpenUtterance&)>& change) {
    const int row = rowOf(id);
    if (row < 0)
        return;
    OpenUtterance& utterance = m_utterances[static_cast<std::size_t>(row)];
    const QString before = nameAlone(utterance);
    const std::filesystem::path file = utterance.file;
    change(utterance);
    Q_EMIT dataChanged(index(row), index(row));
    const QString now = nameAlone(utterance);
    if (now == before && utterance.file == file)
        return;
    utterance.apart.clear();
    keepApart(before);
    keepApart(now);
}

/// Sets what tells those apart that are called like this alone: recordings by their folders, texts of the same words by their names.
void UtteranceList::keepApart(const QString& name) {
    const auto namesOf = [&](const std::vector<OpenUtterance*>& same) {
        std::vector<std::filesystem::path> folders;
        for (const OpenUtterance* one : same)
            folders.push_back(audioName(one->file).file.parent_path());
        std::vector<QString> names = namesApart(name, folders);
        for (std::size_t i = 0; i < same.size(); ++i)
            if (same.size() > 1 && same[i]->name != name) // it is a text that is called by its words
                names[i] = same[i]->name;
        return names;
    };
    for (const int row : tellApart(m_utterances, name, nameAlone, namesOf)) {
        Q_EMIT dataChanged(index(row), index(row));
        Q_EMIT shownNameChanged(at(row).id);
    }
}

void UtteranceList::remove(UtteranceId id) {
    const int row = rowOf(id);
    if (row < 0)
        return;
    const QString name = nameAlone(at(row));
    beginRemoveRows({}, row, row);
    m_utterances.erase(m_utterances.begin() + row);
    endRemoveRows();
    keepApart(name);
}

void UtteranceList::move(UtteranceId id, int row) {
    const int from = rowOf(id);
    if (from < 0) // an empty list has no row to clamp to
        return;
    const int to = std::clamp(row, 0, count() - 1);
    if (from == to)
        return;
    beginMoveRows({}, from, from, {}, to > from ? to + 1 : to);
    const auto at = [this](int index) { return m_utterances.begin() + index; };
    if (to > from)
        std::rotate(at(from), at(from + 1), at(to + 1));
    else
        std::rotate(at(to), at(from), at(from + 1));
    endMoveRows();
}

void UtteranceList::clear() {
    beginResetModel();
    m_utterances.clear();
    endResetModel();
}

} // namespace headroom::app
