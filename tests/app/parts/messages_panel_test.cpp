// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/messages.h"
#include "app/parts/messages_panel.h"
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"

#include <QTableView>
#include <QTest>

namespace headroom::testing::messages_panel_test {

using namespace headroom::app;

class MessagesPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// "Use it for 1184-121052-0005" was cut at the left.
    void anOfferThatNamesARecordingIsWhole() {
        Messages messages;
        MessagesPanel panel(&messages);
        panel.resize(1400, 300);
        panel.show();
        const auto room = [&] { return panel.view()->columnWidth(Messages::Action); };
        messages.post(Severity::Warning, QStringLiteral("What happened."), QStringLiteral("Open"), [] {});
        const int least = room();
        const QString offer = QStringLiteral("Use it for 1184-121052-0005, a long name");
        messages.post(Severity::Warning, QStringLiteral("What happened."), offer, [] {});
        const int wanted = QFontMetrics(widgets::Sizes::caption()).horizontalAdvance(offer) + qRound(2 * widgets::Sizes::unit());
        QVERIFY2(wanted > least, "the offer must be one that did not fit");
        QVERIFY(room() >= wanted);
        panel.resize(700, 300); // the sentence keeps two thirds
        QVERIFY(room() <= std::max(least, 700 / 3));
        messages.clear();
        QCOMPARE(room(), least);
    }
};

HEADROOM_TEST(MessagesPanelTest)

} // namespace headroom::testing::messages_panel_test

#include "messages_panel_test.moc"
