// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/study_form.h"

#include "app/settings/demo_corpora.h"
#include "app/parts/availability.h"
#include "app/parts/forms/form_row.h"
#include "app/workspaces/analyse/studies/study_settings_rows.h"
#include "tests/app/workspaces/analyse/study_desk.h"
#include "tests/support/environment.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTest>

#include <set>

namespace headroom::testing::study_form_test {

using namespace headroom::app;

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
        StudyDesk desk;
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
        StudyDesk desk;
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
        StudyDesk desk;
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
        StudyDesk desk;
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
        StudyDesk desk;
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

    /// The demo corpus that Train had made since was offered by Evaluate, not here.
    void corporaThatComeLaterAreOffered() {
        StudyDesk desk;
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
        StudyDesk desk;
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
        StudyDesk desk;
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
};

HEADROOM_TEST(StudyFormTest)

} // namespace headroom::testing::study_form_test

#include "study_form_test.moc"
