// SPDX-License-Identifier: GPL-3.0-or-later
// What EvaluateDialog says of what will happen, or of what is missing.
#include "app/documents/items/paths.h"
#include "app/parts/availability.h"
#include "app/parts/forms/form_row.h"
#include "app/parts/number_text.h"
#include "app/places/where_field.h"
#include "app/workspaces/train/evaluate/evaluate_dialog.h"
#include "core/runs/task_kind.h"
#include "core/text/longest_text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>

namespace headroom::app {

QString EvaluateDialog::training() const {
    const Model* chosen = model();
    if (!chosen || chosen->data.empty() || chosen->task.isEmpty())
        return {};
    const bool isItsCorpus = normalised(chosen->data) == normalised(m_folder), isItsTask = chosen->task == m_task->currentText();
    return isItsCorpus && isItsTask ? QString()
                                    : tr("This model was trained on %1, %2.").arg(toQString(normalised(chosen->data).filename()), chosen->task);
}

QString EvaluateDialog::sentence() const {
    return m_sentence->text();
}

/// The limit, which is reached by a model that has learnt little. Empty without a decoder: only one that writes piece by piece needs it.
QString EvaluateDialog::limit() const {
    if (m_isLanguageModel || m_searchesCtc)
        return {};
    const QDoubleSpinBox* window = m_options->windowField();
    return (window->isEnabled() && window->value() > 0 ? tr("In each window, the decoder stops after %1 pieces at the latest.")
                                                       : tr("The decoder stops after %1 pieces at the latest."))
        .arg(kLongestText);
}

QString EvaluateDialog::mistakeOfData() const {
    if (!m_missingData.empty())
        return tr("The corpus of this model was not found: %1. Choose another corpus.").arg(toQString(m_missingData));
    const DecodableModel& can = m_options->model();
    const bool isText = readsText(m_task->currentText().toStdString());
    if (!m_corpusMistake.isEmpty() || !can.isKnown || can.isLanguageModel || m_task->currentIndex() < 0 || can.readsText == isText)
        return m_corpusMistake;
    return isText ? tr("This model reads recordings, and “%1” is a task of parallel text. Choose another corpus or task.").arg(m_task->currentText())
                  : tr("This model reads text, and “%1” is a task with recordings. Choose another corpus or task.").arg(m_task->currentText());
}

/// What will happen, of a split with `utterances`.
QString EvaluateDialog::plan(int utterances) const {
    const QString place = m_where->place(), number = thousands(utterances);
    const bool isText = m_isLanguageModel || readsText(m_task->currentText().toStdString());
    const QString all = utterances < 0 ? tr("the sentences of %1").arg(m_split->currentText()) // texts that were not counted
                        : isText       ? (utterances == 1 ? tr("1 sentence") : tr("%1 sentences").arg(number))
                                       : (utterances == 1 ? tr("1 utterance") : tr("%1 utterances").arg(number));
    if (m_isLanguageModel)
        return place.isEmpty() ? tr("Measures the perplexity of %1, after the jobs already in the queue. It appears in Queue, and in Runs "
                                    "if a run trained the model.")
                                     .arg(all)
                               : tr("Measures the perplexity of %1 at %2. The model and the texts are copied there once. It appears in "
                                    "Queue, and in Runs if a run trained the model.")
                                     .arg(all, place);
    return place.isEmpty() ? tr("Decodes %1 and computes WER and BLEU, after the jobs already in the "
                                "queue. The scores appear in Queue, where every error can be inspected, and in Runs if a run trained the model.")
                                 .arg(all)
                           : tr("Decodes %1 at %2 and computes WER and BLEU there. The model and the %3 are "
                                "copied there once. The scores appear in Queue, where every error can be inspected, and in Runs if a run trained the model.")
                                 .arg(all, place, isText ? tr("texts") : tr("recordings"));
}

void EvaluateDialog::validate() {
    const QString mistake = mistakeOfData();
    QString why;
    if (m_models.empty())
        why = tr("No trained model yet. Train one, or open one in Analyse.");
    else if (m_model->currentIndex() < 0)
        why = m_whyNoModel;
    else if (m_folder.empty())
        why = mistake.isEmpty() ? tr("Choose a corpus.") : mistake;
    else if (m_reading)
        why = tr("Reading the corpus…");
    else if (!mistake.isEmpty())
        why = mistake;
    else if (m_split->currentIndex() < 0)
        why = tr("This corpus has no utterances with a text.");
    m_dataRow->setMistake(mistake);
    setAvailable(m_start, why);
    setAvailable(m_copy, why);
    if (!why.isEmpty()) {
        m_sentence->setText(why == mistake ? QString() : why);
        return fitSentence();
    }
    const EvaluationSplits::Count& count = counts().at(m_split->currentText().toStdString()).at(m_task->currentText().toStdString());
    const QString leftOut = count.withoutText == 0   ? QString()
                            : count.withoutText == 1 ? tr("1 without text is left out.")
                                                     : tr("%1 without text are left out.").arg(thousands(count.withoutText));
    QStringList sentences{plan(count.texts), leftOut, limit(), training()};
    sentences.removeAll(QString());
    m_sentence->setText(sentences.join(QLatin1Char(' ')));
    fitSentence();
}

} // namespace headroom::app
