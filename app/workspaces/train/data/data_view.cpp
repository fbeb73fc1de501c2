// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/data/data_view.h"

#include "app/documents/items/paths.h"
#include "app/jobs/worker_command.h"
#include "app/parts/availability.h"
#include "app/parts/banner.h"
#include "app/parts/number_text.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/train/data/corpus_export.h"
#include "app/workspaces/train/data/corpus_list.h"
#include "app/workspaces/train/data/data_charts.h"
#include "app/workspaces/train/data/data_tables.h"
#include "app/workspaces/train/data/defects_panel.h"
#include "app/workspaces/train/data/hold_out.h"
#include "app/workspaces/train/data/import_dialog.h"
#include "app/workspaces/train/data/pieces_panel.h"
#include "core/runs/task_kind.h"
#include "widgets/look/number_text.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QListView>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>

#include <algorithm>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

/// Folders, and the documents by which a corpus may be named.
QStringList corporaIn(const QMimeData* dropped) {
    QStringList folders;
    for (const QUrl& url : dropped->urls()) {
        const QFileInfo file(url.toLocalFile());
        if (file.isDir())
            folders << file.absoluteFilePath();
        else if (file.fileName() == QLatin1String("corpus.json") ||
                 file.fileName() == QLatin1String("manifest.tsv"))
            folders << file.absolutePath();
    }
    return folders;
}

} // namespace

DataView::~DataView() = default;

void DataView::addCorpus(const fs::path& folder) {
    if (!m_settings->isCorpusTakenOff(toQString(folder)))
        m_list->add(folder);
}

void DataView::open(const fs::path& named) {
    const fs::path folder = normalised(named);
    m_settings->setCorpusTakenOff(toQString(folder), false);
    m_list->add(folder);
    m_list->setCurrent(folder);
    read(folder);
}

void DataView::begin() {
    m_list->lookForFolders();
    if (m_folder.empty() && m_list->count() > 0)
        open(m_list->folder(0));
}

void DataView::readAgain() {
    if (!m_folder.empty())
        read(m_folder);
}

void DataView::takeOffList() {
    const int row = m_list->view()->currentIndex().row();
    if (row < 0)
        return;
    const fs::path folder = m_list->folder(row);
    if (m_reader.isReading() && m_folder == folder)
        m_reader.cancel();
    m_list->remove(folder);
    m_settings->setCorpusTakenOff(toQString(folder), true);
    if (m_list->count() > 0)
        return open(m_list->folder(std::min(row, m_list->count() - 1)));
    m_folder.clear();
    m_defects->player()->stop();
    showNothing();
}

void DataView::cancel() {
    if (!m_reader.isReading())
        return;
    m_reader.cancel();
    m_slow.stop();
    m_list->setState(m_folder, {}, {});
    if (m_read && m_read->folder == m_folder)
        return showCorpus(m_read);
    showMessage(tr("%1 was not read completely.").arg(toQString(m_folder.filename())), false);
}

void DataView::read(const fs::path& folder) {
    if (m_reader.isReading())
        m_list->setState(m_folder, {}, {});
    m_defects->player()->stop();
    m_folder = folder;
    m_reader.read(folder, m_task);
    m_list->setState(folder, {}, {}, 0.0);
    m_slow.start();
    showFoot();
}

/// What is read at once replaces the corpus before it without a page between them.
void DataView::showReading() {
    showMessage(tr("Reading %1…").arg(toQString(m_folder.filename())), true);
    showProgress(0, 0);
    showFoot();
}

void DataView::showProgress(qint64 done, qint64 total) {
    m_progress->setRange(0, total > 0 ? 1000 : 0);
    m_progress->setValue(total > 0 ? static_cast<int>(1000 * done / total) : 0);
    m_progress->setFormat({});
    if (total > 0) {
        m_message->setText(tr("Reading %1: %2 of %3.")
                               .arg(toQString(m_folder.filename()), thousands(done), widgets::counted(total, tr("1 utterance"), tr("%1 utterances"))));
        m_list->setState(m_folder, {}, {}, double(done) / double(total));
    }
}

void DataView::showCorpus(const std::shared_ptr<const ReadCorpus>& read) {
    m_slow.stop();
    m_read = read;
    m_settings->addRecentCorpus(toQString(read->folder));
    m_list->setState(read->folder, readsText(read->summary.task) ? QString() : hoursText(read->summary.seconds()), {});
    m_defects->setCorpus(read);
    m_charts->setSummary(&read->summary);
    m_pieces->setCorpus(read);
    m_exports->setCorpus(read);
    const QSignalBlocker blocker(m_tasks);
    m_tasks->clear();
    for (const auto& task : read->corpus->document().tasks)
        m_tasks->addItem(QString::fromStdString(task.name));
    m_tasks->setCurrentText(QString::fromStdString(read->summary.task));
    setAvailable(m_tasks, m_tasks->count() > 1 ? QString() : tr("This corpus has only one task."));
    showSource();
    showBanner();
    m_pages->setCurrentIndex(1);
    showFoot();
    Q_EMIT corpusRead(read->folder);
}

void DataView::showFailure(const fs::path& folder, const QString& sentence, bool canBeImported) {
    m_slow.stop();
    m_list->setState(folder, {}, sentence);
    forgetRead(toQString(folder));
    showMessage(sentence, false);
    m_importThis->setVisible(canBeImported);
    showFoot();
}

/// What was read before is not of the corpus that is chosen now.
void DataView::forgetRead(const QString& place) {
    for (const auto& [about, label] : m_source)
        label->setText(about == QLatin1String("place") ? place : QStringLiteral("–"));
    m_exports->setCorpus(nullptr);
    m_pieces->setCorpus(nullptr);
    m_tasks->clear();
    setAvailable(m_tasks, tr("Choose a corpus first."));
}

void DataView::showNothing() {
    m_slow.stop();
    forgetRead(QStringLiteral("–"));
    showMessage(tr("Add a corpus on the left, or drop its folder here."), false);
    showFoot();
}

void DataView::showMessage(const QString& sentence, bool reading) {
    m_message->setText(sentence);
    m_progress->setVisible(reading);
    m_cancel->setVisible(reading);
    m_retry->setVisible(!reading && !m_folder.empty());
    m_importThis->hide();
    m_pages->setCurrentIndex(0);
}

QString DataView::kindText() const {
    const auto kind = m_read->corpus->kind();
    if (kind == Corpus::Kind::Manifest)
        return tr("manifest.tsv");
    if (kind != Corpus::Kind::Tables)
        return isAsDownloaded() ? tr("recordings without texts") : tr("recordings with texts");
    const nlohmann::json& made = m_read->corpus->document().made;
    const auto from = made.is_object() ? made.find("kind") : made.end();
    return from != made.end() && from->is_string() ? tr("imported, %1").arg(QString::fromStdString(from->get<std::string>()))
                                                   : tr("corpus.json and tables");
}

void DataView::showSource() {
    m_source["place"]->setText(toQString(m_read->folder));
    m_source["kind"]->setText(kindText());
    const nlohmann::json& made = m_read->corpus->document().made;
    const auto from = made.is_object() ? made.find("from") : made.end();
    const bool isImported = from != made.end() && from->is_string();
    m_source["origin"]->setText(isImported ? QString::fromStdString(from->get<std::string>()) : QString());
    for (QLabel* label : {m_originWord, m_source["origin"]})
        label->setVisible(isImported);
    m_source["languages"]->setText(languagesText(m_read->summary));
    m_source["read"]->setText(
        tr("%1 in %2")
            .arg(m_read->at.toString(QStringLiteral("HH:mm")),
                 widgets::timeText(m_read->seconds, 1) + widgets::kNarrowSpace + u's'));
}

/// Recordings without a text may be a corpus as it was downloaded, whose texts the worker reads.
bool DataView::isAsDownloaded() const {
    return m_read->corpus->kind() == Corpus::Kind::Recordings && m_read->summary.vocabularies.back().running == 0;
}

void DataView::showBanner() {
    const bool asDownloaded = isAsDownloaded();
    m_banner->setVisible(asDownloaded);
    if (!asDownloaded)
        return;
    m_banner->say(Banner::Kind::Warning, tr("No texts were found beside the recordings."),
                  tr("A downloaded corpus (LibriSpeech, MuST-C, Kaldi …) is first imported in place."));
    const fs::path folder = m_read->folder;
    connect(m_banner->addButton(tr("Import…"), QStringLiteral("folder")), &QPushButton::clicked, this,
            [this, folder] { askImport(folder)->open(); });
    connect(m_banner->addButton(tr("Copy the command"), QStringLiteral("copy")), &QPushButton::clicked, this,
            [folder] {
                QApplication::clipboard()->setText(
                    shellLine({"corpus", "--from", folder.string(), "--out", folder.string() + "-headroom"}) +
                    u'\n');
            });
}

ImportDialog* DataView::askImport(const fs::path& from) {
    auto* dialog = findChild<ImportDialog*>();
    if (!dialog) {
        dialog = new ImportDialog(this);
        dialog->askPath = pathQuestion(m_settings, dialog);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &ImportDialog::noted, this, &DataView::noted);
        connect(dialog, &ImportDialog::imported, this, [this](const fs::path& folder) {
            Q_EMIT wanted();
            open(folder);
        });
    }
    if (!from.empty() && !dialog->isRunning())
        dialog->setFrom(from);
    return dialog;
}

ImportDialog* DataView::askHoldOut(const fs::path& corpus) {
    constexpr double kUsualPercent = 5;
    ImportDialog* dialog = askImport();
    if (!dialog->isRunning()) {
        dialog->setOut(corpus.parent_path() / (corpus.filename().string() + "-split"));
        dialog->setFrom(corpus);
        dialog->askForDev(kUsualPercent);
    }
    return dialog;
}

/// Whether the corpus has one split only, of which a part can be held out for dev.
bool DataView::canBeDivided() const {
    return !splitToDivide(*m_read->corpus, m_read->summary.task).empty();
}

/// Why the recipe cannot be trained with this corpus: splits that it does not have. Empty: it has both.
QString DataView::missingSplit() const {
    const auto& splits = m_read->summary.splits;
    const auto quoted = [](const std::string& name) { return QStringLiteral("“%1”").arg(QString::fromStdString(name)); };
    QStringList missing, keys, names;
    for (const auto& [key, name] : {std::pair("data.trainSplit", m_trainSplit), std::pair("data.validationSplit", m_validationSplit)})
        if (!name.empty() && std::none_of(splits.begin(), splits.end(), [&](const SplitFacts& one) { return one.name == name; })) {
            missing << quoted(name);
            keys << QLatin1String(key);
        }
    missing.removeDuplicates();
    if (missing.isEmpty())
        return {};
    if (isAsDownloaded()) // a split would not help
        return tr("These recordings have no texts to train on. Import the corpus first.");
    if (m_read->summary.vocabularies.back().running == 0 &&
        std::ranges::any_of(m_read->summary.defects, [](const CorpusDefect& one) { return one.code == "corpus.unreadTable"; }))
        return tr("These recordings have no texts to train on, because a table was not read (see Defects).");
    for (const SplitFacts& one : splits)
        names << quoted(one.name);
    const QString has = names.isEmpty() ? tr("none") : names.join(QStringLiteral(", "));
    const QString sentence = missing.size() == 1 ? tr("The recipe needs the split %1; this corpus has %2.")
                                                 : tr("The recipe needs the splits %1; this corpus has %2.");
    return sentence.arg(missing.join(tr(" and ")), has) + u' ' + missingSplitAdvice(keys, canBeDivided(), tr("New run, All values"));
}

void DataView::setRecipeSplits(const std::string& train, const std::string& validation) {
    m_trainSplit = train;
    m_validationSplit = validation;
    showFoot();
}

/// What training would get, and whether it can be asked for.
void DataView::showFoot() {
    const bool isShown = m_pages->currentIndex() == 1 && m_read && !m_reader.isReading();
    QString foot, why;
    if (!isShown) {
        why = m_reader.isReading() ? tr("The corpus is being read.") : tr("Choose a corpus first.");
    } else if (why = missingSplit(); !why.isEmpty()) {
        foot = why;
    } else if (readsText(m_read->summary.task) && !m_limitsAreTokens) {
        foot = why = tr("The recipe trains on recordings, but this corpus is parallel text. Choose another recipe.");
    } else if (const SplitFacts* split = m_charts->split()) {
        const auto kept = leftOutBy(*split, m_charts->shownLimits()).kept;
        foot = m_limitsAreTokens ? splitText(*split) + u' ' + tokenLimitsText()
             : (m_charts->areShownChanged() ? tr("With the changed limits: %1 of %2, %3.") : tr("With this recipe: %1 of %2, %3."))
                   .arg(widgets::counted(kept.utterances, tr("1 utterance"), tr("%1 utterances")), splitName(split->name),
                        hoursText(kept.seconds));
        if (kept.utterances == 0 && !m_limitsAreTokens)
            why =
                tr("No utterance of %1 is left with these limits.").arg(splitName(split->name));
    }
    if (isShown)
        foot = (foot + u'\n' + heldOutNote(m_read->corpus->document())).trimmed();
    m_foot->setText(foot);
    m_foot->setVisible(!foot.isEmpty());
    m_holdOut->setVisible(isShown && canBeDivided());
    setAvailable(m_train, why);
    setAvailable(m_again, m_folder.empty() ? tr("Choose a corpus first.") : QString());
    Q_EMIT shownChanged();
}

void DataView::setRecipes(const QStringList& names, int current, const SplitLimits& recipe, const SplitLimits& form,
                          const std::string& named) {
    m_limitsAreTokens = readsText(named);
    const SplitLimits none{DataCharts::kNoLimits, DataCharts::kNoLimits, {}};
    m_charts->setRecipes(names, current, m_limitsAreTokens ? none : recipe, m_limitsAreTokens ? none : form);
    showFoot();
    const std::string task = named.starts_with("lm_") ? named.substr(3) : named; // the one whose texts it learns
    if (task == m_task)
        return;
    m_task = task;
    if (!m_read || m_reader.isReading() || m_read->folder != m_folder || m_read->summary.task == task)
        return;
    if (m_read->corpus->document().task(task))
        m_reader.summarise(*m_read, task);
}

bool DataView::isPending() const {
    return m_reader.isReading() || m_pieces->isPending();
}

QString DataView::statusText() const {
    if (m_reader.isReading())
        return tr("Reading %1…").arg(toQString(m_folder.filename()));
    if (m_pages->currentIndex() != 1 || !m_charts->split())
        return m_list->count() == 0 ? tr("No corpus is shown. Add one on the left.") : tr("No corpus is shown. Choose one on the left.");
    return toQString(m_read->folder.filename()) + QStringLiteral(", ") + // as in the list
           (readsText(m_read->summary.task) && !m_limitsAreTokens ? splitText(*m_charts->split())
            : m_limitsAreTokens ? splitText(*m_charts->split()) + u' ' + tokenLimitsText()
                              : app::statusText(*m_charts->split(), m_charts->shownLimits(), m_charts->areShownChanged()));
}

void DataView::dragEnterEvent(QDragEnterEvent* event) {
    if (!corporaIn(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void DataView::dropEvent(QDropEvent* event) {
    const QStringList folders = corporaIn(event->mimeData());
    for (const QString& folder : folders)
        m_list->add(toPath(folder));
    if (!folders.isEmpty())
        open(toPath(folders.first()));
    event->acceptProposedAction();
}

} // namespace headroom::app
