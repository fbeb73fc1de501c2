// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/study_tables_dialog.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/study_table/study_table_view.h"

#include <QComboBox>
#include <QLabel>
#include <QTest>

namespace headroom::testing::study_tables_test {

using namespace headroom::app;

class StudyTablesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// The tests that compare the models were nowhere in the window.
    void everyTableOfAStudyIsShown() {
        auto study = std::make_shared<OpenStudy>();
        study->folder = "/studies/compared";
        study->document.kind = StudyKind::Heads;
        study->document.tables = {{"heads-1", "Heads of small", "CAD of small.", {{"cad", "CAD", "", 3, false}}, {{0.5}, {0.75}}},
                                  {"comparison", "Comparison of CAD", "Difference of the mean.", {{"p", "p", "", 4, false}}, {{0.03125}}}};
        StudyTablesDialog dialog(study);
        dialog.show();
        QCOMPARE(dialog.chooser()->count(), 2);
        QCOMPARE(dialog.table()->study()->rowCount(), 2);
        dialog.chooser()->setCurrentIndex(dialog.chooser()->findText(QStringLiteral("Comparison of CAD")));
        QCOMPARE(dialog.table()->study()->table().name, std::string("comparison"));
        QVERIFY(std::ranges::any_of(dialog.findChildren<QLabel*>(),
                                    [](const QLabel* label) { return label->text() == QStringLiteral("Difference of the mean."); }));
    }
};

HEADROOM_TEST(StudyTablesTest)

} // namespace headroom::testing::study_tables_test

#include "study_tables_test.moc"
