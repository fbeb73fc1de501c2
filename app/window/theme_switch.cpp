// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/theme_switch.h"

#include "app/parts/actions.h"
#include "app/parts/availability.h"
#include "app/parts/number_text.h"
#include "app/settings/app_settings.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QFormLayout>
#include <QGridLayout>
#include <QHash>
#include <QHeaderView>
#include <QLayout>
#include <QMainWindow>
#include <QPalette>
#include <QResizeEvent>
#include <QScreen>
#include <QVariant>
#include <QWindow>

#include <optional>
#include <utility>

namespace headroom::app {

using Choice = AppSettings::ThemeChoice;

namespace {

/// The screen on which the window has room with text of kTextOfThatScreen per cent. With other text it needs one that is larger or smaller in
/// proportion.
constexpr QSize kScreen(1280, 720);
constexpr int kTextOfThatScreen = 125;

int scaled(int pixels, double ratio) {
    return qRound(pixels * ratio);
}

/// Sizes that widgets read when they were made. Who follows a change of the font by itself has another value afterwards
/// and is left alone.
class MadeSizes {
public:
    MadeSizes() {
        for (QWidget* widget : QApplication::allWidgets()) {
            m_widgets.insert(widget, {widget->minimumSize(), widget->maximumSize(), rowsOf(widget),
                                      columnsOf(widget)});
            if (QLayout* layout = widget->layout(); layout && !qobject_cast<QMainWindow*>(widget))
                add(layout);
        }
    }

    void scale(double ratio) const {
        for (auto it = m_widgets.cbegin(); it != m_widgets.cend(); ++it)
            scale(it.key(), it.value(), ratio);
        for (auto it = m_layouts.cbegin(); it != m_layouts.cend(); ++it) {
            QLayout* layout = it.key();
            if (const QMargins& was = it->margins; it->hasMargins && layout->contentsMargins() == was)
                layout->setContentsMargins(scaled(was.left(), ratio), scaled(was.top(), ratio),
                                           scaled(was.right(), ratio), scaled(was.bottom(), ratio));
            const Spacings now = spacingsOf(layout);
            const auto own = [ratio](int was, int is) { return was < 0 ? -1 : is == was ? scaled(was, ratio) : is; };
            const Spacings next{own(it->spacings.across, now.across), own(it->spacings.down, now.down)};
            setSpacings(layout, next);
        }
    }

private:
    struct OfWidget {
        QSize least, most;
        int rows = 0;
        QList<int> columns;
    };
    struct Spacings {
        int across = -1, down = -1; ///< −1: the style's
    };
    struct OfLayout {
        QMargins margins;
        Spacings spacings;
        bool hasMargins = false;
    };

    /// Two in a grid and in a form, where spacing() is −1 if they differ; the same one elsewhere.
    static Spacings spacingsOf(const QLayout* layout) {
        if (const auto* grid = qobject_cast<const QGridLayout*>(layout))
            return {grid->horizontalSpacing(), grid->verticalSpacing()};
        if (const auto* form = qobject_cast<const QFormLayout*>(layout))
            return {form->horizontalSpacing(), form->verticalSpacing()};
        return {layout->spacing(), layout->spacing()};
    }
    static void setSpacings(QLayout* layout, const Spacings& spacings) {
        if (auto* grid = qobject_cast<QGridLayout*>(layout)) {
            grid->setHorizontalSpacing(spacings.across);
            grid->setVerticalSpacing(spacings.down);
        } else if (auto* form = qobject_cast<QFormLayout*>(layout)) {
            form->setHorizontalSpacing(spacings.across);
            form->setVerticalSpacing(spacings.down);
        } else {
            layout->setSpacing(spacings.across);
        }
    }

    static int rowsOf(const QWidget* widget) {
        const auto* header = qobject_cast<const QHeaderView*>(widget);
        return header && header->orientation() == Qt::Vertical ? header->defaultSectionSize() : 0;
    }
    static QList<int> columnsOf(const QWidget* widget) {
        QList<int> widths;
        const auto* header = qobject_cast<const QHeaderView*>(widget);
        for (int i = 0; header && header->orientation() == Qt::Horizontal && i < header->count(); ++i)
            widths << (header->sectionResizeMode(i) == QHeaderView::Interactive ||
                               header->sectionResizeMode(i) == QHeaderView::Fixed
                           ? header->sectionSize(i)
                           : 0);
        return widths;
    }

    enum Styled { StyledMargins = 1, StyledAcross = 2, StyledDown = 4 };
    /// Which of its sizes the style gives to a layout: they stay the style's. Asked once for each layout, because a scaled size
    /// may equal the style's by chance.
    static int styledIn(QLayout* layout, const OfLayout& own) {
        constexpr const char* kKnown = "sizesOfTheStyle";
        if (const QVariant known = layout->property(kKnown); known.isValid())
            return known.toInt();
        layout->unsetContentsMargins();
        setSpacings(layout, {});
        const Spacings styled = spacingsOf(layout);
        const int found = (layout->contentsMargins() == own.margins ? StyledMargins : 0) |
                          (own.spacings.across == styled.across ? StyledAcross : 0) |
                          (own.spacings.down == styled.down ? StyledDown : 0);
        if (!(found & StyledMargins))
            layout->setContentsMargins(own.margins);
        setSpacings(layout, {found & StyledAcross ? -1 : own.spacings.across, found & StyledDown ? -1 : own.spacings.down});
        layout->setProperty(kKnown, found);
        return found;
    }
    void add(QLayout* layout) {
        OfLayout own{layout->contentsMargins(), spacingsOf(layout)};
        const int styled = styledIn(layout, own);
        own.hasMargins = !(styled & StyledMargins);
        if (styled & StyledAcross)
            own.spacings.across = -1;
        if (styled & StyledDown)
            own.spacings.down = -1;
        m_layouts.insert(layout, own);
        for (int i = 0; i < layout->count(); ++i)
            if (QLayout* inner = layout->itemAt(i)->layout())
                add(inner);
    }

    static void scale(QWidget* widget, const OfWidget& was, double ratio) {
        if (auto* header = qobject_cast<QHeaderView*>(widget)) {
            if (was.rows > 0 && header->defaultSectionSize() == was.rows)
                header->setDefaultSectionSize(scaled(was.rows, ratio));
            for (int i = 0; i < was.columns.size() && i < header->count(); ++i)
                if (was.columns[i] > 0 && header->sectionSize(i) == was.columns[i] && !header->isSectionHidden(i))
                    header->resizeSection(i, scaled(was.columns[i], ratio));
        }
        // What a layout gives is no size of the widget's own: set once, it would be one, and a dock could not become narrower any more.
        if (const QLayout* layout = widget->layout();
            layout && layout->sizeConstraint() != QLayout::SetDefaultConstraint && layout->sizeConstraint() != QLayout::SetNoConstraint)
            return;
        // Each side alone: the style sheet may have given the other one its new size. 1 is "as narrow as you like".
        const auto side = [ratio](int now, int before) {
            return now == before && now > 1 && now < QWIDGETSIZE_MAX ? scaled(now, ratio) : now;
        };
        const QSize least = widget->minimumSize(), most = widget->maximumSize();
        // The largest size first where it grows, else the least one would push it.
        widget->setMaximumSize(side(most.width(), was.most.width()), side(most.height(), was.most.height()));
        widget->setMinimumSize(side(least.width(), was.least.width()), side(least.height(), was.least.height()));
    }

    QHash<QWidget*, OfWidget> m_widgets;
    QHash<QLayout*, OfLayout> m_layouts;
};

/// The windows of the program, without panels and workspaces, which are main windows too.
QList<QMainWindow*> shownWindows() {
    QList<QMainWindow*> windows;
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (auto* window = qobject_cast<QMainWindow*>(widget); window && window->isVisible())
            windows << window;
    return windows;
}

} // namespace

ThemeSwitch::ThemeSwitch(AppSettings* settings, const QString& forced, QObject* parent)
    : QObject(parent)
    , m_settings(settings)
    , m_forced(forced)
    , m_desktopIsDark(QGuiApplication::palette().color(QPalette::Window).lightness() < 128) {}

QString ThemeSwitch::name() const {
    if (!m_forced.isEmpty())
        return m_forced;
    switch (m_settings->theme()) {
    case Choice::Light:
        return QStringLiteral("light");
    case Choice::Dark:
        return QStringLiteral("dark");
    case Choice::System:
        break;
    }
    return m_desktopIsDark ? QStringLiteral("dark") : QStringLiteral("light");
}

void ThemeSwitch::apply() {
    const int before = std::exchange(m_textSize, m_settings->textSize());
    const auto made = m_textSize != before ? std::make_optional<MadeSizes>() : std::nullopt;
    // Nothing is painted before all of it has the new colours: half a window in each is unreadable for
    // seconds.
    QWidgetList still;
    for (QWidget* window : QApplication::topLevelWidgets())
        if (window->isVisible() && window->updatesEnabled()) {
            window->setUpdatesEnabled(false);
            still << window;
        }
    widgets::setTextSize(m_textSize);
    widgets::Theme::apply(name());
    if (made)
        made->scale(double(m_textSize) / before);
    for (QWidget* window : still)
        window->setUpdatesEnabled(true);
}

/// A window that larger text, or what was opened in it, made larger has its own size again with smaller text, unless the user gave
/// it another one.
void ThemeSwitch::chooseTextSize(int percent) {
    std::map<QWidget*, QSize> own;
    for (QMainWindow* window : shownWindows()) {
        const auto grown = m_grown.find(window);
        own[window] = grown != m_grown.end() && grown->second.second == window->size() ? grown->second.first : window->size();
    }
    m_settings->setTextSize(percent);
    apply();
    for (const auto& [widget, size] : own) {
        auto* window = static_cast<QMainWindow*>(widget);
        window->layout()->activate(); // the least size is that of the new text now
        m_grown.erase(window);
        if (!window->isMaximized() && !window->isFullScreen())
            window->resize(size);
        if (window->size() != size)
            m_grown[window] = {size, window->size()};
    }
}

QString ThemeSwitch::whyNotOffered(int percent, QSize screen) {
    const auto fits = [screen](int text) {
        const QSize needed = kScreen * (double(text) / kTextOfThatScreen);
        return needed.width() <= screen.width() && needed.height() <= screen.height();
    };
    // A screen that is too small for the usual text says nothing about the others.
    if (percent <= 100 || fits(percent) || !fits(100))
        return {};
    const QSize needed = kScreen * (double(percent) / kTextOfThatScreen);
    return tr("Text of this size needs a screen of %1 × %2 pixels. This one has %3 × %4.")
        .arg(thousands(needed.width()), thousands(needed.height()), thousands(screen.width()), thousands(screen.height()));
}

void ThemeSwitch::offerSizes() {
    for (const QMainWindow* window : shownWindows())
        for (QAction* size : m_sizes)
            setAvailable(size, whyNotOffered(size->data().toInt(), window->screen()->size()));
}

/// What is opened may need more room than the window has.
bool ThemeSwitch::eventFilter(QObject* watched, QEvent* event) {
    auto* window = qobject_cast<QMainWindow*>(watched);
    if (event->type() == QEvent::Resize && window && !event->spontaneous()) { // not by the user
        const QSize now = window->size(), was = static_cast<QResizeEvent*>(event)->oldSize(), least = window->minimumSize();
        if ((now.width() > was.width() && now.width() == least.width()) || (now.height() > was.height() && now.height() == least.height())) {
            const auto grown = m_grown.find(window);
            m_grown[window] = {grown != m_grown.end() && grown->second.second == was ? grown->second.first : was, now};
        }
    }
    return QObject::eventFilter(watched, event);
}

void ThemeSwitch::connectActions(const Actions& actions) {
    const auto at = [this](QAction* action, Choice choice) {
        action->setChecked(m_settings->theme() == choice);
        connect(action, &QAction::triggered, this, [this, choice] {
            m_forced.clear();
            m_settings->setTheme(choice);
            apply();
        });
    };
    at(actions.themeSystem, Choice::System);
    at(actions.themeLight, Choice::Light);
    at(actions.themeDark, Choice::Dark);
    m_sizes = actions.textSizes->actions();
    connect(qGuiApp, &QGuiApplication::focusWindowChanged, this, [this] {
        for (QMainWindow* window : shownWindows())
            window->installEventFilter(this); // a second time moves it to the front
        offerSizes();
    });
    for (QAction* size : actions.textSizes->actions()) {
        size->setChecked(size->data().toInt() == m_settings->textSize());
        connect(size, &QAction::triggered, this, [this, size] {
            chooseTextSize(size->data().toInt());
        });
    }
}

} // namespace headroom::app
