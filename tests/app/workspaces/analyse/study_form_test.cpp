// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/study_form.h"

#include "app/alignments/alignment_store.h"
#include "app/documents/session.h"
#include "app/jobs/device_list.h"
#include "app/places/place_store.h"
#include "app/settings/app_settings.h"
#include "app/settings/demo_corpora.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_settings.h"
#include "app/parts/availability.h"
#include "app/parts/forms/form_row.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/studies/study_settings_rows.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/environment.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTest>

#include <set>

namespace headroom::testing::study_form_test {

using namespace headroom::app;

namespace {

/// What a form needs.
struct Desk {
    const Workshop workshop;
    Session session;
    StudyEvidence evidence;
    StudyStore store{workshop.path() / "studies", &evidence};
    AppSettings settings{toQString(workshop.path() / "settings.ini")};
    PlaceStore places;
    DeviceList devices;
    StudyForm::Parts parts() { return {&session, &store, &settings, &places, &devices}; }
};

} // namespace

class StudyFormTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// Of the open recordings, the tab Windows left the short ones out and a study did not.
    void theShortestUtteranceIsThatOfTheLiveWindows() {
        StudySettingsRows rows;
        rows.setKind(StudyKind::Windows);
        QCOMPARE(rows.values().dump(), std::string(R"({"shortest":1.0})"));
        rows.setReadsTexts(true);
        QCOMPARE(rows.values().dump(), std::string(R"({"fewestWords":10})"));
        const auto isShown = [&](const char* key) { return rows.findChild<FormRow*>(QLatin1String(key))->isVisibleTo(&rows); };
        QVERIFY(isShown("fewestWords") && !isShown("shortest"));
        rows.setReadsTexts(false);
        QVERIFY(!isShown("fewestWords") && isShown("shortest"));
        rows.setValue("shortest", 0);
        QCOMPARE(rows.values().dump(), std::string("{}"));
        QCOMPARE(rows.findChild<FormRow*>(QStringLiteral("shortest"))->findChild<QDoubleSpinBox*>()->text(), QStringLiteral("any length"));
    }

    void howManyOfACorpusAreTooShortStandsBelowTheSetting() {
        Desk desk;
        StudyForm form(desk.parts());
        form.resize(400, 700);
        form.setData(makeCorpus(desk.workshop.path() / "made"));
        QTRY_VERIFY_WITH_TIMEOUT(!form.isPending(), 60000);
        QCOMPARE(form.settingsRows()->findChild<FormRow*>(QStringLiteral("shortest"))->note(), QStringLiteral("5 of 60 are shorter and are left out."));
        form.setUtterances(20);
        QCOMPARE(form.settingsRows()->findChild<FormRow*>(QStringLiteral("shortest"))->note(),
                 QStringLiteral("5 of 60 are shorter and are left out if they are sampled."));
        if (const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_FORM"); !picture.isEmpty())
            QVERIFY(form.grab().save(picture));
    }

    void aDemoCorpusOnTheDiskIsOffered() {
        Desk desk;
        const ChangedVariable data("XDG_DATA_HOME", toQString(desk.workshop.path()).toLocal8Bit());
        StudyForm form(desk.parts());
        const auto isOffered = [&] {
            for (const QComboBox* box : form.findChildren<QComboBox*>())
                if (box->findText(QStringLiteral("demo-text")) >= 0)
                    return true;
            return false;
        };
        QVERIFY(!isOffered());
        std::filesystem::create_directories(demoCorpusFolder(DemoCorpus::Text)); // as a terminal makes it
        form.show();
        QVERIFY(isOffered());
    }

    /// It was as far down as where the last study was started.
    void aFormThatIsOpenedAgainBeginsWithTheKind() {
        Desk desk;
        StudyForm form(desk.parts());
        form.resize(400, 300);
        form.show();
        QVERIFY(QTest::qWaitForWindowExposed(&form));
        auto* bar = form.findChild<QScrollArea*>()->verticalScrollBar();
        QVERIFY(bar->maximum() > 0);
        bar->setValue(bar->maximum());
        form.hide();
        form.show();
        form.setKind(StudyKind::Mixing);
        QCoreApplication::processEvents();
        QCOMPARE(bar->value(), 0);
    }

    /// However wide the labels of a study's own settings are.
    void allFieldsBeginAtOneEdge() {
        Desk desk;
        StudyForm form(desk.parts());
        form.resize(600, 900);
        form.show();
        QVERIFY(QTest::qWaitForWindowExposed(&form));
        const auto edges = [&] {
            std::set<int> lefts;
            for (const QLabel* label : form.findChildren<QLabel*>())
                if (const QWidget* field = label->buddy(); field && field->isVisible())
                    lefts.insert(field->mapTo(&form, QPoint()).x());
            return lefts.size();
        };
        for (const StudyKind kind : kStudyKinds) {
            form.setKind(kind);
            QTRY_COMPARE_WITH_TIMEOUT(edges(), std::size_t(1), 60000);
        }
    }

    /// The settings of a study are made anew with each kind: Tab came to them behind everything else.
    void tabPassesFromTheSeedThroughTheSettings() {
        Desk desk;
        StudyForm form(desk.parts());
        form.show();
        QVERIFY(QTest::qWaitForWindowExposed(&form));
        for (const StudyKind kind : kStudyKinds) {
            form.setKind(kind);
            std::vector<const QWidget*> wanted;
            for (const QObject* row : form.settingsRows()->children())
                if (const auto* label = row->findChild<QLabel*>(); label && label->buddy())
                    wanted.push_back(label->buddy());
            std::vector<const QWidget*> passed;
            bool isBetween = false;
            for (QWidget* widget = form.nextInFocusChain(); widget != &form; widget = widget->nextInFocusChain()) {
                if (widget->accessibleName() == QStringLiteral("Figures and tables for a paper"))
                    isBetween = false;
                if (isBetween && std::find(wanted.begin(), wanted.end(), widget) != wanted.end())
                    passed.push_back(widget);
                if (widget->accessibleName() == QStringLiteral("Seed"))
                    isBetween = true;
            }
            QVERIFY(passed == wanted);
        }
    }

    /// The demo corpus that TRAIN had made since was offered by Evaluate, not here.
    void corporaThatComeLaterAreOffered() {
        Desk desk;
        StudyForm form(desk.parts());
        const QComboBox* data = nullptr;
        for (const QLabel* label : form.findChildren<QLabel*>())
            if (label->text() == QStringLiteral("Data"))
                data = qobject_cast<const QComboBox*>(label->buddy());
        QVERIFY(data);
        QCOMPARE(data->findText(QStringLiteral("later")), -1);
        const auto later = desk.workshop.path() / "later";
        std::filesystem::create_directories(later);
        desk.settings.addRecentCorpus(toQString(later));
        QCOMPARE(data->findText(QStringLiteral("later")), 1);
        QCOMPARE(data->currentIndex(), 0); // what was chosen stays
    }

    /// A number that means something else is said in words.
    void noReferenceLayersAreTheLowerHalf() {
        Desk desk;
        StudyForm form(desk.parts());
        form.setKind(StudyKind::Phones);
        QSpinBox* layers = nullptr;
        for (const QLabel* label : form.findChildren<QLabel*>())
            if (label->text() == QStringLiteral("Reference layers"))
                layers = qobject_cast<QSpinBox*>(label->buddy());
        QVERIFY(layers);
        QCOMPARE(layers->text(), QStringLiteral("lower half"));
        layers->setValue(3);
        QCOMPARE(layers->text(), QStringLiteral("3"));
    }

    /// The worker ignores it there, so it is off, says why, and is not part of the command.
    void aSettingWithoutEffectIsOffAndSaysWhy() {
        StudySettingsRows rows;
        const auto field = [&](const char* key) {
            const auto* row = rows.findChild<FormRow*>(QString::fromLatin1(key));
            return row->findChild<QLabel*>()->buddy();
        };
        rows.setKind(StudyKind::Similarity);
        rows.setValue("perUtterance", 5);
        QVERIFY(field("perUtterance")->isEnabled() && rows.values().contains("perUtterance"));
        rows.setValue("places", "words");
        QVERIFY(!field("perUtterance")->isEnabled() && !rows.values().contains("perUtterance"));
        QVERIFY(reasonOf(field("perUtterance")).contains(QStringLiteral("Only tokens are sampled")));
        QCOMPARE(field("perUtterance")->toolTip(), reasonOf(field("perUtterance")));
        static_cast<QComboBox*>(field("places"))->setCurrentIndex(0);
        QVERIFY(field("perUtterance")->isEnabled());
        QVERIFY(rows.values() == nlohmann::json({{"perUtterance", 5}}));
        rows.setKind(StudyKind::Mixing);
        QVERIFY(!field("pooling")->isEnabled());
        rows.setValue("units", "phones");
        QVERIFY(field("pooling")->isEnabled());
        rows.setKind(StudyKind::Phones);
        QVERIFY(!field("referenceLayers")->isEnabled());
        rows.setReferences({{QStringLiteral("model 1"), QStringLiteral("the first")}});
        rows.setValue("reference", "model 1");
        QVERIFY(field("referenceLayers")->isEnabled());
        rows.setReferences({});
        QVERIFY(!field("referenceLayers")->isEnabled());
    }

    void lengthsOfALatencyAreAListOfNumbers() {
        StudySettingsRows rows;
        rows.setKind(StudyKind::Latency);
        auto* lengths = rows.findChild<QLineEdit*>();
        QVERIFY(lengths);
        QCOMPARE(lengths->text(), QStringLiteral("96, 128, 192, 256, 384, 512, 768"));
        QVERIFY(rows.values().empty());
        lengths->setText(QStringLiteral("16,32, 64"));
        QVERIFY(rows.values() == nlohmann::json({{"lengths", {16, 32, 64}}}));
        lengths->setText(QStringLiteral("16, many"));
        QVERIFY(rows.values() == nlohmann::json({{"lengths", "16, many"}}));
    }

    /// As a wrong Data or Name is.
    void wrongLengthsAreRinged() {
        Desk desk;
        StudyForm form(desk.parts());
        form.setKind(StudyKind::Latency);
        auto* lengths = form.settingsRows()->findChild<QLineEdit*>();
        QVERIFY(lengths && !lengths->property("mistake").toBool());
        for (const char* wrong : {"96 64", "96, abc", ""}) {
            lengths->setText(QString::fromLatin1(wrong));
            QTRY_VERIFY_WITH_TIMEOUT(lengths->property("mistake").toBool(), 60000);
            lengths->setText(QStringLiteral("96, 64"));
            QTRY_VERIFY_WITH_TIMEOUT(!lengths->property("mistake").toBool(), 60000);
        }
    }

    /// It measures whole recordings, and nothing said so.
    void aSelectionIsNamedBesideTheData() {
        Desk desk;
        const UtteranceId talk = desk.session.openUtterance(desk.workshop.wav("talk.wav"));
        QTRY_VERIFY_WITH_TIMEOUT(!desk.session.isReading(), 60000);
        const StudyForm form(desk.parts());
        const auto note = [&] { return form.findChild<FormRow*>(QStringLiteral("data"))->note(); };
        QTRY_COMPARE_WITH_TIMEOUT(note(), QStringLiteral("1 utterance, 0 with an alignment"), 60000);
        desk.session.setPart(talk, Part{Seconds(0.1), Seconds(0.3)});
        QTRY_VERIFY2_WITH_TIMEOUT(note().endsWith(QStringLiteral("a study measures whole recordings.")), qPrintable(note()), 60000);
        desk.session.setPart(talk, std::nullopt);
        QTRY_COMPARE_WITH_TIMEOUT(note(), QStringLiteral("1 utterance, 0 with an alignment"), 60000);
    }

    void aRecordingThatTheModelCannotReadIsSaidBefore() {
        Desk desk;
        desk.session.openUtterance(desk.workshop.wav("talk.wav"));
        ModelDescription info = Workshop::info(2);
        info.maxSourceFrames = 20;
        desk.session.setModelOpened(desk.session.openModel(desk.workshop.path() / "small"), info);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.session.isReading(), 60000);
        const StudyForm form(desk.parts());
        const QString why = QStringLiteral("small accepts recordings of at most 0.22\u202fs, but none of these is that short. Choose shorter recordings.");
        QCOMPARE(form.reason(), why);
        QVERIFY(!form.request());
    }

    /// A model of texts is measured on the open texts, and the field counts those.
    void openTextsAreTheDataOfATextModel() {
        Desk desk;
        desk.session.openUtterance(desk.workshop.wav("talk.wav"));
        const char *first = "The dog sleeps all day in the sun by the door.", *second = "-- Why does it sleep there in the sun all day?";
        for (const char* text : {first, second, "Too short."})
            desk.session.addText(QString::fromLatin1(text));
        desk.session.addText(); // into which nothing was typed
        ModelDescription info = Workshop::info(2);
        info.architecture.frontEnd.reads = InputKind::Text;
        info.maxSourceFrames = 0;
        desk.session.setModelOpened(desk.session.openModel(desk.workshop.path() / "fsmt"), info);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.session.isReading(), 60000);
        StudyForm form(desk.parts());
        QTRY_VERIFY_WITH_TIMEOUT(!form.isPending(), 60000);
        QVERIFY2(form.reason().isEmpty(), qPrintable(form.reason()));
        QCOMPARE(form.request()->texts, (std::vector<std::string>{first, second, "Too short."}));
        QVERIFY2(form.command().contains(QStringLiteral("'--text=-- Why does it sleep there in the sun all day?' ")) && !form.command().contains(QStringLiteral("--audio")),
                 qPrintable(form.command()));
        QCOMPARE(form.findChild<QComboBox*>(QStringLiteral("studyData"))->itemText(0), QStringLiteral("The 3 open utterances"));
        QVERIFY(form.command().contains(QStringLiteral("--set fewestWords=10")));
    }

    /// They were counted, and the study failed.
    void filesThatAreGoneAreNotCounted() {
        Desk desk;
        for (const char* name : {"one", "two", "three"}) {
            desk.workshop.grid(std::string(name) + ".TextGrid", "word");
            desk.session.openUtterance(desk.workshop.wav(std::string(name) + ".wav"));
        }
        QTRY_VERIFY_WITH_TIMEOUT(!desk.session.isReading(), 60000);
        StudyForm form(desk.parts());
        const auto* data = form.findChild<QComboBox*>(QStringLiteral("studyData"));
        QCOMPARE(data->itemText(0), QStringLiteral("The 3 open utterances"));
        desk.session.setRecordingGone(desk.session.utterances()->at(0).id, true);
        desk.session.setAlignmentGone(desk.session.utterances()->at(1).id, true);
        QTRY_VERIFY_WITH_TIMEOUT(!form.isPending(), 60000);
        QCOMPARE(data->itemText(0), QStringLiteral("The 2 open utterances"));
        QVERIFY(std::ranges::any_of(form.findChildren<FormRow*>(), [](const FormRow* row) { return row->note() == QStringLiteral("2 utterances, 1 with an alignment"); }));
        QVERIFY(form.command().contains(QStringLiteral("three.TextGrid")) && form.command().contains(QStringLiteral("two.TextGrid"))); // its notes say that it is gone
        QVERIFY(!form.command().contains(QStringLiteral("one.wav")));
    }

    /// The form offered the included maps alone, and the study did not know the labels that the session knew.
    void theSessionsPhoneMapIsNamedAndUsed() {
        Desk desk;
        AlignmentStore alignments(&desk.session);
        StudyForm::Parts parts = desk.parts();
        parts.alignments = &alignments;
        desk.workshop.grid("said.TextGrid", "word");
        desk.session.openUtterance(desk.workshop.wav("said.wav"));
        desk.session.setModelOpened(desk.session.openModel(desk.workshop.model("small")), Workshop::info(2));
        QTRY_VERIFY_WITH_TIMEOUT(!desk.session.isReading() && !alignments.isPending(), 60000);
        StudyForm form(parts);
        form.setKind(StudyKind::Phones);
        const auto field = [&] { return form.settingsRows()->findChild<QWidget*>(QStringLiteral("phoneMap"))->findChild<QComboBox*>(); };
        QCOMPARE(field()->currentText(), QStringLiteral("the best match")); // open utterances have no corpus
        alignments.setClass(QStringLiteral("AH"), 5);
        QTRY_VERIFY_WITH_TIMEOUT(!form.isPending(), 60000);
        const QString name = QStringLiteral("the session's: ARPABET, edited");
        QCOMPARE(field()->currentText(), name);
        QVERIFY2(form.request(), qPrintable(form.reason()));
        QCOMPARE(form.request()->phoneMap, alignments.map().text());
        for (auto* button : form.findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Copy command"))
                button->click();
        QVERIFY(PhoneMap::read(form.request()->settings.at("phoneMap").get<std::string>()) == alignments.map());
        // A corpus has its own; the session's is one more choice, and goes with the corpus.
        desk.workshop.grid("corpus/b.TextGrid", "word");
        desk.workshop.wav("corpus/b.wav");
        form.setData(desk.workshop.path() / "corpus");
        QTRY_VERIFY_WITH_TIMEOUT(!form.isPending(), 60000);
        QCOMPARE(field()->currentText(), QStringLiteral("the corpus's or the best match"));
        form.show();
        field()->showPopup();
        const auto* list = field()->view(); // its longest name was cut even in the open list
        QTRY_VERIFY(list->isVisible());
        QVERIFY(list->viewport()->width() >= list->sizeHintForColumn(0));
        field()->hidePopup();
        QVERIFY(form.request() && form.request()->phoneMap.empty());
        field()->setCurrentIndex(field()->findText(name));
        QTRY_VERIFY_WITH_TIMEOUT(!form.isPending(), 60000);
        QCOMPARE(form.request()->phoneMap, alignments.map().text());
        form.setData({});
        QTRY_VERIFY_WITH_TIMEOUT(!form.isPending(), 60000);
        QCOMPARE(field()->currentIndex(), 0);
        QCOMPARE(field()->count(), 5);
        QCOMPARE(field()->currentText(), name);
    }

    /// It looked beside the recording alone: "0 with an alignment", while the window showed one.
    void anAlignmentOfAnotherNameIsThatOfTheStudy() {
        Desk desk;
        const UtteranceId id = desk.session.openUtterance(desk.workshop.wav("said.wav"));
        desk.session.openUtterance(desk.workshop.wav("alone.wav"));
        desk.session.setModelOpened(desk.session.openModel(desk.workshop.model("small")), Workshop::info(2));
        QTRY_VERIFY_WITH_TIMEOUT(!desk.session.isReading(), 60000);
        desk.session.openAlignment(desk.workshop.grid("phones of it.TextGrid", "word"), id);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.session.isReading(), 60000);
        StudyForm form(desk.parts());
        form.setKind(StudyKind::Phones);
        QTRY_VERIFY_WITH_TIMEOUT(!form.isPending(), 60000);
        QVERIFY2(form.request(), qPrintable(form.reason()));
        QCOMPARE(form.request()->recordings[0].alignment, desk.workshop.path() / "phones of it.TextGrid");
        const QString file = QString::fromStdString((desk.workshop.path() / "phones of it.TextGrid").string());
        QVERIFY2(form.command().contains(QStringLiteral("--alignment '%1' none").arg(file)), qPrintable(form.command()));
    }

    void anUnreadableAlignmentIsNotCounted() {
        Desk desk;
        desk.workshop.grid("aligned.TextGrid", "word");
        desk.workshop.text("damaged.TextGrid", "File type = \"ooTextFile\"\n");
        for (const char* name : {"aligned", "damaged", "alone"})
            desk.session.openUtterance(desk.workshop.wav(std::string(name) + ".wav"));
        QTRY_VERIFY_WITH_TIMEOUT(!desk.session.isReading(), 60000);
        const StudyForm form(desk.parts());
        QStringList said;
        for (const QLabel* label : form.findChildren<QLabel*>())
            if (label->text().contains(QStringLiteral("with an alignment")))
                said << label->text();
        QCOMPARE(said, QStringList{QStringLiteral("3 utterances, 1 with an alignment")});
    }
};

HEADROOM_TEST(StudyFormTest)

} // namespace headroom::testing::study_form_test

#include "study_form_test.moc"
