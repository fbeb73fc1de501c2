// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/study_list.h"

#include "app/parts/number_text.h"
#include "app/parts/row_delegate.h"
#include "app/studies/study_names.h"
#include "app/studies/study_settings.h"
#include "widgets/look/duration_text.h"
#include "widgets/look/number_text.h"

#include <QDateTime>
#include <QLocale>

namespace headroom::app {

using State = StudyItem::State;

namespace {

/// With its settings, by which studies of the same models differ.
QString tipOf(const StudyItem& item) {
    QStringList settings;
    for (const auto& setting : item.settings)
        settings << settingText(setting);
    QStringList lines{item.name(), settings.join(QStringLiteral("; ")), QString::fromStdString(item.folder.string()),
                      notMeasuredText(item.notMeasured)};
    lines.removeAll(QString());
    return lines.join(u'\n');
}

} // namespace

void StudyList::setItems(const std::vector<StudyItem>& items) {
    const bool sameRows = std::equal(items.begin(), items.end(), m_items.begin(), m_items.end(),
                                     [](const auto& a, const auto& b) { return a.folder == b.folder; });
    if (sameRows) {
        m_items = items;
        if (!items.empty())
            Q_EMIT dataChanged(index(0), index(rowCount() - 1));
        return;
    }
    beginResetModel();
    m_items = items;
    endResetModel();
}

int StudyList::rowOf(const std::filesystem::path& folder) const {
    for (std::size_t row = 0; row < m_items.size(); ++row)
        if (m_items[row].folder == folder)
            return static_cast<int>(row);
    return -1;
}

int StudyList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_items.size());
}

QVariant StudyList::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const StudyItem& item = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return item.name();
    case Qt::AccessibleTextRole: {
        const RowContent row = describeStudy(item);
        return QStringList{row.title, row.second, row.sentence}.join(QStringLiteral(". "));
    }
    case Qt::ToolTipRole:
        return tipOf(item);
    default:
        return {};
    }
}

QString stateWord(State state) {
    switch (state) {
    case State::Starting:
        return StudyList::tr("Starting");
    case State::Running:
        return StudyList::tr("Running");
    case State::Stopping:
        return StudyList::tr("Stopping");
    case State::Stopped:
        return StudyList::tr("Stopped");
    case State::Interrupted:
        return StudyList::tr("Interrupted");
    case State::Failed:
        return StudyList::tr("Failed");
    case State::Finished:
        return StudyList::tr("Finished");
    case State::Unreadable:
        return StudyList::tr("Unreadable");
    }
    return {};
}

QString stateIcon(State state) {
    switch (state) {
    case State::Starting:
        return QStringLiteral("clock");
    case State::Running:
    case State::Stopping:
        return QStringLiteral("play");
    case State::Stopped:
        return QStringLiteral("pause");
    case State::Interrupted:
        return QStringLiteral("warning");
    case State::Failed:
    case State::Unreadable:
        return QStringLiteral("error");
    case State::Finished:
        return QStringLiteral("check");
    }
    return {};
}

QString progressText(const StudyItem& study) {
    if (study.state == State::Starting)
        return StudyList::tr("Starting");
    const StudyProgress& at = study.progress;
    QString text = at.stage.empty() ? stateWord(study.state) : QString::fromStdString(at.stage);
    if (at.total > 0)
        text += StudyList::tr(": %1 of %2").arg(thousands(at.done), thousands(at.total));
    if (study.state == State::Stopping)
        return StudyList::tr("Stopping. %1").arg(text);
    if (at.secondsLeft >= 0)
        text += QStringLiteral(", ") + widgets::timeLeftText(at.secondsLeft);
    return text;
}

QString whenText(const QString& utc) {
    const QDateTime when = QDateTime::fromString(utc, Qt::ISODate).toLocalTime();
    if (!when.isValid())
        return {};
    const QLocale plain = QLocale::c();
    return when.date() == QDate::currentDate() ? plain.toString(when, QStringLiteral("HH:mm"))
                                               : plain.toString(when, QStringLiteral("d MMM"));
}

bool offersTryNow(const StudyItem& study) {
    return study.lost && study.runs();
}

RowContent describeStudy(const StudyItem& study) {
    RowContent row;
    row.title = study.name();
    row.iconName = stateIcon(study.state);
    row.right = whenText(study.ended.isEmpty() ? study.created : study.ended);
    QStringList parts{stateWord(study.state)};
    if (!row.title.startsWith(kindTitle(study.kind))) { // a name that was made says both
        parts << kindTitle(study.kind).toLower();
        if (!study.models.isEmpty())
            parts << modelList(study.models);
    }
    const QString utterances = widgets::counted(study.utterances, StudyList::tr("1 utterance"), StudyList::tr("%1 utterances"));
    if (study.state == State::Finished && study.measured < study.utterances)
        parts << StudyList::tr("%1 of %2").arg(thousands(study.measured), utterances);
    else if (study.utterances > 0)
        parts << utterances;
    row.second = parts.join(QStringLiteral(" · "));
    row.sentence = study.sentence;
    switch (study.state) {
    case State::Starting:
    case State::Running:
    case State::Stopping:
        row.working = true;
        row.second = study.place.isEmpty() ? progressText(study)
                                           : StudyList::tr("At %1 · %2").arg(study.place, progressText(study));
        row.sentence = study.contact;
        if (study.progress.total > 0)
            row.share = static_cast<double>(study.progress.done) / static_cast<double>(study.progress.total);
        if (offersTryNow(study))
            row.buttons << StudyList::tr("Try now");
        if (study.state == State::Running || (study.state == State::Starting && !study.place.isEmpty()))
            row.buttons << StudyList::tr("Cancel");
        break;
    case State::Stopped:
        if (study.canResume())
            row.buttons << StudyList::tr("Resume");
        break;
    case State::Interrupted:
        row.severity = Severity::Warning;
        row.sentence = study.place.isEmpty()
                           ? StudyList::tr("The study stopped unexpectedly. Its measurements are kept.")
                           : StudyList::tr("The study is no longer watched from here. Resume finds it at %1, or continues it there.").arg(study.place);
        row.buttons << StudyList::tr("Resume");
        break;
    case State::Failed:
        row.severity = Severity::Error;
        if (study.canResume())
            row.buttons << StudyList::tr("Resume");
        break;
    case State::Unreadable:
        row.severity = Severity::Error;
        row.second = stateWord(study.state);
        break;
    case State::Finished:
        break;
    }
    return row;
}

} // namespace headroom::app
