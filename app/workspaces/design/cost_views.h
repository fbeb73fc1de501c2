// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

namespace headroom::app {

/// Label, number in large type, and the change from the baseline. Window's thread.
class CostNumber : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    void show(const QString& label, const QString& number, const QString& change, bool isSaving,
              const QString& full);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::pair<QString, QString> parts() const;

    QString m_label, m_number, m_change;
    bool m_saving = false;
};

/// Costs as a share of the baseline; the tick is what no window can save. Where a share is above 100 %, every bar has a mark there.
class CostBars : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    struct Bar {
        QString name;
        double share = 0;
        std::optional<double> floor;
        QString note = {}; ///< for the tool tip: what the share is, where that is not plain
        QString above = {}; ///< for the tool tip: how it can be more than 100 %
    };
    void show(const QString& at, std::vector<Bar> bars);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; ///< a row's whole name and its numbers

private:
    struct Columns { ///< widths
        double name = 0, track = 0, share = 0, floor = 0;
    };
    Columns columnsOf(int width) const; ///< of a row that is so wide
    QRectF rowRect(int row) const;
    static QString floorText(const Bar& bar);

    QString m_at;
    std::vector<Bar> m_bars;
};

/// What parameters and MACs are made of: one row per part, numbers right-aligned, a bar for its share.
class CostParts : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    struct Row {
        QString name, parameters, macs; ///< as shown; empty: none
        double parameterShare = 0, macShare = 0;
        QString full; ///< in full precision, for the tool tip
    };
    void show(const QString& macsHead, std::vector<Row> rows);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; ///< tool tips per row

private:
    QRect rowRect(int row) const;
    int numberWidth() const; ///< of the widest number or head
    int longestName() const;
    QString m_macsHead;
    std::vector<Row> m_rows;
};

} // namespace headroom::app
