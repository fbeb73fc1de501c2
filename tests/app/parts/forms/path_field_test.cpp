// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/forms/path_field.h"

#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QDir>
#include <QIcon>
#include <QTest>

namespace headroom::testing::path_field_test {

using namespace headroom::app;

class PathFieldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void aPathThatDoesNotFitShowsItsEnd() {
        PathField field;
        field.resize(160, 28);
        field.show();
        QVERIFY(QTest::qWaitForWindowExposed(&field));
        field.clearFocus();
        field.setText(QStringLiteral("/data"));
        QCOMPARE(field.shownText(), QStringLiteral("/data"));
        const QString path = QStringLiteral("/home/somebody/with/a/long/way/to/corpora/demo");
        field.setText(path);
        QVERIFY2(field.shownText().startsWith(QChar(0x2026)) && field.shownText().endsWith(QStringLiteral("corpora/demo")),
                 qPrintable(field.shownText()));
        QCOMPARE(field.toolTip(), path);
        QVERIFY(!field.grab().isNull());
        field.setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(field.hasFocus(), 60000);
        QCOMPARE(field.shownText(), path); // to be edited
    }

    /// A folder named "~" was made where the program had been started.
    void theHomeFolderIsWrittenAsInATerminal() {
        PathField field;
        const std::filesystem::path home = QDir::homePath().toStdString();
        for (const auto& [typed, path] : {std::pair("~", home), {"~/", home / ""}, {" ~/corpora/demo ", home / "corpora/demo"}, {"/data/~/x", "/data/~/x"}}) {
            field.setText(QLatin1String(typed));
            QCOMPARE(field.path(), path);
            QCOMPARE(notFullText(field.path()), QString());
        }
        field.setText(QStringLiteral(" "));
        QVERIFY(field.path().empty() && notFullText(field.path()).isEmpty());
        for (const char* typed : {"runs", "~somebody/runs", "~runs"})
            QCOMPARE(notFullText(typedPath(QLatin1String(typed))), QStringLiteral("%1 is not a full path. Begin it with / or ~/.").arg(QLatin1String(typed)));
    }

    /// A path just too long lost its first letters without “…”, so that it seemed relative.
    void aPathIsShownWholeOrElided() {
        struct Field : PathField {
            using QLineEdit::cursorRect;
        } field;
        field.addAction(new QAction(QIcon(QPixmap(16, 16)), QStringLiteral("Choose"), &field), QLineEdit::TrailingPosition);
        field.setText(QStringLiteral("/home/somebody/corpora/demo"));
        field.show();
        QVERIFY(QTest::qWaitForWindowExposed(&field));
        const auto endAt = [&](int width) {
            field.resize(width, 28);
            field.clearFocus(); // while it is edited, it scrolls
            field.grab(); // scrolls to the caret
            return field.cursorRect().right();
        };
        const int whole = endAt(600);
        int shown = 0, elided = 0;
        for (int width = 400; width > 120; --width) {
            const int end = endAt(width);
            if (field.shownText() != field.text())
                ++elided;
            else if (++shown; end != whole)
                QFAIL(qPrintable(QStringLiteral("%1 pixels: the beginning is scrolled away").arg(width)));
        }
        QVERIFY(shown > 0 && elided > 0);
    }
};

HEADROOM_TEST(PathFieldTest)

} // namespace headroom::testing::path_field_test

#include "path_field_test.moc"
