// SPDX-License-Identifier: GPL-3.0-or-later
// The form of a new study with the recordings, texts and alignments that are open.
#include "app/alignments/alignment_store.h"
#include "app/parts/forms/form_row.h"
#include "app/workspaces/analyse/studies/study_settings_rows.h"
#include "tests/app/workspaces/analyse/study_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>

#include <algorithm>

namespace headroom::testing::study_form_open_test {

using namespace headroom::app;

class StudyFormOpenTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// It measures whole recordings, and nothing said so.
    void aSelectionIsNamedBesideTheData() {
        StudyDesk desk;
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
        StudyDesk desk;
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
        StudyDesk desk;
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
        StudyDesk desk;
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

    /// It was counted while the recording that was read before is still shown.
    void aFileThatCanNoLongerBeReadIsNotCounted() {
        StudyDesk desk;
        const UtteranceId damaged = desk.session.openUtterance(desk.workshop.wav("one.wav"));
        desk.session.openUtterance(desk.workshop.wav("two.wav"));
        QTRY_VERIFY_WITH_TIMEOUT(!desk.session.isReading(), 60000);
        desk.session.setFiles(damaged, desk.workshop.text("one.wav", "no sound"), {});
        QTRY_VERIFY_WITH_TIMEOUT(!desk.session.isReading(), 60000);
        const OpenUtterance& one = desk.session.utterances()->at(0);
        QVERIFY(one.state == OpenState::Ready && one.recording);
        QVERIFY2(one.sentence.contains(QStringLiteral("is still used")), qPrintable(one.sentence));
        StudyForm form(desk.parts());
        QTRY_VERIFY_WITH_TIMEOUT(!form.isPending(), 60000);
        QCOMPARE(form.findChild<QComboBox*>(QStringLiteral("studyData"))->itemText(0), QStringLiteral("The open utterance"));
        QVERIFY(form.command().contains(QStringLiteral("two.wav")) && !form.command().contains(QStringLiteral("one.wav")));
    }

    /// The form offered the included maps alone, and the study did not know the labels that the session knew.
    void theSessionsPhoneMapIsNamedAndUsed() {
        StudyDesk desk;
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
        StudyDesk desk;
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
        StudyDesk desk;
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

HEADROOM_TEST(StudyFormOpenTest)

} // namespace headroom::testing::study_form_open_test

#include "study_form_open_test.moc"
