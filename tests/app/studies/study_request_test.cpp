// SPDX-License-Identifier: GPL-3.0-or-later
// What a new study is asked for: the fields of the form, the settings of the worker, the command line.
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/jobs/device_list.h"
#include "app/places/place_store.h"
#include "app/settings/app_settings.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_request.h"
#include "app/studies/study_settings.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/studies/study_form.h"
#include "core/runs/run_folder.h"
#include "core/studies/settings.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QScrollArea>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::study_request_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class StudyRequestTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_studies = toPath(m_folder->path());
    }

    /// In the narrowest panel, and with models of long names: no field ends beyond the edge.
    void theFormIsAsWideAsItsPanel() {
        widgets::Theme::apply(QStringLiteral("light"));
        Session session;
        StudyEvidence evidence;
        StudyStore store(m_studies, &evidence);
        AppSettings settings(m_folder->filePath(QStringLiteral("settings.ini")));
        for (const char* name : {"2026-11-23T06-37_a-run-of-a-long-name_seed-1", "2026-11-23T06-37_a-run-of-a-long-name_seed-2"})
            session.setModelEnabled(session.openModel(m_studies / name), true);
        PlaceStore places;
        DeviceList devices;
        StudyForm form({&session, &store, &settings, &places, &devices});
        form.resize(qRound(widgets::Sizes::unit() * 45), 600);
        form.show();
        QVERIFY(QTest::qWaitForWindowExposed(&form));
        const auto* scroll = form.findChild<QScrollArea*>();
        for (const StudyKind kind : kStudyKinds) {
            form.setKind(kind);
            QCoreApplication::processEvents();
            QVERIFY2(scroll->widget()->width() <= scroll->viewport()->width(), qPrintable(kindTitle(kind)));
        }
    }

    void theFormShowsSettingsOfTheWorker() {
        for (const StudyKind kind : kStudyKinds)
            for (const StudySetting& setting : studySettings(kind)) {
                const StudySettingField* field = findStudySetting(kind, setting.key);
                QVERIFY2(field, setting.key.c_str());
                QVERIFY(!setting.label.isEmpty() && !setting.toolTip.isEmpty());
                QVERIFY2(setting.least == field->least && setting.most == field->most, setting.key.c_str());
                QCOMPARE(setting.words.size(), setting.wordLabels.size());
                if (setting.type == StudySetting::Type::Words)
                    QVERIFY(setting.words.at(static_cast<int>(setting.unset)).toStdString() ==
                            field->unset.get<std::string>());
                else if (setting.type == StudySetting::Type::Wholes)
                    QVERIFY(setting.unsetWholes == field->unset.get<std::vector<std::int64_t>>());
                else if (setting.type != StudySetting::Type::Reference)
                    QVERIFY2(setting.unset == field->unset.get<double>(), setting.key.c_str());
                // Every value that the form can give is one that the worker takes.
                for (const QString& word : setting.words)
                    readStudySettings(kind, {{setting.key, word.toStdString()}});
            }
    }

    /// A study called it by the name of another run.
    void theResultOfARunIsCalledAsTheWindowCallsIt() {
        RunInfo info;
        info.seed = 1;
        for (const char* run : {"one", "two"}) {
            fs::create_directories(RunPaths{m_studies / run}.model());
            writeRun(m_studies / run, info);
        }
        StudyRequest request;
        request.models = {RunPaths{m_studies / "one"}.model(), "/m/other", RunPaths{m_studies / "two"}.model()};
        request.modelNames = {QStringLiteral("demo, seed 1"), QStringLiteral("other"), QStringLiteral("demo, seed 1, run 2")};
        const std::vector<std::string> expected{"demo, seed 1", "other", "demo, seed 1, run 2"};
        QVERIFY(optionsOf(request).names == expected);
        QVERIFY(commandLine(request).contains(QStringLiteral("'--name=demo, seed 1' --name=other '--name=demo, seed 1, run 2'")));
        request.models = {"/m/other"};
        request.modelNames = {QStringLiteral("other")};
        QVERIFY(optionsOf(request).names.empty());
    }

    void theCommandLineSaysWhatTheFormSays() {
        StudyRequest request;
        request.kind = StudyKind::Windows;
        request.models = {"/m/one", "/m/my model"};
        request.data = "/c/demo";
        request.split = QStringLiteral("test");
        request.utterances = 7;
        request.seed = 3;
        request.settings = {{"threshold", 0.02}};
        request.figures = true;
        request.folder = "/s/x";
        QCOMPARE(commandLine(request),
                 QStringLiteral("headroom-worker study windows --model /m/one --model '/m/my model' --data "
                                "/c/demo --split test --utterances 7 --seed 3 --set threshold=0.02 --figures "
                                "--out /s/x"));
        request.data.clear();
        request.recordings = {{"/r/a.wav"}};
        QVERIFY(commandLine(request).contains(QStringLiteral("--audio /r/a.wav --seed 3")));
        request.recordings.clear();
        request.texts = {"Why?"};
        QVERIFY(commandLine(request).contains(QStringLiteral("'--text=Why?' --seed 3")));
        QCOMPARE(studyFolderName(QStringLiteral("2026-11-21T10-31"), StudyKind::Heads,
                                 QStringLiteral("st-small en-de/x")),
                 QStringLiteral("2026-11-21T10-31_heads_st-small-en-de-x"));
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_studies;
};

HEADROOM_TEST(StudyRequestTest)

} // namespace headroom::testing::study_request_test

#include "study_request_test.moc"
