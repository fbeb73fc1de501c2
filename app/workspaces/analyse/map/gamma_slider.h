// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSlider>

namespace headroom::app {

/// A bar that fills with γ of the colours and names it: "Colour gamma 0.5", where there is less room "Colour 0.5", then "0.5":
/// γ alone would be that of relaxed heads. From 0.2 to 1. Window's thread.
class GammaSlider : public QSlider {
    Q_OBJECT

public:
    explicit GammaSlider(QWidget* parent);
    double gamma() const;
    void setGamma(double gamma);
    QString number() const; ///< "0.5", "0.55"
    int briefWidth() const; ///< for "Colour 0.5"
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override { follow(event); }
    void mouseMoveEvent(QMouseEvent* event) override { follow(event); }
    void mouseReleaseEvent(QMouseEvent* event) override { follow(event); }
    void changeEvent(QEvent* event) override;

private:
    QSize sizeFor(const QString& words) const;
    void follow(QMouseEvent* event);
};

} // namespace headroom::app
