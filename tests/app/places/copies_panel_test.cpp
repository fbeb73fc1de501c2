// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/copies_panel.h"

#include "app/places/place_store.h"
#include "app/places/places_dialog.h"
#include "core/errors/error.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/study_table/study_table_view.h"

#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::copies_panel_test {

using namespace headroom::app;

namespace {

constexpr const char* kAnswer = R"({"format": "headroom/place-copies", "version": 1, "place": "gpu-1", "copies": [
  {"kind": "corpus", "path": "data/librispeech-0123456789ab", "name": "librispeech", "bytes": 6300000000, "copied": 1000000, "linked": false,
   "usedBy": [{"name": "asr-local, seed 1", "inProgress": false}, {"name": "asr-local, seed 2", "inProgress": true}]},
  {"kind": "model", "path": "models/small-bbbbbbbbbbbb", "name": "small", "bytes": 118000000, "copied": 900000, "linked": false,
   "usedBy": [{"name": "asr-local, seed 1", "inProgress": false}]},
  {"kind": "checkpoint", "path": "models/checkpoints-cccccccccccc", "name": "checkpoints", "bytes": 59000000, "copied": 1000000, "linked": false, "usedBy": []},
  {"kind": "worker", "path": "worker/0.3.0-dddddddddddd", "name": "0.3.0", "bytes": 41000000, "copied": 1000000, "linked": true, "usedBy": []}]})";

} // namespace

class CopiesPanelTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    QString path(const char* name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    void write(const char* name, const QByteArray& text) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    QString asked() const {
        QFile file(path("asked"));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    /// A worker that says what is in the file "answer".
    std::unique_ptr<PlaceStore> storeWithWorker(const QByteArray& answer) {
        m_folder = std::make_unique<QTemporaryDir>();
        write("answer", answer);
        write("worker", "#!/bin/sh\necho \"$@\" >> '" + path("asked").toUtf8() + "'\ncat '" + path("answer").toUtf8() + "'\n");
        qputenv("HEADROOM_WORKER", path("worker").toLocal8Bit());
        Place place;
        place.name = place.host = "gpu-1";
        place.folder = "~/headroom";
        auto store = std::make_unique<PlaceStore>(path("places.json").toStdString());
        [&] { QCOMPARE(store->put(place), QString()); }();
        return store;
    }

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void anAnswerBecomesRows() {
        const auto content = CopiesPanel::contentOf(kAnswer, 1000000 + 3 * 86400);
        QCOMPARE(content.copies.size(), std::size_t(4));
        QCOMPARE(content.copies[0].inProgress, QStringLiteral("asr-local, seed 2"));
        QVERIFY(content.copies[1].inProgress.isEmpty() && content.copies[3].isWorker);
        const auto& row = content.table.rows[0];
        QCOMPARE(std::get<std::string>(row[0]), std::string("librispeech"));
        QCOMPARE(std::get<std::string>(row[1]), std::string("corpus"));
        QCOMPARE(std::get<double>(row[2]), 6300.0);
        QCOMPARE(std::get<std::string>(row[3]), std::string("3 days"));
        QCOMPARE(std::get<std::string>(row[4]), std::string("asr-local, seed 1, asr-local, seed 2"));
        QVERIFY_EXCEPTION_THROWN(CopiesPanel::contentOf("rubbish", 0), Error);
        QVERIFY_EXCEPTION_THROWN(CopiesPanel::contentOf(R"({"format": "headroom/place-test", "checks": []})", 0), Error);
        for (const auto& [seconds, text] : {std::pair{3, "less than a minute"}, {60, "1 minute"}, {7200, "2 hours"}, {90000, "25 hours"}})
            QCOMPARE(CopiesPanel::ageText(seconds), QString::fromLatin1(text));
    }

    void theTabAsksThePlaceWhenItIsShown() {
        const auto store = storeWithWorker(kAnswer);
        PlacesDialog dialog(store.get());
        dialog.show();
        QVERIFY(asked().isEmpty()); // nobody looked
        dialog.showCopies();
        QTRY_COMPARE_WITH_TIMEOUT(dialog.copies()->table()->shownRows(), 4, 60000);
        QCOMPARE(asked(), QStringLiteral("places copies gpu-1 --json\n"));
        QVERIFY2(dialog.copies()->sentence().startsWith(QStringLiteral("4 copies at gpu-1, ")), qPrintable(dialog.copies()->sentence()));
        const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_COPIES");
        if (!picture.isEmpty())
            QVERIFY(dialog.grab().save(picture));
        dialog.showPlace({}); // a new one has no copies
        QCOMPARE(dialog.copies()->table()->shownRows(), 0);
        QVERIFY(!dialog.copies()->lookButton()->isEnabled());
    }

    void onlyWhatNothingInProgressUsesIsRemoved() {
        const auto store = storeWithWorker(kAnswer);
        PlacesDialog dialog(store.get());
        dialog.show();
        dialog.showCopies();
        CopiesPanel* panel = dialog.copies();
        QTRY_COMPARE_WITH_TIMEOUT(panel->table()->shownRows(), 4, 60000);
        panel->table()->selectRow(0);
        QVERIFY(!panel->removeButton()->isEnabled());
        QVERIFY2(panel->removeButton()->toolTip().contains(QStringLiteral("asr-local, seed 2")), qPrintable(panel->removeButton()->toolTip()));
        panel->table()->selectRow(1);
        QVERIFY(panel->removeButton()->isEnabled());
        panel->removeButton()->click();
        auto* box = dialog.findChild<QMessageBox*>();
        QVERIFY(box && box->isVisible());
        QVERIFY2(box->informativeText().contains(QStringLiteral("models/small-bbbbbbbbbbbb")), qPrintable(box->informativeText()));
        QVERIFY(!asked().contains(QStringLiteral("--remove"))); // it asks first
        for (QAbstractButton* one : box->buttons())
            if (one->text() == QStringLiteral("Remove"))
                one->click();
        QTRY_VERIFY_WITH_TIMEOUT(asked().contains(QStringLiteral("--remove models/small-bbbbbbbbbbbb\n")), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!panel->isPending(), 60000);
    }

    void whatIsWrongIsSaid() {
        const auto store = storeWithWorker("");
        write("worker", "#!/bin/sh\necho 'headroom-worker: gpu-1 does not answer.' >&2\nexit 1\n");
        PlacesDialog dialog(store.get());
        dialog.show();
        dialog.showCopies();
        QTRY_VERIFY2_WITH_TIMEOUT(dialog.copies()->sentence().contains(QStringLiteral("gpu-1 does not answer.")),
                                  qPrintable(dialog.copies()->sentence()), 60000);
        QVERIFY(!dialog.copies()->removeButton()->isEnabled() && dialog.copies()->lookButton()->isEnabled());
    }

    /// A scroll bar appeared, and the lower edge cut the buttons and the second line of the hint.
    void thePageFitsIntoTheDialogue() {
        const QTemporaryDir folder;
        PlaceStore store(folder.filePath(QStringLiteral("places.json")).toStdString());
        PlacesDialog dialog(&store);
        dialog.findChild<QTabWidget*>()->setCurrentIndex(1);
        dialog.show();
        const auto* page = qobject_cast<QScrollArea*>(dialog.findChild<QTabWidget*>()->widget(1));
        QVERIFY(page && QTest::qWaitForWindowExposed(&dialog));
        QTest::qWait(50);
        QVERIFY(page->isVisible());
        QCOMPARE(page->verticalScrollBar()->maximum(), 0);
    }
};

HEADROOM_TEST(CopiesPanelTest)

} // namespace headroom::testing::copies_panel_test

#include "copies_panel_test.moc"
