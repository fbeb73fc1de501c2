// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/typed_path.h"

#include <QLineEdit>

namespace headroom::app {

/// A field for a file or folder. While it is not edited, a path that does not fit shows its end after "…"; the whole
/// path is its tool tip. Window's thread.
class PathField : public QLineEdit {
    Q_OBJECT

public:
    explicit PathField(QWidget* parent = nullptr);
    QString shownText() const; ///< as it is drawn now
    std::filesystem::path path() const { return typedPath(text()); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QRect textRect() const; ///< without frame, padding and the button at the end
};

} // namespace headroom::app
