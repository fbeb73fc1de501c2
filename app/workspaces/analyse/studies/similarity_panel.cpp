// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/similarity_panel.h"

#include "app/workspaces/analyse/common/evidence_field.h"
#include "widgets/look/sizes.h"
#include "widgets/study_plots/layer_map.h"
#include "widgets/study_table/study_table_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVariant>

#include <string>

namespace headroom::app {

using widgets::Sizes;

namespace {

constexpr const char* kSimilarityArrays[] = {"cka", "pwcca"};
constexpr const char* kSimilarityNames[] = {"CKA", "PWCCA"};

} // namespace

SimilarityPanel::SimilarityPanel(StudyEvidence* evidence, QWidget* parent)
    : QWidget(parent)
    , m_evidence(evidence)
    , m_which(new QComboBox(this))
    , m_pages(new QStackedWidget(this))
    , m_map(new widgets::LayerMap)
    , m_table(new widgets::StudyTableView)
    , m_caption(new QLabel) {
    const int unit = qRound(Sizes::unit());
    setObjectName(QStringLiteral("similarityTab"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_which->setProperty("small", true);
    m_which->setAccessibleName(tr("Similarity"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(unit, unit / 2, unit, unit / 2);
    bar->setSpacing(unit);
    bar->addWidget(new EvidenceField(evidence, StudyKind::Similarity, EvidenceField::Live::Not, this));
    bar->addWidget(m_which);
    bar->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    auto* empty = new QWidget(m_pages);
    auto* emptyLayout = new QVBoxLayout(empty);
    emptyLayout->setContentsMargins(unit * 3 / 2, unit, unit * 3 / 2, unit);
    auto* sentence = new QLabel(tr("How similar the states of every two layers are, of one or of several models. Run a "
                                   "similarity study to see it."),
                                empty);
    sentence->setWordWrap(true);
    sentence->setProperty("caption", true);
    emptyLayout->addWidget(sentence);
    emptyLayout->addStretch(1);
    m_pages->addWidget(empty);
    auto* page = new QWidget(m_pages);
    auto* pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(0, 0, 0, 0);
    pageLayout->setSpacing(0);
    pageLayout->addWidget(m_map, 3);
    pageLayout->addWidget(m_table, 2);
    m_caption->setProperty("caption", true);
    m_caption->setWordWrap(true);
    m_caption->setContentsMargins(unit, unit / 2, unit, unit / 2);
    pageLayout->addWidget(m_caption);
    m_pages->addWidget(page);
    layout->addWidget(m_pages, 1);
    connect(m_which, &QComboBox::currentIndexChanged, this, &SimilarityPanel::showMap);
    connect(evidence, &StudyEvidence::shownChanged, this, &SimilarityPanel::showStudy);
    showStudy();
}

void SimilarityPanel::showMap() {
    if (!m_study || m_which->currentIndex() < 0)
        return;
    const QList<QVariant> which = m_which->currentData().toList();
    const int first = which.at(1).toInt(), second = which.at(2).toInt();
    const auto measure = static_cast<std::size_t>(which.at(0).toInt());
    const auto found = m_study->numbers(first, std::to_string(second) + "." + kSimilarityArrays[measure]);
    widgets::LayerMap::Content content;
    content.measure = QLatin1String(kSimilarityNames[measure]);
    const auto named = [&](int model) {
        return m_study->modelCount() == 1
                   ? tr("layer")
                   : tr("layer of %1")
                         .arg(QString::fromStdString(
                             m_study->document.models[static_cast<std::size_t>(model - 1)].name));
    };
    content.rows = named(first);
    content.columns = named(second);
    if (found.shape.size() == 2)
        content.values = Matrix<double>(static_cast<std::size_t>(found.shape[0]),
                                        static_cast<std::size_t>(found.shape[1]), found.values);
    m_map->setContent(std::move(content));
}

void SimilarityPanel::showStudy() {
    const OpenStudyPtr study = m_evidence->shown(StudyKind::Similarity);
    m_pages->setCurrentIndex(study ? 1 : 0);
    m_which->setVisible(study != nullptr);
    if (!study || study == m_study)
        return;
    m_study = study;
    {
        const QSignalBlocker blocker(m_which);
        m_which->clear();
        const auto& models = study->document.models;
        for (int measure = 0; measure < 2; ++measure)
            for (int first = 1; first <= study->modelCount(); ++first)
                for (int second = first; second <= study->modelCount(); ++second) {
                    QString text = QLatin1String(kSimilarityNames[measure]);
                    if (study->modelCount() > 1)
                        text += first == second
                                    ? tr(": %1").arg(QString::fromStdString(models[std::size_t(first - 1)].name))
                                    : tr(": %1 and %2")
                                          .arg(QString::fromStdString(models[std::size_t(first - 1)].name),
                                               QString::fromStdString(models[std::size_t(second - 1)].name));
                    m_which->addItem(text, QList<QVariant>{measure, first, second});
                }
    }
    if (!study->document.tables.empty()) {
        m_table->setTable(study->document.tables.front());
        m_caption->setText(QString::fromStdString(study->document.tables.front().caption));
    }
    showMap();
}

} // namespace headroom::app
