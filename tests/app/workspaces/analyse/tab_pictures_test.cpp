// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs of the demo session in both themes, kept where HEADROOM_PICTURES names a folder. With the real worker,
// which HEADROOM_WORKER names.
#include "app/studies/study_evidence.h"
#include "app/workspaces/analyse/heads/cad_panel.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/heads/heads_controller.h"
#include "app/workspaces/analyse/heads/heads_panel.h"
#include "app/workspaces/analyse/heads/statistics_panel.h"
#include "app/workspaces/analyse/phones/phones_controller.h"
#include "app/workspaces/analyse/phones/phones_panel.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>

namespace headroom::testing::tab_pictures_test {

using namespace headroom::app;

class TabPictures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTab_data() {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<QSize>("size");
        QTest::newRow("dark") << QStringLiteral("dark") << QSize(545, 555);
        QTest::newRow("light") << QStringLiteral("light") << QSize(545, 555);
        QTest::newRow("small") << QStringLiteral("light") << QSize(420, 340);
    }

    void everyTab() {
        const QString folder = qEnvironmentVariable("HEADROOM_PICTURES");
        const QString program = qEnvironmentVariable("HEADROOM_WORKER");
        if (folder.isEmpty() || program.isEmpty())
            QSKIP("HEADROOM_PICTURES names no folder, or HEADROOM_WORKER no worker.");
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        widgets::Theme::apply(theme);
        WorkerProcess::Options options;
        options.program = program;
        options.arguments = {QStringLiteral("serve")};
        Session session;
        WorkerProcess worker(options);
        AnalysisService analysis(&session, &worker);
        StudyEvidence evidence;
        widgets::TimeAxis axis;
        QTabWidget tabs;
        tabs.setDocumentMode(true);
        HeadsController heads({&session, &analysis, &evidence, &tabs});
        PhonesController phones({&session, &analysis, &evidence, &axis, heads.live(), &tabs});
        tabs.resize(size);
        tabs.show();
        session.openCopy(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources/demo/demo.headroom",
                         QStringLiteral("Demo session"));
        const auto keep = [&](const QString& name) {
            QVERIFY(QTest::qWaitFor(
                [&] {
                    return !session.isReading() && !analysis.isBusy() && !heads.isPending() &&
                           !phones.isPending();
                },
                60000));
            QCoreApplication::processEvents();
            const QString file =
                QStringLiteral("/%1-%2.png").arg(name, QString::fromLatin1(QTest::currentDataTag()));
            QVERIFY(tabs.grab().save(folder + file));
        };
        tabs.setCurrentWidget(tabs.findChild<CadPanel*>());
        keep(QStringLiteral("cad-whole"));
        tabs.findChild<CadPanel*>()->note()->button()->click();
        QTest::keyClick(tabs.findChild<CadPanel*>()->plot(), Qt::Key_Right);
        keep(QStringLiteral("cad"));
        tabs.findChild<CadPanel*>()->orderField()->setCurrentIndex(1);
        keep(QStringLiteral("cad-by-layer"));
        tabs.setCurrentWidget(tabs.findChild<HeadsPanel*>());
        keep(QStringLiteral("heads"));
        tabs.setCurrentWidget(tabs.findChild<StatisticsPanel*>());
        keep(QStringLiteral("statistics"));
        tabs.setCurrentWidget(tabs.findChild<PhonesPanel*>());
        tabs.findChild<PhonesPanel*>()->map()->setSelected(
            widgets::PhonePair{phoneClass("IH").value(), phoneClass("T").value()});
        keep(QStringLiteral("par"));
        QTest::keyClick(tabs.findChild<PhonesPanel*>()->map(), Qt::Key_Return);
        keep(QStringLiteral("par-places"));
    }
};

HEADROOM_TEST(TabPictures)

} // namespace headroom::testing::tab_pictures_test

#include "tab_pictures_test.moc"
