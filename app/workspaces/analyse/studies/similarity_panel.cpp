// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/similarity_panel.h"

#include "widgets/study_plots/layer_map.h"

#include <QComboBox>
#include <QVariant>

#include <string>

namespace headroom::app {

namespace {

constexpr const char* kSimilarityArrays[] = {"cka", "pwcca"};
constexpr const char* kSimilarityNames[] = {"CKA", "PWCCA"};

} // namespace

SimilarityPanel::SimilarityPanel(StudyEvidence* evidence, QWidget* parent)
    : SimilarityPanel(evidence, new widgets::LayerMap, parent) {}

SimilarityPanel::SimilarityPanel(StudyEvidence* evidence, widgets::LayerMap* map, QWidget* parent)
    : StudyPlotTab(evidence, StudyKind::Similarity, map,
                   {QStringLiteral("similarityTab"), tr("Similarity"),
                    tr("How similar the states of every pair of layers are, in one or several models. Run a similarity study to see it."),
                    3, 2},
                   parent)
    , m_map(map) {
    showStudy();
}

void SimilarityPanel::showChosen() {
    const QList<QVariant> which = chooser()->currentData().toList();
    const int first = which.at(1).toInt(), second = which.at(2).toInt();
    const auto measure = static_cast<std::size_t>(which.at(0).toInt());
    const auto found = study().numbers(first, std::to_string(second) + "." + kSimilarityArrays[measure]);
    widgets::LayerMap::Content content;
    content.measure = QLatin1String(kSimilarityNames[measure]);
    const auto named = [&](int model) {
        return study().modelCount() == 1
                   ? QString()
                   : QString::fromStdString(study().document.models[static_cast<std::size_t>(model - 1)].name);
    };
    content.rows = named(first);
    content.columns = named(second);
    if (found.shape.size() == 2)
        content.values = Matrix<double>(static_cast<std::size_t>(found.shape[0]),
                                        static_cast<std::size_t>(found.shape[1]), found.values);
    m_map->setContent(std::move(content));
}

void SimilarityPanel::fillChooser() {
    const auto& models = study().document.models;
    const auto nameOf = [&](int model) {
        return QString::fromStdString(models[static_cast<std::size_t>(model - 1)].name);
    };
    for (int measure = 0; measure < 2; ++measure)
        for (int first = 1; first <= study().modelCount(); ++first)
            for (int second = first; second <= study().modelCount(); ++second) {
                QString text = QLatin1String(kSimilarityNames[measure]);
                if (study().modelCount() > 1)
                    text += first == second ? tr(": %1").arg(nameOf(first))
                                            : tr(": %1 and %2").arg(nameOf(first), nameOf(second));
                chooser()->addItem(text, QList<QVariant>{measure, first, second});
            }
}

void SimilarityPanel::showPlot() {
    showTable(0);
}

} // namespace headroom::app
