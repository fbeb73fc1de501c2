// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/app_settings.h"

#include "app/documents/items/paths.h"
#include "app/settings/demo_corpora.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>
#include <array>

namespace headroom::app {

namespace {

constexpr int kMostRecent = 10;
constexpr QLatin1String kCorporaTakenOff("training/corporaTakenOff");

/// The user's documents, or home, where it is gone or none was kept.
QString existingFolder(const QString& kept) {
    for (const QString& folder : {kept, QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)})
        if (!folder.isEmpty() && QFileInfo(folder).isDir())
            return folder;
    return QDir::homePath();
}

QString keyOf(AppSettings::FolderOf purpose) {
    static constexpr std::array kNames{"sounds", "models", "sessions", "maps", "studies", "architectures", "recipes", "corpora", "runs",
                                       "downloads", "languageModels", "mappingRules", "experiments"};
    return QStringLiteral("folders/") + QLatin1String(kNames[static_cast<std::size_t>(purpose)]);
}

} // namespace

AppSettings::AppSettings(const QString& file, QObject* parent) : QObject(parent) {
    const QString chosen = file.isEmpty() ? qEnvironmentVariable("HEADROOM_SETTINGS") : file;
    if (chosen.isEmpty())
        m_settings = std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope,
                                                 QStringLiteral("headroom"), QStringLiteral("headroom"));
    else
        m_settings = std::make_unique<QSettings>(chosen, QSettings::IniFormat);
}

AppSettings::~AppSettings() = default;

AppSettings::ThemeChoice AppSettings::theme() const {
    const QString name = m_settings->value(QStringLiteral("look/theme")).toString();
    if (name == QLatin1String("light"))
        return ThemeChoice::Light;
    return name == QLatin1String("dark") ? ThemeChoice::Dark : ThemeChoice::System;
}

void AppSettings::setTheme(ThemeChoice theme) {
    if (theme == this->theme())
        return;
    const QString name = theme == ThemeChoice::Light  ? QStringLiteral("light")
                         : theme == ThemeChoice::Dark ? QStringLiteral("dark")
                                                      : QStringLiteral("system");
    m_settings->setValue(QStringLiteral("look/theme"), name);
    Q_EMIT themeChanged();
}

int AppSettings::textSize() const {
    bool isNumber = false;
    const int percent = m_settings->value(QStringLiteral("look/textSize"), 100).toInt(&isNumber);
    return isNumber ? std::clamp(percent, 90, 150) : 100;
}

void AppSettings::setTextSize(int percent) {
    if (percent == textSize())
        return;
    m_settings->setValue(QStringLiteral("look/textSize"), percent);
    Q_EMIT textSizeChanged();
}

QString AppSettings::lastSession() const {
    return m_settings->value(QStringLiteral("sessions/last")).toString();
}

void AppSettings::setLastSession(const QString& folder) {
    m_settings->setValue(QStringLiteral("sessions/last"), folder);
}

bool AppSettings::opensLastSession() const {
    return m_settings->value(QStringLiteral("sessions/openLast"), true).toBool();
}

void AppSettings::setOpensLastSession(bool opens) {
    m_settings->setValue(QStringLiteral("sessions/openLast"), opens);
}

QStringList AppSettings::recentSessions() const {
    QStringList there;
    for (const QString& folder : m_settings->value(QStringLiteral("sessions/recent")).toStringList())
        if (QFileInfo(folder).isDir())
            there << folder;
    return there;
}

void AppSettings::addRecentSession(const QString& folder) {
    QStringList recent = m_settings->value(QStringLiteral("sessions/recent")).toStringList();
    recent.removeAll(folder);
    recent.prepend(folder);
    while (recent.size() > kMostRecent)
        recent.removeLast();
    m_settings->setValue(QStringLiteral("sessions/recent"), recent);
    Q_EMIT recentSessionsChanged();
}

void AppSettings::removeRecentSession(const QString& folder) {
    QStringList recent = m_settings->value(QStringLiteral("sessions/recent")).toStringList();
    if (recent.removeAll(folder) == 0)
        return;
    m_settings->setValue(QStringLiteral("sessions/recent"), recent);
    Q_EMIT recentSessionsChanged();
}

void AppSettings::clearRecentSessions() {
    m_settings->remove(QStringLiteral("sessions/recent"));
    Q_EMIT recentSessionsChanged();
}

QByteArray AppSettings::windowGeometry() const {
    return m_settings->value(QStringLiteral("window/geometry")).toByteArray();
}

void AppSettings::setWindowGeometry(const QByteArray& geometry) {
    m_settings->setValue(QStringLiteral("window/geometry"), geometry);
}

QByteArray AppSettings::windowState(const QString& name) const {
    return m_settings->value(QStringLiteral("window/state/") + name).toByteArray();
}

void AppSettings::setWindowState(const QString& name, const QByteArray& state) {
    m_settings->setValue(QStringLiteral("window/state/") + name, state);
}

QByteArray AppSettings::formState(const QString& name) const {
    return m_settings->value(QStringLiteral("forms/") + name).toByteArray();
}

void AppSettings::setFormState(const QString& name, const QByteArray& state) {
    m_settings->setValue(QStringLiteral("forms/") + name, state);
}

QString AppSettings::lastModel() const {
    const QString folder = m_settings->value(QStringLiteral("models/last")).toString();
    return QFileInfo(folder).isDir() ? folder : QString();
}

void AppSettings::setLastModel(const QString& folder) {
    m_settings->setValue(QStringLiteral("models/last"), folder);
}

QString AppSettings::runsFolder() const {
    return m_settings->value(QStringLiteral("training/runs")).toString();
}

void AppSettings::setRunsFolder(const QString& folder) {
    m_settings->setValue(QStringLiteral("training/runs"), folder);
}

QString AppSettings::studiesFolder() const {
    return m_settings->value(QStringLiteral("studies/folder")).toString();
}

void AppSettings::setStudiesFolder(const QString& folder) {
    m_settings->setValue(QStringLiteral("studies/folder"), folder);
}

QStringList AppSettings::recentCorpora() const {
    QStringList there;
    for (const QString& folder : m_settings->value(QStringLiteral("training/corpora")).toStringList())
        if (QFileInfo(folder).isDir())
            there << folder;
    return there;
}

QStringList AppSettings::offeredCorpora() const {
    QStringList offered = recentCorpora();
    for (const DemoCorpus kind : {DemoCorpus::Speech, DemoCorpus::Text}) {
        const std::filesystem::path demo = demoCorpusFolder(kind);
        std::error_code ignored;
        if (std::filesystem::is_directory(demo, ignored) && !isCorpusTakenOff(toQString(demo)) &&
            std::ranges::none_of(offered, [&](const QString& folder) { return normalised(toPath(folder)) == normalised(demo); }))
            offered << toQString(demo);
    }
    return offered;
}

void AppSettings::addRecentCorpus(const QString& folder) {
    setCorpusTakenOff(folder, false);
    QStringList recent = m_settings->value(QStringLiteral("training/corpora")).toStringList();
    recent.removeAll(folder);
    recent.prepend(folder);
    while (recent.size() > kMostRecent)
        recent.removeLast();
    m_settings->setValue(QStringLiteral("training/corpora"), recent);
    Q_EMIT recentCorporaChanged();
}

void AppSettings::setCorpusTakenOff(const QString& folder, bool off) {
    const QString place = toQString(normalised(toPath(folder)));
    if (off == isCorpusTakenOff(place))
        return;
    QStringList takenOff = m_settings->value(kCorporaTakenOff).toStringList(), recent = m_settings->value(QStringLiteral("training/corpora")).toStringList();
    if (!off) {
        takenOff.removeAll(place);
    } else {
        takenOff << place;
        recent.removeIf([&](const QString& one) { return normalised(toPath(one)) == toPath(place); });
    }
    m_settings->setValue(kCorporaTakenOff, takenOff);
    m_settings->setValue(QStringLiteral("training/corpora"), recent);
    Q_EMIT recentCorporaChanged();
}

bool AppSettings::isCorpusTakenOff(const QString& folder) const {
    return m_settings->value(kCorporaTakenOff).toStringList().contains(toQString(normalised(toPath(folder))));
}

int AppSettings::figurePixels() const {
    return m_settings->value(QStringLiteral("figures/pixels"), 0).toInt();
}

void AppSettings::setFigurePixels(int pixels) {
    m_settings->setValue(QStringLiteral("figures/pixels"), pixels);
}

QString AppSettings::lastFolder(FolderOf purpose) const {
    return existingFolder(m_settings->value(keyOf(purpose), m_settings->value(QStringLiteral("files/folder"))).toString());
}

void AppSettings::setLastFolder(FolderOf purpose, const QString& folder) {
    m_settings->setValue(keyOf(purpose), folder);
}

QString AppSettings::exportFolder() const {
    return existingFolder(m_settings->value(QStringLiteral("files/exports")).toString());
}

void AppSettings::setExportFolder(const QString& folder) {
    m_settings->setValue(QStringLiteral("files/exports"), folder);
}

} // namespace headroom::app
