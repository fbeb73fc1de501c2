// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/data/import_dialog.h"

#include "app/documents/paths.h"
#include "app/jobs/worker_command.h"
#include "app/parts/access_keys.h"
#include "app/parts/availability.h"
#include "app/parts/forms/form_row.h"
#include "app/parts/forms/path_field.h"
#include "core/audio/audio_name.h"
#include "core/corpus/kinds/corpus_kinds.h"
#include "core/corpus/kinds/other_speeds.h"
#include "widgets/look/icons.h"
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

/// "NAME=A" and what follows it; false where there is no “=”, or nothing on one of its sides.
bool cutAtEquals(const QString& text, std::string& name, QString& value) {
    const qsizetype equals = text.indexOf(QLatin1Char('='));
    if (equals <= 0 || equals + 1 == text.size())
        return false;
    name = text.left(equals).toStdString();
    value = text.mid(equals + 1);
    return true;
}

/// A folder that is there and not empty would not be written into.
bool isTaken(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder, ignored) && !fs::is_empty(folder, ignored);
}

/// A share of the training utterances for a new split.
QDoubleSpinBox* newShare(const QString& split, const QString& name, QWidget* parent) {
    constexpr double kMost = 45; // of both, so that something remains
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
        m_kind->setItemData(m_kind->count() - 1, QString::fromStdString(std::string(kind.about)), Qt::ToolTipRole);
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
    form.add(tr("Hold out"), shares);
    addField(form, tr("Language"), m_language, tr("as in the corpus"),
             tr("The code of the spoken language, or of the source of parallel text, if the corpus does not name it: de"));
    m_piecesRow = addField(form, tr("Pieces"), m_pieces, tr("usual number"),
                           tr("How many pieces each SentencePiece model has. Usual: 5,000, for translations 8,000, for parallel text 10,000; a "
                              "Headroom corpus keeps its own models unless its texts are written in lower case. 0: no model is made."));
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
            const QString folder = askPath(field == m_from ? PathAsked{FolderOf::Downloads, tr("Choose the folder of the corpus"), {}, field->text()}
                                                           : PathAsked{FolderOf::Corpora, tr("Choose the folder of the new corpus"), {}, field->text()});
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
    giveAccessKeys(this);
    resize(unit * 72, unit * 52);
    connect(m_start, &QPushButton::clicked, this, &ImportDialog::start);
    connect(m_cancel, &QPushButton::clicked, this, &ImportDialog::reject);
    connect(m_copyCommand, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(shellLine(arguments()) + QLatin1Char('\n')); });
    connect(&m_task, &WorkerTask::said, this, &ImportDialog::showLine);
    connect(&m_task, &WorkerTask::ended, this, &ImportDialog::finish);
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

/// Takes the number of pieces into the request. Returns what is wrong with it; empty: nothing.
QString ImportDialog::readPieces() {
    constexpr int kMost = 100000; // as the command
    m_sizeOfPieces.reset();
    const QString text = m_pieces->text().trimmed();
    if (text.isEmpty())
        return {};
    bool isNumber = false;
    const int size = QString(text).remove(u',').toInt(&isNumber);
    if (!isNumber || size < 0 || size > kMost)
        return tr("“%1” is not a whole number from 0 to 100,000.").arg(text);
    m_sizeOfPieces = size;
    return {};
}

/// Likewise the speeds.
QString ImportDialog::readSpeeds() {
    static const QRegularExpression between(QStringLiteral("[,\\s]+"));
    for (const QString& word : m_speeds->text().split(between, Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const double speed = word.toDouble(&isNumber);
        if (!isNumber || !(speed >= kLowestSpeed && speed <= kHighestSpeed))
            return tr("“%1” is not a speed from 0.5 to 2.").arg(word);
        m_request.speeds.push_back(speed);
    }
    if (const auto speed = repeatedSpeed(m_request.speeds))
        return tr("The speed %1 is entered more than once.").arg(*speed);
    return {};
}

void ImportDialog::validate() {
    if (m_task.isRunning())
        return;
    m_request = CorpusImport();
    m_request.kind = m_kind->currentData().toString().toStdString();
    m_request.from = toPath(m_from->text().trimmed());
    m_request.out = toPath(m_out->text().trimmed());
    m_request.language = m_language->text().trimmed().toStdString();
    m_request.copy = m_copy->isChecked();
    m_request.lowercase = m_lowercase->isChecked();
    QString why;
    const auto refuse = [&](FormRow* row, const QString& mistake) {
        row->setMistake(mistake);
        if (why.isEmpty())
            why = mistake;
    };
    for (FormRow* row : {m_fromRow, m_outRow, m_splitRow, m_piecesRow, m_speedRow, m_mapRow})
        row->setMistake({});
    std::error_code ignored;
    if (m_request.from.empty())
        why = tr("Choose the folder of the corpus.");
    else if (m_request.from.is_relative())
        refuse(m_fromRow, tr("%1 is not a full path. Choose a folder, or begin with /.").arg(toQString(m_request.from)));
    else if (!fs::is_directory(m_request.from, ignored))
        refuse(m_fromRow, tr("%1 is not a folder.").arg(toQString(m_request.from)));
    if (m_request.out.empty()) {
        if (why.isEmpty())
            why = tr("Choose a new folder for the corpus.");
    } else if (m_request.out.is_relative()) { // of which folder, nobody knows
        refuse(m_outRow, tr("%1 is not a full path. Choose a folder, or begin with /.").arg(toQString(m_request.out)));
    } else if (isTaken(m_request.out)) {
        refuse(m_outRow, tr("%1 is not empty.").arg(toQString(m_request.out)));
    }
    std::string name;
    QString value;
    static const QRegularExpression blanks(QStringLiteral("\\s+"));
    for (const QString& word : m_splits->text().split(blanks, Qt::SkipEmptyParts)) {
        if (!cutAtEquals(word, name, value)) {
            refuse(m_splitRow, tr("“%1” is not NAME=A,B.").arg(word));
            continue;
        }
        std::vector<std::string> sources;
        for (const QString& source : value.split(QLatin1Char(','), Qt::SkipEmptyParts))
            sources.push_back(source.toStdString());
        m_request.splits.emplace_back(name, std::move(sources));
    }
    for (const auto& [split, box] : {std::pair("dev", m_dev), std::pair("test", m_test)})
        if (box->value() > 0)
            m_request.heldOut.push_back({split, box->value()});
    if (const QString wrong = readPieces(); !wrong.isEmpty())
        refuse(m_piecesRow, wrong);
    if (const QString wrong = readSpeeds(); !wrong.isEmpty())
        refuse(m_speedRow, wrong);
    if (const QString map = m_map->text().trimmed(); !map.isEmpty()) {
        if (cutAtEquals(map, name, value))
            m_request.maps.emplace_back(name, value.toStdString());
        else
            refuse(m_mapRow, tr("“%1” is not OLD=NEW.").arg(map));
    }
    markMistake(m_sentence, false);
    m_sentence->setText(!why.isEmpty() ? why
                        : m_request.copy ? tr("The recordings are copied into the new corpus.")
                                         : tr("Nothing is copied: the new corpus refers to the recordings where they are."));
    setAvailable(m_start, why);
    setAvailable(m_copyCommand, why);
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
    m_task.start(processArguments(arguments()));
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
    m_sentence->setText(line);
}

void ImportDialog::removeUnfinished() const {
    std::error_code ignored;
    const std::string name = m_request.out.filename().string();
    for (const char* ending : {".making", ".unpacked"})
        fs::remove_all(m_request.out.parent_path() / ("." + name + ending), ignored);
}

void ImportDialog::finish(const WorkerTask::End& end) {
    m_progress->hide();
    if (end.done) {
        Q_EMIT imported(m_request.out);
        return accept();
    }
    removeUnfinished();
    setFieldsEnabled(true);
    validate();
    if (end.cancelled)
        m_sentence->setText(tr("Cancelled. Nothing was written."));
    else
        m_sentence->setText(end.sentence.isEmpty() ? tr("The worker stopped while importing. Nothing was written.") : end.sentence);
    markMistake(m_sentence, !end.cancelled);
}

void ImportDialog::reject() {
    if (m_task.isRunning())
        return m_task.cancel();
    QDialog::reject();
}

} // namespace headroom::app
