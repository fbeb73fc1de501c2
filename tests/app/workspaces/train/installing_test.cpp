// SPDX-License-Identifier: GPL-3.0-or-later
// *Places…* closed while the worker is copied to a place.
#include "app/places/places_dialog.h"
#include "app/workspaces/train/train_actions.h"
#include "tests/app/workspaces/train/one_place.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QFile>
#include <QListWidget>
#include <QPushButton>
#include <QTest>

#include <optional>

namespace headroom::testing::installing_test {

using namespace headroom::app;

class InstallingTest : public QObject {
    Q_OBJECT

    std::optional<OnePlace> m_place;
    std::optional<Desk> m_desk;

    void write(const char* name, const QByteArray& text) const {
        QFile file(m_place->file(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    /// The worker's answer is `text`, from now on.
    void answer(const QByteArray& text) const {
        write("answer.new", text);
        QVERIFY(QFile::rename(m_place->file("answer.new"), m_place->file("answer")));
    }
    PlacesDialog* open() {
        m_desk->workspace->actions().places->trigger();
        for (auto* dialog : m_desk->workspace->findChildren<PlacesDialog*>())
            if (dialog->isVisible())
                return dialog;
        return nullptr;
    }

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }
    /// A worker that answers once the file "answer" is there.
    void init() {
        m_place.emplace();
        m_desk.emplace("good");
        const QByteArray file = m_place->file("answer").toUtf8();
        write("worker", "#!/bin/sh\nuntil [ -e '" + file + "' ]; do sleep 0.05; done\ncat '" + file + "'\n");
        qputenv("HEADROOM_WORKER", m_place->file("worker").toLocal8Bit());
    }
    void cleanup() {
        m_desk.reset();
        m_place.reset();
    }

    /// It was ended without a word.
    void whatEndsAfterTheDialogueIsSaidInMessages_data() {
        QTest::addColumn<QByteArray>("answered");
        QTest::addColumn<QString>("said");
        QTest::newRow("done") << QByteArray(R"({"checks": [{"state": "passed", "what": "Worker", "value": "0.3.0", "sentence": ""}]})")
                              << QStringLiteral("The worker was copied to gpu-1. Everything that a run needs is there.");
        QTest::newRow("failed") << QByteArray(R"({"checks": [{"state": "failed", "what": "Disk", "value": "", "sentence": "The disk of gpu-1 is full."}]})")
                                << QStringLiteral("The worker could not be installed at gpu-1. The disk of gpu-1 is full.");
    }
    void whatEndsAfterTheDialogueIsSaidInMessages() {
        QFETCH(QByteArray, answered);
        QFETCH(QString, said);
        QPointer<PlacesDialog> dialog = open();
        QVERIFY(dialog);
        dialog->install();
        QVERIFY(dialog->isWorking());
        dialog->close();
        QVERIFY(!dialog->isVisible());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        answer(answered);
        QTRY_VERIFY2_WITH_TIMEOUT(m_desk->said().contains(said), qPrintable(m_desk->said()), 60000);
        QCOMPARE(m_desk->session.messages()->at(0).severity == Severity::Good, QTest::currentDataTag() == QByteArray("done"));
        QTRY_VERIFY_WITH_TIMEOUT(!dialog, 60000);
    }

    /// Opened again, it says what goes on, and nothing else can be asked of another place meanwhile.
    void whoOpensItAgainSeesWhatGoesOn() {
        const QPointer<PlacesDialog> dialog = open();
        QVERIFY(dialog);
        dialog->install();
        dialog->close();
        QCOMPARE(open(), dialog.data());
        QCOMPARE(dialog->sentence(), QStringLiteral("Copying the worker to gpu-1…"));
        QVERIFY(!dialog->findChild<QListWidget*>()->isEnabled());
        for (const QPushButton* button : dialog->findChildren<QPushButton*>())
            if (const QString text = button->text().remove(u'&'); text == QStringLiteral("Install…") || text == QStringLiteral("Add"))
                QVERIFY2(!button->isEnabled() && button->toolTip().contains(QStringLiteral("is being copied to gpu-1")),
                         qPrintable(button->toolTip()));
        answer(R"({"checks": [{"state": "passed", "what": "Worker", "value": "0.3.0", "sentence": ""}]})");
        QTRY_COMPARE_WITH_TIMEOUT(dialog->sentence(), QStringLiteral("Everything that a run needs is there."), 60000);
        QVERIFY(dialog->findChild<QListWidget*>()->isEnabled());
        QVERIFY(m_desk->said().isEmpty()); // the dialogue has said it
        dialog->close();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog, 60000);
    }
};

HEADROOM_TEST(InstallingTest)

} // namespace headroom::testing::installing_test

#include "installing_test.moc"
