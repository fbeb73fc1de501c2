// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>
#include <QString>

namespace headroom::widgets {

/// A title of an evaluation with all that its brief one keeps, and as many other parts of it as fit into `width` pixels:
/// "demo, seed 1 … on test of digits, asr, beam 5" of "Evaluate demo, seed 1, at update 100, on test of digits, asr, beam 5". What follows the
/// split comes first, then the weights. Empty where not even the parts of the brief one fit, or it is not of this title.
QString fullerTitle(const QString& whole, const QString& brief, const QFontMetrics& metrics, int width);

} // namespace headroom::widgets
