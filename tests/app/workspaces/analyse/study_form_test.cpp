// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/study_form.h"

#include "app/documents/session.h"
#include "app/settings/app_settings.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_settings.h"
#include "app/studies/study_store.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QLabel>
#include <QSpinBox>
#include <QTest>

#include <set>

namespace headroom::testing::study_form_test {

using namespace headroom::app;

class StudyFormTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// However wide the labels of a study's own settings are.
    void allFieldsBeginAtOneEdge() {
        const Workshop workshop;
        Session session;
        StudyEvidence evidence;
        StudyStore store(workshop.path() / "studies", &evidence);
        AppSettings settings(toQString(workshop.path() / "settings.ini"));
        StudyForm form({&session, &store, &settings});
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
        for (const StudyKind kind : studyKinds()) {
            form.setKind(kind);
            QTRY_COMPARE_WITH_TIMEOUT(edges(), std::size_t(1), 60000);
        }
    }

    /// A number that means something else is said in words.
    void noReferenceLayersAreTheLowerHalf() {
        const Workshop workshop;
        Session session;
        StudyEvidence evidence;
        StudyStore store(workshop.path() / "studies", &evidence);
        AppSettings settings(toQString(workshop.path() / "settings.ini"));
        StudyForm form({&session, &store, &settings});
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

    void anUnreadableAlignmentIsNotCounted() {
        const Workshop workshop;
        Session session;
        StudyEvidence evidence;
        StudyStore store(workshop.path() / "studies", &evidence);
        AppSettings settings(toQString(workshop.path() / "settings.ini"));
        workshop.grid("aligned.TextGrid", "word");
        workshop.text("damaged.TextGrid", "File type = \"ooTextFile\"\n");
        for (const char* name : {"aligned", "damaged", "alone"})
            session.openUtterance(workshop.wav(std::string(name) + ".wav"));
        QTRY_VERIFY_WITH_TIMEOUT(!session.isReading(), 60000);
        const StudyForm form({&session, &store, &settings});
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
