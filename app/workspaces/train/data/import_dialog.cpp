// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/data/import_dialog.h"

#include "app/documents/items/paths.h"
#include "app/jobs/worker_command.h"
#include "app/parts/availability.h"
#include "app/parts/forms/form_row.h"
#include "app/parts/forms/path_field.h"
#include "app/workspaces/train/data/hold_out.h"
#include "core/corpus/corpus_document.h"
#include "core/corpus/kinds/corpus_kinds.h"
#include "widgets/look/icons.h"
#include "widgets/look/percent_text.h"
#include "widgets/look/sizes.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headroom::app {

using widgets::Sizes;
namespace fs = std::filesystem;

namespace {

/// A share of the training utterances for a new split.
QDoubleSpinBox* newShare(const QString& split, const QString& name, QWidget* parent) {
    constexpr double kMost = 999; // what is too much can be typed, and is said
    auto* box = new QDoubleSpinBox(parent);
    box->setPrefix(split);
    box->setSuffix(QStringLiteral(" %"));
    box->setDecimals(1);
    box->setRange(0, kMost);
    box->setAccessibleName(name);
    box->setToolTip(ImportDialog::tr("Moves this share of the training utterances to a split of its own, for a corpus without one. Speakers stay "
                                     "together if the corpus names several, otherwise recordings. The same corpus is always divided the same way."));
    return box;
}

} // namespace

ImportDialog::ImportDialog(QWidget* parent)
    : QDialog(parent)
    , askPath(pathQuestion(nullptr, this))
    , m_kind(new QComboBox(this))
    , m_from(new PathField(this))
    , m_out(new PathField(this))
    , m_splits(new QLineEdit(this))
    , m_dev(newShare(tr("dev "), tr("Held out for dev"), this))
    , m_test(newShare(tr("test "), tr("Held out for test"), this))
    , m_language(new QLineEdit(this))
    , m_pieces(new QLineEdit(this))
    , m_speeds(new QLineEdit(this))
    , m_map(new QLineEdit(this))
    , m_copy(new QCheckBox(tr("Copy the recordings"), this))
    , m_lowercase(new QCheckBox(tr("Write texts in lower case"), this))
    , m_sentence(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_start(new QPushButton(widgets::iconOnAccent(QStringLiteral("play")), tr("Import"), this))
    , m_copyCommand(new QPushButton(widgets::icon(QStringLiteral("terminal")), tr("Copy command"), this))
    , m_cancel(new QPushButton(tr("Cancel"), this)) {
    setWindowTitle(tr("Import a corpus"));
    setObjectName(QStringLiteral("importCorpus"));
    const int unit = qRound(Sizes::unit());
    FormColumn form(this);
    QVBoxLayout* layout = form.layout();
    m_kind->addItem(tr("Detect automatically"), QString());
    for (const CorpusKind& kind : corpusKinds()) {
        m_kind->addItem(QString::fromStdString(std::string(kind.name)), QString::fromStdString(std::string(kind.name)));
        m_kind->setItemData(m_kind->count() - 1, withFieldNames(QString::fromStdString(std::string(kind.about))), Qt::ToolTipRole);
    }
    form.add(tr("Kind"), m_kind);
    m_fromRow = form.add(tr("Folder"), m_from);
    m_outRow = form.add(tr("New corpus"), m_out);
    m_splitRow = addField(form, tr("Splits"), m_splits, tr("as in the corpus"),
                          tr("New splits, built from those of the corpus: dev=dev-clean train=train-clean-100,train-clean-360"));
    auto* shares = new QWidget(this);
    auto* shareRow = new QHBoxLayout(shares);
    shareRow->setContentsMargins(0, 0, 0, 0);
    for (QDoubleSpinBox* box : {m_dev, m_test}) {
        shareRow->addWidget(box, 1);
        connect(box, &QDoubleSpinBox::valueChanged, this, &ImportDialog::validate);
    }
    m_shareRow = form.add(tr("Hold out"), shares);
    addField(form, tr("Language"), m_language, tr("as in the corpus"),
             tr("The code of the spoken language, or of the source of parallel text, if the corpus does not name it: de"));
    m_piecesRow = addField(form, tr("Pieces"), m_pieces, tr("usual number"),
                           tr("How many pieces each SentencePiece model has at most; it has fewer if there is little text. Usual: 5,000, for "
                              "translations 8,000, for parallel text 10,000; a Headroom corpus keeps its own models unless its texts are "
                              "written in lower case. 0: no model is made."));
    m_speedRow = addField(form, tr("Speeds"), m_speeds, tr("none added"),
                          tr("Adds every utterance of the training splits again at each of these speeds: 0.9, 1.1"));
    m_mapRow = addField(form, tr("Paths"), m_map, QStringLiteral("OLD=NEW"),
                        tr("Replaces the beginning of paths in tables written on another machine."));
    auto* boxes = new QHBoxLayout;
    boxes->setSpacing(2 * unit);
    boxes->addWidget(m_copy);
    boxes->addWidget(m_lowercase);
    boxes->addStretch(1);
    layout->addLayout(boxes);
    for (PathField* field : {m_from, m_out}) {
        auto* open = field->addAction(widgets::icon(QStringLiteral("folder")), QLineEdit::TrailingPosition);
        open->setToolTip(tr("Choose a folder"));
        connect(open, &QAction::triggered, this, [this, field] {
            using FolderOf = AppSettings::FolderOf;
            const QString folder = askPath(field == m_from ? PathAsked{FolderOf::Downloads, tr("Choose the folder of the corpus"), {}, toQString(field->path())}
                                                           : PathAsked{FolderOf::Corpora, tr("Choose the folder of the new corpus"), {}, toQString(field->path())});
            if (!folder.isEmpty())
                field == m_from ? setFrom(toPath(folder)) : setOut(toPath(folder));
        });
        connect(field, &QLineEdit::textChanged, this, &ImportDialog::validate);
    }
    m_from->setToolTip(tr("The folder as it was downloaded. It is only read."));
    m_copy->setToolTip(tr("Without it the new corpus links to the recordings. Parquet and Arrow need it."));
    m_lowercase->setToolTip(tr("For models whose pieces have no capitals."));
    connect(m_kind, &QComboBox::currentIndexChanged, this, &ImportDialog::validate);
    for (QCheckBox* box : {m_copy, m_lowercase})
        connect(box, &QCheckBox::toggled, this, &ImportDialog::validate);
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("caption", true);
    m_sentence->setMinimumHeight(Sizes::tableRow() * 2);
    m_progress->setTextVisible(false);
    m_progress->hide();
    layout->addStretch(1);
    layout->addWidget(m_sentence);
    layout->addWidget(m_progress);
    auto* foot = new QHBoxLayout;
    m_start->setProperty("primary", true);
    m_start->setDefault(true);
    m_copyCommand->setToolTip(tr("Copy the equivalent command line."));
    foot->addWidget(m_copyCommand);
    foot->addStretch(1);
    foot->addWidget(m_start);
    foot->addWidget(m_cancel);
    layout->addLayout(foot);
    resize(unit * 72, unit * 52);
    connect(m_start, &QPushButton::clicked, this, &ImportDialog::start);
    connect(m_cancel, &QPushButton::clicked, this, &ImportDialog::reject);
    connect(m_copyCommand, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(shellLine(arguments()) + QLatin1Char('\n')); });
    connect(&m_task, &WorkerTask::said, this, &ImportDialog::showLine);
    connect(&m_task, &WorkerTask::ended, this, &ImportDialog::finish);
    constexpr int kPause = 300; // ms
    m_planWait.setSingleShot(true);
    m_planWait.setInterval(kPause);
    connect(&m_planWait, &QTimer::timeout, this, &ImportDialog::planHeldOut);
    validate();
}

ImportDialog::~ImportDialog() {
    if (!m_task.isRunning())
        return;
    m_task.abandon();
    removeUnfinished();
}

void ImportDialog::setFrom(const fs::path& folder) {
    m_from->setText(toQString(folder));
    if (m_out->text().isEmpty() && !folder.empty())
        m_out->setText(toQString(folder) + QStringLiteral("-headroom"));
}

void ImportDialog::setOut(const fs::path& folder) {
    m_out->setText(toQString(folder));
}

void ImportDialog::setKind(const QString& name) {
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(name)));
}

void ImportDialog::setSplits(const QString& text) {
    m_splits->setText(text);
}

void ImportDialog::setHeldOut(double devPercent, double testPercent) {
    m_dev->setValue(devPercent);
    m_test->setValue(testPercent);
}

void ImportDialog::askForDev(double usualPercent) {
    setWindowTitle(tr("Hold out dev"));
    setHeldOut(usualPercent, 0);
    m_dev->setFocus();
    m_dev->selectAll();
}

void ImportDialog::setMap(const QString& text) {
    m_map->setText(text);
}

void ImportDialog::setCopy(bool copies) {
    m_copy->setChecked(copies);
}

void ImportDialog::setLowercase(bool lowercase) {
    m_lowercase->setChecked(lowercase);
}

void ImportDialog::setLanguage(const QString& code) {
    m_language->setText(code);
}

void ImportDialog::setPieces(const QString& number) {
    m_pieces->setText(number);
}

void ImportDialog::setSpeeds(const QString& text) {
    m_speeds->setText(text);
}

QString ImportDialog::sentence() const {
    return m_sentence->text();
}

FormRow* ImportDialog::addField(FormColumn& form, const QString& label, QLineEdit* field, const QString& placeholder, const QString& toolTip) {
    field->setPlaceholderText(placeholder);
    field->setToolTip(toolTip);
    connect(field, &QLineEdit::textChanged, this, &ImportDialog::validate);
    return form.add(label, field);
}

void ImportDialog::setFieldsEnabled(bool on) {
    for (QWidget* field : std::initializer_list<QWidget*>{m_kind, m_from, m_out, m_splits, m_dev, m_test, m_language, m_pieces, m_speeds, m_map,
                                                          m_copy, m_lowercase})
        field->setEnabled(on);
}

void ImportDialog::start() {
    setFieldsEnabled(false);
    markMistake(m_sentence, false);
    m_sentence->setText(tr("Reading %1…").arg(toQString(m_request.from.filename())));
    m_progress->setRange(0, 0);
    m_progress->show();
    m_task.start(processArguments(arguments()) << QStringLiteral("--json"));
    setAvailable(m_start, m_task.isRunning() ? tr("The corpus is being imported.") : QString());
}

/// "1,017 of 30,000 recordings"
void ImportDialog::showLine(const QString& line) {
    static const QRegularExpression progress(QStringLiteral("^([\\d,]+) of ([\\d,]+) "));
    const auto match = progress.match(line);
    if (match.hasMatch()) {
        m_progress->setRange(0, match.captured(2).remove(u',').toInt());
        m_progress->setValue(match.captured(1).remove(u',').toInt());
    }
    m_sentence->setText(withFieldNames(line));
}

void ImportDialog::removeUnfinished() const {
    std::error_code ignored;
    const std::string name = m_request.out.filename().string();
    for (const char* ending : {".making", ".unpacked"})
        fs::remove_all(m_request.out.parent_path() / ("." + name + ending), ignored);
}

/// But for what was held out, which Data and the form say.
void ImportDialog::sayNotes(const QByteArray& output) {
    const auto report = nlohmann::json::parse(output.begin(), output.end(), nullptr, false);
    if (!report.is_object())
        return;
    QString heldOut;
    try {
        heldOut = heldOutNote(readCorpusDocument(m_request.out / "corpus.json"));
    } catch (const Error&) { // opening the corpus says what is wrong
    }
    for (const nlohmann::json& one : report.value("notes", nlohmann::json::array()))
        if (const QString note = widgets::withWholePercents(QString::fromStdString(one.get<std::string>())); note != heldOut)
            Q_EMIT noted(m_request.out, toQString(m_request.out.filename()) + QStringLiteral(": ") + withFieldNames(note));
}

void ImportDialog::finish(const WorkerTask::End& end) {
    m_progress->hide();
    if (end.done) {
        sayNotes(end.output);
        Q_EMIT imported(m_request.out);
        return accept();
    }
    removeUnfinished();
    setFieldsEnabled(true);
    validate();
    if (end.cancelled)
        m_sentence->setText(tr("Cancelled. Nothing was written."));
    else
        m_sentence->setText(end.sentence.isEmpty() ? tr("The worker stopped while importing. Nothing was written.") : withFieldNames(end.sentence));
    markMistake(m_sentence, !end.cancelled);
    fitHeight();
}

void ImportDialog::reject() {
    if (m_task.isRunning())
        return m_task.cancel();
    QDialog::reject();
}

} // namespace headroom::app
