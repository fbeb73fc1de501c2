// SPDX-License-Identifier: GPL-3.0-or-later
// Text size: a window that is changed looks as one that is started in that size.
#include "app/parts/actions.h"
#include "app/workspaces/workspace.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QHeaderView>
#include <QLayout>
#include <QMap>
#include <QTest>

namespace headroom::testing::text_size_story_test {

using namespace headroom::app;

namespace {

/// Margins, spacings, fixed sizes, fonts and row heights by the place in the tree of widgets.
using Measured = QMap<QString, QList<int>>;

void measure(const QWidget* widget, const QString& path, Measured& measured) {
    const auto fixed = [](int least, int most) { return least == most ? least : 0; };
    QList<int> sizes{fixed(widget->minimumHeight(), widget->maximumHeight()),
                     fixed(widget->minimumWidth(), widget->maximumWidth()), qRound(10 * widget->font().pointSizeF())};
    if (const auto* header = qobject_cast<const QHeaderView*>(widget); header && header->orientation() == Qt::Vertical)
        sizes << header->defaultSectionSize();
    if (const QLayout* layout = widget->layout(); layout && !qobject_cast<const QMainWindow*>(widget)) {
        const QMargins margins = layout->contentsMargins();
        sizes << margins.left() << margins.top() << margins.right() << margins.bottom() << layout->spacing();
    }
    measured.insert(path, sizes);
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

} // namespace

class TextSizeStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aChangedWindowLooksAsOneStartedInThatSize() {
        const auto home = std::make_shared<QTemporaryDir>();
        Measured changed, usual;
        {
            Story story(home);
            usual = measuredOf(story);
            for (QAction* size : story.window().actions().textSizes->actions())
                if (size->data().toInt() == 125)
                    size->trigger();
            QCOMPARE(story.settings().textSize(), 125);
            changed = measuredOf(story);
        }
        Story next(home); // the next start
        const Measured started = measuredOf(next);
        QStringList different;
        int larger = 0;
        for (auto it = started.cbegin(); it != started.cend(); ++it) {
            const QList<int> was = changed.value(it.key());
            if (was.size() != it->size())
                continue; // made while the window was used
            larger += *it != usual.value(it.key());
            for (qsizetype i = 0; i < was.size(); ++i)
                // Rounded twice; and what is some lines high, by a part of a pixel for each of them.
                if (std::abs(was[i] - it->at(i)) > std::max(1, it->at(i) / 16)) {
                    different << QStringLiteral("%1: %2 is %3, not %4").arg(it.key()).arg(i).arg(was[i]).arg(it->at(i));
                    break;
                }
        }
        QVERIFY2(different.isEmpty(), qPrintable(different.join(QLatin1Char('\n'))));
        QVERIFY(larger > 50); // else the size was not heard of
    }
    void cleanupTestCase() {
        widgets::setTextSize(100);
        widgets::Theme::apply(QStringLiteral("light"));
    }
};

HEADROOM_TEST(TextSizeStory)

} // namespace headroom::testing::text_size_story_test

#include "text_size_story_test.moc"
