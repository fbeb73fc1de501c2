// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspaces/analyse/studies/study_values.h"

#include <QFutureWatcher>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace headroom::app {

class AlignmentStore;
class AppSettings;
class DeviceList;
class PlaceStore;
class WhereField;
class Session;
class StudySettingsRows;
class StudyStore;

/// What is to be studied: kind, the ticked models, data, how many, the settings of the kind. Collects StudyValues,
/// shows what `validate` says about them, and the command line that does the same; starts nothing itself. Window's
/// thread; a corpus is read on the global pool.
class StudyForm : public FormPanel {
    Q_OBJECT

public:
    struct Parts {
        Session* session;
        StudyStore* store;
        AppSettings* settings;
        PlaceStore* places;
        DeviceList* devices;
        const AlignmentStore* alignments = nullptr; ///< whose phone map studies of the open utterances use; null: their best match
    };
    explicit StudyForm(const Parts& parts, QWidget* parent = nullptr);
    ~StudyForm() override;

    void setKind(StudyKind kind);
    StudyKind kind() const;
    /// A corpus or a folder of recordings; empty: the utterances that are open.
    void setData(const std::filesystem::path& folder);
    void setUtterances(int count);
    void setName(const QString& name);
    /// Where it is computed; empty or unknown: this machine.
    void choosePlace(const QString& name);
    WhereField* whereField() const;
    StudySettingsRows* settingsRows() const { return m_rows; }
    /// What would be run now; nothing where something is wrong or not known yet.
    const std::optional<StudyRequest>& request() const { return m_request; }
    QString reason() const { return m_reason; } ///< why it cannot run; empty: it can
    QString command() const;
    bool isPending() const { return m_reading || m_revalidation.isActive(); }

    /// Asks for a folder; replaced in tests. Title → path, empty: given up.
    std::function<QString(const QString& title)> askFolder;

Q_SIGNALS:
    void runRequested(const headroom::app::StudyRequest& request);
    void closed(); ///< back to the list

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void revalidate() override;

private:
    struct Fields;
    void makeFields();
    void makeFoot();
    void connectFields();
    void fillData();
    QString openText(bool areTexts) const;
    void chooseData(int row);
    void readData();
    void showKind();
    void revalidateSoon() { m_revalidation.start(); }
    StudyValues read() const;
    void offerReferences();
    std::optional<PhoneMap> sessionMap() const;
    void offerPhoneMaps();

    Parts m_parts;
    std::unique_ptr<Fields> m;
    StudySettingsRows* m_rows = nullptr;
    std::vector<std::filesystem::path> m_folders; ///< of the rows of the data field after the first
    std::filesystem::path m_data;
    std::optional<StudyData> m_facts;
    QFutureWatcher<StudyData> m_reader;
    QTimer m_revalidation;
    bool m_nameIsOwn = false, m_reading = false, m_filling = false;
    std::optional<StudyRequest> m_request;
    QString m_reason;
};

} // namespace headroom::app
