// SPDX-License-Identifier: GPL-3.0-or-later
// Which model is opened for sound that comes in while none is open.
#include "app/documents/items/paths.h"
#include "app/settings/app_settings.h"
#include "app/window/last_model.h"
#include "tests/app/documents/reading.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::last_model_test {

using namespace headroom::app;

class LastModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// It was the last one of the list, whichever was looked at, and had no name.
    void theOneThatWasCurrentIsOpenedAndNamed() {
        Workshop workshop;
        AppSettings settings(toQString(workshop.path() / "settings.ini"));
        const auto first = workshop.model("first"), second = workshop.model("second");
        {
            Session session;
            const LastModel last(&session, &settings);
            const ModelId one = session.openModel(first), two = session.openModel(second);
            const auto read = [&] {
                for (const auto& [id, name] : {std::pair(one, "first"), std::pair(two, "second")}) {
                    ModelDescription info = Workshop::info(2);
                    info.name = QString::fromLatin1(name);
                    session.setModelOpened(id, info);
                }
            };
            read();
            QCOMPARE(settings.lastModel(), toQString(session.models()->find(one)->folder));
            session.setCurrentModel(two);
            session.setCurrentModel(one);
            session.setModelEnabled(two, true);
            read();
            QCOMPARE(settings.lastModel(), toQString(session.models()->find(one)->folder));
            session.setCurrentModel(two);
            session.clear(); // nobody looks at the first while both are closed
            QCOMPARE(settings.lastModel(), toQString(second));
        }
        Session session;
        LastModel last(&session, &settings);
        last.takeAlong();
        QCOMPARE(session.models()->count(), 1);
        ModelDescription info = Workshop::info(2);
        info.name = QStringLiteral("second of two");
        session.setModelOpened(session.currentModelId(), info);
        const Messages* messages = session.messages();
        QCOMPARE(messages->index(messages->rowCount() - 1, Messages::Sentence).data().toString() + messages->index(0, Messages::Sentence).data().toString(),
                 QStringLiteral("No model was open, so “second of two”, the last one used, was opened.").repeated(2));
        session.setModelOpened(session.currentModelId(), info);
        QCOMPARE(messages->rowCount(), 1); // once
    }
};

HEADROOM_TEST(LastModelTest)

} // namespace headroom::testing::last_model_test

#include "last_model_test.moc"
