// SPDX-License-Identifier: GPL-3.0-or-later
// The buttons of QueueModel: which ones a row has, their words and their icons.
#include "widgets/run_monitor/queue_model.h"

namespace headroom::widgets {

QList<QueueModel::Button> QueueModel::buttonsAt(int row) const {
    const Row& here = m_rows[static_cast<std::size_t>(row)];
    const bool isJob = here.path.extension() == ".json";
    if (here.evaluates && !isJob && here.kind != Kind::Sentence) {
        const bool goesOn = here.kind == Kind::Running || here.kind == Kind::Copying || here.kind == Kind::Pending || here.retries;
        return here.stops                                      ? QList<Button>{Button::Folder}
               : goesOn                                        ? QList<Button>{Button::Stop}
               : here.kind == Kind::Finished && here.hasErrors ? QList<Button>{Button::Errors, Button::Folder}
                                                               : QList<Button>{Button::Folder};
    }
    switch (here.kind) {
    case Kind::Running:
        return {Button::Pause, Button::Stop};
    case Kind::NoContact:
        return isJob        ? QList<Button>{Button::Remove}
               : here.stops ? QList<Button>{Button::Folder}
                            : QList<Button>{Button::Stop, Button::Folder};
    case Kind::Requeued:
        return {Button::Stop, Button::Folder};
    case Kind::Copying:
        return {Button::Remove};
    case Kind::Pending:
        return here.hasScript ? QList<Button>{Button::Script, Button::Remove} : QList<Button>{Button::Remove};
    case Kind::Paused:
        return {Button::Resume, Button::Stop};
    case Kind::Stopping:
        return {Button::Folder};
    case Kind::Waiting:
        return {Button::Earlier, Button::Remove};
    case Kind::Finished:
        return here.hasModel ? QList<Button>{Button::Open, Button::Folder} : QList<Button>{Button::Folder};
    case Kind::Stopped:
        return {Button::Resume, Button::Folder};
    case Kind::Interrupted:
    case Kind::Failed:
        return {Button::Log, Button::Folder};
    case Kind::NotStarted:
        return {Button::Remove};
    case Kind::Sentence:
        break;
    }
    // The way out stands beside the sentence.
    if (here.retries)
        return {Button::TryNow};
    if (here.held)
        return {Button::Script};
    if (isJob) // of one that waits, the sentence says for what
        return here.startsAgain ? QList<Button>{Button::StartAgain} : QList<Button>{};
    return here.resumes ? QList<Button>{Button::Resume} : QList<Button>{};
}

QString QueueModel::buttonText(Button button, bool evaluates) {
    switch (button) {
    case Button::Errors:
        return tr("Show the errors");
    case Button::Pause:
        return tr("Pause");
    case Button::Stop:
        return evaluates ? tr("Stop without a result") : tr("Stop and save");
    case Button::Evaluate:
        return tr("Evaluate now");
    case Button::Resume:
        return tr("Resume");
    case Button::Open:
        return tr("Open in Analyse");
    case Button::Folder:
        return evaluates ? tr("Show the evaluation's folder") : tr("Show the run folder");
    case Button::Remove:
        return tr("Remove from the queue");
    case Button::Earlier:
        return tr("Move to the front");
    case Button::Delete:
        return tr("Move to the wastebasket");
    case Button::Log:
        return tr("Show the log");
    case Button::TryNow:
        return tr("Try now");
    case Button::Script:
        return tr("Show script");
    case Button::StartAgain:
        return tr("Start again");
    case Button::None:
        break;
    }
    return {};
}

QString QueueModel::buttonIcon(Button button) {
    switch (button) {
    case Button::Errors:
        return QStringLiteral("search");
    case Button::Pause:
        return QStringLiteral("pause");
    case Button::Stop:
        return QStringLiteral("stop");
    case Button::Evaluate:
        return QStringLiteral("check");
    case Button::Resume:
    case Button::StartAgain:
    case Button::TryNow:
        return QStringLiteral("refresh");
    case Button::Open:
        return QStringLiteral("matrix");
    case Button::Folder:
        return QStringLiteral("folder");
    case Button::Remove:
    case Button::Delete:
        return QStringLiteral("close");
    case Button::Earlier:
        return QStringLiteral("start");
    case Button::Log:
    case Button::Script:
        return QStringLiteral("text");
    case Button::None:
        break;
    }
    return {};
}

} // namespace headroom::widgets
