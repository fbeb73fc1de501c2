// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/evaluate/error_browser.h"

#include "app/documents/items/paths.h"
#include "app/jobs/in_background.h"
#include "app/parts/access_keys.h"
#include "app/parts/availability.h"
#include "app/parts/banner.h"
#include "app/parts/number_text.h"
#include "app/parts/sound/play_delegate.h"
#include "app/parts/word_marks.h"
#include "widgets/look/icons.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/run_monitor/run_words.h"
#include "widgets/study_table/study_table_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::Sizes;
using widgets::StudyTableView;

namespace {

constexpr int kErrorPlayColumn = 0;

QString markedWord(const AlignedWords& word) {
    const auto escaped = [](const std::optional<std::string>& text) {
        return QString::fromStdString(text.value_or(std::string())).toHtmlEscaped();
    };
    if (word.isHit())
        return escaped(word.reference);
    QStringList marks;
    if (word.reference)
        marks << missingWordMark(escaped(word.reference));
    if (word.hypothesis)
        marks << addedWordMark(escaped(word.hypothesis));
    return marks.join(QLatin1Char(' '));
}

QString markedWords(const std::vector<AlignedWords>& words) {
    QStringList marked;
    for (const AlignedWords& word : words)
        marked << markedWord(word);
    return marked.join(QLatin1Char(' '));
}

QString listenLink() {
    return QStringLiteral("listen");
}
QString analyseLink() {
    return QStringLiteral("analyse");
}

} // namespace

ErrorBrowser::ErrorBrowser(const std::filesystem::path& evaluation, QWidget* parent)
    : QDialog(parent)
    , m_summary(new QLabel(tr("Reading…"), this))
    , m_problem(new Banner(this))
    , m_comparison(new QLabel(this))
    , m_hypotheses(new QLabel)
    , m_list(new QScrollArea(this))
    , m_groups(new QTabWidget(this))
    , m_confusions(new StudyTableView(this))
    , m_speakers(new StudyTableView(this))
    , m_lengths(new StudyTableView(this))
    , m_utterances(new StudyTableView(this))
    , m_all(new QPushButton(tr("All utterances"), this))
    , m_open(new QPushButton(widgets::iconOnAccent(QStringLiteral("matrix")), tr("Open in Analyse"), this)) {
    setWindowTitle(tr("Errors of %1").arg(toQString(evaluation.filename())));
    setObjectName(QStringLiteral("errors"));
    const int unit = qRound(Sizes::unit());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * unit, 2 * unit, 2 * unit, 2 * unit);
    layout->setSpacing(unit);
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    layout->addWidget(m_summary);
    layout->addWidget(m_problem);
    auto* columns = new QSplitter(Qt::Horizontal, this);
    columns->setChildrenCollapsible(false);
    m_groups->setDocumentMode(true);
    m_groups->setAccessibleName(tr("Errors by confusion, speaker and length"));
    m_groups->addTab(m_confusions, tr("Confusions"));
    m_groups->addTab(m_speakers, tr("Speakers"));
    m_groups->addTab(m_lengths, tr("Lengths"));
    columns->addWidget(m_groups);
    columns->addWidget(m_utterances);
    columns->setSizes({unit * 50, unit * 76}); // names of speakers and their numbers are whole
    m_utterances->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // both texts share what is left
    layout->addWidget(columns, 1);
    m_comparison->setWordWrap(true);
    m_comparison->setTextFormat(Qt::RichText);
    m_comparison->setMinimumHeight(Sizes::tableRow() * 3);
    m_comparison->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_comparison->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_comparison->setAccessibleName(tr("Reference and hypothesis"));
    layout->addWidget(m_comparison);
    m_hypotheses->setObjectName(QStringLiteral("hypotheses"));
    m_hypotheses->setWordWrap(true);
    m_hypotheses->setTextFormat(Qt::RichText);
    m_hypotheses->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_hypotheses->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_hypotheses->setAccessibleName(tr("Hypotheses, best first"));
    connect(m_hypotheses, &QLabel::linkActivated, this, &ErrorBrowser::followLink);
    m_list->setWidget(m_hypotheses);
    m_list->setWidgetResizable(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFixedHeight(Sizes::tableRow() * 5);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusProxy(m_hypotheses);
    m_list->hide();
    layout->addWidget(m_list);
    m_confusions->setAccessibleName(tr("Confusions by frequency"));
    m_utterances->setAccessibleName(tr("Utterances, most errors first"));
    m_confusions->setToolTip(tr("Choose a confusion to see its utterances."));
    m_speakers->setAccessibleName(tr("Speakers, most errors first"));
    m_speakers->setToolTip(tr("Choose a speaker to see only their utterances."));
    m_lengths->setAccessibleName(tr("Lengths, shortest first"));
    m_lengths->setToolTip(tr("Choose a length to see only the utterances with that many words."));
    m_utterances->setToolTip(tr("Play the chosen utterance, or stop. Space. Enter opens it in Analyse."));
    m_utterances->setTextElideMode(Qt::ElideRight); // sentences
    for (StudyTableView* table : {m_confusions, m_speakers, m_lengths, m_utterances}) {
        table->setSelectionMode(QAbstractItemView::SingleSelection);
        // Of the utterances, the last two columns stretch: Qt would give the last one more than there is left.
        table->horizontalHeader()->setStretchLastSection(table != m_utterances);
    }
    auto* foot = new QHBoxLayout;
    auto* close = new QPushButton(tr("Close"), this);
    m_all->setToolTip(tr("Show all utterances again."));
    m_all->setAutoDefault(false);
    m_open->setProperty("primary", true);
    m_open->setAutoDefault(false);
    close->setAutoDefault(false);
    foot->addWidget(m_all);
    foot->addStretch(1);
    foot->addWidget(m_open);
    foot->addWidget(close);
    layout->addLayout(foot);
    resize(unit * 130, unit * 82);
    m_utterances->setItemDelegateForColumn(
        kErrorPlayColumn, new PlayDelegate(m_utterances, [this](int row) {
            const EvaluatedUtterance* one = at(row);
            return !one || one->audio.empty()          ? PlayDelegate::Button::None
                   : one->audio == m_player.current() ? PlayDelegate::Button::Stop
                                                      : PlayDelegate::Button::Play;
        }));
    auto* space = new QShortcut(Qt::Key_Space, m_utterances);
    space->setContext(Qt::WidgetShortcut);
    connect(space, &QShortcut::activated, this, [this] { toggle(m_utterances->currentRow()); });
    connect(m_utterances, &StudyTableView::cellClicked, this, [this](int row, int column) {
        if (column == kErrorPlayColumn)
            toggle(row);
    });
    connect(m_utterances, &StudyTableView::cellActivated, this, [this](int, int column) {
        if (column != kErrorPlayColumn)
            m_open->click();
    });
    connect(m_utterances, &StudyTableView::rowChosen, this, &ErrorBrowser::showComparison);
    for (StudyTableView* table : {m_confusions, m_speakers, m_lengths})
        connect(table, &StudyTableView::rowChosen, this, [this, table](int row) {
            if (table == m_groups->currentWidget())
                chooseGroup(row);
        });
    const auto showAll = [this] {
        for (StudyTableView* table : {m_confusions, m_speakers, m_lengths})
            table->clearSelection();
        chooseGroup(-1);
    };
    connect(m_groups, &QTabWidget::currentChanged, this, showAll);
    connect(m_all, &QPushButton::clicked, this, showAll);
    connect(m_open, &QPushButton::clicked, this, [this] {
        const EvaluatedUtterance* one = at(m_utterances->currentRow());
        if (!one || !whyNotOpened(*one).isEmpty())
            return;
        CorpusUtterance utterance{{}, QString::fromStdString(one->id), one->texts, {}};
        if (!m_errors.isText()) { // whatever else the corpus has of a sentence, the model reads the text
            utterance.audio = one->audio;
            utterance.alignment = one->alignment;
        }
        Q_EMIT openRequested(m_errors.info.request.model, utterance);
    });
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(&m_player, &ClipPlayer::changed, this, [this] {
        m_utterances->viewport()->update();
        if (m_player.isPlaying())
            m_problem->hide();
    });
    connect(&m_player, &ClipPlayer::failed, this, [this](const QString& sentence) { m_problem->say(Banner::Kind::Error, sentence); });
    setAvailable(m_open, tr("Reading the errors…"));
    buildInBackground(
        this, [evaluation] { return readErrors(evaluation); },
        [this](Built<EvaluationErrors>& built) {
            m_pending = false;
            if (built.mistake.isEmpty())
                return take(std::move(built.value));
            m_summary->setText(built.mistake);
            setAvailable(m_open, built.mistake);
        });
}

ErrorBrowser::~ErrorBrowser() = default;

void ErrorBrowser::take(EvaluationErrors errors) {
    m_errors = std::move(errors);
    const auto count = static_cast<std::int64_t>(m_errors.utterances.size());
    const QString mapped = widgets::mappedWerText(m_errors.info.mappedWer);
    QString text = tr("%1: WER %2\u202f%, BLEU %3. %7Words, counted as in WER (lower case, without tokens of punctuation alone): %4 substituted, "
                      "%5 deleted, %6 inserted.")
                       .arg(m_errors.isText() ? (count == 1 ? tr("1 sentence") : tr("%1 sentences").arg(thousands(count)))
                                              : (count == 1 ? tr("1 utterance") : tr("%1 utterances").arg(thousands(count))),
                            widgets::scoreText(m_errors.info.wer),
                            widgets::scoreText(m_errors.info.bleu), thousands(m_errors.substitutions), thousands(m_errors.deletions),
                            thousands(m_errors.insertions),
                            mapped.isEmpty() ? QString() : tr("%1; the errors here are those before the rules. ").arg(mapped));
    if (isOfCheckpoint()) {
        text += QLatin1Char(' ') + tr("The %1 checkpoint wrote these texts. Analyse opens the exported model, which may write others.")
                                       .arg(QString::fromStdString(m_errors.info.request.checkpoint));
        setTextWithKey(m_open, openText());
        m_utterances->setToolTip(tr("Play the chosen utterance, or stop. Space. Enter opens it with the exported model in Analyse."));
    }
    if (m_errors.isText()) {
        setTextWithKey(m_all, tr("All sentences"));
        m_all->setToolTip(tr("Show all sentences again."));
        m_confusions->setToolTip(tr("Choose a confusion to see its sentences."));
        m_speakers->setToolTip(tr("Choose a speaker to see only their sentences."));
        m_lengths->setToolTip(tr("Choose a length to see only the sentences with that many words."));
        m_utterances->setToolTip(tr("Enter opens the chosen sentence in Analyse.")); // nothing can be played
        m_utterances->setAccessibleName(tr("Sentences, most errors first"));
    }
    for (const std::string& note : m_errors.notes)
        text += QLatin1Char(' ') + QString::fromStdString(note);
    if (!m_errors.corpusMistake.empty())
        text += QLatin1Char(' ') + (m_errors.isText() ? tr("No sentence can be opened: %1") : tr("Nothing can be played: %1"))
                                       .arg(QString::fromStdString(m_errors.corpusMistake));
    m_summary->setText(text);
    m_confusions->setTable(confusionTable(m_errors));
    m_speakers->setTable(groupTable(m_errors, m_errors.speakers, tr("Speaker")));
    m_lengths->setTable(groupTable(m_errors, m_errors.lengths, tr("Length")));
    if (m_errors.speakers.empty()) {
        m_groups->setTabEnabled(1, false);
        m_groups->setTabToolTip(1, tr("The corpus does not name its speakers."));
    }
    m_utterances->setFocus(); // a table that gets the focus chooses its first row
    showUtterances();
}

void ErrorBrowser::chooseGroup(int row) {
    m_group = row;
    showUtterances();
}

const std::vector<int>* ErrorBrowser::chosen() const {
    const auto in = [this](const auto& groups) -> const std::vector<int>* {
        return m_group >= 0 && static_cast<std::size_t>(m_group) < groups.size()
                   ? &groups[static_cast<std::size_t>(m_group)].utterances
                   : nullptr;
    };
    return m_groups->currentWidget() == m_speakers  ? in(m_errors.speakers)
           : m_groups->currentWidget() == m_lengths ? in(m_errors.lengths)
                                                    : in(m_errors.confusions);
}

void ErrorBrowser::showUtterances() {
    const std::vector<int>* only = chosen();
    m_utterances->setTable(utteranceTable(m_errors, only, m_shown));
    m_utterances->verticalHeader()->setDefaultSectionSize(Sizes::listRow()); // a button is at least so high
    QHeaderView* header = m_utterances->horizontalHeader();
    header->resizeSection(kErrorPlayColumn, qRound(Sizes::unit() * 4));
    for (int column = header->count() - 2; column >= 0 && column < header->count(); ++column) // both texts share what is left
        header->setSectionResizeMode(column, QHeaderView::Stretch);
    m_utterances->setCurrentRow(m_shown.empty() ? -1 : 0);
    m_all->setEnabled(only != nullptr);
    setAvailable(m_all, only ? QString() : m_errors.isText() ? tr("All sentences are shown.") : tr("All utterances are shown."));
    showComparison();
}

const EvaluatedUtterance* ErrorBrowser::at(int row) const {
    return row >= 0 && static_cast<std::size_t>(row) < m_shown.size()
               ? &m_errors.utterances[static_cast<std::size_t>(m_shown[static_cast<std::size_t>(row)])]
               : nullptr;
}

QString ErrorBrowser::comparison() const {
    return m_comparison->text();
}

void ErrorBrowser::showComparison() {
    const EvaluatedUtterance* one = at(m_utterances->currentRow());
    m_comparison->setText(one ? markedWords(one->words) : QString());
    showHypotheses(one);
    setAvailable(m_open, one ? whyNotOpened(*one) : m_errors.isText() ? tr("Choose a sentence.") : tr("Choose an utterance."));
}

bool ErrorBrowser::isOfCheckpoint() const {
    return m_errors.info.request.checkpoint != EvaluationRequest().checkpoint;
}

QString ErrorBrowser::openText() const {
    return isOfCheckpoint() ? tr("Open the exported model in Analyse") : tr("Open in Analyse");
}

/// What the model read is known by the corpus alone.
QString ErrorBrowser::whyNotOpened(const EvaluatedUtterance& one) const {
    if (m_errors.isText())
        return one.texts.transcript.isEmpty() ? tr("The corpus has no source text of this sentence.") : QString();
    return one.audio.empty() ? tr("The corpus has no recording of this utterance.") : QString();
}

void ErrorBrowser::showHypotheses(const EvaluatedUtterance* one) {
    QString rows;
    if (one)
        for (const EvaluatedHypothesis& each : one->hypotheses)
            rows += QStringLiteral("<tr><td align=\"right\">%1&nbsp;</td><td>%2</td></tr>")
                        .arg(widgets::numberText(each.score, 3), markedWords(each.words));
    if (rows.isEmpty()) {
        m_list->hide();
        m_hypotheses->clear();
        return;
    }
    QString head = one->hypotheses.size() == 1 ? tr("1 hypothesis, with its score")
                                               : tr("%1 hypotheses, best first, with their scores").arg(one->hypotheses.size());
    const QString link = QStringLiteral(" · <a href=\"%1\">%2</a>");
    if (!one->audio.empty() && !m_errors.isText())
        head += link.arg(listenLink(), tr("Listen"));
    if (whyNotOpened(*one).isEmpty())
        head += link.arg(analyseLink(), openText()); // that of the button has an access key
    m_hypotheses->setText(head + QStringLiteral("<table cellspacing=\"2\">") + rows + QStringLiteral("</table>"));
    m_list->show();
}

void ErrorBrowser::followLink(const QString& link) {
    if (link == listenLink())
        toggle(m_utterances->currentRow());
    else if (link == analyseLink())
        m_open->click();
}

void ErrorBrowser::toggle(int row) {
    const EvaluatedUtterance* one = at(row);
    if (!one || one->audio.empty())
        return;
    if (one->audio == m_player.current())
        m_player.stop();
    else
        m_player.play(one->audio);
}

} // namespace headroom::app
