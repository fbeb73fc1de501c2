// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/guide.h"
#include "app/window/main_window.h"
#include "app/workspaces/workspace.h"

#include <QApplication>
#include <QMessageBox>

namespace headroom::app {

void MainWindow::showAbout() {
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About Headroom"),
                                tr("<b>Headroom %1</b><br>A workbench for attention in speech Transformers.")
                                    .arg(QApplication::applicationVersion()),
                                QMessageBox::Close, this);
    box->setTextFormat(Qt::RichText);
    box->setInformativeText(
        tr("Free software under the GNU General Public License, version 3 or later. It comes with no "
           "warranty."));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open(); // not in the way of anything
}

void MainWindow::showGuide() {
    auto* guide = findChild<Guide*>();
    if (!guide)
        guide = new Guide(this);
    // The page of what is on the screen; one that is being read stays.
    if (!guide->isVisible())
        guide->showPage(current()->guidePage());
    guide->show();
    guide->activateWindow();
}

} // namespace headroom::app
