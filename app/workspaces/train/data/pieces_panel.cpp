// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/data/pieces_panel.h"

#include "app/documents/items/paths.h"
#include "app/jobs/worker_command.h"
#include "app/parts/availability.h"
#include "app/parts/number_text.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/train/data/changed_text.h"
#include "core/text/tokenizer.h"
#include "widgets/look/icons.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"

#include <nlohmann/json.hpp>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

using nlohmann::json;
using widgets::Sizes;

namespace {

constexpr std::int64_t kFewSentences = 50000; ///< other sizes are learnt in seconds

QString textIn(const json& value) {
    return value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString();
}

QLabel* wrapped(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setProperty("caption", true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

/// A piece is shown with the mark of a space that begins it.
QString pieceRow(const QStringList& pieces) {
    return pieces.join(QStringLiteral(" · "));
}

} // namespace

PiecesPanel::PiecesPanel(QWidget* parent) : QWidget(parent), m_header(new PanelHeader(tr("Pieces"), this)) {
    setObjectName(QStringLiteral("pieces"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget(area);
    auto* rows = new QVBoxLayout(content);
    const int unit = qRound(Sizes::unit());
    rows->setContentsMargins(unit * 3 / 2, unit, unit * 3 / 2, unit);
    rows->setSpacing(unit);
    rows->addWidget(makeOptions());
    auto* buttons = new QHBoxLayout;
    m_train = new QPushButton(tr("Train pieces"), content);
    m_train->setProperty("primary", true);
    m_train->setToolTip(tr(
        "Learn the pieces and replace the SentencePiece model of the corpus. Trained models keep theirs."));
    m_try = new QPushButton(tr("Try"), content);
    m_try->setToolTip(tr("Learn the pieces and show what they do. Nothing is written."));
    m_cancel = new QPushButton(tr("Cancel"), content);
    for (QPushButton* button : {m_train, m_try, m_cancel})
        buttons->addWidget(button);
    buttons->addStretch(1);
    rows->addLayout(buttons);
    m_state = wrapped(content);
    rows->addWidget(m_state);
    const auto heading = [&](const QString& text) {
        auto* label = new QLabel(text, content);
        widgets::withTextSize(label, [label] { label->setFont(Sizes::heading()); });
        rows->addWidget(label);
        return label;
    };
    auto* example = heading(tr("An example, split into pieces"));
    m_example = new QLineEdit(content);
    m_example->setToolTip(tr("A text to split into the pieces of the corpus."));
    example->setBuddy(m_example);
    m_pieces = wrapped(content);
    rows->addWidget(m_example);
    rows->addWidget(m_pieces);
    heading(tr("Text, before and after"));
    m_changed = wrapped(content);
    m_changed->setTextFormat(Qt::RichText);
    rows->addWidget(m_changed);
    heading(tr("Held-out texts"));
    m_held = wrapped(content);
    m_sizes = wrapped(content);
    rows->addWidget(m_held);
    rows->addWidget(m_sizes);
    rows->addStretch(1);
    area->setWidget(content);
    layout->addWidget(area, 1);

    connect(m_train, &QPushButton::clicked, this, [this] { start(false); });
    connect(m_try, &QPushButton::clicked, this, [this] { start(true); });
    connect(m_cancel, &QPushButton::clicked, &m_task, &WorkerTask::cancel);
    connect(m_example, &QLineEdit::textEdited, this, &PiecesPanel::takeApart);
    connect(&m_task, &WorkerTask::ended, this, &PiecesPanel::finish);
    setCorpus(nullptr);
}

PiecesPanel::~PiecesPanel() = default;

QWidget* PiecesPanel::makeOptions() {
    auto* options = new QWidget(this);
    auto* grid = new QGridLayout(options);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(qRound(Sizes::unit()));
    grid->setVerticalSpacing(qRound(Sizes::unit() / 2));
    grid->setColumnStretch(1, 1);
    const auto add = [&](const QString& word, QWidget* field, const QString& toolTip) {
        auto* label = new QLabel(word, options);
        label->setProperty("secondary", true);
        label->setBuddy(field);
        field->setAccessibleName(word);
        field->setToolTip(toolTip);
        const int row = grid->rowCount();
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row, 1);
    };
    m_model = new QComboBox(options);
    for (const QString& name : {tr("Unigram"), tr("BPE"), tr("Characters")}) // as pieceModels()
        m_model->addItem(name);
    m_size = new QSpinBox(options);
    m_size->setRange(5, 100000);
    m_size->setGroupSeparatorShown(true);
    m_joint = new QCheckBox(tr("Source and target"), options);
    m_coverage = new QDoubleSpinBox(options);
    m_coverage->setRange(0.9, 1);
    m_coverage->setDecimals(4);
    m_coverage->setSingleStep(0.0005);
    m_coverage->setValue(1);
    m_normalise = new QComboBox(options);
    for (const QString& name :
         {tr("NFKC of fairseq, case kept"), tr("NFKC of fairseq, lower case"), tr("NFKC, case kept"),
          tr("NFKC, lower case"), tr("Nothing")}) // as pieceNormalisations()
        m_normalise->addItem(name);
    for (QComboBox* field : {m_model, m_normalise}) {
        field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        field->setMinimumContentsLength(12);
    }
    add(tr("Model"), m_model,
        tr("fairseq uses unigram for speech and BPE for IWSLT14. Characters: one piece per character."));
    add(tr("Pieces"), m_size, tr("Maximum number of pieces; fewer if the texts do not contain enough."));
    add(tr("Languages"), m_joint, tr("One vocabulary for the texts of both languages. If unchecked, parallel text has one for each."));
    add(tr("Coverage"), m_coverage,
        tr("Share of the characters in the texts that get a piece. The rest is unknown."));
    add(tr("Normalise"), m_normalise, tr("How SentencePiece normalises every text before splitting it."));
    return options;
}

void PiecesPanel::setCorpus(std::shared_ptr<const ReadCorpus> read) {
    m_read = std::move(read);
    if (!isOfCorpus())
        m_task.cancel();
    m_tokenizer.reset();
    for (QLabel* label : {m_state, m_pieces, m_held, m_sizes, m_changed})
        label->clear();
    m_example->clear();
    m_header->setDetail({});
    if (m_read) {
        const std::string& task = m_read->summary.task;
        m_header->setDetail(
            tr("SentencePiece, %1, %2")
                .arg(toQString(m_read->folder.filename()), QString::fromStdString(task)));
        const CorpusTask* known = m_read->corpus->document().task(task);
        const bool translates = known && known->isTranslation();
        const bool isText = known && known->isText;
        m_size->setValue(isText ? 10000 : translates ? 8000 : 5000); // fairseq's
        m_joint->setChecked(isText);
        setAvailable(m_joint, translates || isText ? QString() : tr("This task has one language."));
        try {
            m_tokenizer = std::make_unique<Tokenizer>(m_read->folder / corpusTokenizerName(task));
            m_state->setText(
                tr("The corpus has %1 pieces for this task.").arg(thousands(m_tokenizer->size())));
        } catch (const Error&) {
            m_state->setText(tr("The corpus has no pieces for this task yet."));
        }
    }
    if (m_task.isRunning() && isOfCorpus())
        m_state->setText(tr("Learning pieces…"));
    showAvailable();
}

PiecesOptions PiecesPanel::options() const {
    PiecesOptions options;
    if (m_read) {
        options.data = m_read->folder;
        options.task = m_read->summary.task;
    }
    options.model = pieceModels()[static_cast<std::size_t>(std::max(m_model->currentIndex(), 0))];
    options.size = m_size->value();
    options.coverage = m_coverage->value();
    options.normalisation =
        pieceNormalisations()[static_cast<std::size_t>(std::max(m_normalise->currentIndex(), 0))];
    const bool joint = m_joint->isEnabled() && m_joint->isChecked();
    const CorpusTask* task = m_read ? m_read->corpus->document().task(options.task) : nullptr;
    const bool isText = task && task->isText; // whose sources have pieces in any case
    options.joint = joint && !isText;
    options.separate = !joint && isText;
    options.text = m_example->text().toStdString();
    if (m_read && m_read->summary.utterances() < kFewSentences && options.model != "char")
        for (const int size : {options.size / 4, options.size / 2, options.size * 2})
            options.sizes.push_back(std::clamp(size, m_size->minimum(), m_size->maximum()));
    return options;
}

void PiecesPanel::start(bool trial) {
    PiecesOptions wanted = options();
    wanted.trial = trial;
    m_state->setText(tr("Learning pieces…"));
    m_learns = wanted;
    m_task.start(processArguments(arguments(wanted)) << QStringLiteral("--json"));
    showAvailable();
}

/// What is being learnt is for the corpus and the task that are shown.
bool PiecesPanel::isOfCorpus() const {
    return m_read && m_learns.data == m_read->folder && m_learns.task == m_read->summary.task;
}

void PiecesPanel::finish(const WorkerTask::End& end) {
    if (!isOfCorpus()) { // its report is of another corpus
        const QString what = tr("%1, %2").arg(toQString(m_learns.data.filename()), QString::fromStdString(m_learns.task));
        Q_EMIT failed(end.done ? tr("The pieces of %1 were learnt after another corpus was chosen. Learn them again to see them.").arg(what)
                               : tr("Learning the pieces of %1 was cancelled, because another corpus was chosen. Nothing was written.").arg(what));
        showAvailable();
        Q_EMIT finished();
        return;
    }
    const json report = json::parse(end.output.begin(), end.output.end(), nullptr, false);
    if (end.done && report.is_object())
        return show(report);
    const QString sentence = end.cancelled ? QString()
                             : end.sentence.isEmpty()
                                 ? tr("The worker stopped while learning the pieces. Nothing was written.")
                                 : end.sentence;
    m_state->setText(sentence.isEmpty() ? tr("Cancelled. Nothing was written.") : sentence);
    for (QLabel* label : {m_pieces, m_held, m_sizes, m_changed}) // of other pieces than these
        label->clear();
    takeApart();
    showAvailable();
    if (!sentence.isEmpty())
        Q_EMIT failed(sentence);
    Q_EMIT finished();
}

void PiecesPanel::showAvailable() {
    const bool runs = m_task.isRunning();
    const QString why = runs      ? tr("Pieces are being learnt.")
                        : !m_read ? tr("Choose a corpus first.")
                        : m_read->corpus->kind() != Corpus::Kind::Tables
                            ? tr("Only a corpus with corpus.json keeps pieces.")
                            : QString();
    setAvailable(m_train, why);
    setAvailable(m_try, why);
    m_cancel->setVisible(runs);
    setAvailable(m_example, m_tokenizer ? QString() : tr("The corpus has no pieces for this task yet."));
}

void PiecesPanel::takeApart() {
    if (!m_tokenizer || m_example->text().isEmpty())
        return m_pieces->clear();
    QStringList pieces;
    for (const int id : m_tokenizer->encode(m_example->text().toStdString()))
        pieces << QString::fromStdString(m_tokenizer->piece(id));
    m_pieces->setText(pieceRow(pieces));
}

void PiecesPanel::show(const json& report) {
    try {
        const bool written = report.at("written").is_string();
        const auto made = report.at("size").get<std::int64_t>(), asked = report.at("settings").at("size").get<std::int64_t>();
        m_state->setText((written ? tr("%1 pieces in %2 s, in the corpus now.")
                                  : tr("%1 pieces in %2 s. Nothing was written."))
                             .arg(thousands(made), widgets::numberText(report.at("seconds").get<double>(), 1)));
        if (made < asked)
            m_state->setText(m_state->text() + u' ' + tr("The texts have no more than %1 pieces.").arg(thousands(made)));
        if (written)
            m_tokenizer =
                std::make_unique<Tokenizer>(std::filesystem::path(report.at("written").get<std::string>()));
        const json& example = report.at("example");
        QStringList pieces;
        for (const json& piece : example.at("pieces"))
            pieces << textIn(piece);
        QString shown = pieceRow(pieces);
        if (example.at("logP").is_number()) {
            shown += u'\n' + tr("ln P %1").arg(widgets::numberText(example["logP"].get<double>(), 1));
            if (example.at("second").is_number())
                shown += tr(", second best %1").arg(widgets::numberText(example["second"].get<double>(), 1));
        }
        m_example->setText(textIn(example.at("text")));
        m_pieces->setText(shown);
        const json& held = report.at("held");
        const auto count = [&](const char* key) { return thousands(held.at(key).get<std::int64_t>()); };
        const auto unused = report.at("unused").get<std::int64_t>();
        m_held->setText(
            tr("%1, %2: %3 pieces per word, %4 unknown of %5, longest sentence %6 pieces. "
               "%7")
                .arg(textIn(report.at("split")), widgets::counted(held.at("sentences").get<std::int64_t>(), tr("1 sentence"), tr("%1 sentences")),
                     held.at("piecesPerWord").is_number()
                         ? widgets::numberText(held["piecesPerWord"].get<double>(), 2)
                         : kUnknown,
                     count("unknown"), count("pieces"), count("longest"),
                     unused == 0   ? tr("Every piece is used in training.")
                     : unused == 1 ? tr("One piece is never used in training.")
                                   : tr("%1 pieces are never used in training.").arg(thousands(unused))));
        QStringList sizes;
        std::int64_t before = made; // sizes that the texts cannot fill give the same pieces
        for (const json& one : report.at("sizes"))
            if (one.at("piecesPerWord").is_number() && one.at("pieces") != made && one.at("pieces") != before) {
                before = one.at("pieces").get<std::int64_t>();
                sizes << tr("%1 at %2 pieces").arg(widgets::numberText(one["piecesPerWord"].get<double>(), 2), thousands(before));
            }
        m_sizes->setText(sizes.isEmpty() ? QString()
                                         : tr("Pieces per word: %1.").arg(sizes.join(QStringLiteral(", "))));
        showChanged(report.at("normalised"));
    } catch (const std::exception& problem) {
        m_state->setText(tr("The worker's report cannot be read: %1").arg(QString::fromUtf8(problem.what())));
    }
    showAvailable();
    Q_EMIT finished();
}

void PiecesPanel::showChanged(const json& report) {
    const auto changes = report.at("changed").get<std::int64_t>();
    QString shown = changes == 0   ? tr("No text is changed.")
                    : changes == 1 ? tr("One text is changed:")
                                   : tr("%1 texts are changed, among them:").arg(thousands(changes));
    for (const json& one : report.at("examples"))
        shown += changedText(textIn(one.at("before")), textIn(one.at("after")));
    m_changed->setText(shown);
}

QString PiecesPanel::state() const {
    return m_state->text();
}
QString PiecesPanel::pieces() const {
    return m_pieces->text();
}
QString PiecesPanel::changed() const {
    return m_changed->text();
}
QString PiecesPanel::heldFacts() const {
    return m_held->text();
}

} // namespace headroom::app
