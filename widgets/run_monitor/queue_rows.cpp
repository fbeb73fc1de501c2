// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of QueueModel: what a run and an evaluation say of themselves.
#include "core/statistics/undefined.h"
#include "widgets/look/number_text.h"
#include "widgets/run_monitor/queue_model.h"
#include "widgets/run_monitor/run_words.h"

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

/// With the name of its measure: that of the task, if it is known.
QString measuredText(double wer, double bleu, double perplexity, bool translates) {
    if (std::isfinite(perplexity))
        return scoreText(perplexity) + kNarrowSpace + QStringLiteral("PPL");
    if (std::isfinite(bleu) && (translates || !std::isfinite(wer)))
        return scoreText(bleu) + kNarrowSpace + QStringLiteral("BLEU");
    return std::isfinite(wer) ? scoreText(wer) + kNarrowSpace + QStringLiteral("% WER") : QString();
}

/// Behind the update of the best validation: else a score on some utterances of dev would be taken for that on all.
QString decodedTip(const RunItem& run) {
    const QString decoded = decodedText(run);
    return decoded.isEmpty() ? decoded : QueueModel::tr("; WER and BLEU on dev: %1").arg(decoded);
}

/// Both scores of an evaluation with mapping rules: the first one is that of the texts as they are.
QString mappedTip(const EvaluationInfo& info) {
    return std::isfinite(info.mappedWer) ? QueueModel::tr("Without the mapping rules: WER %1\u202f%, BLEU %2\n%3")
                                               .arg(scoreText(info.wer), scoreText(info.bleu), mappedWerText(info.mappedWer))
                                         : QString();
}

/// "cuda:0", "4 GPUs", or "2 of 4 GPUs" where the machine has fewer than the run was asked for.
QString devicesText(const RunInfo::Decided& decided) {
    if (!decided.device.starts_with("cuda") || std::max(decided.ranks, decided.wantedRanks) <= 1)
        return QString::fromStdString(decided.device);
    return decided.wantedRanks > decided.ranks ? QueueModel::tr("%1 of %2 GPUs").arg(decided.ranks).arg(decided.wantedRanks)
                                               : QueueModel::tr("%1 GPUs").arg(decided.ranks);
}

QueueModel::Kind kindOf(RunState state) {
    switch (state) {
    case RunState::Running:
        return QueueModel::Kind::Running;
    case RunState::Stopped:
        return QueueModel::Kind::Stopped;
    case RunState::Finished:
        return QueueModel::Kind::Finished;
    case RunState::Failed:
        return QueueModel::Kind::Failed;
    case RunState::Interrupted:
        return QueueModel::Kind::Interrupted;
    }
    return QueueModel::Kind::Failed;
}

QueueModel::Kind kindOf(EvaluationInfo::State state) {
    switch (state) {
    case EvaluationInfo::State::Running:
        return QueueModel::Kind::Running;
    case EvaluationInfo::State::Stopped:
        return QueueModel::Kind::Stopped;
    case EvaluationInfo::State::Finished:
        return QueueModel::Kind::Finished;
    case EvaluationInfo::State::Failed:
        return QueueModel::Kind::Failed;
    case EvaluationInfo::State::Interrupted:
        return QueueModel::Kind::Interrupted;
    }
    return QueueModel::Kind::Failed;
}

/// What the place, or Slurm, said before nobody asked any more.
QString lastHeard(const QString& contact) {
    return contact.isEmpty() ? QString() : QLatin1Char(' ') + QueueModel::tr("Last heard from there: %1").arg(contact);
}

/// Of an evaluation whose end is not known.
QString unwatchedText(const Elsewhere& job) {
    const QString sentence = QueueModel::tr("The evaluation is no longer watched from here. Resume finds it at %1, or starts it again there.").arg(job.place);
    return sentence + (job.there == Elsewhere::There::Waiting ? lastHeard(job.contact) : QString());
}

/// How it ended there is known.
bool hasReason(const Elsewhere& job) {
    return job.there == Elsewhere::There::No && !job.contact.isEmpty();
}

/// A request to stop that has not reached the place.
QString stopsLater(const QString& contact) {
    return QueueModel::tr("Stops when contact returns.") + (contact.isEmpty() ? QString() : u' ' + contact);
}

QueueModel::Kind kindOf(const Elsewhere& job, QueueModel::Kind otherwise) {
    switch (job.there) {
    case Elsewhere::There::Copying:
        return QueueModel::Kind::Copying;
    case Elsewhere::There::Waiting:
        return QueueModel::Kind::Pending;
    case Elsewhere::There::Lost:
        return QueueModel::Kind::NoContact;
    case Elsewhere::There::No:
        break;
    }
    return otherwise;
}

} // namespace

void QueueModel::Row::showCopy(const Elsewhere& from) {
    share = from.copied;
    byteSpeed = from.bytesPerSecond;
    secondsLeft = from.secondsLeft;
}

void QueueModel::Row::takeRun(const RunItem& resumed) {
    run = resumed.folder;
    update = resumed.info.update;
    maxUpdates = resumed.info.maxUpdates;
    loss = resumed.loss;
    score = measuredText(resumed.bestWer(), resumed.bestBleu(), resumed.bestPerplexity(), resumed.translates());
    bestUpdate = resumed.bestUpdate();
    scoreTip = decodedTip(resumed);
    readsText = resumed.readsText();
}

QueueModel::Row QueueModel::rowFor(const RunItem& run, bool stopping) {
    Row row{kindOf(run.info.state), run.folder, {}, runTitle(run), tr("CPU"), {}, measuredText(run.bestWer(), run.bestBleu(), run.bestPerplexity(), run.translates())};
    row.bestUpdate = run.bestUpdate();
    row.scoreTip = decodedTip(run);
    row.stops = run.goesOn() && stopping;
    if (row.stops && !run.lost)
        row.kind = Kind::Stopping;
    else if (run.waits)
        row.kind = Kind::Requeued;
    else if (run.isPaused)
        row.kind = Kind::Paused;
    if (run.info.decided.device != "cpu")
        row.where = devicesText(run.info.decided);
    if (!run.place.isEmpty())
        row.where = run.place;
    if ((row.kind == Kind::Running || row.kind == Kind::Paused || row.kind == Kind::Requeued) && run.lost)
        row.kind = Kind::NoContact;
    row.retries = row.kind == Kind::NoContact;
    row.resumes = !run.goesOn();
    row.hasScript = run.hasScript;
    row.held = row.kind == Kind::Requeued && run.hasScript;
    row.share = row.kind == Kind::Finished ? 1 : run.progress();
    row.secondsLeft = row.stops ? kUndefined : run.secondsLeft;
    if (row.kind == Kind::Finished)
        row.took = workedSeconds(run.info);
    row.speed = run.framesPerSecond;
    row.readsText = run.readsText();
    row.loss = run.loss;
    row.update = run.update;
    row.maxUpdates = run.info.maxUpdates;
    row.hasModel = run.hasModel;
    const bool ended = row.kind == Kind::Interrupted || (row.kind == Kind::Stopped && !run.contact.isEmpty());
    if (row.kind == Kind::NoContact || row.kind == Kind::Requeued || (row.kind == Kind::Running && !run.contact.isEmpty()))
        row.sentence = row.kind == Kind::NoContact && row.stops ? stopsLater(run.contact) : run.contact;
    else if (row.kind == Kind::Failed)
        row.sentence = QString::fromStdString(run.info.error) + (run.contact.isEmpty() || run.lost ? QString() : u' ' + run.contact);
    else if (ended && !run.contact.isEmpty() && !run.lost)
        row.sentence = run.contact;
    else if (ended && !run.place.isEmpty())
        row.sentence = tr("The run is no longer watched from here. Resume finds it at %1, or continues from its last "
                          "checkpoint there.")
                           .arg(run.place) +
                       (run.waited ? lastHeard(run.contact) : QString());
    else if (row.kind == Kind::Interrupted)
        row.sentence = interruptedText(run, tr("The run"));
    else
        row.sentence = earlierModelText(run);
    return row;
}

QueueModel::Row QueueModel::rowFor(const WaitingItem& job) {
    Row row{job.error.isEmpty() ? kindOf(job, Kind::Waiting) : Kind::NotStarted,
            job.file,
            {},
            job.name,
            !job.place.isEmpty() ? job.place : job.device.isEmpty() ? tr("CPU") : job.device,
            job.error.isEmpty() ? job.contact : job.error,
            {}};
    row.retries = row.kind == Kind::NoContact;
    row.hasScript = job.hasScript;
    row.held = row.kind == Kind::Pending && job.held;
    if (row.kind == Kind::Copying)
        row.showCopy(job);
    row.startsAgain = row.kind == Kind::NotStarted && !job.run.empty();
    if (row.startsAgain) // not even when contact with its place returns: what has changed meanwhile is the user's to judge
        row.sentence += (row.sentence.endsWith(u'.') || row.sentence.endsWith(u'?') ? QString() : QStringLiteral(".")) + u' ' +
                        tr("The job does not start by itself later; Start again tries once more.");
    row.maxUpdates = job.maxUpdates;
    row.evaluates = job.evaluates;
    row.brief = job.brief;
    return row;
}

QueueModel::Row QueueModel::rowFor(const EvaluationItem& evaluation, bool stopping) {
    const EvaluationInfo& info = evaluation.info;
    const QString& place = evaluation.elsewhere.place;
    Row row{kindOf(info.state), info.folder, {}, evaluation.title, tr("CPU"), {}, {}};
    if (info.request.device != EvaluationRequest().device && info.request.device != "cpu")
        row.where = QString::fromStdString(info.request.device);
    if (!place.isEmpty())
        row.where = place;
    if (row.kind == Kind::Running) {
        const bool lost = evaluation.elsewhere.there == Elsewhere::There::Lost;
        row.stops = stopping;
        row.kind = stopping && !lost ? Kind::Stopping : kindOf(evaluation.elsewhere, Kind::Running);
        row.sentence = stopping && lost ? stopsLater(evaluation.elsewhere.contact) : evaluation.elsewhere.contact;
    }
    row.evaluates = true;
    row.brief = evaluation.brief;
    row.toolTip = tr("%1\nModel: %2\nCorpus: %3")
                      .arg(evaluation.title, QString::fromStdU16String(info.request.model.u16string()),
                           QString::fromStdU16String(info.request.data.u16string()));
    row.readsText = readsText(info.request.task);
    row.hasErrors = !std::isfinite(info.perplexity);
    row.retries = row.kind == Kind::NoContact;
    row.resumes = row.kind == Kind::Interrupted && !place.isEmpty(); // the same command finds it there
    row.update = info.done;
    row.maxUpdates = info.total;
    if (info.total > 0)
        row.share = static_cast<double>(info.done) / static_cast<double>(info.total);
    if (row.kind == Kind::Running && info.done > 0 && std::isfinite(info.seconds))
        row.secondsLeft = info.seconds / static_cast<double>(info.done) * static_cast<double>(info.total - info.done);
    row.score = measuredText(info.wer, info.bleu, info.perplexity, isTranslation(info.request.task));
    row.scoreTip = mappedTip(info);
    if (std::isfinite(info.mappedWer) && !isTranslation(info.request.task))
        row.score += tr(", %1\u202f% with rules").arg(scoreText(info.mappedWer));
    if (row.kind == Kind::Failed)
        row.sentence = QString::fromStdString(info.error);
    else if (row.kind == Kind::Interrupted)
        row.sentence = place.isEmpty()                   ? tr("The evaluation ended unexpectedly and has no result. Evaluate again.")
                       : hasReason(evaluation.elsewhere) ? evaluation.elsewhere.contact
                                                         : unwatchedText(evaluation.elsewhere);
    if (row.kind == Kind::Copying)
        row.showCopy(evaluation.elsewhere);
    return row;
}

} // namespace headroom::widgets
