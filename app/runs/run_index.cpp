// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_index.h"

#include "app/documents/paths.h"
#include "app/runs/run_reading.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QSet>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QStandardPaths>
#include <QUuid>

#include <algorithm>

namespace headroom::app {

using widgets::RunItem;
namespace fs = std::filesystem;

namespace {

constexpr int kVersion = 1; // of the table; another one is thrown away and made again

struct Row {
    RunStamp stamp;
    QByteArray item;
};

} // namespace

QString RunIndex::defaultFile() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
           QStringLiteral("/headroom/runs.sqlite");
}

RunIndex::RunIndex(const QString& file)
    : m_connection(QStringLiteral("runs-") + QUuid::createUuid().toString(QUuid::WithoutBraces))
    , m_file(file) {
    QDir().mkpath(QFileInfo(file).absolutePath());
    if (open(file))
        return;
    // A damaged index is worth nothing: the folders are all there.
    close();
    QFile::remove(file);
    if (!open(file))
        close();
}

RunIndex::~RunIndex() {
    close();
}

bool RunIndex::open(const QString& file) {
    if (!QSqlDatabase::isDriverAvailable(QStringLiteral("QSQLITE"))) {
        m_problem = QStringLiteral(
            "Qt's SQLite driver is not installed (libqt6sql6-sqlite); runs are read from their folders.");
        return false;
    }
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
    database.setDatabaseName(file);
    database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=2000"));
    const auto failed = [&] {
        m_problem = QStringLiteral("The index %1 cannot be used: %2. Runs are read from their folders.")
                        .arg(file, database.lastError().text());
        return false;
    };
    if (!database.open())
        return failed();
    run(QStringLiteral("PRAGMA journal_mode=WAL"));
    run(QStringLiteral("PRAGMA synchronous=OFF")); // lost with the machine, made again from the folders
    int version = -1;
    {
        QSqlQuery query(database);
        if (query.exec(QStringLiteral("PRAGMA user_version")) && query.next())
            version = query.value(0).toInt();
    }
    if (version != kVersion && !(run(QStringLiteral("DROP TABLE IF EXISTS runs")) &&
                                 run(QStringLiteral("PRAGMA user_version=%1").arg(kVersion))))
        return failed();
    if (!run(QStringLiteral("CREATE TABLE IF NOT EXISTS runs (folder TEXT PRIMARY KEY, parent TEXT NOT NULL, "
                            "run_stamp INTEGER "
                            "NOT NULL, event_bytes INTEGER NOT NULL, item BLOB NOT NULL) WITHOUT ROWID")) ||
        !run(QStringLiteral("SELECT folder, parent, run_stamp, event_bytes, item FROM runs LIMIT 1")))
        return failed();
    m_problem.clear();
    return true;
}

void RunIndex::close() {
    if (QSqlDatabase::contains(m_connection)) {
        QSqlDatabase::database(m_connection, false).close();
        QSqlDatabase::removeDatabase(m_connection);
    }
}

bool RunIndex::run(const QString& statement) {
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    return query.exec(statement);
}

RunIndex::Outcome RunIndex::refresh(const fs::path& runs) {
    Outcome outcome;
    const bool usable = QSqlDatabase::contains(m_connection);
    QSqlDatabase database = usable ? QSqlDatabase::database(m_connection, false) : QSqlDatabase();
    QHash<QString, Row> known;
    if (usable) {
        QSqlQuery query(database);
        query.setForwardOnly(true);
        query.prepare(
            QStringLiteral("SELECT folder, run_stamp, event_bytes, item FROM runs WHERE parent = ?"));
        query.addBindValue(toQString(runs));
        query.exec();
        while (query.next())
            known.insert(
                query.value(0).toString(),
                {{query.value(1).toLongLong(), query.value(2).toLongLong()}, query.value(3).toByteArray()});
    }
    struct Fresh {
        QString folder;
        RunStamp stamp;
        QByteArray item;
    };
    std::vector<Fresh> fresh;
    QSet<QString> there;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(runs, ignored)) {
        const RunStamp stamp = stampOf(entry.path());
        if (stamp.run == 0)
            continue;
        const QString folder = toQString(entry.path());
        const auto row = known.constFind(folder);
        RunItem item;
        item.folder = entry.path();
        bool isKnown = row != known.constEnd() && row->stamp == stamp && itemFromText(row->item, item);
        // Whether it runs is not in its files: a process holds its lock, or none does any more.
        const bool mayRun = item.info.state == RunState::Running || item.info.state == RunState::Interrupted;
        if (isKnown && mayRun)
            isKnown =
                FileLock::isLocked(RunPaths{item.folder}.lock()) == (item.info.state == RunState::Running);
        try {
            if (!isKnown) {
                item = readRunItem(entry.path());
                ++outcome.readAgain;
                fresh.push_back({folder, stamp, itemText(item)});
            }
            outcome.runs.push_back(std::move(item));
            there.insert(folder);
        } catch (const Error& error) {
            outcome.problems << QString::fromUtf8(error.what());
        }
    }
    QStringList gone;
    for (auto row = known.constBegin(); row != known.constEnd(); ++row)
        if (!there.contains(row.key()))
            gone << row.key();
    outcome.dropped = static_cast<int>(gone.size());
    if (usable && (!fresh.empty() || !gone.isEmpty())) {
        database.transaction();
        QSqlQuery insert(database);
        insert.prepare(QStringLiteral("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?)"));
        for (const Fresh& one : fresh) {
            insert.addBindValue(one.folder);
            insert.addBindValue(toQString(runs));
            insert.addBindValue(static_cast<qlonglong>(one.stamp.run));
            insert.addBindValue(static_cast<qlonglong>(one.stamp.events));
            insert.addBindValue(one.item);
            insert.exec();
        }
        QSqlQuery remove(database);
        remove.prepare(QStringLiteral("DELETE FROM runs WHERE folder = ?"));
        for (const QString& folder : gone) {
            remove.addBindValue(folder);
            remove.exec();
        }
        database.commit();
    }
    std::stable_sort(outcome.runs.begin(), outcome.runs.end(), [](const RunItem& left, const RunItem& right) {
        return left.info.created != right.info.created ? left.info.created > right.info.created
                                                       : left.info.id > right.info.id;
    });
    return outcome;
}

} // namespace headroom::app
