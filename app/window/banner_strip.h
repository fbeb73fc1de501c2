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

private:
    Banner* m_banner;
};

} // namespace headroom::app
