// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace headroom::app {

/// A chooser whose entries may have a short name besides: where the whole one does not fit, it shows "Head 2", not
/// "Attention hea…". The open list and the tool tip have the whole name. Window's thread.
class MapField : public QComboBox {
    Q_OBJECT

public:
    static constexpr int kShortNameRole = Qt::UserRole + 1;

    using QComboBox::QComboBox;
    QString shownText() const; ///< as it is painted, before any eliding

    void showPopup() override; ///< as wide as its entries

protected:
    void initStyleOption(QStyleOptionComboBox* option) const override;
};

} // namespace headroom::app
