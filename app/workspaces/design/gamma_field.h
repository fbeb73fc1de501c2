// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDoubleSpinBox>

namespace headroom::app {

/// γ of relaxed heads. A number outside its range can be typed; Enter takes the nearest that is allowed and says so, where Qt's
/// own field ignores keys. Window's thread.
class GammaField : public QDoubleSpinBox {
    Q_OBJECT

public:
    explicit GammaField(QWidget* parent = nullptr);
    QString limits() const; ///< a sentence

protected:
    QValidator::State validate(QString& text, int& position) const override;
    void fixup(QString& text) const override;
};

} // namespace headroom::app
