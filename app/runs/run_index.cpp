// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_index.h"

#include "app/documents/items/paths.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QStandardPaths>
#include <QUuid>

#include <algorithm>
#include <utility>

namespace headroom::app {

using widgets::RunItem;
namespace fs = std::filesystem;

namespace {

constexpr int kVersion = 1; // of the table; another one is thrown away and made again

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

bool RunIndex::isUsable() const {
    return QSqlDatabase::contains(m_connection);
}

/// What other windows, or this one at an earlier start, wrote down.
void RunIndex::load(const fs::path& runs) {
    m_known.clear();
    m_runs = runs;
    if (!isUsable())
        return;
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    query.setForwardOnly(true);
    query.prepare(QStringLiteral("SELECT folder, run_stamp, event_bytes, item FROM runs WHERE parent = ?"));
    query.addBindValue(toQString(runs));
    query.exec();
    KnownRecipes recipes;
    while (query.next()) {
        Known known;
        known.stamp = {query.value(1).toLongLong(), query.value(2).toLongLong()};
        known.item.folder = toPath(query.value(0).toString());
        if (!itemFromText(query.value(3).toByteArray(), known.item, recipes))
            known.stamp = {}; // of another version: read again
        m_known.emplace(known.item.folder.string(), std::move(known));
    }
}

void RunIndex::save(const std::vector<const Known*>& fresh, const std::vector<std::string>& gone) {
    if (!isUsable() || (fresh.empty() && gone.empty()))
        return;
    QSqlDatabase database = QSqlDatabase::database(m_connection, false);
    database.transaction();
    QSqlQuery insert(database);
    insert.prepare(QStringLiteral("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?)"));
    for (const Known* one : fresh) {
        insert.addBindValue(toQString(one->item.folder));
        insert.addBindValue(toQString(m_runs));
        insert.addBindValue(static_cast<qlonglong>(one->stamp.run));
        insert.addBindValue(static_cast<qlonglong>(one->stamp.events));
        insert.addBindValue(itemText(one->item));
        insert.exec();
    }
    QSqlQuery remove(database);
    remove.prepare(QStringLiteral("DELETE FROM runs WHERE folder = ?"));
    for (const std::string& folder : gone) {
        remove.addBindValue(toQString(fs::path(folder)));
        remove.exec();
    }
    database.commit();
}

RunIndex::Outcome RunIndex::refresh(const fs::path& runs, const std::atomic<bool>* interrupt) {
    if (runs != m_runs)
        load(runs);
    ++m_look;
    Outcome outcome;
    std::vector<const Known*> fresh; // nodes of the map stay where they are
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(runs, ignored)) {
        if (interrupt && interrupt->load(std::memory_order_relaxed)) {
            save(fresh, {});
            m_readBefore += outcome.readAgain;
            outcome.interrupted = true;
            return outcome;
        }
        const RunStamp stamp = stampOf(entry.path());
        if (stamp.run == 0)
            continue;
        const std::string folder = entry.path().string();
        const auto row = m_known.find(folder);
        bool isKnown = row != m_known.end() && row->second.stamp == stamp;
        // Whether it runs is not in its files: a process holds its lock, or none does any more.
        if (isKnown) {
            const RunState state = row->second.item.info.state;
            if (state == RunState::Running || state == RunState::Interrupted)
                isKnown = FileLock::isLocked(RunPaths{entry.path()}.lock()) == (state == RunState::Running);
            else if (row->second.item.waits || row->second.item.lost) // or whether somebody still watches it
                isKnown = FileLock::isLocked(RunPaths{entry.path()}.lock()) == row->second.item.waits;
        }
        try {
            if (!isKnown) {
                RunItem item = readRunItem(entry.path());
                Known& known = m_known[folder];
                known.item = std::move(item);
                known.stamp = stamp;
                ++outcome.readAgain;
                fresh.push_back(&known);
            }
            Known& known = isKnown ? row->second : m_known[folder];
            known.look = m_look;
            outcome.runs.push_back(known.item);
        } catch (const Error& error) {
            outcome.problems << QString::fromUtf8(error.what());
        }
    }
    std::vector<std::string> gone;
    for (const auto& [folder, known] : m_known)
        if (known.look != m_look)
            gone.push_back(folder);
    for (const std::string& folder : gone)
        m_known.erase(folder);
    outcome.dropped = static_cast<int>(gone.size());
    outcome.readAgain += std::exchange(m_readBefore, 0);
    save(fresh, gone);
    std::stable_sort(outcome.runs.begin(), outcome.runs.end(), [](const RunItem& left, const RunItem& right) {
        return left.info.created != right.info.created ? left.info.created > right.info.created
                                                       : left.info.id > right.info.id;
    });
    return outcome;
}

} // namespace headroom::app
