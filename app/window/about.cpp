// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/actions.h"
#include "app/window/guide.h"
#include "app/window/main_window.h"
#include "app/workspaces/workspace.h"

#include <QAction>
#include <QApplication>
#include <QMessageBox>

namespace headroom::app {

namespace {

Guide* theGuide(QWidget* window, QAction* quit) {
    if (auto* guide = window->findChild<Guide*>())
        return guide;
    auto* guide = new Guide(window);
    guide->addAction(quit); // the program's key, whichever of its windows is in front
    return guide;
}

} // namespace

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

void MainWindow::connectHelp() {
    connect(m_actions->guide, &QAction::triggered, this, &MainWindow::showGuide);
    connect(m_actions->about, &QAction::triggered, this, &MainWindow::showAbout);
    connect(m_actions->keys, &QAction::triggered, this, [this] {
        Guide* guide = theGuide(this, m_actions->quit);
        guide->show(); // laid out at its width first
        guide->showKeys(current()->guidePage(), current()->switchAction()->text());
        guide->activateWindow();
    });
}

void MainWindow::showGuide() {
    Guide* guide = theGuide(this, m_actions->quit);
    // The page of what is on the screen; one that is being read stays.
    if (!guide->isVisible())
        guide->showPage(current()->guidePage());
    guide->show();
    guide->activateWindow();
}

} // namespace headroom::app
