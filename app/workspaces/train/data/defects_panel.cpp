// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/data/defects_panel.h"

#include "app/parts/number_text.h"
#include "app/parts/panel_header.h"
#include "app/parts/sound/play_delegate.h"
#include "app/workspaces/train/data/data_tables.h"
#include "widgets/look/sizes.h"
#include "widgets/study_table/study_table_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::Sizes;
using widgets::StudyTableView;

namespace {

constexpr int kPlayColumn = 0;

QWidget* column(PanelHeader* header, QWidget* content) {
    auto* panel = new QWidget;
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(header);
    layout->addWidget(content, 1);
    return panel;
}

} // namespace

DefectsPanel::DefectsPanel(QWidget* parent)
    : QWidget(parent)
    , m_defectsHeader(new PanelHeader(tr("Defects")))
    , m_utterancesHeader(new PanelHeader)
    , m_defects(new StudyTableView)
    , m_utterances(new StudyTableView) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* columns = new QSplitter(Qt::Horizontal, this);
    columns->setChildrenCollapsible(false);
    columns->addWidget(column(m_defectsHeader, m_defects));
    m_pages = new QStackedWidget;
    m_pages->addWidget(m_utterances);
    auto* none = new QLabel(tr("No utterance of this corpus has a defect."));
    none->setObjectName(QStringLiteral("noDefects"));
    none->setProperty("caption", true);
    none->setWordWrap(true);
    none->setContentsMargins(qRound(Sizes::unit() * 1.5), qRound(Sizes::unit()), 0, 0);
    none->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_pages->addWidget(none);
    columns->addWidget(column(m_utterancesHeader, m_pages));
    columns->setStretchFactor(0, 4);
    columns->setStretchFactor(1, 5);
    layout->addWidget(columns);
    m_defects->setSelectionMode(QAbstractItemView::SingleSelection);
    m_utterances->setSelectionMode(QAbstractItemView::SingleSelection);
    m_utterances->horizontalHeader()->setStretchLastSection(true);
    m_defects->setAccessibleName(tr("Defects"));
    m_utterances->setAccessibleName(tr("Utterances with the chosen defect"));
    const QString play = tr("Play the chosen utterance, or stop. Space");
    m_utterances->setToolTip(play);
    m_utterances->setItemDelegateForColumn(kPlayColumn, new PlayDelegate(m_utterances, [this](int row) {
                                               const auto audio = audioOf(row);
                                               return audio.empty() ? PlayDelegate::Button::None
                                                      : audio == m_player.current()
                                                          ? PlayDelegate::Button::Stop
                                                          : PlayDelegate::Button::Play;
                                           }));
    auto* space = new QShortcut(Qt::Key_Space, m_utterances);
    space->setContext(Qt::WidgetShortcut);
    connect(space, &QShortcut::activated, this, [this] { toggle(m_utterances->currentRow()); });
    connect(m_utterances, &StudyTableView::cellClicked, this, [this](int row, int column) {
        if (column == kPlayColumn)
            toggle(row);
    });
    connect(m_utterances, &StudyTableView::cellActivated, this, [this](int row, int column) {
        if (column != kPlayColumn) // two clicks on the button are two clicks
            toggle(row);
    });
    connect(m_defects, &StudyTableView::rowChosen, this, &DefectsPanel::showUtterances);
    connect(&m_player, &ClipPlayer::changed, this, [this] { m_utterances->viewport()->update(); });
    connect(&m_player, &ClipPlayer::failed, this, &DefectsPanel::failed);
}

void DefectsPanel::setCorpus(std::shared_ptr<const ReadCorpus> read) {
    m_player.stop();
    m_read = std::move(read);
    m_defects->setTable(defectsTable(m_read->summary));
    std::size_t unusable = 0, others = 0;
    for (const auto& defect : m_read->summary.defects)
        (defect.kind == DefectKind::Unusable ? unusable : others) += defect.utterances.size();
    m_defectsHeader->setDetail(unusable + others == 0 ? tr("none found")
                                                      : tr("%1 unusable, %2 to look at")
                                                            .arg(thousands(std::int64_t(unusable)),
                                                                 thousands(std::int64_t(others))));
    chooseDefect(m_read->summary.defects.empty() ? -1 : 0);
}

void DefectsPanel::chooseDefect(int row) {
    m_defects->setCurrentRow(row);
    showUtterances(row);
}

void DefectsPanel::showUtterances(int defect) {
    m_defect = defect;
    m_pages->setCurrentIndex(defect < 0 && m_read->summary.defects.empty() ? 1 : 0);
    if (defect < 0) {
        m_utterances->setTable({});
        m_utterances->setAccessibleName(tr("Utterances with the chosen defect"));
        m_utterancesHeader->setTitle(tr("Utterances"));
        m_utterancesHeader->setDetail({});
        return;
    }
    const auto& chosen = m_read->summary.defects[static_cast<std::size_t>(defect)];
    m_utterances->setTable(defectiveTable(chosen, *m_read->corpus, m_read->summary.task));
    m_utterances->verticalHeader()->setDefaultSectionSize(Sizes::listRow()); // a button is at least so high
    m_utterances->horizontalHeader()->resizeSection(kPlayColumn, qRound(Sizes::unit() * 4));
    m_utterances->setCurrentRow(0);
    m_utterancesHeader->setTitle(QString::fromStdString(defectTitle(chosen.code)));
    const auto all = std::int64_t(chosen.utterances.size());
    m_utterancesHeader->setDetail(
        chosen.utterances.size() <= kMostShown
            ? thousands(all)
            : tr("the first %1 of %2").arg(thousands(std::int64_t(kMostShown)), thousands(all)));
}

const DefectiveUtterance* DefectsPanel::at(int row) const {
    if (!m_read || m_defect < 0 || row < 0)
        return nullptr;
    const auto& all = m_read->summary.defects[static_cast<std::size_t>(m_defect)].utterances;
    return static_cast<std::size_t>(row) < all.size() ? &all[static_cast<std::size_t>(row)] : nullptr;
}

std::filesystem::path DefectsPanel::audioOf(int row) const {
    const auto* one = at(row);
    if (!one || one->index < 0)
        return {};
    return m_read->corpus->utterances(one->split, m_read->summary.task)[static_cast<std::size_t>(one->index)]
        .audio;
}

void DefectsPanel::toggle(int row) {
    const auto audio = audioOf(row);
    if (audio.empty()) {
        if (at(row))
            Q_EMIT failed(tr("This utterance was left out, so its recording cannot be played here. %1")
                              .arg(QString::fromStdString(at(row)->sentence)));
        return;
    }
    if (audio == m_player.current())
        m_player.stop();
    else
        m_player.play(audio);
}

} // namespace headroom::app
