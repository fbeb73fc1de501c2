// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "widgets/look/fitted_combo.h"

namespace headroom::app {

/// The chooser of a map, with the glyphs of the heads. The open list and the tool tip have the whole name. Window's thread.
class MapField : public widgets::ShortNamesCombo {
    Q_OBJECT

public:
    using ShortNamesCombo::ShortNamesCombo;
    QString shownText() const; ///< as it is painted, before any eliding

    void setKind(int row, HeadKind kind); ///< a head's: its glyph stands before it, in the colour that the theme has for it

protected:
    void changeEvent(QEvent* event) override;

private:
    void paintGlyph(int row);
};

} // namespace headroom::app
