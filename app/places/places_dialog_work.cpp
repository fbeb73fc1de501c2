// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of a place: a test, the worker copied there or removed.
#include "app/places/places_dialog.h"

#include "app/documents/items/paths.h"
#include "app/jobs/worker_location.h"
#include "app/parts/access_keys.h"
#include "app/parts/availability.h"
#include "app/places/place_store.h"
#include "core/places/worker_bundle.h"

#include <QCoreApplication>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QTabWidget>

namespace headroom::app {

namespace {

/// Whether Save would keep a place that is shown as `shown`.
bool canBeKept(const PlaceStore& store, const Place& place, const QString& shown) {
    const QString name = QString::fromStdString(place.name);
    if (!store.problem().isEmpty() || (name != shown && store.find(name)))
        return false;
    try {
        checkPlace(place);
    } catch (const Error&) {
        return false;
    }
    return true;
}

/// What a test says of fields that are not saved. A line to type stays at the end; that which installs the worker knows saved
/// places only, so the button stands for it.
QString unsavedText(const QString& sentence) {
    const QString line = PlacesDialog::lineToType(sentence);
    if (line.isEmpty())
        return PlacesDialog::tr("%1 Not saved yet.").arg(sentence);
    if (!line.startsWith(QLatin1String("headroom-worker places install ")))
        return PlacesDialog::tr("Not saved yet. %1").arg(sentence);
    const QString reason = sentence.left(sentence.lastIndexOf(QLatin1String(". "), sentence.size() - line.size()) + 1);
    return PlacesDialog::tr("%1 Not saved yet. Install… copies the worker there and saves the place.").arg(reason);
}

} // namespace

void PlacesDialog::test() {
    askUnsaved(&PlaceChecker::test, tr("Asking %1…"));
}

/// What stands in the fields, saved or not.
void PlacesDialog::askUnsaved(void (PlaceChecker::*work)(const Place&), const QString& sentence) {
    const Place asked = place();
    try {
        checkPlace(asked);
        showAsking(QString::fromStdString(asked.name), sentence);
        (m_checker.*work)(asked);
    } catch (const Error& mistake) {
        return sayMistake(QString::fromUtf8(mistake.what()));
    }
    m_askedPlace = asked;
    if (m_checker.isRunning()) // else it has said why not
        setTesting(true);
}

void PlacesDialog::showAsking(const QString& place, const QString& sentence) {
    m_asked = place;
    m_tabs->setCurrentIndex(0);
    m_checks->setChecks({});
    say(sentence.arg(place), false);
}

void PlacesDialog::askToInstall() {
    const Place wanted = place();
    if (!canBeKept(*m_store, wanted, m_shown)) {
        save(); // says why not
        return;
    }
    try {
        checkBundle(workerBundle(toPath(findWorker().program), QCoreApplication::applicationVersion().toStdString()));
    } catch (const Error& none) { // asking would be pointless
        return say(QString::fromUtf8(none.what()), true);
    }
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Install the worker"),
                                tr("Copy headroom-worker to %1?").arg(QString::fromStdString(wanted.name)),
                                QMessageBox::Cancel, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(
        tr("It is copied to %1/worker, about 40 MB, and every file is verified by its hash. Other versions "
           "are kept; Remove worker… deletes them.")
            .arg(QString::fromStdString(wanted.folder)) +
        (isChanged() ? QLatin1Char(' ') + tr("Once it is there, the place is saved.") : QString()));
    const QPushButton* copy = box->addButton(tr("Install"), QMessageBox::AcceptRole);
    connect(copy, &QPushButton::clicked, this, &PlacesDialog::install);
    box->open();
}

void PlacesDialog::install() {
    askUnsaved(&PlaceChecker::install, tr("Copying the worker to %1…"));
}

void PlacesDialog::askToRemoveWorker() {
    const Place* kept = m_store->find(m_shown);
    if (!kept)
        return;
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Remove the worker"),
                                tr("Remove headroom-worker from %1?").arg(m_shown), QMessageBox::Cancel, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(tr("Every version that Install… copied to %1/worker is deleted. Runs, data and models are kept. Runs in "
                               "progress there continue to the end, but cannot be resumed without the worker.")
                                .arg(QString::fromStdString(kept->folder)));
    const QPushButton* remove = box->addButton(tr("Remove"), QMessageBox::DestructiveRole);
    connect(remove, &QPushButton::clicked, this,
            [this] {
                showAsking(m_shown, tr("Removing the worker from %1…"));
                m_checker.removeWorker(m_asked);
                if (m_checker.isRunning()) // else it has said why not
                    setTesting(true);
            });
    box->open();
}

/// Whether the place and the worker there can be removed now.
void PlacesDialog::showRemoval() {
    const QString noPlace = m_shown.isEmpty() ? tr("Choose a place in the list first.") : QString(), other = whyNotChanged();
    setAvailable(m_remove, other.isEmpty() ? noPlace : other);
    setAvailable(m_uninstall, noPlace.isEmpty() ? whyNotAsked() : noPlace);
}

void PlacesDialog::setTesting(bool testing) {
    m_testing = testing;
    setTextWithKey(m_test, testing ? tr("Cancel") : tr("Test"));
    setAvailable(m_install, whyNotAsked());
    for (QWidget* field : {static_cast<QWidget*>(m_list), static_cast<QWidget*>(m_add)})
        setAvailable(field, whyNotChanged());
    showRemoval();
}

bool PlacesDialog::isWorking() const {
    return m_testing && m_checker.work() != PlaceChecker::Work::Test;
}

QString PlacesDialog::whyNotAsked() const {
    return isWorking() ? whyNotChanged() : m_testing ? tr("A test is running. Wait for it, or cancel it.") : QString();
}

/// Another place would end what goes on at this one.
QString PlacesDialog::whyNotChanged() const {
    if (!isWorking())
        return {};
    return (m_checker.work() == PlaceChecker::Work::Install ? tr("The worker is being copied to %1. Wait for it, or cancel it.")
                                                            : tr("The worker is being removed from %1. Wait for it, or cancel it."))
        .arg(m_asked);
}

void PlacesDialog::takeEnd(bool usable, const QList<Check>& checks, const QString& sentence) {
    const bool worked = isWorking(), isRemoval = m_checker.work() == PlaceChecker::Work::Remove;
    m_checks->setChecks(checks.isEmpty() ? notTested() : checks);
    setTesting(false);
    // Whoever closed the dialogue has decided whether to save; fields that were changed since are not what was installed.
    if (worked && usable && !isRemoval && isVisible() && isChanged() && place() == m_askedPlace) {
        if (save())
            say(tr("%1 The place was saved.").arg(sentence), false);
        return;
    }
    say(isChanged() ? unsavedText(sentence) : sentence, !usable);
    if (!worked || isVisible())
        return;
    const QString what = isRemoval ? usable ? tr("The worker was removed from %1.") : tr("The worker could not be removed from %1.")
                         : usable  ? tr("The worker was copied to %1.")
                                   : tr("The worker could not be installed at %1.");
    Q_EMIT workEnded(m_asked, usable, (what.arg(m_asked) + (usable && isRemoval ? QString() : u' ' + sentence)).trimmed());
}

} // namespace headroom::app
