// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/paths.h"
#include "app/jobs/worker_location.h"
#include "app/parts/number_text.h"
#include "app/runs/run_store.h"
#include "app/workspaces/train/launch_form_private.h"
#include "core/architecture/costs.h"
#include "core/statistics/undefined.h"
#include "widgets/look/sizes.h"

#include <QLineEdit>
#include <QThread>

namespace headroom::app {

namespace fs = std::filesystem;

/// Everything that stands in the form is looked at again: notes, mistakes, checks, and what would be started.
void LaunchForm::revalidate() {
    m_revalidation.stop();
    m_launch.reset();
    const StartChoice* from = start();
    const bool resumes = from && from->kind == StartChoice::Kind::Resume;
    for (QWidget* field :
         {static_cast<QWidget*>(m->architecture), static_cast<QWidget*>(m->recipe),
          static_cast<QWidget*>(m->data), static_cast<QWidget*>(m->seeds), static_cast<QWidget*>(m->batch),
          static_cast<QWidget*>(m->updates), static_cast<QWidget*>(m->values)})
        field->setEnabled(!resumes);
    m->startRow->setNote(resumes ? tr("With its own architecture, recipe, data and seed.") : QString());
    m->startRow->setMistake({});

    auto architecture = checkArchitecture();
    m->recipeRow->setMistake(m_recipeMistake);
    m->recipeRow->setNote(QString::fromStdString(m_values->base().source));
    checkData();
    checkVocabulary(architecture);
    if (from && (from->kind == StartChoice::Kind::Whole || from->kind == StartChoice::Kind::Encoder) &&
        !isModelFolder(from->path))
        m->startRow->setMistake(tr("%1 is not a model folder: it has neither architecture.json nor weights.")
                                    .arg(toQString(from->path.filename())));

    QString seedMistake;
    const auto seeds = parseSeeds(m->seeds->text(), seedMistake);
    m->seedsRow->setMistake(seedMistake);

    const auto showValue = [&](QLineEdit* line, FormRow* row, QToolButton* back, const QString& key) {
        for (int i = 0; i < m_values->rowCount(); ++i) {
            if (m_values->index(i, RecipeModel::Key).data().toString() != key)
                continue;
            const QModelIndex value = m_values->index(i, RecipeModel::Value);
            const bool changed = value.data(RecipeModel::ChangedRole).toBool();
            bool isNumber = false;
            const qlonglong number = value.data().toString().toLongLong(&isNumber);
            if (!line->hasFocus() || !line->isModified())
                line->setText(isNumber ? thousands(number) : value.data().toString());
            row->setMistake(value.data(RecipeModel::MistakeRole).toString());
            back->setVisible(changed);
            const nlohmann::json own = recipeFields()[static_cast<std::size_t>(i)].get(m_values->base());
            row->setNote(changed ? tr("changed, recipe: %1").arg(thousands(own.get<std::int64_t>()))
                                 : QString());
        }
    };
    showValue(m->batch, m->batchRow, m->batchBack, QStringLiteral("data.maxBatchFrames"));
    showValue(m->updates, m->updatesRow, m->updatesBack, QStringLiteral("length.maxUpdates"));
    const int changes = m_values->changeCount();
    m->showValues->setText(changes == 0
                               ? tr("All %1 values").arg(m_values->rowCount())
                               : tr("All %1 values, %2 changed").arg(m_values->rowCount()).arg(changes));
    checkPlace(architecture);

    const bool dataKnown = m_facts && m_facts->isOf(m_data, m_values->recipe()) && m_facts->mistake.isEmpty();
    if (architecture && m_recipeMistake.isEmpty() && m_values->mistake().isEmpty() && dataKnown && seeds &&
        !resumes && mistakes().empty() && !findWorker().program.isEmpty()) {
        const ArchitectureChoice& choice =
            m_architectures[static_cast<std::size_t>(m->architecture->currentIndex())];
        // A vocabulary that was set to match is not what the file says: the command takes a written copy
        // then.
        bool fromFile = !choice.draft;
        try {
            fromFile = fromFile && readArchitecture(choice.file) == *architecture;
        } catch (const Error&) {
            fromFile = false;
        }
        m_launch = Launch{*architecture,
                          fromFile ? choice.file : fs::path(),
                          m_values->recipe(),
                          m_recipes[static_cast<std::size_t>(m->recipe->currentIndex())].file,
                          m_values->changes(),
                          m_data,
                          from ? from->argument() : std::string(),
                          *seeds,
                          m_parts.store->folder()};
    }
    showFoot();
}

std::optional<Architecture> LaunchForm::checkArchitecture() {
    m->architectureRow->setMistake({});
    m->architectureRow->setNote({});
    const int index = m->architecture->currentIndex();
    if (index < 0 || static_cast<std::size_t>(index) >= m_architectures.size()) {
        m->architectureRow->setMistake(tr("Open a model, draw one in Design, or open a file."));
        return std::nullopt;
    }
    const ArchitectureChoice& choice = m_architectures[static_cast<std::size_t>(index)];
    try {
        Architecture architecture;
        if (choice.draft) {
            if (!m_parts.drafts->has(*choice.draft))
                return std::nullopt;
            if (const auto& wrong = m_parts.drafts->grid(*choice.draft).mistakes(); !wrong.empty()) {
                m->architectureRow->setMistake(tr("Layer %1: %2.")
                                                   .arg(wrong.front().layer)
                                                   .arg(QString::fromStdString(wrong.front().sentence)));
                return std::nullopt;
            }
            architecture = m_parts.drafts->architecture(*choice.draft);
            architecture.name = m_parts.drafts->name(*choice.draft).toStdString();
        } else {
            architecture = readArchitecture(choice.file);
        }
        return architecture;
    } catch (const Error& mistake) {
        m->architectureRow->setMistake(QString::fromUtf8(mistake.what()));
        return std::nullopt;
    }
}

void LaunchForm::checkData() {
    m->dataRow->setMistake({});
    m->dataRow->setNote({});
    m->makeCorpus->setVisible(m_making || m_data.empty() ||
                              (m_facts && m_facts->folder == m_data && !m_facts->mistake.isEmpty()));
    if (m_data.empty())
        m->dataRow->setNote(m_making ? QString() : tr("Choose a corpus, or make the demo corpus."));
    else if (!m_facts || !m_facts->isOf(m_data, m_values->recipe()))
        m->dataRow->setNote(tr("loading…"));
    else if (!m_facts->mistake.isEmpty())
        m->dataRow->setMistake(m_facts->mistake);
    else
        m->dataRow->setNote(m_facts->problems > 0
                                ? tr("%1 + %2 utterances, %3 invalid rows")
                                      .arg(thousands(m_facts->train), thousands(m_facts->validation))
                                      .arg(m_facts->problems)
                                : tr("%1 to train on, %2 to validate")
                                      .arg(thousands(m_facts->train), thousands(m_facts->validation)));
}

/// Text is written with the SentencePiece model of the model that one starts from, else with the corpus' own:
/// the output must have as many pieces.
void LaunchForm::checkVocabulary(std::optional<Architecture>& architecture) {
    const StartChoice* from = start();
    std::optional<int> pieces;
    if (from && !from->argument().empty())
        pieces = vocabularyOf(from->path);
    else if (m_facts && m_facts->isOf(m_data, m_values->recipe()))
        pieces = m_facts->vocabulary;
    const int before = architecture ? architecture->vocabulary : 0;
    if (architecture && pieces)
        architecture->vocabulary = *pieces;
    noteArchitecture(architecture);
    if (!architecture || !pieces || before == *pieces)
        return;
    const QString whose = from && !from->argument().empty() ? tr("of the model") : tr("of the corpus");
    m->architectureRow->setNote(
        m->architectureRow->note() +
        tr("\nvocabulary %1 instead of %2: the pieces %3").arg(thousands(*pieces), thousands(before), whose));
}

void LaunchForm::noteArchitecture(const std::optional<Architecture>& architecture) {
    if (!architecture)
        return;
    const auto& layers = architecture->encoder.layers;
    QString note =
        tr("%1 × %2 heads").arg(layers.size()).arg(layers.empty() ? 0 : layers.front().headCount());
    try {
        note += tr(", %1 M parameters")
                    .arg(decimals(static_cast<double>(parameterCosts(*architecture).parameters) / 1e6, 2));
    } catch (const Error&) {
        note += tr(", parameters unknown"); // a kind that cannot be counted yet
    }
    m->architectureRow->setNote(note);
}

void LaunchForm::checkPlace(const std::optional<Architecture>& architecture) {
    const auto memory = freeMemory();
    m->place->setDetail(
        memory ? tr("%1 threads, %2 free").arg(QThread::idealThreadCount()).arg(decimalBytes(*memory))
               : tr("%1 threads").arg(QThread::idealThreadCount()));
    QList<Check> checks;
    const WorkerLocation worker = findWorker();
    checks << Check{worker.program.isEmpty() ? Check::State::Failed : Check::State::Passed,
                    tr("Worker found"), worker.program.isEmpty() ? tr("missing") : QString(),
                    worker.program.isEmpty() ? worker.sentence : worker.program};
    const bool known = m_facts && m_facts->isOf(m_data, m_values->recipe());
    checks << Check{!known                       ? Check::State::Unknown
                    : m_facts->mistake.isEmpty() ? Check::State::Passed
                                                 : Check::State::Failed,
                    tr("Data readable"),
                    known && m_facts->mistake.isEmpty() ? thousands(m_facts->train + m_facts->validation)
                                                        : kUnknown,
                    known ? m_facts->mistake : QString()};
    checks << Check{mistakes().empty() && m_values->mistake().isEmpty() && m_recipeMistake.isEmpty()
                        ? Check::State::Passed
                        : Check::State::Failed,
                    tr("Form is complete"),
                    {},
                    m_values->mistake()};
    const auto disk = freeDisk(m_parts.store->folder());
    double needed = kUndefined;
    if (architecture)
        try {
            needed = diskNeeded(static_cast<double>(parameterCosts(*architecture).parameters),
                                m_values->recipe().checkpoints.keep);
        } catch (const Error&) {
            needed = kUndefined;
        }
    const bool fits = disk && needed <= *disk;
    checks << Check{
        !disk || !(needed >= 0) ? Check::State::Unknown
        : fits                  ? Check::State::Passed
                                : Check::State::Remark,
        tr("Enough disk space for %1 checkpoints").arg(m_values->recipe().checkpoints.keep),
        needed >= 0 ? decimalBytes(needed) : kUnknown,
        tr("Weights and Adam's two moments in fp32, times the number of checkpoints kept. %1 free.")
            .arg(disk ? decimalBytes(*disk) : kUnknown)};
    m->checks->setChecks(checks);
}

void LaunchForm::showFoot() {
    const StartChoice* from = start();
    const bool resumes = from && from->kind == StartChoice::Kind::Resume;
    const auto wrong = mistakes();
    QString sentence;
    if (resumes)
        sentence = tr("Continues from the last checkpoint.");
    else if (m_launch)
        sentence = m_launch->seeds.size() == 1
                       ? tr("It continues when this window is closed.")
                       : tr("%1 runs in sequence. They continue when this window is closed.")
                             .arg(m_launch->seeds.size());
    else if (!wrong.empty())
        sentence = wrong.size() == 1 ? tr("1 field needs correcting.")
                                     : tr("%1 fields need correcting.").arg(wrong.size());
    else if (!m_values->mistake().isEmpty())
        sentence = m_values->mistake();
    else if (findWorker().program.isEmpty())
        sentence = findWorker().sentence;
    else
        sentence = m_data.empty() ? tr("No data yet.") : tr("Loading the data…");
    if (const auto time = m_launch ? estimateTime(m_parts.store->runs(), *m_launch) : std::nullopt)
        sentence.prepend(
            tr("About %1 per seed, based on %2. ").arg(widgets::durationText(time->seconds), time->run));
    m->summary->setText(sentence);
    const auto runs = m_launch ? m_launch->seeds.size() : 1;
    m->startButton->setText(resumes     ? tr("Resume")
                            : runs == 1 ? tr("Start the run")
                                        : tr("Start %1 runs").arg(runs));
    m->startButton->setEnabled(resumes || m_launch.has_value());
    m->startButton->setToolTip(m->startButton->isEnabled() ? tr("Add the run to the queue.") : sentence);
    m->copyButton->setEnabled(m_launch.has_value());
}

void LaunchForm::showMaking(const QString& progress, const QString& failure) {
    m_making = !progress.isEmpty();
    m->makeCorpus->setText(m_making ? tr("Cancel") : tr("Make the demo corpus"));
    revalidate();
    if (m_making)
        m->dataRow->setNote(progress);
    else if (!failure.isEmpty())
        m->dataRow->setMistake(failure);
}

} // namespace headroom::app
