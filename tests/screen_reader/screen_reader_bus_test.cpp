// SPDX-License-Identifier: GPL-3.0-or-later
// The program as a screen reader gets it: a display, a session bus and an AT-SPI bus of its own, and what the
// bus says.
#include "tests/support/runner.h"

#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusObjectPath>
#include <QDBusVariant>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

namespace headroom::testing::screen_reader_bus_test {

namespace {

constexpr int kPatience = 60000;           ///< ms; the worker analyses the demo in a debug build
constexpr int kChecked = 4, kShowing = 25; ///< AtspiStateType

struct Node {
    QString service, path;
    QString name{}, role{};
    QString inside{}; ///< role and name of the parents, from the outside in
    quint64 states = 0;

    bool is(int state) const { return (states >> state) & 1; }
};

/// Ends a program that this test has started, gently and then for certain.
void end(QProcess& process) {
    if (process.state() == QProcess::NotRunning)
        return;
    process.terminate();
    if (!process.waitForFinished(5000)) {
        process.kill();
        process.waitForFinished(5000);
    }
}

} // namespace

class ScreenReaderBusTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        for (const char* program : {"dbus-daemon", "Xvfb"})
            if (QStandardPaths::findExecutable(QLatin1String(program)).isEmpty())
                QSKIP(qPrintable(QStringLiteral("%1 is not installed (packaging/test-packages.txt).")
                                     .arg(QLatin1String(program))));
        if (!QFile::exists(QStringLiteral("/usr/share/dbus-1/services/org.a11y.Bus.service")))
            QSKIP("at-spi2-core is not installed (packaging/test-packages.txt).");
        QVERIFY(m_home.isValid());
        m_environment = QProcessEnvironment::systemEnvironment();
        for (const char* name :
             {"HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"}) {
            QVERIFY(QDir().mkpath(m_home.filePath(QLatin1String(name))));
            m_environment.insert(QLatin1String(name), m_home.filePath(QLatin1String(name)));
        }
        QFile::setPermissions(m_home.filePath(QStringLiteral("XDG_RUNTIME_DIR")), // else Qt warns
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        // Xvfb takes a free number itself and says which.
        const QString number =
            firstLine(m_display, QStringLiteral("Xvfb"),
                      {QStringLiteral("-displayfd"), QStringLiteral("1"), QStringLiteral("-screen"),
                       QStringLiteral("0"), QStringLiteral("1600x1000x24"), QStringLiteral("-nolisten"),
                       QStringLiteral("tcp"), QStringLiteral("-noreset")});
        QVERIFY2(!number.isEmpty(), m_display.readAllStandardError().constData());
        m_environment.insert(QStringLiteral("DISPLAY"), QLatin1Char(':') + number);
        const QString address = firstLine(
            m_session, QStringLiteral("dbus-daemon"),
            {QStringLiteral("--session"), QStringLiteral("--nofork"), QStringLiteral("--print-address=1")});
        QVERIFY2(!address.isEmpty(), m_session.readAllStandardError().constData());
        m_environment.insert(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"), address);
        const QDBusConnection session =
            QDBusConnection::connectToBus(address, QStringLiteral("session of the test"));
        const QVariantList at =
            call(session, {QStringLiteral("org.a11y.Bus"), QStringLiteral("/org/a11y/bus")}, "org.a11y.Bus",
                 "GetAddress");
        QVERIFY2(!at.isEmpty(), qPrintable(session.lastError().message()));
        m_bus =
            QDBusConnection::connectToBus(at.front().toString(), QStringLiteral("AT-SPI bus of the test"));
        QVERIFY2(m_bus->isConnected(), qPrintable(m_bus->lastError().message()));

        m_environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("xcb"));
        m_environment.insert(QStringLiteral("QT_LINUX_ACCESSIBILITY_ALWAYS_ON"), QStringLiteral("1"));
        m_headroom.setProcessEnvironment(m_environment);
        m_headroom.start(QStringLiteral(HEADROOM_BINARY_DIR "/bin/headroom"), {});
        QVERIFY(m_headroom.waitForStarted());
        // The first start opens the demo: its table of windows is the last thing to come.
        QVERIFY2(QTest::qWaitFor(
                     [this] {
                         return !nodes(QStringLiteral("table"), QStringLiteral("Windows by layer")).isEmpty();
                     },
                     kPatience),
                 m_headroom.readAllStandardError().constData());
    }

    void cleanupTestCase() {
        end(m_headroom);
        m_bus.reset();
        for (const char* connection : {"AT-SPI bus of the test", "session of the test"})
            QDBusConnection::disconnectFromBus(QLatin1String(connection));
        end(m_session); // the AT-SPI bus ends with its session
        end(m_display);
    }

    void everyControlHasANameAndARole() { everyControlIsNamed(40); }

    void whatIsOnTheScreenIsNamed_data() {
        QTest::addColumn<QString>("role");
        QTest::addColumn<QString>("name");
        QTest::newRow("window") << "frame"
                                << "Demo session – Headroom";
        QTest::newRow("table") << "table"
                               << "Windows by layer";
        QTest::newRow("list") << "list"
                              << "Utterances";
        QTest::newRow("box") << "check box"
                             << "Hide diagonal";
        QTest::newRow("tab") << "page tab"
                             << "CAD";
        QTest::newRow("menu") << "menu item"
                              << "Analysis";
    }
    void whatIsOnTheScreenIsNamed() {
        QFETCH(QString, role);
        QFETCH(QString, name);
        QVERIFY2(!nodes(role, name).isEmpty(), qPrintable(names(role).join(QStringLiteral(", "))));
    }

    void aControlIsUsedThroughTheBus() {
        const QList<Node> before = nodes(QStringLiteral("check box"), QStringLiteral("Hide diagonal"));
        QCOMPARE(before.size(), 1);
        const QVariantList done = call(*m_bus, before.front(), "org.a11y.atspi.Action", "DoAction", {0});
        QVERIFY(!done.isEmpty() && done.front().toBool());
        QVERIFY(QTest::qWaitFor([&] {
            const QList<Node> after = nodes(QStringLiteral("check box"), QStringLiteral("Hide diagonal"));
            return after.size() == 1 && after.front().is(kChecked) != before.front().is(kChecked);
        }, 60000));
    }

    void everyTabIsReadToo() {
        const QList<Node> tabs = nodes(QStringLiteral("page tab"));
        QVERIFY2(tabs.size() >= 6, qPrintable(names(QStringLiteral("page tab")).join(QStringLiteral(", "))));
        for (const Node& tab : tabs) {
            const QVariantList done = call(*m_bus, tab, "org.a11y.atspi.Action", "DoAction", {0});
            QVERIFY2(!done.isEmpty() && done.front().toBool(), qPrintable(tab.name));
            // A bar of tabs is named after the current one. Qt 6.4 does not say “selected” of a tab itself.
            QVERIFY2(QTest::qWaitFor([&] { return !nodes(QStringLiteral("page tab list"), tab.name).isEmpty(); },
                                     kPatience), qPrintable(tab.name));
            everyControlIsNamed(30);
        }
    }

    void theOtherWorkspacesAreReadToo_data() {
        QTest::addColumn<QString>("workspace");
        QTest::addColumn<QString>("shows"); // a spin box that only this workspace has
        QTest::newRow("design") << "Design"
                                << "Length at which the cost is counted";
        QTest::newRow("train") << "Train"
                               << "Smooth";
    }
    void theOtherWorkspacesAreReadToo() {
        QFETCH(QString, workspace);
        QFETCH(QString, shows);
        bool used = false;
        for (const Node& node : nodes())
            if (node.name == workspace && node.is(kShowing) && node.role.contains(QLatin1String("button"))) {
                const QVariantList done = call(*m_bus, node, "org.a11y.atspi.Action", "DoAction", {0});
                used = !done.isEmpty() && done.front().toBool();
                break;
            }
        QVERIFY2(used, qPrintable(names(QStringLiteral("radio button")).join(QStringLiteral(", "))));
        QVERIFY2(QTest::qWaitFor([&] { return !nodes(QStringLiteral("spin box"), shows).isEmpty(); }, 60000),
                 qPrintable(names(QStringLiteral("spin box")).join(QStringLiteral(", "))));
        everyControlIsNamed(25);
    }

    /// In Train, which the slot before has left on the screen.
    void aDialogueIsReadToo() {
        const QList<Node> buttons = nodes(QStringLiteral("push button"), QStringLiteral("Places…")) +
                                    nodes(QStringLiteral("button"), QStringLiteral("Places…"));
        QCOMPARE(buttons.size(), 1);
        const qsizetype before = nodes().size();
        const QVariantList done = call(*m_bus, buttons.front(), "org.a11y.atspi.Action", "DoAction", {0});
        QVERIFY(!done.isEmpty() && done.front().toBool());
        QVERIFY2(QTest::qWaitFor([&] {
            return !(nodes(QStringLiteral("dialog"), QStringLiteral("Places")) + nodes(QStringLiteral("frame"), QStringLiteral("Places"))).isEmpty();
        }, kPatience), qPrintable(names(QStringLiteral("dialog")).join(QStringLiteral(", "))));
        QVERIFY(nodes().size() > before);
        everyControlIsNamed(25);
    }

private:
    /// Of what is on the screen now; more than `least` of them, else the tree is not the window's.
    void everyControlIsNamed(int least) const {
        static const QSet<QString> controls{
            QStringLiteral("push button"), QStringLiteral("button"),          QStringLiteral("toggle button"),
            QStringLiteral("check box"),   QStringLiteral("radio button"),    QStringLiteral("combo box"),
            QStringLiteral("spin button"), QStringLiteral("spin box"),        QStringLiteral("slider"),
            QStringLiteral("table"),
            QStringLiteral("list"),        QStringLiteral("page tab"),        QStringLiteral("tree"),
            QStringLiteral("menu item"),   QStringLiteral("push button menu")};
        int named = 0;
        QStringList mute;
        for (const Node& node : nodes()) {
            QVERIFY2(!node.role.isEmpty(), qPrintable(node.path));
            if (!controls.contains(node.role) || !node.is(kShowing))
                continue;
            if (node.name.trimmed().isEmpty())
                mute << node.role + QStringLiteral(" in ") + node.inside;
            else
                ++named;
        }
        QVERIFY2(mute.isEmpty(), qPrintable(mute.join(QLatin1Char('\n'))));
        QVERIFY2(named > least, qPrintable(QString::number(named)));
    }

    QString firstLine(QProcess& process, const QString& program, const QStringList& arguments) const {
        process.setProcessEnvironment(m_environment);
        process.start(program, arguments);
        while (process.state() != QProcess::NotRunning && !process.canReadLine())
            if (!process.waitForReadyRead(10000))
                break;
        return QString::fromUtf8(process.readLine()).trimmed();
    }

    static QVariantList call(const QDBusConnection& bus, const Node& node, const char* interface,
                             const char* method, const QVariantList& arguments = {}) {
        QDBusMessage message = QDBusMessage::createMethodCall(
            node.service, node.path, QLatin1String(interface), QLatin1String(method));
        message.setArguments(arguments);
        const QDBusMessage reply = bus.call(message, QDBus::Block, 10000);
        return reply.type() == QDBusMessage::ReplyMessage ? reply.arguments() : QVariantList();
    }

    QList<Node> childrenOf(const Node& parent) const {
        QList<Node> found;
        const QVariantList reply = call(*m_bus, parent, "org.a11y.atspi.Accessible", "GetChildren");
        if (reply.isEmpty())
            return found;
        const auto list = reply.front().value<QDBusArgument>();
        list.beginArray();
        while (!list.atEnd()) {
            Node node;
            QDBusObjectPath path;
            list.beginStructure();
            list >> node.service >> path;
            list.endStructure();
            node.path = path.path();
            found << node;
        }
        list.endArray();
        return found;
    }

    void read(Node& node) const {
        const QVariantList name = call(*m_bus, node, "org.freedesktop.DBus.Properties", "Get",
                                       {QStringLiteral("org.a11y.atspi.Accessible"), QStringLiteral("Name")});
        node.name = name.isEmpty() ? QString() : name.front().value<QDBusVariant>().variant().toString();
        const QVariantList role = call(*m_bus, node, "org.a11y.atspi.Accessible", "GetRoleName");
        node.role = role.isEmpty() ? QString() : role.front().toString();
        const QVariantList states = call(*m_bus, node, "org.a11y.atspi.Accessible", "GetState");
        if (states.isEmpty())
            return;
        quint32 low = 0, high = 0;
        const auto list = states.front().value<QDBusArgument>();
        list.beginArray();
        list >> low >> high;
        list.endArray();
        node.states = quint64(high) << 32 | low;
    }

    void collect(Node node, QList<Node>& into) const {
        read(node);
        into << node;
        static const QSet<QString> leaves{QStringLiteral("table"), QStringLiteral("list"),
                                          QStringLiteral("tree"), QStringLiteral("tree table"),
                                          QStringLiteral("combo box")};
        if (leaves.contains(node.role) ||
            (into.size() > 2 && !node.is(kShowing) && node.role != QLatin1String("frame")))
            return;
        for (Node child : childrenOf(node)) {
            child.inside = QStringLiteral("%1 / %2 “%3”").arg(node.inside, node.role, node.name);
            collect(child, into);
        }
    }

    /// The application's tree, as far as it is on the screen; those of this role and name.
    QList<Node> nodes(const QString& role = {}, const QString& name = {}) const {
        QList<Node> all;
        Node root;
        root.service = QStringLiteral("org.a11y.atspi.Registry");
        root.path = QStringLiteral("/org/a11y/atspi/accessible/root");
        for (const Node& application : childrenOf(root))
            collect(application, all);
        if (role.isEmpty())
            return all;
        QList<Node> found;
        for (const Node& node : all)
            if (node.role == role && (name.isEmpty() || node.name == name) && node.is(kShowing))
                found << node;
        return found;
    }

    QStringList names(const QString& role) const {
        QStringList all;
        for (const Node& node : nodes())
            all << (node.role == role ? node.name : node.role + QLatin1Char('/') + node.name);
        return all;
    }

    QTemporaryDir m_home;
    QProcessEnvironment m_environment;
    QProcess m_display, m_session, m_headroom;
    std::optional<QDBusConnection> m_bus;
};

HEADROOM_TEST(ScreenReaderBusTest)

} // namespace headroom::testing::screen_reader_bus_test

#include "screen_reader_bus_test.moc"
