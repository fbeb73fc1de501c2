// SPDX-License-Identifier: GPL-3.0-or-later
// How the Data view is put together.
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/parts/banner.h"
#include "app/parts/least_height_area.h"
#include "app/parts/number_text.h"
#include "app/parts/panel_header.h"
#include "app/parts/path_question.h"
#include "app/parts/tab_parts.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/train/data/corpus_export.h"
#include "app/workspaces/train/data/corpus_list.h"
#include "app/workspaces/train/data/data_charts.h"
#include "app/workspaces/train/data/data_view.h"
#include "app/workspaces/train/data/defects_panel.h"
#include "app/workspaces/train/data/hold_out.h"
#include "app/workspaces/train/data/import_dialog.h"
#include "app/workspaces/train/data/pieces_panel.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"

#include <QAction>
#include <QComboBox>
#include <QGridLayout>
#include <QKeySequence>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::Sizes;

namespace {
constexpr int kSlowMilliseconds = 250;
}

DataView::DataView(AppSettings* settings, QWidget* parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_add(new QAction(widgets::icon(QStringLiteral("plus")), tr("Add a corpus…"), this))
    , m_import(new QAction(widgets::icon(QStringLiteral("folder")), tr("Import a corpus…"), this))
    , m_remove(new QAction(tr("Remove from the list"), this))
    , m_again(new QAction(widgets::icon(QStringLiteral("refresh")), tr("Read again"), this))
    , m_showPieces(new QAction(widgets::icon(QStringLiteral("text")), tr("Pieces"), this))
    , m_exports(new CorpusExport(this)) {
    askFolder = [ask = pathQuestion(settings, this)](const QString& title) { return ask({AppSettings::FolderOf::Corpora, title}); };
    m_exports->askFolder = [this](const QString& title) { return askFolder(title); };
    connect(m_exports, &CorpusExport::failed, this, &DataView::said);
    connect(m_exports, &CorpusExport::exported, this, &DataView::exported);
    setObjectName(QStringLiteral("data"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    setAcceptDrops(true);
    m_add->setToolTip(tr("Add the folder of a corpus. It is only read."));
    m_import->setToolTip(tr("Import a downloaded corpus: LibriSpeech, MuST-C, Kaldi, Parquet and others. The original is only read."));
    setSearchWords(m_add, tr("open folder dataset data set"));
    setSearchWords(m_import, tr("dataset data set download convert LibriSpeech MuST-C Kaldi Parquet Hugging Face"));
    setSearchWords(m_showPieces, tr("SentencePiece vocabulary BPE unigram tokenizer"));
    m_remove->setToolTip(tr("Take this corpus off the list. Its folder is not touched."));
    m_remove->setIconText(tr("Remove"));
    m_remove->setShortcut(QKeySequence::Delete);
    m_remove->setShortcutContext(Qt::WidgetShortcut);
    m_again->setToolTip(tr("Read the corpus again, for changed files."));
    m_showPieces->setCheckable(true);
    m_showPieces->setToolTip(tr("Pieces: the SentencePiece model of the task. Train it, and see what it makes of the texts."));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* columns = new QSplitter(Qt::Horizontal, this);
    columns->setChildrenCollapsible(false);
    columns->addWidget(new LeastHeightArea(makeLeft()));
    m_pages = new QStackedWidget;
    m_pages->addWidget(makeMessagePage());
    m_pages->addWidget(makeContent());
    columns->addWidget(m_pages);
    m_pieces = new PiecesPanel;
    m_pieces->hide();
    columns->addWidget(m_pieces);
    connect(m_showPieces, &QAction::toggled, this, [this](bool shown) {
        if (shown)
            Q_EMIT wanted();
        m_pieces->setVisible(shown);
    });
    connect(m_pieces, &PiecesPanel::failed, this, &DataView::said);
    columns->setStretchFactor(1, 1);
    columns->setSizes({qRound(Sizes::unit() * 30), qRound(Sizes::unit() * 130), qRound(Sizes::unit() * 38)});
    layout->addWidget(columns);

    connect(m_add, &QAction::triggered, this, [this] {
        Q_EMIT wanted();
        const QString folder = askFolder(tr("Add a corpus"));
        if (!folder.isEmpty())
            open(toPath(folder));
    });
    connect(m_import, &QAction::triggered, this, [this] {
        askImport()->open(); // who cancels stays where they were
    });
    connect(m_remove, &QAction::triggered, this, &DataView::takeOffList);
    connect(m_again, &QAction::triggered, this, &DataView::readAgain);
    connect(m_list, &CorpusList::chosen, this, [this](const std::filesystem::path& folder) { read(folder); });
    m_slow.setSingleShot(true);
    m_slow.setInterval(kSlowMilliseconds);
    connect(&m_slow, &QTimer::timeout, this, &DataView::showReading);
    connect(&m_reader, &CorpusReader::progressed, this, &DataView::showProgress);
    connect(&m_reader, &CorpusReader::finished, this, &DataView::showCorpus);
    connect(&m_reader, &CorpusReader::failed, this, &DataView::showFailure);
    connect(m_charts, &DataCharts::changed, this, &DataView::showFoot);
    connect(m_charts, &DataCharts::recipeChosen, this, &DataView::recipeChosen);
    connect(m_defects, &DefectsPanel::failed, this, &DataView::said);
    connect(m_train, &QPushButton::clicked, this,
            [this] { Q_EMIT trainRequested(m_read->folder, m_charts->limits(), m_read->summary.task); });
    connect(m_tasks, &QComboBox::activated, this,
            [this] { m_reader.summarise(*m_read, m_tasks->currentText().toStdString()); });
    showNothing();
}

QList<QAction*> DataView::listedActions() const {
    return QList<QAction*>{m_add, m_showPieces} + m_exports->menu()->actions();
}

QWidget* DataView::makeLeft() {
    auto* left = new QWidget;
    left->setProperty("panel", true);
    left->setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(left);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* header = new PanelHeader(tr("Corpora"), left);
    header->addButton(m_import);
    header->addButton(m_add);
    layout->addWidget(header);
    m_list = new CorpusList(m_add, m_import, m_remove, left);
    layout->addWidget(m_list, 1);
    auto* source = new PanelHeader(tr("Source"), left);
    source->addButton(m_exports->action())->setPopupMode(QToolButton::InstantPopup);
    source->addButton(m_showPieces);
    source->addButton(m_again);
    layout->addWidget(source);
    layout->addWidget(makeSource());
    auto* foot = new QWidget(left);
    auto* footRows = new QVBoxLayout(foot);
    const int unit = qRound(Sizes::unit());
    footRows->setContentsMargins(unit, unit, unit, unit);
    footRows->setSpacing(unit);
    m_foot = new QLabel(foot);
    m_foot->setWordWrap(true);
    m_foot->setProperty("caption", true);
    m_train = new QPushButton(widgets::iconOnAccent(QStringLiteral("curve")), tr("Train with it…"), foot);
    m_train->setProperty("primary", true);
    m_train->setToolTip(tr("Use this corpus, its task, the recipe and its limits in New run."));
    m_holdOut = makeHoldOutButton(foot);
    connect(m_holdOut, &QPushButton::clicked, this, [this] { askHoldOut(m_folder)->open(); });
    footRows->addWidget(m_foot);
    footRows->addWidget(m_holdOut);
    footRows->addWidget(m_train);
    layout->addWidget(foot);
    return left;
}

QWidget* DataView::makeSource() {
    auto* source = new QWidget;
    const int unit = qRound(Sizes::unit());
    auto* grid = new QGridLayout(source);
    grid->setContentsMargins(unit * 3 / 2, unit, unit * 3 / 2, unit);
    grid->setHorizontalSpacing(unit);
    grid->setVerticalSpacing(unit / 2);
    grid->setColumnStretch(1, 1);
    const auto add = [&](const QString& word, QWidget* value) {
        auto* label = new QLabel(word, source);
        label->setProperty("secondary", true);
        const int row = grid->rowCount();
        grid->addWidget(label, row, 0);
        grid->addWidget(value, row, 1);
        label->setBuddy(value);
        return label;
    };
    const auto text = [&](const char* key) {
        auto* label = new QLabel(kUnknown, source);
        label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long path is elided
        m_source[QLatin1String(key)] = label;
        return label;
    };
    const auto words = [&](const char* key) {
        QLabel* label = text(key);
        label->setWordWrap(true);
        return label;
    };
    add(tr("Folder"), text("place"));
    add(tr("Kind"), words("kind"));
    m_originWord = add(tr("Imported from"), text("origin"));
    m_tasks = new QComboBox(source);
    m_tasks->setProperty("small", true);
    m_tasks->setAccessibleName(tr("Task"));
    m_tasks->setToolTip(tr("The task whose texts are shown: recognition or a translation."));
    add(tr("Task"), m_tasks);
    add(tr("Languages"), words("languages"));
    add(tr("Read"), words("read"));
    return source;
}

QWidget* DataView::makeMessagePage() {
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    const int unit = qRound(Sizes::unit());
    m_message = emptyPage(page);
    m_progress = new QProgressBar(page);
    m_progress->setFixedWidth(unit * 40);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Utterances read"));
    m_cancel = new QPushButton(tr("Cancel"), page);
    m_retry = new QPushButton(widgets::icon(QStringLiteral("refresh")), tr("Read again"), page);
    m_importThis = new QPushButton(widgets::icon(QStringLiteral("folder")), tr("Import…"), page);
    connect(m_importThis, &QPushButton::clicked, this, [this] { askImport(m_folder)->open(); });
    connect(m_cancel, &QPushButton::clicked, this, &DataView::cancel);
    connect(m_retry, &QPushButton::clicked, this, &DataView::readAgain);
    layout->addStretch(1);
    layout->addWidget(m_message);
    for (QWidget* part :
         {static_cast<QWidget*>(m_progress), static_cast<QWidget*>(m_cancel), static_cast<QWidget*>(m_importThis),
          static_cast<QWidget*>(m_retry)})
        layout->addWidget(part, 0, Qt::AlignHCenter);
    layout->addStretch(2);
    return page;
}

QWidget* DataView::makeContent() {
    m_charts = new DataCharts;
    m_defects = new DefectsPanel;
    auto* rows = new QSplitter(Qt::Vertical);
    rows->setChildrenCollapsible(false);
    rows->addWidget(m_charts);
    rows->addWidget(m_defects);
    rows->setStretchFactor(0, 7);
    rows->setStretchFactor(1, 4);
    m_defects->setMinimumHeight(qRound(Sizes::unit() * 16));
    auto* area = new QScrollArea; // a low window scrolls
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(rows);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_banner = new Banner(content);
    m_banner->hide();
    layout->addWidget(m_banner);
    layout->addWidget(area, 1);
    return content;
}

} // namespace headroom::app
