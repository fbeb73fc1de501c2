// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

namespace headroom::app {

/// The user's guide: a page of resources/guide/ in a window of its own, which may stay open beside the work.
/// Pictures lie beside the page; in the dark theme NAME-dark.png stands in for NAME-light.png. Window's
/// thread.
class Guide : public QTextBrowser {
    Q_OBJECT

public:
    explicit Guide(QWidget* parent = nullptr);
    /// A page by its file name, "analyse.md". False, and a sentence instead, where it is not among the
    /// program's files.
    bool showPage(const QString& name);
    QString page() const; ///< its file name; empty: none

protected:
    QVariant loadResource(int type, const QUrl& name) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void lay();
    void follow(const QUrl& link);
    QString m_page;
    int m_laidWidth = 0;
};

} // namespace headroom::app
