// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headroom::app {

class Banner;

/// The place of a banner over the workspaces: there only while the banner is. Window's thread.
class BannerStrip : public QWidget {
    Q_OBJECT

public:
    explicit BannerStrip(QWidget* parent);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    Banner* banner() const { return m_banner; }
    /// By its cross: from now on, Messages says what the banner said. Not both at a time.
    virtual void dismissed() = 0;

private:
    Banner* m_banner;
};

} // namespace headroom::app
