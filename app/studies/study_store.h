// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/wastebasket.h"
#include "app/runs/folder_looks.h"
#include "app/studies/open_study.h"
#include "app/studies/study_item.h"
#include "app/studies/study_request.h"

#include <QFutureWatcher>
#include <QObject>
#include <QSet>

#include <functional>

namespace headroom::app {

class StudyEvidence;

/// A study in the wastebasket, and whether a tab showed it.
struct RemovedStudy {
    InWastebasket where;
    bool wasOpen = false;
};

/// The studies of one folder and those opened from elsewhere, as the window knows them: looked at once a
/// second and whenever the folder changes, on the global thread pool. Starts a study's process detached, in a
/// session of its own, so that it outlives the window; everything else it asks for through files. Functions
/// that do something give a sentence where it could not be done, else an empty text. Window's thread.
class StudyStore : public QObject {
    Q_OBJECT

public:
    /// `evidence`: where opened studies go; borrowed.
    StudyStore(std::filesystem::path studies, StudyEvidence* evidence, QObject* parent = nullptr);
    ~StudyStore() override; ///< waits for the look; a study that is being read is dropped when it is there

    /// HEADROOM_STUDIES, else `chosen`, else headroom/studies in the user's data folder.
    static std::filesystem::path defaultFolder(const QString& chosen = {});
    const std::filesystem::path& folder() const { return m_folder; }
    const StudyEvidence& evidence() const { return *m_evidence; }
    bool isReady() const { return m_snapshot != nullptr; }
    bool isPending() const { return !isReady() || m_opening > 0; }
    const std::vector<StudyItem>& items() const { return m_items; }
    const StudyItem* find(const std::filesystem::path& folder) const; ///< borrowed until changed()
    /// Whether a study has this recording in its sample, which places of it open. True while the studies are not known.
    bool mayRead(const std::filesystem::path& recording) const;
    void lookNow();
    void setPeriod(int milliseconds) { m_looks.setPeriod(milliseconds); }

    /// Reads a finished study and shows it in the tabs; opened() or openFailed(). One that is not finished is put
    /// on the list.
    void open(const std::filesystem::path& folder);
    /// Reads it and shows it nowhere; `done` gets it, or null and why. Nothing once `context` is gone.
    void read(const std::filesystem::path& folder, const QObject* context,
              std::function<void(const OpenStudyPtr& study, const QString& sentence)> done);
    QString start(const StudyRequest& request);
    QString resume(const std::filesystem::path& folder);
    QString stop(const std::filesystem::path& folder);
    /// Who watches a study elsewhere whose contact is lost tries again at once.
    QString tryNow(const std::filesystem::path& folder);
    /// A study is called as its folder. A study that is shown in a tab stays shown under the new name. Refuses
    /// while it runs, and names that are taken or contain a slash.
    QString rename(const std::filesystem::path& folder, const QString& name);
    /// The whole folder; one that runs is left alone. `removed`: for bringBack(), which opens it again if it was open.
    QString moveToWastebasket(const std::filesystem::path& folder, RemovedStudy* removed = nullptr);
    QString bringBack(const RemovedStudy& removed);

    /// Whether a path is a study's folder, or its study.json.
    static bool isStudy(const std::filesystem::path& path);

Q_SIGNALS:
    void changed();
    void opened(const headroom::app::OpenStudyPtr& study);
    void openFailed(const std::filesystem::path& folder, const QString& sentence);
    void ended(const headroom::app::StudyItem& study); ///< was seen running and does not any more

private:
    struct Opened {
        OpenStudyPtr study;
        QString sentence;
    };
    void take(std::shared_ptr<const StudySnapshot> snapshot);
    bool isOpen(const std::filesystem::path& folder) const;
    QString guarded(const std::function<void()>& work);
    QString startProcess(const std::filesystem::path& folder, StudyKind kind, const QStringList& models,
                         const StudyOptions& options);

    std::filesystem::path m_folder;
    StudyEvidence* m_evidence;
    std::vector<std::filesystem::path> m_others; ///< opened from outside the folder
    std::vector<StartedStudy> m_started;
    std::shared_ptr<const StudySnapshot> m_snapshot;
    std::vector<StudyItem> m_items;
    QFutureWatcher<std::shared_ptr<const StudySnapshot>> m_look;
    FolderLooks m_looks;
    bool m_isLooking = false; ///< until the result is taken: the watcher says so no more once the work is done
    bool m_again = false;
    int m_opening = 0;
};

} // namespace headroom::app
