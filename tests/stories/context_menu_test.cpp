// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever can be selected has a context menu.
#include "app/documents/items/messages.h"
#include "app/parts/actions.h"
#include "app/parts/model_chooser.h"
#include "app/settings/app_settings.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/start/start_page_parts.h"
#include "app/workspaces/workspace.h"
#include "tests/app/runs/train_workshop.h"
#include "tests/app/studies/made_study.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/heads/relevance_map.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/run_monitor/metric_plot.h"
#include "widgets/text_map/head_maps.h"
#include "widgets/text_map/text_map_view.h"
#include "widgets/waveform/waveform_lane.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QHeaderView>
#include <QMenu>
#include <QTabWidget>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace headroom::testing::context_menu_test {

using namespace headroom::app;

class ContextMenuTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatCanBeSelectedHasAMenu() {
        qputenv("HEADROOM_RUNS", toQString(m_shop.runs()).toLocal8Bit());
        qputenv("HEADROOM_STUDIES", toQString(m_shop.path() / "studies").toLocal8Bit());
        m_shop.run("2026-11-21T10-31_a", RunState::Finished);
        makeWindowsStudy(m_shop.path() / "studies" / "windows", 8, 12);
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.session().messages()->post(Severity::Info, QStringLiteral("A message."));
        for (Workspace* workspace : story.window().workspaces()) {
            story.window().showWorkspace(workspace->objectName());
            QVERIFY(story.quiet());
            workspace->showMessages();
            look(workspace);
            for (QTabWidget* tabs : workspace->findChildren<QTabWidget*>())
                for (int tab = 0; tab < tabs->count(); ++tab) {
                    tabs->setCurrentIndex(tab);
                    QVERIFY(story.quiet());
                    look(workspace);
                }
            for (QDockWidget* dock : workspace->findChildren<QDockWidget*>()) {
                dock->show();
                dock->raise();
                QVERIFY(story.quiet());
                look(workspace);
            }
        }
        story.window().actions().analyseWorkspace->trigger();
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        look(story.window().analyse());
        QVERIFY(seen<widgets::TextMapView>());
        auto* heads = story.window().analyse()->findChild<widgets::HeadMaps*>();
        QVERIFY(heads && heads->isVisible());
        m_seen << heads;
        QVERIFY(entriesOf(heads) > 0);
        QVERIFY(seen<widgets::MetricPlot>());
        QVERIFY2(m_without.isEmpty(), qPrintable(QStringLiteral("without a menu: ") + m_without.join(QStringLiteral(", "))));
        QVERIFY2(s_unclear.isEmpty(), qPrintable(s_unclear.join(QStringLiteral(", "))));
        QVERIFY(m_seen.size() >= 15); // else nothing was looked at
    }

    void dialoguesAndTheStartPageHaveThemToo() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one")}));
        story.answers().file = story.path(QStringLiteral("kept"));
        story.window().actions().saveSessionAs->trigger();
        story.window().actions().newSession->trigger();
        QVERIFY(story.quiet());
        auto* recent = story.window().analyse()->findChild<RecentRow*>();
        QVERIFY(recent && recent->isVisible());
        QCOMPARE(entriesOf(recent), 3);
        ModelChooser chooser({{"facebook/wav2vec2-base-960h", "/cache/w2v", "wav2vec 2.0", 378'000'000, {}, 378'000'000}}, "/cache",
                             std::nullopt, &story.window());
        chooser.show();
        QVERIFY(entriesOf(chooser.list()) > 0);
        // One that is removed from the list stays on the disk.
        recent->actions().last()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(story.settings().recentSessions().isEmpty(), 60000);
        QVERIFY(QFileInfo::exists(story.path(QStringLiteral("kept.headroom"))) || QFileInfo::exists(story.path(QStringLiteral("kept"))));
    }

private:
    template <typename View>
    bool seen() const {
        return std::any_of(m_seen.begin(), m_seen.end(), [](const QWidget* widget) { return qobject_cast<const View*>(widget); });
    }
    static bool canBeSelected(const QWidget* widget) {
        if (qobject_cast<const QAbstractItemView*>(widget))
            return !qobject_cast<const QHeaderView*>(widget) && !qobject_cast<const QComboBox*>(widget->parentWidget()) &&
                   widget->window()->isWindow() && qobject_cast<const QAbstractItemView*>(widget)->model() &&
                   qobject_cast<const QAbstractItemView*>(widget)->model()->rowCount() > 0;
        return qobject_cast<const widgets::LayerThumbnails*>(widget) ||
               qobject_cast<const widgets::LayerMatrixView*>(widget) ||
               qobject_cast<const widgets::WaveformLane*>(widget) || qobject_cast<const widgets::RelevanceMap*>(widget) ||
               qobject_cast<const widgets::TextMapView*>(widget) || qobject_cast<const widgets::MetricPlot*>(widget) ||
               qobject_cast<const RecentRow*>(widget);
    }

    void look(const QWidget* inside) {
        for (QWidget* widget : inside->findChildren<QWidget*>())
            if (widget->isVisible() && widget->window() == inside->window() && canBeSelected(widget) &&
                !m_seen.contains(widget)) {
                m_seen << widget;
                if (auto* view = qobject_cast<QAbstractItemView*>(widget); view && !view->currentIndex().isValid())
                    view->setCurrentIndex(view->model()->index(0, 0));
                if (entriesOf(widget) == 0)
                    m_without << QStringLiteral("%1 “%2”").arg(QLatin1String(widget->metaObject()->className()),
                                                              widget->accessibleName());
            }
    }

    /// Entries of the menu that the menu key opens.
    static int entriesOf(QWidget* widget) {
        int entries = 0;
        QTimer closing; // a menu has an event loop of its own
        QObject::connect(&closing, &QTimer::timeout, [&] {
            if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
                for (const QAction* action : menu->actions()) {
                    if (!action->isVisible() || action->isSeparator())
                        continue;
                    ++entries;
                    if (action->text().isEmpty())
                        s_unclear << QStringLiteral("an entry without words of ") + widget->accessibleName();
                    if (action->isCheckable() && !action->icon().isNull() && action->isIconVisibleInMenu())
                        s_unclear << action->text() + QStringLiteral(": an icon in the place of its tick");
                }
                menu->close();
            }
        });
        closing.start(1);
        QWidget* target = widget;
        QPoint at = widget->rect().center();
        if (const auto* view = qobject_cast<QAbstractItemView*>(widget)) {
            target = view->viewport();
            at = view->visualRect(view->currentIndex()).center();
        }
        QContextMenuEvent event(QContextMenuEvent::Keyboard, at, target->mapToGlobal(at));
        QApplication::sendEvent(target, &event);
        for (int turn = 0; turn < 3; ++turn) // one that was popped up without waiting
            QTest::qWait(2);
        return entries;
    }

    TrainWorkshop m_shop;
    QList<const QWidget*> m_seen;
    QStringList m_without;
    inline static QStringList s_unclear;
};

HEADROOM_TEST(ContextMenuTest)

} // namespace headroom::testing::context_menu_test

#include "context_menu_test.moc"
