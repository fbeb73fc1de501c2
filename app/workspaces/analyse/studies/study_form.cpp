// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/study_form.h"

#include "app/documents/paths.h"
#include "app/documents/session.h"
#include "app/settings/app_settings.h"
#include "app/studies/study_settings.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/compare/map_difference.h"
#include "app/workspaces/analyse/studies/study_form_private.h"
#include "core/alignment/readers.h"

#include <QDateTime>
#include <QFileDialog>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QtConcurrent>

#include <algorithm>

namespace headroom::app {

namespace fs = std::filesystem;

StudyForm::StudyForm(const Parts& parts, QWidget* parent)
    : QWidget(parent)
    , m_parts(parts)
    , m(std::make_unique<Fields>()) {
    askFolder = [this](const QString& title) {
        return QFileDialog::getExistingDirectory(this, title, m_parts.settings->lastFolder());
    };
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
    fillData();
    showKind();
}

StudyForm::~StudyForm() {
    m_reader.disconnect(this);
    m_reader.waitForFinished();
}

StudyKind StudyForm::kind() const {
    return studyKinds()[static_cast<std::size_t>(std::max(0, m->kind->currentIndex()))];
}

void StudyForm::setKind(StudyKind kind) {
    const auto& kinds = studyKinds();
    const auto found = std::find(kinds.begin(), kinds.end(), kind);
    m->kind->setCurrentIndex(static_cast<int>(found - kinds.begin()));
    m->kind->setFocus();
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

QString StudyForm::command() const {
    return m->command->toPlainText();
}

/// The utterances that are open, corpora that were used, and a folder to be chosen.
void StudyForm::fillData() {
    const QScopedValueRollback filling(m_filling, true);
    m_folders.clear();
    for (const QString& folder : m_parts.settings->recentCorpora())
        m_folders.push_back(toPath(folder));
    if (!m_data.empty() && std::find(m_folders.begin(), m_folders.end(), m_data) == m_folders.end())
        m_folders.insert(m_folders.begin(), m_data);
    const int open = m_parts.session->utterances()->count();
    m->data->clear();
    m->data->addItem(open == 1 ? tr("The open utterance") : tr("The %1 open utterances").arg(open));
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

void StudyForm::chooseData(int row) {
    if (m_filling)
        return;
    if (row == m->data->count() - 1) {
        const QString folder = askFolder(tr("Choose a corpus, or a folder of recordings"));
        if (!folder.isEmpty())
            m_parts.settings->setLastFolder(folder);
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
    m->kindRow->setNote(kindSentence(kind()));
    m_rows->setKind(kind());
    const bool measures = kind() != StudyKind::Latency;
    m->dataRow->setVisible(measures);
    revalidate();
}

QString StudyForm::suggestedName() const {
    QString what;
    for (int row = 0; row < m_parts.session->models()->count(); ++row)
        if (const OpenModel& model = m_parts.session->models()->at(row); model.enabled && model.info)
            what += (what.isEmpty() ? QString() : QStringLiteral("-")) + model.name;
    return studyFolderName(m_when, kind(), what);
}

/// The ticked models; a sentence where there is none.
QString StudyForm::checkModels(StudyRequest& request) {
    std::vector<StudySettingsRows::Reference> references;
    bool opening = false;
    QString mixed, firstName, firstFrontEnd;
    for (int row = 0; row < m_parts.session->models()->count(); ++row) {
        const OpenModel& model = m_parts.session->models()->at(row);
        if (!model.enabled)
            continue;
        opening = opening || model.state == OpenState::Reading;
        if (model.state == OpenState::Failed)
            continue;
        request.models.push_back(model.folder);
        request.modelNames << model.name;
        if (model.info && !model.maps && kind() != StudyKind::Latency) {
            const QString frontEnd = frontEndWords(model.info->architecture.frontEnd);
            if (firstFrontEnd.isEmpty()) {
                firstName = model.name;
                firstFrontEnd = frontEnd;
            } else if (frontEnd != firstFrontEnd && mixed.isEmpty()) {
                mixed = tr("The front ends differ: %1 has %2; %3 has %4. Study the models separately.")
                            .arg(firstName, firstFrontEnd, model.name, frontEnd);
            }
        }
        references.push_back({QStringLiteral("model %1").arg(request.models.size()),
                              tr("%1 (model %2 of this study)").arg(model.name).arg(request.models.size())});
    }
    for (const StudyItem& study : m_parts.store->items())
        if (study.kind == StudyKind::Phones && study.state == StudyItem::State::Finished)
            references.push_back({toQString(study.folder), tr("the study %1").arg(study.name())});
    m_rows->setReferences(references);
    m->models->setText(request.modelNames.isEmpty() ? tr("none selected")
                                                    : request.modelNames.join(QStringLiteral(", ")));
    m->models->setToolTip(m->models->text());
    m->modelsRow->setNote(request.modelNames.size() > 1 ? tr("All models are measured on the same "
                                                             "utterances.")
                                                        : QString());
    if (opening)
        return tr("A model is being opened.");
    return request.models.empty() ? tr("Tick at least one model in Models.") : mixed;
}

/// Which recordings; a sentence where they cannot be studied.
QString StudyForm::checkData(StudyRequest& request) {
    StudyData::Counts counts;
    m->splitRow->setVisible(false);
    m->countRow->setVisible(kind() != StudyKind::Latency && !m_data.empty());
    if (kind() == StudyKind::Latency)
        return {};
    if (m_data.empty()) {
        for (int row = 0; row < m_parts.session->utterances()->count(); ++row) {
            const Utterance& utterance = m_parts.session->utterances()->at(row);
            if (utterance.state != OpenState::Ready || utterance.file.empty())
                continue;
            ++counts.utterances;
            // The study looks beside the recording; an alignment from elsewhere is this session's alone.
            counts.aligned += !alignmentBeside(utterance.file).empty();
            request.recordings.push_back(utterance.file);
        }
    } else {
        if (!m_facts || m_facts->folder != m_data) {
            m->dataRow->setNote(tr("loading…"));
            return tr("Loading the data…");
        }
        if (!m_facts->mistake.isEmpty()) {
            m->dataRow->setMistake(m_facts->mistake);
            return m_facts->mistake;
        }
        const int split = std::max(0, m->split->currentIndex());
        if (static_cast<std::size_t>(split) < m_facts->counts.size())
            counts = m_facts->counts[static_cast<std::size_t>(split)];
        m->splitRow->setVisible(m_facts->splits.size() > 1);
        request.data = m_data;
        request.split = m_facts->splits.size() > 1 ? m_facts->splits.value(split) : QString();
    }
    QString note = counts.utterances == 1 ? tr("1 utterance") : tr("%1 utterances").arg(counts.utterances);
    if (counts.speakers > 0)
        note += counts.speakers == 1 ? tr(", 1 speaker") : tr(", %1 speakers").arg(counts.speakers);
    m->dataRow->setNote(note + tr(", %1 with an alignment").arg(counts.aligned));
    if (counts.utterances == 0)
        return m_data.empty() ? tr("Open recordings, or choose a folder of them.")
                              : tr("This data has no readable utterance.");
    if (needsPhones(kind()) && counts.aligned == 0) {
        const QString why = tr("A study of %1 needs alignments, but none of these recordings has a "
                               "TextGrid with phones.")
                                .arg(kindTitle(kind()).toLower());
        m->dataRow->setMistake(why);
        return why;
    }
    return {};
}

void StudyForm::revalidate() {
    m_revalidation.stop();
    m_request.reset();
    m->dataRow->setMistake({});
    m->nameRow->setMistake({});
    StudyRequest request;
    request.kind = kind();
    m_reason = checkModels(request);
    const QString dataMistake = checkData(request);
    if (m_reason.isEmpty())
        m_reason = dataMistake;
    request.utterances = m->utterances->value();
    request.seed = static_cast<std::uint64_t>(m->seed->value());
    request.settings = m_rows->values();
    request.figures = m->figures->isChecked();
    if (!m_nameIsOwn) {
        m_when = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-ddThh-mm"));
        m->name->setText(suggestedName());
    }
    const QString name = m->name->text().trimmed();
    request.folder = m_parts.store->folder() / toPath(name);
    std::error_code ignored;
    if (name.isEmpty() || name.contains(u'/') || name.startsWith(u'.'))
        m->nameRow->setMistake(tr("A name must not contain “/” or start with a full stop."));
    else if (fs::exists(request.folder, ignored) && m_nameIsOwn)
        m->nameRow->setMistake(tr("A study of this name already exists. Choose another name."));
    // A suggested name moves aside by itself.
    for (int n = 2; !m_nameIsOwn && fs::exists(request.folder, ignored); ++n) {
        request.folder = m_parts.store->folder() / toPath(name + QStringLiteral("_%1").arg(n));
        m->name->setText(toQString(request.folder.filename()));
    }
    if (m_reason.isEmpty())
        m_reason = m->nameRow->mistake();
    m->command->setPlainText(commandLine(request));
    if (m_reason.isEmpty())
        m_request = request;
    m->reason->setText(m_reason.isEmpty() ? tr("It continues when this window is closed.") : m_reason);
    m->run->setEnabled(m_request.has_value());
    m->run->setToolTip(m_reason.isEmpty() ? tr("Start the study in the background.") : m_reason);
    m->copy->setEnabled(m_request.has_value());
}

void StudyForm::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        return Q_EMIT closed();
    QWidget::keyPressEvent(event);
}

} // namespace headroom::app
