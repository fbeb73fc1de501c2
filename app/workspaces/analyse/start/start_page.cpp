// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/start/start_page.h"

#include "app/parts/action_button.h"
#include "app/workspaces/analyse/start/start_page_parts.h"
#include "widgets/look/context_menu.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QCheckBox>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {

QLabel* wrapped(const QString& text, QFont (*font)(), QWidget* parent) {
    auto* label = new QLabel(text, parent);
    widgets::withTextSize(label, [label, font] { label->setFont(font()); });
    label->setWordWrap(true);
    return label;
}

/// "today", "yesterday", "18 November", "18 November 2025".
QString whenText(const QDateTime& time) {
    const QDate date = time.date(), today = QDate::currentDate();
    if (!date.isValid())
        return {};
    if (date == today)
        return StartPage::tr("today");
    if (date == today.addDays(-1))
        return StartPage::tr("yesterday");
    const QLocale english(QLocale::English, QLocale::UnitedKingdom);
    return english.toString(date, date.year() == today.year() ? QStringLiteral("d MMMM")
                                                              : QStringLiteral("d MMMM yyyy"));
}

/// A card with an icon, a heading, sentences, and one button at the bottom left.
QWidget* card(const QString& iconName, const QString& heading, const QString& text, QWidget* button,
              QWidget* parent) {
    const int unit = qRound(Sizes::unit());
    auto* card = new Card(parent);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(unit * 3 / 2, unit * 2, unit * 3 / 2, unit * 2);
    layout->setSpacing(unit);
    auto* top = new QHBoxLayout;
    auto* icon = new QLabel(card);
    icon->setObjectName(QStringLiteral("cardIcon"));
    icon->setProperty("iconName", iconName);
    top->addWidget(icon);
    auto* title = new QLabel(heading, card);
    widgets::withTextSize(title, [title] { title->setFont(Sizes::heading()); });
    top->addWidget(title, 1);
    layout->addLayout(top);
    layout->addWidget(wrapped(text, &Sizes::caption, card));
    layout->addStretch(1);
    layout->addSpacing(unit);
    layout->addWidget(button, 0, Qt::AlignLeft);
    return card;
}

} // namespace

StartPage::StartPage(const Actions& actions, QWidget* parent)
    : QScrollArea(parent)
    , m_recentRows(nullptr)
    , m_recent(nullptr)
    , m_opensLast(nullptr) {
    const int unit = qRound(Sizes::unit());
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setAccessibleName(tr("Start"));
    auto* page = new QWidget;
    page->setObjectName(QStringLiteral("startPage"));
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(unit * 3, unit * 2, unit * 3, unit * 2);
    layout->setSpacing(unit * 3);
    layout->addWidget(new LoopLine(page));

    auto* drop = new DropField(page);
    auto* dropLayout = new QVBoxLayout(drop);
    dropLayout->setContentsMargins(unit * 2, unit * 18, unit * 2, unit * 4);
    dropLayout->setSpacing(unit);
    auto* heading = new QLabel(tr("Drop audio here"), drop);
    widgets::withTextSize(heading, [heading] {
        QFont font = Sizes::large();
        font.setWeight(QFont::DemiBold);
        heading->setFont(font);
    });
    heading->setAlignment(Qt::AlignCenter);
    dropLayout->addWidget(heading);
    auto* kinds = new QLabel(
        tr("WAV, FLAC, Ogg, Opus, AIFF or MP3, or a folder. A TextGrid of the same name is loaded too."), drop);
    kinds->setAlignment(Qt::AlignCenter);
    kinds->setWordWrap(true);
    dropLayout->addWidget(kinds);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(unit);
    buttons->addStretch();
    buttons->addWidget(new ActionButton(actions.openAudio, QStringLiteral("open"), drop));
    buttons->addWidget(new ActionButton(actions.record, QStringLiteral("mic"), drop));
    buttons->addStretch();
    dropLayout->addSpacing(unit / 2);
    dropLayout->addLayout(buttons);
    layout->addWidget(drop);

    auto* demo = new QPushButton(tr("Open the demo session"), page);
    demo->setProperty("primary", true);
    demo->setFixedHeight(Sizes::control());
    connect(demo, &QPushButton::clicked, actions.openDemo, &QAction::trigger);
    auto* cards = new QHBoxLayout;
    cards->setSpacing(unit * 2);
    cards->addWidget(card(QStringLiteral("play"), tr("Demo session"),
                          tr("An utterance with its words and phones, a small trained model, and the "
                             "contributions of each of its layers. Nothing to download."),
                          demo, page),
                     1);
    cards->addWidget(
        card(
            QStringLiteral("model"), tr("A model"),
            tr("A folder with architecture.json and model.safetensors, or a Hugging Face speech "
               "model. Files are never executed."),
            new ActionButton(actions.openModel, QStringLiteral("open"), page), page),
        1);
    layout->addLayout(cards);

    m_recent = new Card(page);
    auto* recentLayout = new QVBoxLayout(m_recent);
    recentLayout->setContentsMargins(1, 1, 1, 1);
    recentLayout->setSpacing(0);
    auto* recentTitle = new QLabel(tr("Recent sessions"), m_recent);
    widgets::withTextSize(recentTitle, [recentTitle] { recentTitle->setFont(Sizes::heading()); });
    recentTitle->setContentsMargins(unit * 3 / 2, 0, 0, 0);
    recentTitle->setFixedHeight(Sizes::dockHeaderHeight());
    recentLayout->addWidget(recentTitle);
    m_recentRows = new QVBoxLayout;
    m_recentRows->setSpacing(0);
    recentLayout->addLayout(m_recentRows);
    m_recent->hide();
    layout->addWidget(m_recent);

    m_opensLast = new QCheckBox(tr("Open the last session at startup"), page);
    connect(m_opensLast, &QCheckBox::toggled, this, &StartPage::opensLastToggled);
    layout->addWidget(m_opensLast, 0, Qt::AlignLeft);
    layout->addStretch(1);
    setWidget(page);
    widgets::withTextSize(this, [this] { updateColours(); });
}

void StartPage::setRecent(const std::vector<RecentSession>& sessions) {
    while (QLayoutItem* item = m_recentRows->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const RecentSession& session : sessions) {
        auto* row = new RecentRow(session.name, session.summary, whenText(session.lastOpened), m_recent);
        row->setToolTip(QStringLiteral("%1\n%2\n%3").arg(session.name, session.summary, session.folder));
        connect(row, &QAbstractButton::clicked, this,
                [this, folder = session.folder] { Q_EMIT recentChosen(folder); });
        const auto action = [&](const QString& text, void (StartPage::*wanted)(const QString&)) {
            auto* made = new QAction(text, row);
            connect(made, &QAction::triggered, this, [this, wanted, folder = session.folder] { Q_EMIT (this->*wanted)(folder); },
                    Qt::QueuedConnection); // the row may be gone then
            return made;
        };
        widgets::setContextMenu(row, {action(tr("Open"), &StartPage::recentChosen),
                                      action(tr("Show in folder"), &StartPage::showInFolderRequested), nullptr,
                                      action(tr("Remove from this list"), &StartPage::recentForgotten)});
        m_recentRows->addWidget(row);
    }
    m_recent->setVisible(!sessions.empty());
}

void StartPage::setOpensLast(bool opensLast) {
    m_opensLast->setChecked(opensLast);
}

void StartPage::changeEvent(QEvent* event) {
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && widget())
        updateColours();
}

void StartPage::updateColours() {
    const QSize size(Sizes::icon(), Sizes::icon());
    for (QLabel* label : widget()->findChildren<QLabel*>(QStringLiteral("cardIcon")))
        label->setPixmap(
            widgets::icon(label->property("iconName").toString()).pixmap(size, devicePixelRatioF()));
}

} // namespace headroom::app
