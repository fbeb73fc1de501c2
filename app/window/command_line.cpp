// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/command_line.h"

#include <QCommandLineParser>
#include <QRegularExpression>

namespace headroom::app {

namespace {

const QString kScreenshot = QStringLiteral("screenshot");
const QString kSize = QStringLiteral("size");
const QString kTheme = QStringLiteral("theme");
const QString kWorkspace = QStringLiteral("workspace");
constexpr int kSmallestSide = 200, kLargestSide = 16384;

void describe(QCommandLineParser& parser) {
    parser.setApplicationDescription(QStringLiteral(
        "A workbench for attention in speech Transformers: listen, and see where each layer looks."));
    parser.addOption({{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Print this and end.")});
    parser.addOption(
        {{QStringLiteral("v"), QStringLiteral("version")}, QStringLiteral("Print the version and end.")});
    parser.addPositionalArgument(
        QStringLiteral("FILE"), QStringLiteral("audio, a model folder, a folder of recordings, a study, or a session"),
        QStringLiteral("[FILE…]"));
    parser.addOption(
        {kScreenshot,
         QStringLiteral("Write a picture of the window once nothing is pending (120 s at most), and end. "
                        "Works without a display."),
         QStringLiteral("FILE.png")});
    parser.addOption({kSize, QStringLiteral("Size of that picture, 1600x1000 where not given."),
                      QStringLiteral("WIDTHxHEIGHT")});
    parser.addOption({kTheme, QStringLiteral("light or dark."), QStringLiteral("THEME")});
    parser.addOption({kWorkspace, QStringLiteral("Which workspace to show: analyse, design or train."),
                      QStringLiteral("WORKSPACE")});
}

} // namespace

CommandLine parseCommandLine(const QStringList& arguments) {
    QCommandLineParser parser;
    describe(parser);
    CommandLine line;
    if (!parser.parse(arguments)) {
        line.mistake = parser.errorText();
        if (!line.mistake.endsWith(QLatin1Char('.')))
            line.mistake += QLatin1Char('.');
        return line;
    }
    line.helpWanted = parser.isSet(QStringLiteral("help"));
    line.versionWanted = parser.isSet(QStringLiteral("version"));
    line.files = parser.positionalArguments();
    line.screenshot = parser.value(kScreenshot);
    line.theme = parser.value(kTheme);
    line.workspace = parser.value(kWorkspace);

    if (parser.isSet(kScreenshot) && line.screenshot.isEmpty())
        line.mistake = QStringLiteral("--screenshot needs the name of a PNG file.");
    else if (!line.screenshot.isEmpty() && !line.screenshot.endsWith(QLatin1String(".png"), Qt::CaseInsensitive))
        line.mistake = QStringLiteral("--screenshot writes PNG: “%1” does not end in .png.").arg(line.screenshot);
    else if (!line.theme.isEmpty() && line.theme != QLatin1String("light") &&
             line.theme != QLatin1String("dark"))
        line.mistake = QStringLiteral("--theme is light or dark, not “%1”.").arg(line.theme);
    else if (!line.workspace.isEmpty() && line.workspace != QLatin1String("analyse") &&
             line.workspace != QLatin1String("design") && line.workspace != QLatin1String("train"))
        line.mistake =
            QStringLiteral("--workspace is analyse, design or train, not “%1”.").arg(line.workspace);
    if (parser.isSet(kSize)) {
        static const QRegularExpression pattern(QStringLiteral("^([0-9]{1,5})[xX×]([0-9]{1,5})$"));
        const auto match = pattern.match(parser.value(kSize));
        line.size = match.hasMatch() ? QSize(match.captured(1).toInt(), match.captured(2).toInt()) : QSize();
        if (line.size.width() < kSmallestSide || line.size.height() < kSmallestSide ||
            line.size.width() > kLargestSide || line.size.height() > kLargestSide)
            line.mistake =
                QStringLiteral("--size is WIDTHxHEIGHT, each from %1 to %2, for example 1600x1000, not “%3”.")
                    .arg(kSmallestSide)
                    .arg(kLargestSide)
                    .arg(parser.value(kSize));
    }
    return line;
}

QString commandLineHelp() {
    QCommandLineParser parser;
    describe(parser);
    parser.parse({QStringLiteral("headroom")});
    // Without an application object Qt does not know the program's name.
    return parser.helpText()
               .replace(QLatin1String("<executable_name>"), QLatin1String("headroom"))
               .trimmed() +
           QLatin1Char('\n');
}

} // namespace headroom::app
