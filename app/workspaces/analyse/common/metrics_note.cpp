// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/common/metrics_note.h"

#include "app/parts/breakable.h"
#include "widgets/look/sizes.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace headroom::app {

using widgets::Sizes;

MetricsNote::MetricsNote(QWidget* parent)
    : QWidget(parent)
    , m_label(new QLabel(this))
    , m_bar(new QProgressBar(this))
    , m_button(new QPushButton(this)) {
    const int unit = qRound(Sizes::unit());
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(unit, unit / 2, unit, unit / 2);
    layout->setSpacing(unit);
    m_label->setProperty("caption", true);
    m_label->setWordWrap(true);
    m_label->setTextFormat(Qt::PlainText);
    layout->addWidget(m_label, 1);
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(unit * 10);
    m_bar->setAccessibleName(tr("Layers analysed"));
    layout->addWidget(m_bar);
    m_button->setProperty("small", true);
    layout->addWidget(m_button);
    connect(m_button, &QPushButton::clicked, this, &MetricsNote::wanted);
    m_bar->hide();
    m_button->hide();
}

void MetricsNote::setSentence(const QString& sentence) {
    m_label->setText(breakable(sentence, kCopiedWord));
    // An empty label must not take the focus.
    m_label->setTextInteractionFlags(sentence.isEmpty() ? Qt::NoTextInteraction : Qt::TextSelectableByMouse);
}

QString MetricsNote::sentence() const {
    return m_label->text();
}

void MetricsNote::setOffer(const QString& text) {
    m_offered = !text.isEmpty();
    if (m_offered)
        m_button->setText(text);
    m_button->setVisible(m_offered && m_bar->isHidden());
}

void MetricsNote::setProgress(int done, int total) {
    m_bar->setVisible(total > 0);
    m_bar->setRange(0, std::max(total, 1));
    m_bar->setValue(done);
    m_button->setVisible(m_offered && total == 0);
}

} // namespace headroom::app
