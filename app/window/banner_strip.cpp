// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/banner_strip.h"

#include "app/parts/banner.h"
#include "widgets/look/sizes.h"

#include <QEvent>
#include <QVBoxLayout>

namespace headroom::app {

BannerStrip::BannerStrip(QWidget* parent)
    : QWidget(parent)
    , m_banner(new Banner(this)) {
    const int unit = qRound(widgets::Sizes::unit());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(unit, unit, unit, unit);
    layout->addWidget(m_banner);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    hide();
    m_banner->installEventFilter(this);
    connect(m_banner, &Banner::dismissed, this, [this] { dismissed(); });
}

/// A banner that is dismissed takes its place with it.
bool BannerStrip::eventFilter(QObject* object, QEvent* event) {
    if (object == m_banner && event->type() == QEvent::HideToParent)
        hide();
    return QWidget::eventFilter(object, event);
}

} // namespace headroom::app
