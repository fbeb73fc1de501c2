// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/heads/head_tab.h"

namespace headroom::widgets {
class RelevanceMap;
}

namespace headroom::app {

/// Head relevance (Sant et al. 2022, Eq. 4) as a map of layers × heads and as a table. Window's thread.
class HeadsPanel : public HeadTab {
    Q_OBJECT

public:
    explicit HeadsPanel(EvidenceField* evidence, QWidget* parent = nullptr);

    void setSelected(std::optional<widgets::HeadId> head, int layer) override;
    widgets::RelevanceMap* map() const { return m_map; }
    std::string fullData() const override; ///< of a study: with σ, intervals and n

protected:
    void refresh() override;
    QString noteOf(const HeadContent& content) const override { return content.relevanceNote; }

private:
    widgets::RelevanceMap* m_map;
};

} // namespace headroom::app
