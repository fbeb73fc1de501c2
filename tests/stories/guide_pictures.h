// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace headroom::testing {

/// HEADROOM_WRITE_GUIDE is set: the pictures of resources/guide are made anew.
bool writesGuide();

/// The window as resources/guide/pictures/NAME.png, in 256 colours. Gives a sentence where it could not be
/// written or is larger than a picture of the guide may be, else an empty text.
QString writeGuidePicture(QWidget& window, const QString& name);

/// A part of the window likewise, of any size, in at most 75 kB.
QString writeGuidePart(QWidget& part, const QString& name);

} // namespace headroom::testing
