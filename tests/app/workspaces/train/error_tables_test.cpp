// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of an evaluation's errors have their numbers in sight.
#include "app/workspaces/train/evaluate/error_browser.h"
#include "tests/app/workspaces/train/evaluation_result.h"
#include "tests/support/runner.h"
#include "tests/support/written_files.h"
#include "widgets/look/theme.h"
#include "widgets/study_table/study_table_view.h"

#include <QHeaderView>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::error_tables_test {

using namespace headroom::app;
using widgets::StudyTableView;
namespace fs = std::filesystem;

class ErrorTablesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// All counts of the confusions were “…”: the last column kept the width that it had been stretched to.
    void noTableHasToBeScrolledSideways() {
        QTemporaryDir home;
        const fs::path folder = fs::path(home.path().toStdString()) / "a";
        auto document = nlohmann::json::parse(result("/models/a", "/nowhere"));
        document["utterances"].clear();
        for (int i = 0; i < 80; ++i)
            document["utterances"].push_back({{"id", "1184-86779-00" + std::to_string(i)}, {"speaker", "1184-" + std::to_string(i)},
                                              {"reference", "word" + std::to_string(i) + " of the misunderstandings"},
                                              {"hypothesis", i % 2 ? "we the uncharacteristically misunderstanding" : "of"}});
        writeFile(folder / "evaluation.json", document.dump());
        ErrorBrowser browser(folder);
        browser.show();
        QTRY_VERIFY_WITH_TIMEOUT(!browser.isPending(), 60000);
        for (const int width : {browser.width(), browser.width() + 150, browser.width() - 80}) {
            browser.resize(width, browser.height());
            for (StudyTableView* table : {browser.confusions(), browser.speakers(), browser.lengths(), browser.utterances()}) {
                if (table != browser.utterances())
                    browser.groups()->setCurrentWidget(table);
                QVERIFY(table->shownRows() > 0);
                const QHeaderView* header = table->horizontalHeader();
                const auto fits = [&] { return header->length() <= table->viewport()->width(); };
                QVERIFY2(QTest::qWaitFor(fits, 2000), qPrintable(QStringLiteral("%1: %2 of %3").arg(table->accessibleName()).arg(header->length()).arg(table->viewport()->width())));
            }
        }
    }
};

HEADROOM_TEST(ErrorTablesTest)

} // namespace headroom::testing::error_tables_test

#include "error_tables_test.moc"
