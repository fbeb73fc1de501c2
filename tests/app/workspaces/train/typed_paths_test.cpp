// SPDX-License-Identifier: GPL-3.0-or-later
// Folders that are typed into the form of Train.
#include "app/documents/items/paths.h"
#include "app/parts/forms/form_row.h"
#include "app/workspaces/train/launch_form.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/environment.h"
#include "tests/support/runner.h"

#include <QLineEdit>

namespace headroom::testing::typed_paths_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

QLineEdit* fieldOf(const Desk& desk, const char* name) {
    return desk.workspace->form()->findChild<FormRow*>(QLatin1String(name))->findChild<QLineEdit*>();
}

void type(const Desk& desk, const char* name, const QString& text) {
    fieldOf(desk, name)->setText(text);
    Q_EMIT fieldOf(desk, name)->editingFinished();
}

bool says(const Desk& desk, const char* name, const QString& mistake) {
    return QTest::qWaitFor(
        [&] {
            const auto mistakes = desk.workspace->form()->mistakes();
            const auto found = mistakes.find(QLatin1String(name));
            return (found == mistakes.end() ? QString() : found->second) == mistake;
        },
        60000);
}

} // namespace

class TypedPathsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Runs were written into a folder "~" where the program had been started.
    void theHomeFolderIsWrittenAsInATerminal() {
        Desk desk("good");
        const ChangedVariable home("HOME", toQString(desk.shop.path()).toLocal8Bit());
        type(desk, "folder", QStringLiteral("~/other runs"));
        QCOMPARE(desk.workspace->store()->folder(), desk.shop.path() / "other runs");
        QCOMPARE(fieldOf(desk, "folder")->text(), toQString(desk.shop.path() / "other runs"));
        type(desk, "data", QStringLiteral(" ~/corpora/x"));
        QCOMPARE(desk.workspace->form()->data(), desk.shop.path() / "corpora/x");
    }

    /// It was looked for where the program had been started.
    void whatIsNotAFullPathIsRefused() {
        Desk desk("good");
        const fs::path before = desk.workspace->store()->folder();
        for (const char* name : {"folder", "data"}) {
            type(desk, name, QStringLiteral("runs"));
            QVERIFY(says(desk, name, QStringLiteral("runs is not a full path. Begin it with / or ~/.")));
            QCOMPARE(fieldOf(desk, name)->text(), QStringLiteral("runs"));
        }
        QCOMPARE(desk.workspace->store()->folder(), before);
        type(desk, "folder", toQString(before));
        QVERIFY(says(desk, "folder", {}));
        type(desk, "data", toQString(desk.shop.corpus()));
        QVERIFY(says(desk, "data", {}));
    }
};

HEADROOM_TEST(TypedPathsTest)

} // namespace headroom::testing::typed_paths_test

#include "typed_paths_test.moc"
