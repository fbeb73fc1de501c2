// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;

namespace headroom::app {

/// One page of the guide: Markdown of resources/guide/ with its pictures beside it; in the dark theme
/// NAME-dark.png stands in for NAME-light.png. Window's thread.
class GuidePage : public QTextBrowser {
    Q_OBJECT

public:
    explicit GuidePage(QWidget* parent = nullptr);
    /// A page by its file name, "analyse.md". False, and a sentence instead, if it is not among the program's
    /// files.
    bool showPage(const QString& name);
    QString page() const; ///< its file name; empty: none
    /// Scrolls a heading of the page to the top. Returns false if the page has no such heading.
    bool showHeading(const QString& heading);

protected:
    QVariant loadResource(int type, const QUrl& name) override;
    void doSetSource(const QUrl& page, QTextDocument::ResourceType type) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void lay();
    void format();
    void follow(const QUrl& link);
    QString m_page;
    int m_laidWidth = 0;
    bool m_isReading = false; ///< a page that is read again meanwhile would stand there twice
};

/// The user's guide in a window of its own, which may stay open beside the work: a page, and above it back,
/// forward, the list of pages and a search. Esc closes it, or the search first. Window's thread.
class Guide : public QWidget {
    Q_OBJECT

public:
    explicit Guide(QWidget* parent = nullptr);
    bool showPage(const QString& name) { return m_page->showPage(name); }
    /// Scrolls the page `name` to the keys of a workspace: to its heading "Keys in WORKSPACE", or "Keys". A page without keys: those of Analyse.
    void showKeys(const QString& name, const QString& workspace);
    QString page() const { return m_page->page(); }
    GuidePage* pageView() const { return m_page; }
    QComboBox* contents() const { return m_contents; }
    QLineEdit* searchField() const { return m_search; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fillContents();
    /// Selects the next place of the words in this page, then in the pages after it.
    void search(bool backward);
    void showFound();

    GuidePage* m_page;
    QComboBox* m_contents;
    QLineEdit* m_search;
    QLabel* m_found;
};

} // namespace headroom::app
