// SPDX-License-Identifier: GPL-3.0-or-later
// Text size: a window that is changed looks as one that is started in that size.
#include "app/parts/actions.h"
#include "app/parts/forms/form_row.h"
#include "app/window/page_area.h"
#include "app/window/session_actions.h"
#include "app/workspaces/analyse/studies/study_form.h"
#include "app/workspaces/train/experiments/experiments_dialog.h"
#include "app/workspaces/train/train_workspace.h"
#include "app/workspaces/workspace.h"
#include "tests/stories/layout/layout_walk.h"
#include "tests/stories/layout/painted.h"
#include "tests/support/runner.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/run_table.h"

#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QListWidget>
#include <QMap>
#include <QMenuBar>
#include <QScreen>
#include <QScrollBar>
#include <QStatusBar>
#include <QTabWidget>
#include <QTest>

#include <functional>

namespace headroom::testing::text_size_story_test {

using namespace headroom::app;

namespace {

/// Margins, spacings, fixed sizes, icons and row heights, and the font, by the place in the tree of widgets.
struct Measures {
    QList<int> sizes;
    QString font;
    int label = 0; ///< as wide as its text; 0: no label
};
using Measured = QMap<QString, Measures>;

void measure(const QWidget* widget, const QString& path, Measured& measured) {
    const auto fixed = [](int least, int most) { return least == most ? least : 0; };
    QList<int> sizes{fixed(widget->minimumHeight(), widget->maximumHeight()),
                     fixed(widget->minimumWidth(), widget->maximumWidth())};
    sizes << widget->property("iconSize").toSize().height(); // of buttons, bars and lists
    if (const auto* header = qobject_cast<const QHeaderView*>(widget); header && header->orientation() == Qt::Vertical)
        sizes << header->defaultSectionSize();
    if (const QLayout* layout = widget->layout(); layout && !qobject_cast<const QMainWindow*>(widget)) {
        const QMargins margins = layout->contentsMargins();
        sizes << margins.left() << margins.top() << margins.right() << margins.bottom() << layout->spacing();
    }
    measured.insert(path, {sizes, widget->font().toString(), qobject_cast<const QLabel*>(widget) ? widget->sizeHint().width() : 0});
    int place = 0;
    for (const QObject* child : widget->children())
        if (const auto* inner = qobject_cast<const QWidget*>(child); inner && !inner->isWindow())
            measure(inner,
                    QStringLiteral("%1/%2 %3 %4").arg(path, QLatin1String(child->metaObject()->className()),
                                                      child->objectName())
                        .arg(place++),
                    measured);
}

Measured measuredOf(Story& story) {
    for (Workspace* workspace : story.window().workspaces()) {
        story.window().showWorkspace(workspace->objectName());
        (void)story.quiet();
    }
    Measured measured;
    measure(&story.window(), {}, measured);
    return measured;
}

void choose(Story& story, int percent) {
    for (QAction* size : story.window().actions().textSizes->actions())
        if (size->data().toInt() == percent)
            size->trigger();
}

/// Each workspace; of Analyse the encoder with each tab, the decoder's attention, the form of a study, too.
void eachView(Story& story, const std::function<void(const QString&)>& look) {
    const Actions& a = story.window().actions();
    for (Workspace* workspace : story.window().workspaces()) {
        story.window().showWorkspace(workspace->objectName());
        settle(story);
        look(workspace->objectName());
    }
    a.analyseWorkspace->trigger();
    auto* tabs = story.part<QTabWidget>("analysisTabs");
    for (QAction* view : {a.encoderView, a.words, a.decoderView}) {
        view->trigger();
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            settle(story);
            look(QStringLiteral("%1, %2").arg(view->text(), tabs->tabText(tab)));
        }
    }
    a.encoderView->trigger();
    a.newStudy->trigger();
    settle(story);
    look(QStringLiteral("the form of a study"));
    story.window().current()->resetLayout();
    settle(story);
}

/// A menu bar that is too low for its words shows none of them.
bool menusAreShown(Story& story) {
    const QMenuBar* bar = story.window().menuBar();
    const auto titles = bar->actions();
    return !titles.isEmpty() && std::all_of(titles.cbegin(), titles.cend(), [bar](QAction* title) {
        return !title->isVisible() || bar->rect().contains(bar->actionGeometry(title));
    });
}

} // namespace

class TextSizeStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aChangedWindowLooksAsOneStartedInThatSize_data() {
        QTest::addColumn<QList<int>>("chosen");
        QTest::newRow("larger") << QList<int>{125};
        QTest::newRow("largest") << QList<int>{150};
        QTest::newRow("there and back") << QList<int>{150, 100};
    }
    void aChangedWindowLooksAsOneStartedInThatSize() {
        QFETCH(QList<int>, chosen);
        const auto home = std::make_shared<QTemporaryDir>();
        Measured changed, usual;
        {
            Story story(home);
            usual = measuredOf(story);
            for (const int percent : chosen)
                choose(story, percent);
            QCOMPARE(story.settings().textSize(), chosen.last());
            changed = measuredOf(story);
            QVERIFY(menusAreShown(story));
        }
        Story next(home); // the next start
        const Measured started = measuredOf(next);
        QVERIFY(menusAreShown(next));
        QStringList different;
        int larger = 0;
        for (auto it = started.cbegin(); it != started.cend(); ++it) {
            if (!changed.contains(it.key()))
                continue; // made while the window was used
            const Measures was = changed.value(it.key());
            larger += it->font != usual.value(it.key()).font;
            // The inner parts of a scroll area that was never shown have no font of their own yet; Qt's buttons in the title
            // of a dock show no text.
            if (was.font != it->font && !it.key().contains(QLatin1String("qt_scrollarea_")) &&
                !it.key().contains(QLatin1String("QDockWidgetTitleButton")))
                different << QStringLiteral("%1: the font is %2, not %3").arg(it.key(), was.font, it->font);
            // A label that was never shown has a new size only then.
            if (chosen.last() == 100 && was.label > it->label + 1)
                different << QStringLiteral("%1: as wide as %2, not %3").arg(it.key()).arg(was.label).arg(it->label);
            for (qsizetype i = 0; chosen.last() != 150 && i < std::min(was.sizes.size(), it->sizes.size()); ++i)
                // Rounded twice; and what is some lines high, by a part of a pixel for each of them.
                if (std::abs(was.sizes[i] - it->sizes[i]) > std::max(1, it->sizes[i] / 16)) {
                    different << QStringLiteral("%1: %2 is %3, not %4").arg(it.key()).arg(i).arg(was.sizes[i]).arg(it->sizes[i]);
                    break;
                }
        }
        QVERIFY2(different.isEmpty(), qPrintable(different.join(QLatin1Char('\n'))));
        QVERIFY(chosen.last() == 100 || larger > 200); // else the size was not heard of
    }
    /// Each time there and back made "New run" wider, for good.
    void thePanelsAreAsTheyWereAfterLargerText() {
        Story story;
        story.window().sessionActions()->openDemo();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        resizeTo(story, QSize(1600, 1000));
        const auto panels = [&] {
            QMap<QString, QSize> sizes;
            settle(story);
            for (const auto* dock : story.window().current()->findChildren<QDockWidget*>())
                if (dock->isVisible())
                    sizes[dock->objectName()] = dock->size();
            return sizes;
        };
        const auto same = [&](const QMap<QString, QSize>& before, const char* when) {
            const QMap<QString, QSize> now = panels();
            QStringList different;
            for (auto one = before.cbegin(); one != before.cend(); ++one)
                if (const QSize size = now.value(one.key()); std::abs(size.width() - one->width()) > 8 || std::abs(size.height() - one->height()) > 8)
                    different << QStringLiteral("%1: %2 × %3, not %4 × %5").arg(one.key()).arg(size.width()).arg(size.height()).arg(one->width()).arg(one->height());
            if (!different.isEmpty())
                qWarning("%s, %s:\n%s", qPrintable(story.window().current()->objectName()), when, qPrintable(different.join(u'\n')));
            return different.isEmpty();
        };
        int changed = 0;
        for (Workspace* workspace : story.window().workspaces()) {
            story.window().showWorkspace(workspace->objectName());
            QTRY_VERIFY_WITH_TIMEOUT(workspace->isSettled(), 60000);
            const QMap<QString, QSize> first = panels();
            for (int round = 0; round < 2; ++round)
                for (const int percent : {150, 100}) {
                    choose(story, percent);
                    if (percent == 150)
                        changed += panels() != first;
                    else
                        changed += 100 * !same(first, "there and back");
                }
            workspace->resetLayout();
            changed += 100 * !same(first, "Reset layout");
        }
        QVERIFY2(changed > 0 && changed < 100, "What differs is listed above.");
    }
    /// Larger text makes the window grow less than itself: bars and panels give way.
    void theWindowStaysSmallAtLargerText_data() {
        QTest::addColumn<int>("percent");
        QTest::addColumn<QSize>("screen");
        QTest::newRow("usual") << 100 << QSize(1280, 720);
        QTest::newRow("larger") << 125 << QSize(1280, 720);
        QTest::newRow("largest") << 150 << QSize(1600, 900);
    }
    void theWindowStaysSmallAtLargerText() {
        QFETCH(int, percent);
        QFETCH(QSize, screen);
        Story story;
        QVERIFY(story.openAndWait({story.utterance(QStringLiteral("one")), Story::model()}));
        choose(story, percent);
        LayoutFindings findings;
        for (Workspace* workspace : story.window().workspaces()) {
            story.window().showWorkspace(workspace->objectName());
            settle(story);
            resizeTo(story, screen);
            settle(story);
            findings.lookAtMinimum(&story.window(), screen, QStringLiteral("%1, %2 %").arg(workspace->objectName()).arg(percent));
        }
        QVERIFY2(nothingFound(findings), "The findings are listed above.");
    }

    /// With larger text and the words it was higher than the screen, and its buttons could not be reached. The tests' screen has 800 × 800 pixels.
    void noViewMakesTheWindowHigherThanItsScreen() {
        Story story;
        story.window().sessionActions()->openDemo();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        story.window().resize(780, 740);
        settle(story);
        const int own = story.window().height(), screen = story.window().screen()->availableSize().height();
        const auto* area = story.window().findChild<PageArea*>();
        QVERIFY(area && own < screen);
        int scrolled = 0;
        for (const int percent : {125, 150}) {
            choose(story, percent);
            eachView(story, [&](const QString& view) {
                const QString where = QStringLiteral("%1, %2 %: %3 of %4").arg(view).arg(percent).arg(story.window().frameGeometry().height()).arg(screen);
                QVERIFY2(story.window().frameGeometry().height() <= screen && story.window().frameGeometry().bottom() <= screen, qPrintable(where));
                QVERIFY2(story.window().rect().contains(story.window().statusBar()->geometry()), qPrintable(where));
                // What does not fit can be scrolled to.
                QVERIFY2(story.window().current()->height() >= story.window().current()->minimumSizeHint().height(), qPrintable(where));
                scrolled += area->verticalScrollBar()->isVisible();
            });
        }
        QVERIFY(scrolled > 0);
        choose(story, 100);
        settle(story);
        QCOMPARE(story.window().height(), own);
    }

    /// Text of 125 % is offered on a screen of 1280 × 720: each view has room there.
    void eachViewHasRoomOnTheScreenForItsText() {
        Story story;
        story.window().sessionActions()->openDemo();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        LayoutFindings findings;
        for (const auto& [percent, screen] : {std::pair(100, QSize(1280, 720)), {125, QSize(1280, 720)}, {150, QSize(1536, 864)}}) {
            choose(story, percent);
            resizeTo(story, screen);
            eachView(story, [&, percent = percent, screen = screen](const QString& view) {
                findings.lookAtMinimum(&story.window(), screen, QStringLiteral("%1, %2 %").arg(view).arg(percent));
            });
        }
        QVERIFY2(nothingFound(findings), "The findings are listed above.");
    }

    /// Its data were under a scroll bar, and Run the study below them could be pressed.
    void theFormOfAStudyHasRoomInASmallWindow() {
        Story story;
        story.window().sessionActions()->openDemo();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        resizeTo(story, QSize(1264, 760));
        settle(story);
        auto* analysis = story.window().findChild<QDockWidget*>(QStringLiteral("analysis"));
        QVERIFY(analysis);
        const int before = analysis->height();
        story.window().actions().newStudy->trigger();
        auto* form = story.part<StudyForm>();
        for (const StudyKind kind : {StudyKind::Windows, StudyKind::Phones, StudyKind::Mixing, StudyKind::Similarity}) {
            form->setKind(kind);
            settle(story);
            for (const char* name : {"kind", "models", "data"}) {
                const auto* row = form->findChild<FormRow*>(QLatin1String(name));
                QVERIFY2(row && row->visibleRegion().boundingRect() == row->rect(), name);
            }
        }
        QVERIFY(analysis->isVisible());
        Q_EMIT form->closed();
        settle(story);
        QTRY_VERIFY_WITH_TIMEOUT(analysis->height() >= before, 60000);
    }

    /// In a low window its first and last line were cut through, and no row was left.
    void theNoteBelowTheRunsIsWholeOrGivesWay() {
        Story story;
        choose(story, 125);
        story.window().showWorkspace(QStringLiteral("train"));
        settle(story);
        const auto* note = story.window().findChild<QLabel*>(QStringLiteral("runsNote"));
        QVERIFY(note);
        int whole = 0, gone = 0;
        for (int height = 1200; height >= 700; height -= 50) {
            resizeTo(story, QSize(1600, height));
            story.window().train()->resetLayout();
            settle(story);
            whole += note->isVisible();
            gone += !note->isVisible();
            if (note->isVisible())
                QVERIFY(note->height() >= note->heightForWidth(note->width()) && note->parentWidget()->rect().contains(note->geometry()));
            else
                QCOMPARE(story.window().train()->runTable()->height(), note->parentWidget()->height());
        }
        QVERIFY2(whole > 0 && gone > 0, qPrintable(QStringLiteral("%1 and %2").arg(whole).arg(gone)));
    }

    /// One title lost its end, above an empty line.
    void titlesOfExperimentsAreWhole() {
        Story story;
        choose(story, 125);
        ExperimentsDialog* dialog = story.window().train()->showExperiments();
        dialog->resize(1400, 1200);
        dialog->show();
        settle(story);
        QVERIFY(dialog->list()->count() >= 14);
        for (int row = 0; row < dialog->list()->count(); ++row) {
            dialog->list()->scrollToItem(dialog->list()->item(row));
            for (const PaintedText& text : paintedBy(dialog->list()->viewport()).texts)
                QVERIFY2(!text.isElided(), qPrintable(text.text));
        }
        delete dialog;
    }

    void cleanupTestCase() {
        widgets::setTextSize(100);
        widgets::Theme::apply(QStringLiteral("light"));
    }
};

HEADROOM_TEST(TextSizeStory)

} // namespace headroom::testing::text_size_story_test

#include "text_size_story_test.moc"
