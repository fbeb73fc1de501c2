// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/opened/locate_recordings.h"

#include "app/documents/items/paths.h"
#include "app/documents/saving/moved_files.h"
#include "app/documents/session.h"
#include "app/jobs/in_background.h"
#include "core/audio/audio_name.h"

#include <QProgressBar>
#include <QProgressDialog>
#include <QTimer>

#include <chrono>
#include <memory>
#include <utility>

namespace headroom::app {

using namespace std::chrono_literals;

namespace {

constexpr int kLocateSteps = 1000; ///< of the bar: bytes do not fit it
constexpr int kSilentUntil = 500; ///< milliseconds

void showSearch(QProgressBar* bar, const SearchProgress& progress) {
    if (const auto all = progress.bytesToRead.load(); all > 0)
        bar->setValue(static_cast<int>(kLocateSteps * static_cast<double>(progress.bytesRead) / static_cast<double>(all)));
}

} // namespace

void locateRecordings(Session* session, UtteranceId id, const std::filesystem::path& place, QWidget* window, std::function<void()> then) {
    SoughtRecordings sought = missingRecordings(*session, id, place);
    if (sought.missing.empty())
        return;
    auto* dialog = new QProgressDialog(window);
    dialog->setObjectName(QStringLiteral("locating"));
    dialog->setWindowTitle(Session::tr("Locate recordings"));
    dialog->setLabelText(Session::tr("Looking for %1 in %2…").arg(toQString(audioName(sought.chosen.file).file.filename()), toQString(sought.place)));
    dialog->setWindowModality(Qt::WindowModal);
    auto* bar = new QProgressBar; // QProgressDialog::setValue() would process events
    bar->setRange(0, kLocateSteps);
    bar->setValue(0);
    bar->setTextVisible(false);
    dialog->setBar(bar);
    dialog->setMinimumDuration(kSilentUntil);
    const auto progress = std::make_shared<SearchProgress>();
    const auto cancel = [progress] { progress->isCancelled = true; };
    QObject::connect(dialog, &QProgressDialog::canceled, cancel);
    QObject::connect(dialog, &QObject::destroyed, cancel); // with its window
    auto* timer = new QTimer(dialog);
    QObject::connect(timer, &QTimer::timeout, dialog, [bar, progress] { showSearch(bar, *progress); });
    timer->start(100ms);
    const auto shared = std::make_shared<const SoughtRecordings>(std::move(sought));
    buildInBackground(
        dialog, [shared, progress] { return locate(*shared, *progress); },
        [=, then = std::move(then)](Built<LocatedRecordings>& built) {
            timer->stop();
            const bool isCancelled = progress->isCancelled;
            dialog->hide();
            dialog->deleteLater();
            if (isCancelled)
                return;
            if (built.mistake.isEmpty())
                takeLocated(session, *shared, std::move(built.value));
            else
                session->messages()->post(Severity::Error, built.mistake);
            then();
        });
}

} // namespace headroom::app
