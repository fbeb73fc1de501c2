// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/script_dialog.h"
#include "core/places/run_place.h"
#include "core/runs/strict_json.h"
#include "tests/support/runner.h"

#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <fstream>

namespace headroom::testing::script_dialog_test {

using app::ScriptDialog;

class ScriptDialogTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        std::ofstream(runScriptFile(run())) << "#!/bin/bash\n";
    }
    void aScriptThatWasSentIsOnlyRead() {
        place(false);
        const ScriptDialog dialog(run());
        QVERIFY(!dialog.canSend() && text(dialog)->isReadOnly());
        QCOMPARE(text(dialog)->toPlainText(), QStringLiteral("#!/bin/bash\n"));
    }
    void aHeldScriptIsSentAsItWasChanged() {
        place(true);
        ScriptDialog dialog(run());
        QSignalSpy sent(&dialog, &ScriptDialog::sendRequested);
        QVERIFY(dialog.canSend() && !text(dialog)->isReadOnly());
        text(dialog)->appendPlainText(QStringLiteral("echo changed"));
        button(dialog, "Send to Slurm")->click();
        QCOMPARE(sent.size(), 1);
        QCOMPARE(sent[0][0].toString(), QStringLiteral("#!/bin/bash\n\necho changed"));
    }
    void whatWasChangedIsKeptForTheNextTime() {
        place(true);
        ScriptDialog dialog(run());
        text(dialog)->setPlainText(QStringLiteral("changed\n"));
        text(dialog)->document()->setModified(true);
        button(dialog, "Close")->click();
        QCOMPARE(readSmallFile(runScriptFile(run()), "test"), std::string("changed\n"));
    }
    void aScriptThatIsNotThereIsSaid() {
        std::filesystem::remove(runScriptFile(run()));
        place(true);
        const ScriptDialog dialog(run());
        QVERIFY(!dialog.canSend());
    }

private:
    std::filesystem::path run() const { return m_folder->path().toStdString(); }
    void place(bool held) const {
        RunPlace place;
        place.place.name = "cluster";
        place.place.kind = Place::Kind::Slurm;
        place.place.folder = "~/headroom";
        place.folder = "headroom/runs/a";
        place.contact = RunPlace::Contact::Waiting;
        place.since = "2026-11-21T13:01:52Z";
        place.held = held;
        writeRunPlace(run(), place);
    }
    static QPlainTextEdit* text(const ScriptDialog& dialog) { return dialog.findChild<QPlainTextEdit*>(); }
    static QPushButton* button(const ScriptDialog& dialog, const char* words) {
        for (auto* one : dialog.findChildren<QPushButton*>())
            if (one->text() == QLatin1String(words))
                return one;
        return nullptr;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

HEADROOM_TEST(ScriptDialogTest)

} // namespace headroom::testing::script_dialog_test

#include "script_dialog_test.moc"
