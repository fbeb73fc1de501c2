// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/open_study.h"
#include "core/architecture/architecture.h"

#include <QFutureWatcher>
#include <QObject>

#include <map>
#include <optional>
#include <vector>

namespace headroom::app {

class StudyStore;
struct StudyItem;

/// Times of one part of an encoder by length, in milliseconds, over the repeats of a latency study. A value.
struct LatencyByLength {
    std::vector<double> tokens, median, lower, upper; ///< lower, upper: quartiles
};
enum class LatencyPart { Attention, Rest, Total };
/// `model` from 1. Empty if the study has no times of it.
LatencyByLength latencyByLength(const OpenStudy& study, int model, LatencyPart part);

/// What the finished latency studies of this machine measured, by architecture: what Design shows beside the
/// counted costs, and the study that measures a draft. Times are never predicted. Window's thread; studies
/// are read on the global pool.
class LatencyMeasurements : public QObject {
    Q_OBJECT

public:
    /// `store`: borrowed.
    explicit LatencyMeasurements(StudyStore* store, QObject* parent = nullptr);
    ~LatencyMeasurements() override;

    /// What is known of an architecture beside a baseline. Both stem from one study, the newest that measured
    /// both, because only then were they measured in turn; otherwise from the newest that measured either.
    struct Found {
        LatencyByLength now, baseline; ///< totals; empty: not measured
        OpenStudyPtr study;            ///< null: neither was measured
        /// Its time by that of the baseline at exactly this length: 1 / the study's speed-up. nullopt: not
        /// measured there.
        std::optional<double> share(std::int64_t tokens) const;
        int nowModel = 0, baselineModel = 0; ///< in the study, from 1; 0: not in it
    };
    Found find(const Architecture& architecture, const Architecture& baseline) const;

    struct Wanted {
        Architecture architecture, baseline;
        QString name, baselineName;
        std::vector<std::int64_t>
            lengths; ///< tokens, beside those that a latency study times anyway; too long ones are left out
    };
    /// Starts a study of both in a process of its own; of one if they have the same encoder. Returns a
    /// sentence if that was not possible.
    QString start(const Wanted& wanted);
    QString stop();
    /// The study that start() began last, from the moment on which it runs; null: none, or it is finished and
    /// read.
    const StudyItem* current() const;
    const QString& currentName() const { return m_startedName; } ///< of the architecture that it measures
    /// Whether current() measures this encoder. Two models may have one name, so the name does not tell.
    bool currentIsOf(const Architecture& architecture) const;
    bool isMeasuring() const; ///< current() runs
    bool isReading() const { return m_isReading; }

    /// Why this architecture cannot be measured; empty: it can be.
    static QString whyNot(const Architecture& architecture);

Q_SIGNALS:
    void changed();

private:
    struct Read {
        std::filesystem::path folder;
        OpenStudyPtr study; ///< null: not readable
        std::vector<std::optional<Architecture>> models;
    };
    void look();
    static Read read(const std::filesystem::path& folder);
    static int modelOf(const Read& read, const Architecture& architecture); ///< from 1; 0: not in it

    StudyStore* m_store;
    std::map<std::string, Read> m_read; ///< by time of their beginning and folder: the newest last
    std::map<std::filesystem::path, QString> m_seen; ///< when each folder that was read ended
    QFutureWatcher<std::vector<Read>> m_reading;
    bool m_isReading = false; ///< until the result is taken
    std::filesystem::path m_started;
    QString m_startedName;
    Architecture m_startedArchitecture;
};

} // namespace headroom::app
