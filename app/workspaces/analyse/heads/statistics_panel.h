// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/heads/head_tab.h"

class QLineEdit;

namespace headroom::app {

/// Entropy, mean distance, largest weight and share on silence per head: sorted, filtered, copied. Window's
/// thread.
class StatisticsPanel : public HeadTab {
    Q_OBJECT

public:
    explicit StatisticsPanel(EvidenceField* evidence, QWidget* parent = nullptr);

    void setSelected(std::optional<widgets::HeadId> head, int layer) override;
    QLineEdit* filterField() const { return m_filter; }

protected:
    void refresh() override;
    QString noteOf(const HeadContent& content) const override { return content.statisticsNote; }

private:
    QLineEdit* m_filter;
};

} // namespace headroom::app
