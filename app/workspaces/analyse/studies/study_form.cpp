// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/study_form.h"

#include "app/alignments/alignment_store.h"
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/parts/availability.h"
#include "app/parts/number_text.h"
#include "app/parts/path_question.h"
#include "app/settings/app_settings.h"
#include "app/studies/study_settings.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/compare/map_difference.h"
#include "app/workspaces/analyse/studies/study_form_private.h"
#include "core/features/recording_length.h"

#include <QDateTime>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QtConcurrent>

#include <algorithm>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

std::int64_t acceptedTokens(const OpenModel& model) {
    if (!model.info || model.maps || model.info->maxSourceFrames <= 0)
        return 0;
    return model.info->architecture.frontEnd.clock().tokenCount(Frames(model.info->maxSourceFrames)).value();
}

Seconds acceptedLength(const OpenModel& model) {
    if (!model.info || model.maps || model.readsText())
        return Seconds(0);
    return kModelSampleRate.duration(longestRecording(model.info->architecture.frontEnd.input(), model.info->maxSourceFrames));
}

} // namespace

StudyForm::StudyForm(const Parts& parts, QWidget* parent)
    : FormPanel(parent)
    , m_parts(parts)
    , m(std::make_unique<Fields>()) {
    askFolder = [ask = pathQuestion(m_parts.settings, this)](const QString& title) { return ask({AppSettings::FolderOf::Corpora, title}); };
    makeFields();
    m_revalidation.setSingleShot(true);
    m_revalidation.setInterval(0);
    connect(&m_revalidation, &QTimer::timeout, this, &StudyForm::revalidate);
    connect(&m_reader, &QFutureWatcherBase::finished, this, [this] {
        m_facts = m_reader.result();
        m_reading = false;
        const QScopedValueRollback filling(m_filling, true);
        m->split->clear();
        m->split->addItems(m_facts->splits);
        // A test split is what the papers measure on.
        if (const int test = static_cast<int>(m_facts->splits.indexOf(QStringLiteral("test"))); test >= 0)
            m->split->setCurrentIndex(test);
        readData(); // something else may be wanted by now
        revalidate();
    });
    connectFields();
    Session* session = m_parts.session;
    for (auto signal : {&Session::utteranceChanged, &Session::utteranceRemoved})
        connect(session, signal, this, [this] { fillData(); });
    for (auto signal : {&Session::modelChanged, &Session::modelRemoved})
        connect(session, signal, this, [this] { revalidateSoon(); });
    connect(m_parts.store, &StudyStore::changed, this, &StudyForm::revalidateSoon);
    if (m_parts.alignments)
        connect(m_parts.alignments, &AlignmentStore::mapChanged, this, &StudyForm::revalidateSoon);
    connect(m_parts.settings, &AppSettings::recentCorporaChanged, this, &StudyForm::fillData); // Train makes and imports them
    fillData();
    showKind();
}

StudyForm::~StudyForm() {
    m_reader.disconnect(this);
    m_reader.waitForFinished();
}

StudyKind StudyForm::kind() const {
    return kStudyKinds[static_cast<std::size_t>(std::max(0, m->kind->currentIndex()))];
}

void StudyForm::setKind(StudyKind kind) {
    const auto found = std::find(kStudyKinds.begin(), kStudyKinds.end(), kind);
    m->kind->setCurrentIndex(static_cast<int>(found - kStudyKinds.begin()));
    m->kind->setFocus();
    scrollToTop(); // where the last study was started
    revalidate();
}

void StudyForm::setUtterances(int count) {
    m->utterances->setValue(count);
    revalidate();
}

void StudyForm::setName(const QString& name) {
    m->name->setText(name);
    m_nameIsOwn = !name.isEmpty();
    revalidate();
}

void StudyForm::choosePlace(const QString& name) {
    m->place->choose(name);
    revalidate();
}

WhereField* StudyForm::whereField() const {
    return m->place;
}

void StudyForm::showEvent(QShowEvent* event) {
    FormPanel::showEvent(event);
    fillData(); // a demo corpus may have been made in a terminal
    m->place->look();
}

QString StudyForm::command() const {
    return m->command->toPlainText();
}

/// The utterances that are open, corpora that were used, and a folder to be chosen.
void StudyForm::fillData() {
    const QScopedValueRollback filling(m_filling, true);
    m_folders.clear();
    for (const QString& folder : m_parts.settings->offeredCorpora())
        m_folders.push_back(toPath(folder));
    if (!m_data.empty() && std::find(m_folders.begin(), m_folders.end(), m_data) == m_folders.end())
        m_folders.insert(m_folders.begin(), m_data);
    m->data->clear();
    m->data->addItem(openText(false));
    for (const fs::path& folder : m_folders) {
        m->data->addItem(toQString(folder.filename()));
        m->data->setItemData(m->data->count() - 1, toQString(folder), Qt::ToolTipRole);
    }
    m->data->insertSeparator(m->data->count());
    m->data->addItem(tr("Choose a folder…"));
    const auto place = std::find(m_folders.begin(), m_folders.end(), m_data);
    m->data->setCurrentIndex(m_data.empty() ? 0 : static_cast<int>(place - m_folders.begin()) + 1);
    m->data->setToolTip(toQString(m_data));
    revalidateSoon();
}

/// "The 5 open utterances": those that the models read.
QString StudyForm::openText(bool areTexts) const {
    int open = 0;
    for (int row = 0; row < m_parts.session->utterances()->count(); ++row)
        if (const OpenUtterance& utterance = m_parts.session->utterances()->at(row); utterance.isText == areTexts)
            open += areTexts ? utterance.hasSource() : utterance.hasReadableFile();
    return open == 1 ? tr("The open utterance") : tr("The %1 open utterances").arg(thousands(open));
}

void StudyForm::chooseData(int row) {
    if (m_filling)
        return;
    if (row == m->data->count() - 1) {
        const QString folder = askFolder(tr("Choose a corpus, or a folder of recordings"));
        setData(folder.isEmpty() ? m_data : toPath(folder));
    } else {
        setData(row <= 0 ? fs::path() : m_folders[static_cast<std::size_t>(row - 1)]);
    }
}

void StudyForm::setData(const fs::path& folder) {
    m_data = folder.empty() ? folder : normalised(folder);
    fillData();
    readData();
    revalidate();
}

/// Reads the corpus where what is known is of another one; one at a time.
void StudyForm::readData() {
    if (m_data.empty() || m_reading || (m_facts && m_facts->folder == m_data))
        return;
    m_reading = true;
    m_reader.setFuture(QtConcurrent::run(readStudyData, m_data));
}

void StudyForm::showKind() {
    m_rows->setKind(kind());
    m_rows->tabAfter(m->seed);
    FormRow::alignLabels(this);
    revalidate();
}

StudyValues StudyForm::read() const {
    StudyValues values;
    values.kind = kind();
    const ModelList& models = *m_parts.session->models();
    for (int row = 0; row < models.count(); ++row)
        if (const OpenModel& model = models.at(row); model.enabled)
            values.models.push_back(
                {model.shownName(), model.folder, model.state,
                 model.info && !model.maps ? frontEndWords(model.info->architecture.frontEnd) : QString(),
                 model.readsText(), acceptedTokens(model), model.maps, acceptedLength(model)});
    const UtteranceList& utterances = *m_parts.session->utterances();
    for (int row = 0; row < utterances.count(); ++row)
        if (const OpenUtterance& utterance = utterances.at(row);
            utterance.state == OpenState::Ready && !utterance.file.empty() && utterance.hasReadableFile())
            values.recordings.push_back({{utterance.file, utterance.alignmentFile, utterance.name.toStdString()},
                                         utterance.alignment && !utterance.alignmentFile.empty() && !utterance.isAlignmentGone, utterance.part.has_value(), utterance.duration()});
        else if (utterance.isText && utterance.hasSource())
            values.texts.push_back(utterance.text.toStdString());
    values.data = m_data;
    values.facts = m_facts;
    values.split = m->split->currentIndex();
    values.utterances = m->utterances->value();
    values.seed = static_cast<std::uint64_t>(m->seed->value());
    values.settings = m_rows->values();
    values.phoneMap = sessionMap();
    values.figures = m->figures->isChecked();
    values.place = m->place->place().toStdString();
    values.device = m->place->device().toStdString();
    values.name = m_nameIsOwn ? m->name->text().trimmed() : QString();
    values.when = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-ddThh-mm"));
    values.studies = m_parts.store->folder();
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(values.studies, ignored))
        values.taken.insert(toQString(entry.path().filename()));
    return values;
}

/// What coverage can be measured against: the ticked models, and finished studies of phones.
void StudyForm::offerReferences() {
    std::vector<StudySettingsRows::Reference> references;
    for (int row = 0; row < m_parts.session->models()->count(); ++row)
        if (const OpenModel& model = m_parts.session->models()->at(row);
            model.enabled && model.state != OpenState::Failed) {
            const auto number = references.size() + 1;
            references.push_back({QStringLiteral("model %1").arg(number),
                                  tr("%1 (model %2 of this study)").arg(model.shownName()).arg(number)});
        }
    for (const StudyItem& study : m_parts.store->items())
        if (study.kind == StudyKind::Phones && study.state == StudyItem::State::Finished)
            references.push_back({toQString(study.folder), tr("the study “%1”").arg(study.name())});
    m_rows->setReferences(references);
}

std::optional<PhoneMap> StudyForm::sessionMap() const {
    return m_parts.alignments ? m_parts.alignments->ownMap() : std::nullopt;
}

/// The session's map is that of the open utterances, which have no corpus; for a corpus it is one more choice.
void StudyForm::offerPhoneMaps() {
    const auto map = sessionMap();
    const QString name = map ? tr("the session's: %1").arg(QString::fromStdString(map->title())) : QString();
    m_rows->setSessionMap(!m_data.empty() ? QString() : map ? name : tr("the best match"), m_data.empty() ? QString() : name);
}

void StudyForm::revalidate() {
    m_revalidation.stop();
    offerReferences();
    offerPhoneMaps();
    const ModelList& opened = *m_parts.session->models();
    bool readsTexts = false;
    for (int row = 0; row < opened.count(); ++row)
        readsTexts = readsTexts || (opened.at(row).enabled && opened.at(row).state != OpenState::Failed && opened.at(row).readsText());
    m_rows->setReadsTexts(readsTexts);
    const StudyReport report = validate(read());
    m_reason = report.reason;
    m_request = m_reason.isEmpty() ? std::optional(report.request) : std::nullopt;
    showReport(report);
    m_rows->showMistakes(report.mistakes);
    m_rows->showNotes(report.notes);
    m->data->setItemText(0, openText(report.takesTexts));
    m->dataRow->setVisible(report.hasData);
    m->splitRow->setVisible(report.hasSplits);
    m->countRow->setVisible(report.hasCount);
    const QStringList& models = report.request.modelNames;
    m->models->setText(models.isEmpty() ? tr("none selected") : models.join(QStringLiteral(" · ")));
    m->models->setToolTip(m->models->text());
    if (!m_nameIsOwn)
        m->name->setText(report.name);
    m->command->setPlainText(commandLine(report.request));
    setAvailable(m->run, m_reason);
    setAvailable(m->copy, m_reason);
}

void StudyForm::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        return Q_EMIT closed();
    FormPanel::keyPressEvent(event);
}

} // namespace headroom::app
