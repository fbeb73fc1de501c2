// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/study_plot_tab.h"

#include "app/parts/choice_focus.h"
#include "app/parts/least_height_area.h"
#include "app/parts/name_views.h"
#include "app/parts/tab_parts.h"
#include "app/studies/study_layers.h"
#include "app/studies/study_names.h"
#include "app/workspaces/analyse/common/evidence_field.h"
#include "core/studies/notes.h"
#include "widgets/look/sizes.h"
#include "widgets/study_table/study_table_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace headroom::app {

using widgets::Sizes;

namespace {
constexpr int kRowsOfLowTab = 6; ///< a table in a low tab was a single row with a scroll bar of its own
}

StudyPlotTab::StudyPlotTab(StudyEvidence* evidence, StudyKind kind, QWidget* plot, const Layout& layout,
                           QWidget* parent)
    : QWidget(parent)
    , m_evidence(evidence)
    , m_kind(kind)
    , m_which(new NameCombo(this))
    , m_pages(new QStackedWidget(this))
    , m_table(new widgets::StudyTableView)
    , m_caption(new QLabel)
    , m_captionArea(new FewLines(m_caption)) {
    const int unit = qRound(Sizes::unit());
    setObjectName(layout.objectName);
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_which->setProperty("small", true);
    m_which->setAccessibleName(layout.chooserName);
    m_which->setSizeAdjustPolicy(QComboBox::AdjustToContents); // a study may be read after the tab was shown
    m_which->setMinimumWidth(12 * unit); // names of models may be long: the tab is not as wide
    auto* head = new TabHead(this);
    auto* field = new EvidenceField(evidence, kind, EvidenceField::Live::Not, this);
    head->add(field);
    head->add(m_which);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(head);
    m_pages->addWidget(emptyPage(kind, layout.emptySentence));
    auto* page = new QWidget(m_pages);
    auto* pageRows = new QVBoxLayout(page);
    pageRows->setContentsMargins(0, 0, 0, 0);
    pageRows->setSpacing(0);
    pageRows->addWidget(plot, layout.plotShare);
    pageRows->addWidget(m_table, layout.tableShare);
    m_caption->setProperty("caption", true);
    m_caption->setWordWrap(true);
    m_caption->setContentsMargins(unit, unit / 2, unit, unit / 2);
    m_captionArea->setAccessibleName(tr("Caption"));
    pageRows->addWidget(m_captionArea);
    m_pages->addWidget(new LeastHeightArea(page, this));
    rows->addWidget(m_pages, 1);
    passFocusOn(field, plot);
    passFocusOn(m_which, plot);
    connect(m_which, &QComboBox::currentIndexChanged, this, [this] {
        if (m_study && m_which->currentIndex() >= 0)
            showChosen();
    });
    connect(evidence, &StudyEvidence::shownChanged, this, &StudyPlotTab::showStudy);
}

QPushButton* makeOpenFinished(StudyKind kind, QWidget* parent) {
    auto* open = new QPushButton(StudyPlotTab::tr("Open newest"), parent);
    open->setObjectName(QStringLiteral("openFinished"));
    open->setProperty(kFinishedKind, static_cast<int>(kind));
    open->hide();
    return open;
}

void revealLayer(widgets::StudyTableView* table, int layer, const std::string& model) {
    const StudyTable& rows = table->study()->table();
    if (layerOfRow(rows, table->currentRow()) == layer)
        return;
    table->setCurrentRow(-1);
    const int first = rowOfLayer(rows, layer, model);
    int last = first;
    while (first >= 0 && layerOfRow(rows, last + 1) == layer)
        ++last;
    table->reveal(last); // so that the first is not alone at the lower edge
    table->reveal(first);
}

QWidget* StudyPlotTab::emptyPage(StudyKind kind, const QString& sentence) {
    const int unit = qRound(Sizes::unit());
    auto* page = new QWidget(m_pages);
    auto* rows = new QVBoxLayout(page);
    rows->setContentsMargins(unit * 3 / 2, unit, unit * 3 / 2, unit);
    auto* label = new QLabel(sentence, page);
    label->setWordWrap(true);
    label->setProperty("caption", true);
    rows->addWidget(label);
    auto* study = new QPushButton(tr("Study…"), page);
    study->setObjectName(QStringLiteral("newStudy"));
    study->setToolTip(tr("Set up a study of this kind."));
    auto* field = findChild<EvidenceField*>();
    connect(study, &QPushButton::clicked, field, [field, kind] { Q_EMIT field->studyWanted(kind); });
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(unit);
    buttons->addWidget(makeOpenFinished(kind, page));
    buttons->addWidget(study);
    buttons->addStretch(1);
    rows->addLayout(buttons);
    rows->addStretch(1);
    return page;
}

void StudyPlotTab::showStudy() {
    const OpenStudyPtr shown = m_evidence->shown(m_kind);
    m_pages->setCurrentIndex(shown ? 1 : 0);
    m_which->setVisible(shown != nullptr);
    if (!shown || shown == m_study)
        return;
    m_study = shown;
    {
        const QSignalBlocker blocker(m_which);
        m_which->clear();
        fillChooser();
        m_which->setCurrentIndex(std::max(0, m_which->findText(std::exchange(m_keptChosen, QString()))));
    }
    m_shownTable = 0;
    showPlot();
    if (m_which->currentIndex() >= 0)
        showChosen();
}

QString StudyPlotTab::chosen() const {
    return !m_keptChosen.isEmpty() ? m_keptChosen : m_evidence->shown(m_kind) ? m_which->currentText() : QString();
}

QString StudyPlotTab::figureCaption() const {
    if (!m_study)
        return {};
    return (tr("Study %1.").arg(citedStudy(*m_study)) + QLatin1Char(' ') + tableText()).trimmed();
}

const StudyTable* StudyPlotTab::shownTable() const {
    const auto& tables = m_study->document.tables;
    return m_shownTable < tables.size() ? &tables[m_shownTable] : nullptr;
}

QString StudyPlotTab::tableText() const {
    const StudyTable* table = shownTable();
    QString text = table ? QString::fromStdString(table->caption) : QString();
    for (const std::string& note : allNotes(m_study->document))
        if (const QString one = QString::fromStdString(note); !text.contains(one))
            text += QLatin1Char(' ') + one;
    return text.trimmed();
}

void StudyPlotTab::keepChosen(const QString& text) {
    m_keptChosen = text;
}

void StudyPlotTab::showTable(std::size_t index) {
    m_shownTable = index;
    const StudyTable* table = shownTable();
    if (!table)
        return;
    m_table->setTable(*table);
    m_table->setLeastRows(std::clamp(m_table->study()->rowCount(), 1, kRowsOfLowTab)); // a low tab scrolls sooner
    m_captionArea->setText(tableText());
    m_captionArea->ensureVisible(0, 0);
}

void StudyPlotTab::fillChooser() {
    for (const StudyTable& table : m_study->document.tables)
        m_which->addItem(QString::fromStdString(table.title));
}

void StudyPlotTab::showChosen() {
    showTable(static_cast<std::size_t>(m_which->currentIndex()));
}

} // namespace headroom::app
