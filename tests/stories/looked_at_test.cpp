// SPDX-License-Identifier: GPL-3.0-or-later
// What is only looked at: kept with the session, without a question and without a mark of change.
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/window/session_actions.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "core/audio/audio_file.h"
#include "tests/app/studies/made_study.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QFile>
#include <QTabWidget>
#include <QTest>

namespace headroom::testing::looked_at_test {

using namespace headroom::app;
using headroom::testing::Story;

class LookedAtStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void theDemoOpensAsItWasLeft() {
        const auto home = std::make_shared<QTemporaryDir>();
        {
            Story first(home);
            first.window().sessionActions()->start({});
            QVERIFY(first.quiet());
            QCOMPARE(first.session().name(), QStringLiteral("Demo session"));
            lookElsewhere(first, 2);
            close(first);
        }
        {
            Story second(home);
            second.window().sessionActions()->start({});
            QVERIFY(second.quiet());
            QCOMPARE(second.session().name(), QStringLiteral("Demo session"));
            QVERIFY2(isElsewhere(second, 2), qPrintable(m_seen));
            close(second);
        }
        {
            Story third(home); // and once more, by a start that looked at nothing
            third.window().sessionActions()->start({});
            QVERIFY(third.quiet());
            QVERIFY2(isElsewhere(third, 2), qPrintable(m_seen));
            third.window().actions().newSession->trigger(); // nothing was edited, nothing is asked
            QCOMPARE(third.answers().asked, 0);
            QVERIFY(third.session().isEmpty());
            third.window().actions().openDemo->trigger(); // this one is as it was made
            QVERIFY(third.quiet());
            QVERIFY(!isElsewhere(third, 2));
            lookElsewhere(third, 3);
            close(third);
        }
        Story fourth(home); // files instead: a demo that was only looked at is no unsaved session
        fourth.window().sessionActions()->start({keptSound(*home, QStringLiteral("one"))});
        QVERIFY(fourth.quiet());
        QVERIFY2(fourth.settings().recentSessions().isEmpty(), qPrintable(fourth.settings().recentSessions().join(QLatin1Char(' '))));
    }

    void aSessionWithoutANameOpensAsItWasLeft() {
        const auto home = std::make_shared<QTemporaryDir>();
        qputenv("HEADROOM_STUDIES", home->filePath(QStringLiteral("studies")).toLocal8Bit());
        const auto study = toPath(home->filePath(QStringLiteral("studies"))) / "one";
        makeWindowsStudy(study);
        {
            Story first(home);
            const auto other = toPath(home->filePath(QStringLiteral("other")));
            std::filesystem::copy(toPath(Story::model()), other, std::filesystem::copy_options::recursive);
            QVERIFY(first.openAndWait({keptSound(*home, QStringLiteral("one")), keptSound(*home, QStringLiteral("two")), Story::model(), toQString(other)}));
            first.session().setCurrentModel(first.session().models()->at(0).id);
            first.window().studies()->open(study);
            QVERIFY(first.quiet());
            QVERIFY(first.window().evidence()->shown(StudyKind::Windows));
            close(first);
        }
        {
            Story second(home);
            second.window().sessionActions()->start({});
            QVERIFY(second.quiet());
            QVERIFY(second.window().evidence()->shown(StudyKind::Windows));
            second.session().setCurrentUtterance(second.session().utterances()->at(1).id);
            second.session().setCurrentModel(second.session().models()->at(1).id);
            QVERIFY(second.quiet());
            second.window().evidence()->showLive(StudyKind::Windows);
            lookElsewhere(second, 3);
            close(second);
        }
        Story third(home);
        third.window().sessionActions()->start({});
        QVERIFY(third.quiet());
        QVERIFY2(isElsewhere(third, 3), qPrintable(m_seen));
        QCOMPARE(third.session().currentUtterance()->name, QStringLiteral("two"));
        QCOMPARE(third.session().models()->count(), 2);
        QCOMPARE(third.session().currentModelId(), third.session().models()->at(1).id);
        QCOMPARE(third.window().evidence()->open().size(), std::size_t(1));
        QVERIFY(!third.window().evidence()->shown(StudyKind::Windows));
        qunsetenv("HEADROOM_STUDIES");
    }

    void aNamedSessionOpensAsItWasLeft() {
        const auto home = std::make_shared<QTemporaryDir>();
        const QString folder = home->filePath(QStringLiteral("named.headroom"));
        QByteArray saved;
        {
            Story first(home);
            QVERIFY(saveNamed(first, *home));
            saved = bytesOf(folder);
            lookElsewhere(first, 2);
            QVERIFY(!first.session().isModified());
            first.window().actions().newSession->trigger(); // another one is opened
            first.window().sessionActions()->openSession(folder);
            QVERIFY(first.quiet());
            QVERIFY2(isElsewhere(first, 2), qPrintable(m_seen));
            first.session().setCurrentLayer(3);
            close(first);
            QCOMPARE(bytesOf(folder), saved); // as the user saved it
        }
        {
            Story second(home);
            second.window().sessionActions()->start({});
            QVERIFY(second.quiet());
            QCOMPARE(toQString(second.session().folder()), folder);
            QVERIFY(!second.session().isModified());
            QVERIFY2(isElsewhere(second, 3), qPrintable(m_seen));
            second.session().setCurrentLayer(4);
            second.window().actions().saveSession->trigger();
            QVERIFY(!QFile::exists(folder + QStringLiteral("/view.json"))); // it is in the session now
            close(second);
            QVERIFY(!QFile::exists(folder + QStringLiteral("/view.json"))); // nothing else was looked at
        }
        Story third(home);
        third.window().sessionActions()->start({});
        QVERIFY(third.quiet());
        QVERIFY2(isElsewhere(third, 4), qPrintable(m_seen));
        // Edits that are thrown away take the view of that time along: it may be a view of them.
        QVERIFY(third.openAndWait({keptSound(*home, QStringLiteral("more"))}));
        third.session().setCurrentLayer(1);
        third.answers().unsaved = FileDialogs::Unsaved::Discard;
        const QByteArray before = bytesOf(folder);
        QVERIFY(third.window().close());
        QCOMPARE(bytesOf(folder), before);
        QCOMPARE(readSession(toPath(folder)).currentLayer, 4);
        QCOMPARE(readSession(toPath(folder)).utterances.size(), std::size_t(1));
    }

    void twoWindowsOfOneSessionDoNotDisturbEachOther() {
        const auto home = std::make_shared<QTemporaryDir>();
        const QString folder = home->filePath(QStringLiteral("named.headroom"));
        Story mine(home);
        QVERIFY(saveNamed(mine, *home));
        const auto withAnother = [&](const auto& work) {
            Story other(home);
            other.window().sessionActions()->openSession(folder);
            QVERIFY(other.quiet());
            lookElsewhere(other, 2);
            work(other);
            close(other);
        };
        const int asked = mine.answers().asked;
        withAnother([](Story&) {});
        QVERIFY(!mine.window().sessionActions()->changedOnDisk());
        QCOMPARE(readSession(toPath(folder)).currentLayer, 2);
        withAnother([&](Story&) { // while it is open, this one is saved with more in it
            QVERIFY(mine.openAndWait({keptSound(*home, QStringLiteral("more"))}));
            mine.session().setCurrentLayer(4);
            mine.window().actions().saveSession->trigger();
            QCOMPARE(mine.answers().asked, asked);
        });
        QCOMPARE(readSession(toPath(folder)).utterances.size(), std::size_t(2));
        QCOMPARE(readSession(toPath(folder)).currentLayer, 4);
        QVERIFY(!mine.window().sessionActions()->changedOnDisk());
        // "Keep mine" lets this one be saved over the other's; until then its view is not a view of what lies there.
        {
            Session elsewhere;
            elsewhere.openSession(toPath(folder));
            elsewhere.closeUtterance(elsewhere.utterances()->at(1).id);
            elsewhere.save();
        }
        mine.window().sessionActions()->keepMine();
        mine.session().setCurrentLayer(5);
        QVERIFY(mine.window().close()); // without saving, as it is asked
        QCOMPARE(mine.answers().asked, asked + 1);
        QVERIFY(!QFile::exists(folder + QStringLiteral("/view.json")));
        QCOMPARE(readSession(toPath(folder)).currentLayer, 4);
    }

    void aViewThatIsDamagedIsPassedOver() {
        const auto home = std::make_shared<QTemporaryDir>();
        const QString folder = home->filePath(QStringLiteral("named.headroom"));
        Story story(home);
        QVERIFY(saveNamed(story, *home));
        const int saved = story.session().currentLayer();
        SessionDocument document = story.session().document();
        const std::string hash = hashOfFile(toPath(folder) / kSessionFileName);
        document.currentLayer = 3;
        writeView(toPath(folder), document, hash);
        QCOMPARE(readSession(toPath(folder)).currentLayer, 3);
        writeView(toPath(folder), document, std::string(64, '0')); // of another session.json
        QCOMPARE(readSession(toPath(folder)).currentLayer, saved);
        document.currentUtterance = 7; // there is none
        writeView(toPath(folder), document, hash);
        QCOMPARE(readSession(toPath(folder)).currentLayer, saved);
        QFile file(folder + QStringLiteral("/view.json"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{") == 1);
        file.close();
        QCOMPARE(readSession(toPath(folder)).currentLayer, saved);
    }

private:
    static QString keptSound(const QTemporaryDir& home, const QString& name) {
        const QString file = home.filePath(name + QStringLiteral(".wav"));
        saveWav(toPath(file), std::vector<float>(16000, 0.01F), kModelSampleRate);
        return file;
    }
    static bool saveNamed(Story& story, const QTemporaryDir& home) {
        const bool opened = story.openAndWait({keptSound(home, QStringLiteral("one")), Story::model()});
        story.answers().file = home.filePath(QStringLiteral("named.headroom"));
        story.window().actions().saveSessionAs->trigger();
        return opened && !story.session().folder().empty();
    }
    static QByteArray bytesOf(const QString& folder) {
        QFile file(folder + QStringLiteral("/session.json"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static QTabWidget* tabs(Story& story) {
        for (auto* one : story.window().analyse()->findChildren<QTabWidget*>())
            if (one->findChild<QWidget*>(QStringLiteral("statisticsTab")))
                return one;
        return nullptr;
    }
    static void lookElsewhere(Story& story, int layer) {
        const bool wasModified = story.session().isModified(), wasMarked = story.window().isWindowModified();
        story.session().setCurrentLayer(layer);
        story.session().setMapSource({MapSource::Kind::Head, 1});
        story.window().actions().hideDiagonal->setChecked(false);
        tabs(story)->setCurrentWidget(tabs(story)->findChild<QWidget*>(QStringLiteral("statisticsTab")));
        QVERIFY(story.quiet());
        QCOMPARE(story.session().isModified(), wasModified);
        QCOMPARE(story.window().isWindowModified(), wasMarked);
    }
    bool isElsewhere(Story& story, int layer) {
        m_seen = QStringLiteral("layer %1, source %2, diagonal hidden %3, tab %4")
                     .arg(story.session().currentLayer())
                     .arg(QString::fromStdString(sourceText(story.session().mapSource())))
                     .arg(story.window().actions().hideDiagonal->isChecked())
                     .arg(tabs(story)->currentWidget()->objectName());
        return story.session().currentLayer() == layer && story.session().mapSource() == MapSource{MapSource::Kind::Head, 1} &&
               !story.window().actions().hideDiagonal->isChecked() &&
               tabs(story)->currentWidget()->objectName() == QStringLiteral("statisticsTab");
    }
    static void close(Story& story) {
        const int asked = story.answers().asked;
        QVERIFY(story.window().close());
        QCOMPARE(story.answers().asked, asked);
    }

    QString m_seen;
};

HEADROOM_TEST(LookedAtStory)

} // namespace headroom::testing::looked_at_test

#include "looked_at_test.moc"
