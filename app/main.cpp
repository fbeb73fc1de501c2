// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/messages.h"
#include "app/documents/saving/autosave.h"
#include "app/documents/session.h"
#include "app/settings/app_settings.h"
#include "app/window/command_line.h"
#include "app/window/main_window.h"
#include "app/window/screenshot.h"
#include "app/window/session_actions.h"
#include "app/window/theme_switch.h"

#include <QApplication>
#include <QTemporaryDir>

#include <cstdio>

namespace {

bool hasDisplay() {
    return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") ||
           !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
}

/// Qt's offscreen platform says at each start what it cannot do; none of it concerns a picture.
void leaveOutPlatformRemarks(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (text.startsWith(QLatin1String("This plugin does not support ")))
        return;
    std::fprintf(stderr, "%s\n", qUtf8Printable(qFormatLogMessage(type, context, text)));
}

int fail(int status, const QString& sentence) {
    std::fprintf(stderr, "headroom: %s\n", qUtf8Printable(sentence));
    return status;
}

} // namespace

int main(int argc, char** argv) {
    using namespace headroom::app;
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    const CommandLine line = parseCommandLine(arguments);
    if (line.helpWanted) {
        std::fputs(qUtf8Printable(commandLineHelp()), stdout);
        return 0;
    }
    if (line.versionWanted) {
        std::puts("headroom " HEADROOM_VERSION);
        return 0;
    }
    if (!line.mistake.isEmpty())
        return fail(2, line.mistake);
    const bool isPicture = !line.screenshot.isEmpty();
    if (!hasDisplay()) {
        if (!isPicture)
            return fail(
                1, QStringLiteral(
                       "There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set. With --screenshot "
                       "FILE.png the window is drawn without one."));
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }

    if (qEnvironmentVariable("QT_QPA_PLATFORM").startsWith(QLatin1String("offscreen")))
        qInstallMessageHandler(leaveOutPlatformRemarks);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("headroom"));
    QApplication::setOrganizationName(QString());
    QApplication::setApplicationVersion(QStringLiteral(HEADROOM_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("headroom"));

    // A picture is of what was asked for, not of what somebody did last: it neither reads nor writes the
    // user's settings.
    QTemporaryDir aside;
    AppSettings settings(isPicture ? aside.filePath(QStringLiteral("settings.ini")) : QString());
    ThemeSwitch theme(&settings, line.theme.isEmpty() && isPicture ? QStringLiteral("light") : line.theme);
    theme.apply();
    MainWindow window(&settings, &theme);
    window.setRemembersGeometry(!isPicture);
    if (isPicture) {
        window.autosave()->disable();
        window.resize(line.size);
    }
    window.showWorkspace(line.workspace);
    window.show();
    if (isPicture && line.files.isEmpty())
        window.sessionActions()->openDemo();
    else
        window.sessionActions()->start(line.files);
    window.showWorkspace(line.workspace); // a session says which one was shown; who asks for one knows better
    if (!isPicture)
        return QApplication::exec();

    Screenshot screenshot(&window, line.screenshot, [&window] { return window.isPending(); });
    int status = 1;
    QObject::connect(&screenshot, &Screenshot::finished, &application,
                     [&status, &window](int result, const QString& sentence) {
                         status = result == 0 ? 0 : fail(result, sentence);
                         // The picture shows them; whoever reads no picture reads the status.
                         const Messages& messages = *window.session()->messages();
                         for (int row = messages.rowCount() - 1; row >= 0; --row)
                             if (messages.at(row).severity == Severity::Error)
                                 status = fail(1, messages.at(row).sentence);
                         QCoreApplication::exit(status);
                     });
    screenshot.start();
    QApplication::exec();
    return status;
}
