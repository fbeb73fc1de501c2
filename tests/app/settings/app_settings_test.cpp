// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/paths.h"
#include "app/settings/app_settings.h"
#include "app/settings/demo_corpora.h"
#include "app/settings/resource_folders.h"
#include "tests/support/environment.h"
#include "tests/support/runner.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::app_settings_test {

using namespace headroom::app;

class AppSettingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatWasSetIsThereAtTheNextStart();
    void recentSessionsAreNewestFirstAndThere();
    void aDemoCorpusOnTheDiskIsOfferedOnce();
    void aCorpusStaysOffTheListUntilItIsUsed();
    void rubbishInTheFileGivesDefaults();
    void everyPurposeHasALastFolderOfItsOwn();
    void resourcesComeFromWhereTheyAreSaidToBe();
};

void AppSettingsTest::whatWasSetIsThereAtTheNextStart() {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("settings.ini"));
    {
        AppSettings settings(file);
        QCOMPARE(settings.theme(), AppSettings::ThemeChoice::System);
        QCOMPARE(settings.runsFolder(), QString());
        QSignalSpy theme(&settings, &AppSettings::themeChanged);
        settings.setTheme(AppSettings::ThemeChoice::Dark);
        settings.setTheme(AppSettings::ThemeChoice::Dark);
        QCOMPARE(theme.count(), 1);
        QCOMPARE(settings.textSize(), 100);
        QSignalSpy size(&settings, &AppSettings::textSizeChanged);
        settings.setTextSize(125);
        settings.setTextSize(125);
        QCOMPARE(size.count(), 1);
        settings.setLastSession(folder.path());
        settings.setWindowGeometry(QByteArray("\0\1x", 3));
        settings.setWindowState(QStringLiteral("analyse"), QByteArray("docks"));
        settings.setRunsFolder(QStringLiteral("/runs"));
    }
    AppSettings settings(file);
    QCOMPARE(settings.theme(), AppSettings::ThemeChoice::Dark);
    QCOMPARE(settings.textSize(), 125);
    QCOMPARE(settings.lastSession(), folder.path());
    QCOMPARE(settings.windowGeometry(), QByteArray("\0\1x", 3));
    QCOMPARE(settings.windowState(QStringLiteral("analyse")), QByteArray("docks"));
    QCOMPARE(settings.windowState(QStringLiteral("design")), QByteArray());
    QCOMPARE(settings.runsFolder(), QStringLiteral("/runs"));
}

void AppSettingsTest::recentSessionsAreNewestFirstAndThere() {
    QTemporaryDir folder;
    AppSettings settings(folder.filePath(QStringLiteral("settings.ini")));
    QStringList made;
    for (int i = 0; i < 12; ++i) {
        made << folder.filePath(QStringLiteral("%1.headroom").arg(i));
        QVERIFY(QDir().mkpath(made.last()));
        settings.addRecentSession(made.last());
    }
    settings.addRecentSession(made[5]);
    QCOMPARE(settings.recentSessions().size(), 10);
    QCOMPARE(settings.recentSessions().first(), made[5]);
    QCOMPARE(settings.recentSessions().count(made[5]), 1);
    QVERIFY(QDir(made[11]).removeRecursively());
    QVERIFY(!settings.recentSessions().contains(made[11]));
    const auto before = settings.recentSessions().size();
    settings.removeRecentSession(made[5]);
    QCOMPARE(settings.recentSessions().size(), before - 1);
    QVERIFY(!settings.recentSessions().contains(made[5]));
    settings.clearRecentSessions();
    QVERIFY(settings.recentSessions().isEmpty());
}

/// It was offered only where it had been used lately.
void AppSettingsTest::aDemoCorpusOnTheDiskIsOfferedOnce() {
    QTemporaryDir folder;
    const ChangedVariable data("XDG_DATA_HOME", folder.path().toLocal8Bit());
    AppSettings settings(folder.filePath(QStringLiteral("settings.ini")));
    const QString own = folder.filePath(QStringLiteral("own")), speech = toQString(demoCorpusFolder(DemoCorpus::Speech)),
                  texts = toQString(demoCorpusFolder(DemoCorpus::Text));
    QVERIFY(QDir().mkpath(own) && QDir().mkpath(texts));
    settings.addRecentCorpus(own);
    QCOMPARE(settings.offeredCorpora(), (QStringList{own, texts}));
    QVERIFY(QDir().mkpath(speech));
    QCOMPARE(settings.offeredCorpora(), (QStringList{own, speech, texts}));
    settings.addRecentCorpus(texts);
    QCOMPARE(settings.offeredCorpora(), (QStringList{texts, own, speech}));
    QCOMPARE(settings.recentCorpora(), (QStringList{texts, own}));
}

/// A demo corpus came back at once, and any other with the next start.
void AppSettingsTest::aCorpusStaysOffTheListUntilItIsUsed() {
    QTemporaryDir folder;
    const ChangedVariable data("XDG_DATA_HOME", folder.path().toLocal8Bit());
    const QString file = folder.filePath(QStringLiteral("settings.ini")), own = folder.filePath(QStringLiteral("own")),
                  speech = toQString(demoCorpusFolder(DemoCorpus::Speech));
    QVERIFY(QDir().mkpath(own) && QDir().mkpath(speech));
    {
        AppSettings settings(file);
        settings.addRecentCorpus(own);
        settings.setCorpusTakenOff(speech, true);
        settings.setCorpusTakenOff(own + QStringLiteral("/../own"), true);
        QCOMPARE(settings.offeredCorpora(), QStringList());
    }
    AppSettings settings(file);
    QVERIFY(settings.isCorpusTakenOff(speech) && settings.isCorpusTakenOff(own));
    QCOMPARE(settings.offeredCorpora(), QStringList());
    settings.addRecentCorpus(own);
    QVERIFY(!settings.isCorpusTakenOff(own));
    settings.setCorpusTakenOff(speech, false);
    QCOMPARE(settings.offeredCorpora(), (QStringList{own, speech}));
}

void AppSettingsTest::rubbishInTheFileGivesDefaults() {
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("settings.ini")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[look]\ntheme=purple\n[files]\nfolder=/nowhere/at/all\n\xff\xfe rubbish");
    file.close();
    AppSettings settings(file.fileName());
    QCOMPARE(settings.theme(), AppSettings::ThemeChoice::System);
    QVERIFY(QDir(settings.lastFolder(AppSettings::FolderOf::Sounds)).exists());
}

/// A model was looked for among the recordings that had been opened last.
void AppSettingsTest::everyPurposeHasALastFolderOfItsOwn() {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("settings.ini")), sounds = folder.filePath(QStringLiteral("sounds")),
                  models = folder.filePath(QStringLiteral("models"));
    QVERIFY(QDir().mkpath(sounds) && QDir().mkpath(models));
    using FolderOf = AppSettings::FolderOf;
    {
        AppSettings settings(file);
        settings.setLastFolder(FolderOf::Sounds, sounds);
        settings.setLastFolder(FolderOf::Models, models);
    }
    const AppSettings settings(file);
    QCOMPARE(settings.lastFolder(FolderOf::Sounds), sounds);
    QCOMPARE(settings.lastFolder(FolderOf::Models), models);
    QVERIFY(settings.lastFolder(FolderOf::Corpora) != sounds && settings.lastFolder(FolderOf::Corpora) != models);
    AppSettings all(file);
    const auto folderOf = [&](int purpose) { return folder.filePath(QString::number(purpose)); };
    for (int purpose = 0; purpose <= int(FolderOf::Experiments); ++purpose) {
        QVERIFY(QDir().mkpath(folderOf(purpose)));
        all.setLastFolder(FolderOf(purpose), folderOf(purpose));
    }
    for (int purpose = 0; purpose <= int(FolderOf::Experiments); ++purpose)
        QCOMPARE(all.lastFolder(FolderOf(purpose)), folderOf(purpose));
}

void AppSettingsTest::resourcesComeFromWhereTheyAreSaidToBe() {
    QTemporaryDir folder;
    qputenv("HEADROOM_RESOURCES", folder.path().toUtf8());
    QCOMPARE(QString::fromStdString(resourceFolder().string()), folder.path());
    QVERIFY(demoSessionFolder().empty());
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("demo/demo.headroom")));
    QVERIFY(!demoSessionFolder().empty());
    qunsetenv("HEADROOM_RESOURCES");
    QVERIFY(!resourceFolder().empty()); // the source tree's
}

HEADROOM_TEST(AppSettingsTest)

} // namespace headroom::testing::app_settings_test

#include "app_settings_test.moc"
