// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QProxyStyle>

class QComboBox;
class QStyleOptionComboBox;

namespace headroom::widgets {

/// Fusion, except that text of one line which does not fit is elided, never clipped: names (without a space) in
/// the middle, words at the end. Numbers keep all of their digits or become “…”. Buttons of dialogues have words
/// only. Choosers open below themselves, as wide as their entries. Theme::apply() installs it.
class ElidingStyle : public QProxyStyle {
    Q_OBJECT

public:
    ElidingStyle();
    void drawItemText(QPainter* painter, const QRect& rect, int flags, const QPalette& palette, bool enabled,
                      const QString& text, QPalette::ColorRole role) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returned) const override;
    /// Icons beside the words of a button are of the size of the text, with a gap that Qt does not leave. Labels and tool tips show
    /// plain text, whatever it looks like, unless a label asks for Qt::RichText. Long tool tips have several lines.
    using QProxyStyle::polish;
    void polish(QWidget* widget) override;
};

/// Shows the whole text of labels, choosers, fields, table cells and table heads as a tool tip where it is
/// elided, above the tool tip that they have. One event filter for the application; window's thread.
class ElidedTips : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
};

/// Of an icon before words, with the gap between them: icons are drawn at the left of a wide rectangle.
QSize iconBesideWords();

/// The pixels that a chooser has for its text, beside its icon.
int roomOfChoice(const QComboBox& box, const QStyleOptionComboBox& option);

/// `text` as it fits into `width` pixels of this font, by the rules of ElidingStyle.
QString fitted(const QString& text, const QFontMetrics& metrics, int width, int flags = 0);

} // namespace headroom::widgets
