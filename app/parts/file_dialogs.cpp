// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/file_dialogs.h"

#include "app/documents/dropped_file.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace headroom::app {

QStringList FileDialogs::openAudio(QWidget* parent, const QString& folder) {
    QStringList patterns;
    for (const QString& suffix : audioSuffixes())
        patterns << QStringLiteral("*.") + suffix << QStringLiteral("*.") + suffix.toUpper();
    return QFileDialog::getOpenFileNames(parent, QFileDialog::tr("Open audio"), folder,
                                         QFileDialog::tr("Audio and alignments (%1 *.TextGrid *.ctm *.tsv *.csv *.phn *.alignment.txt);;All files (*)")
                                             .arg(patterns.join(QLatin1Char(' '))));
}

QString FileDialogs::openFile(QWidget* parent, const QString& title, const QString& folder,
                              const QString& filter) {
    return QFileDialog::getOpenFileName(parent, title, folder,
                                        filter + QStringLiteral(";;") + QFileDialog::tr("All files (*)"));
}

QString FileDialogs::openFolder(QWidget* parent, const QString& title, const QString& folder) {
    return QFileDialog::getExistingDirectory(parent, title, folder);
}

QString FileDialogs::save(QWidget* parent, const QString& title, const QString& suggested,
                          const QStringList& filters) {
    QString chosen = filters.value(0);
    QString file =
        QFileDialog::getSaveFileName(parent, title, suggested, filters.join(QStringLiteral(";;")), &chosen);
    if (file.isEmpty() || !QFileInfo(file).suffix().isEmpty())
        return file;
    // "PDF (*.pdf)" → ".pdf"
    const auto star = chosen.indexOf(QLatin1Char('*'));
    return star < 0 ? file : file + chosen.mid(star + 1, chosen.indexOf(QLatin1Char(')'), star) - star - 1);
}

FileDialogs::Unsaved FileDialogs::askUnsaved(QWidget* parent, const QString& name) {
    QMessageBox box(QMessageBox::NoIcon, name,
                    QMessageBox::tr("“%1” has unsaved changes.").arg(name),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, parent);
    box.setInformativeText(
        QMessageBox::tr("Edited windows and new recordings will be lost."));
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save:
        return Unsaved::Save;
    case QMessageBox::Discard:
        return Unsaved::Discard;
    default:
        return Unsaved::Cancel;
    }
}

} // namespace headroom::app
