// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/words/cross_heads_panel.h"

#include "widgets/look/context_menu.h"
#include "widgets/look/sizes.h"
#include "widgets/text_map/head_maps.h"

#include <QAction>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace headroom::app {

CrossHeadsPanel::CrossHeadsPanel(QWidget* parent)
    : QWidget(parent), m_maps(new widgets::HeadMaps), m_note(new QLabel(this)) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setWidget(m_maps);
    area->setFocusProxy(m_maps);
    m_note->setWordWrap(true);
    m_note->setProperty("secondary", true);
    const int edge = qRound(widgets::Sizes::unit());
    m_note->setContentsMargins(2 * edge, 0, 2 * edge, edge);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, edge, 0, 0);
    layout->setSpacing(edge);
    layout->addWidget(area, 1);
    layout->addWidget(m_note);
    auto* look = new QAction(tr("Show this head"), this);
    auto* mean = new QAction(tr("Show the mean of this layer's heads"), this);
    connect(look, &QAction::triggered, this, [this] { Q_EMIT headChosen(m_maps->current().first, m_maps->current().second); });
    connect(mean, &QAction::triggered, this, [this] { Q_EMIT headChosen(m_maps->current().first, 0); });
    widgets::setContextMenu(m_maps, {look, mean});
    connect(m_maps, &widgets::HeadMaps::headChosen, this, &CrossHeadsPanel::headChosen);
    m_note->setText(note());
}

void CrossHeadsPanel::show(const std::shared_ptr<const SpokenWords>& words, int layer, int head, WordsBlock block, bool isText,
                           const QString& whyNever) {
    m_whyNever = whyNever;
    if (m_words != words || m_block != block || m_isText != isText) {
        m_words = words;
        m_block = block;
        m_isText = isText;
        const bool isSelf = block == WordsBlock::Self;
        m_maps->setMaps(!words ? decltype(words->cross)() : isSelf ? words->self : words->cross);
        m_maps->setMarked(words && !isSelf && !isText ? words->alignmentHeads : decltype(words->alignmentHeads)());
    }
    m_maps->setCurrent(layer, head);
    m_note->setText(note());
}

void CrossHeadsPanel::setColours(widgets::ColourMap::Name name, double gamma) {
    m_maps->setColours(name, gamma);
}

QString CrossHeadsPanel::detail() const {
    if (!m_words || m_words->layers() == 0)
        return {};
    const QString layers = m_words->layers() == 1 ? tr("1 layer") : tr("%1 layers").arg(m_words->layers());
    return tr("%1 × %2").arg(layers, m_words->heads() == 1 ? tr("1 head") : tr("%1 heads").arg(m_words->heads()));
}

QString CrossHeadsPanel::note() const {
    if (!m_words || m_words->layers() == 0)
        return m_whyNever.isEmpty() ? tr("The heads appear with the words.") : m_whyNever;
    if (m_block == WordsBlock::Self)
        return tr("Self-attention: what each piece takes from the pieces before it.");
    if (m_isText)
        return tr("Rows are the pieces of the translation, columns those of the source.");
    const auto count = static_cast<int>(m_words->alignmentHeads.size());
    const QString which = m_words->headsAreNamed ? tr("the model names them") : tr("those of the upper half of the decoder");
    return count == 1 ? tr("1 head, marked with a dot, gives the word times.")
                      : tr("%1 heads, marked with a dot, give the word times: %2.").arg(count).arg(which);
}

} // namespace headroom::app
