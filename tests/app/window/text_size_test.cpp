// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/actions.h"
#include "app/settings/app_settings.h"
#include "app/window/theme_switch.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"

#include <QActionGroup>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <QVBoxLayout>

namespace headroom::testing::text_size_test {

using namespace headroom::app;
using widgets::Sizes;

class TextSizeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theWholeWindowFollows() {
        const QTemporaryDir folder;
        AppSettings settings(folder.filePath(QStringLiteral("settings.ini")));
        ThemeSwitch theme(&settings, QStringLiteral("light"));
        theme.apply();
        QUndoStack undo;
        const Actions actions(&undo, nullptr);
        theme.connectActions(actions);
        const int control = Sizes::control(), text = Sizes::text().pixelSize();

        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        auto* bar = new QWidget;
        bar->setFixedHeight(control);
        layout->addWidget(bar);
        auto* title = new QLabel(&window);
        widgets::withTextSize(title, [title] { title->setFont(Sizes::heading()); });
        window.show();

        const auto choose = [&](int percent) {
            for (QAction* size : actions.textSizes->actions())
                if (size->data().toInt() == percent)
                    return size->trigger();
            QFAIL("no such size");
        };
        choose(150);
        QCOMPARE(settings.textSize(), 150);
        QCOMPARE(Sizes::text().pixelSize(), qRound(text * 1.5));
        QCOMPARE(bar->height(), Sizes::control());
        QCOMPARE(title->font().pixelSize(), qRound(text * 1.5));
        choose(100);
        QCOMPARE(title->font(), Sizes::heading());
        delete title;
        choose(125); // its work is gone with it
        choose(100);
        QCOMPARE(settings.textSize(), 100);
    }
};

HEADROOM_TEST(TextSizeTest)

} // namespace headroom::testing::text_size_test

#include "text_size_test.moc"
