// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <memory>
#include <vector>

namespace headroom::widgets {

/// A cost against length: this architecture solid, the baseline dashed, vertical lines at notable lengths. What was
/// measured has its points marked, with a bar from `low` to `high`; what was counted is a line. Window's thread.
class CostPlot : public QWidget {
    Q_OBJECT

public:
    struct Curve {
        std::vector<double> x, y;
        std::vector<double> low = {}, high = {}; ///< of each point that was measured; empty: counted
    };
    struct Mark {
        double at = 0;
        QString text; ///< "longest 1,500"
    };
    /// `note` stands at the right of the title as long as both have room.
    CostPlot(const QString& title, const QString& note, QWidget* parent = nullptr);
    ~CostPlot() override;

    /// Shown from the next show(). `brief` stands in a plot that is too narrow for the title, which its tool tip then begins with.
    void setTitle(const QString& title, const QString& brief);
    void setTip(const QString& tip);
    void show(Curve now, Curve baseline, std::vector<Mark> marks, double longest);
    /// Stands in the plot while this architecture has no curve; "Cannot be counted" at first.
    void setEmptyText(const QString& text);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void redraw();
    QString fittedTitle() const;
    void updateTip();
    struct Private;
    std::unique_ptr<Private> m;
};

} // namespace headroom::widgets
