// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

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

    void setKind(int row, HeadKind kind); ///< a head's: its glyph stands before it, in the colour that the theme has for it

    void showPopup() override; ///< as wide as its entries

protected:
    void changeEvent(QEvent* event) override;
    void initStyleOption(QStyleOptionComboBox* option) const override;

private:
    void paintGlyph(int row);
};

} // namespace headroom::app
