// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/analyse_centre.h"

#include "app/parts/actions.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/analyse/start/start_page.h"

#include <QAction>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace headroom::app {

AnalyseCentre::AnalyseCentre(const Parts& parts, QWidget* parent)
    : QWidget(parent)
    , m_pages(new QStackedWidget(this))
    , m_middle(new QSplitter(Qt::Vertical, m_pages))
    , m_sound(parts.sound)
    , m_below(new QStackedWidget(this)) {
    const Actions& a = *parts.actions;
    m_start = new StartPage({a.openAudio, a.record, a.openDemo, a.openModel}, m_pages);
    auto* startPage = new QWidget(m_pages);
    auto* startLayout = new QVBoxLayout(startPage);
    startLayout->setContentsMargins(0, 0, 0, 0);
    startLayout->setSpacing(0);
    startLayout->addWidget(new PanelHeader(tr("Start"), startPage));
    startLayout->addWidget(m_start);
    m_below->addWidget(parts.map);
    m_below->addWidget(parts.words);
    m_middle->addWidget(parts.sound);
    m_middle->addWidget(m_below);
    m_middle->setChildrenCollapsible(false);
    m_middle->setHandleWidth(1);
    m_middle->setStretchFactor(0, 1);
    m_middle->setStretchFactor(1, 2);
    m_pages->addWidget(startPage);
    m_pages->addWidget(m_middle);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(parts.recordingBar);
    layout->addWidget(m_pages, 1);
}

void AnalyseCentre::bindKeys(const Actions& a, QWidget* workspace) {
    for (QAction* action : {a.fit, a.fitSelection, a.equalAxes, a.hideDiagonal, a.previousLayer, a.nextLayer,
                            a.focusWindow, a.compare, a.difference, a.blink, a.keepCurve, a.words,
                            a.decoderView, a.play, a.loop, a.goToTime, a.cancel}) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        workspace->addAction(action);
    }
    // Arrows, Home and End mean something else in a list or a table: only the middle takes them.
    for (QAction* action :
         {a.previousToken, a.nextToken, a.previousWord, a.nextWord, a.firstToken, a.lastToken, a.selectPreviousToken,
          a.selectNextToken, a.selectPreviousWord, a.selectNextWord, a.selectToStart, a.selectToEnd}) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        m_middle->addAction(action);
    }
}

bool AnalyseCentre::showMiddle(bool shown) {
    const int page = shown ? 1 : 0;
    if (page == m_pages->currentIndex())
        return false;
    // First away from the page that goes, or the focus would run on to the next field.
    setFocus();
    m_pages->setCurrentIndex(page);
    return true;
}

void AnalyseCentre::makeShort(bool isText) {
    if (isText) {
        if (m_heights.isEmpty())
            m_heights = m_middle->sizes();
        m_sound->setMaximumHeight(m_sound->sizeHint().height());
    } else if (!m_heights.isEmpty()) {
        m_sound->setMaximumHeight(QWIDGETSIZE_MAX);
        m_middle->setSizes(std::exchange(m_heights, {}));
    }
}

void AnalyseCentre::showWords(bool shown) {
    m_below->setCurrentIndex(shown ? 1 : 0);
}

} // namespace headroom::app
