// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "widgets/look/fitted_combo.h"

namespace headroom::app {

/// A chooser whose entries may have a short name besides: where the whole one does not fit, it shows "Head 2", not
/// "Attention hea…". The open list and the tool tip have the whole name. Window's thread.
class MapField : public widgets::FittedCombo {
    Q_OBJECT

public:
    static constexpr int kShortNameRole = Qt::UserRole + 1;

    using FittedCombo::FittedCombo;
    QString shownText() const; ///< as it is painted, before any eliding

    void setKind(int row, HeadKind kind); ///< a head's: its glyph stands before it, in the colour that the theme has for it

    void showPopup() override; ///< as wide as its entries

protected:
    void changeEvent(QEvent* event) override;
    QString fittedText(const QString& text, int room) const override;

private:
    void paintGlyph(int row);
};

} // namespace headroom::app
