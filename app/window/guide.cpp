// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/guide.h"

#include "app/documents/items/paths.h"
#include "app/parts/availability.h"
#include "app/settings/resource_folders.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QImage>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScreen>
#include <QScrollBar>
#include <QShortcut>
#include <QTextBlock>
#include <QTextDocument>

#include <vector>

namespace headroom::app {

using widgets::Sizes;

namespace {

/// Qt's reader lets the face of a heading run on into the paragraph below it.
void plain(const QTextBlock& block) {
    std::vector<QTextFragment> headings;
    for (auto part = block.begin(); !part.atEnd(); ++part)
        if (part.fragment().charFormat().hasProperty(QTextFormat::FontSizeAdjustment))
            headings.push_back(part.fragment());
    for (const QTextFragment& fragment : headings) {
        QTextCursor cursor(block);
        cursor.setPosition(fragment.position());
        cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
        QTextCharFormat format = fragment.charFormat();
        format.clearProperty(QTextFormat::FontSizeAdjustment);
        format.clearProperty(QTextFormat::FontWeight);
        cursor.setCharFormat(format);
    }
}

/// A line of a block of code is a text block of its own.
bool isCode(const QTextBlock& block) {
    return block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
}

} // namespace

GuidePage::GuidePage(QWidget* parent) : QTextBrowser(parent) {
    setAccessibleName(tr("Guide"));
    setOpenLinks(false); // a page must be laid out, not only loaded
    connect(this, &QTextBrowser::anchorClicked, this, &GuidePage::follow);
    // Also after back and forward, which load a page without asking this class.
    connect(this, &QTextBrowser::sourceChanged, this, [this](const QUrl& source) {
        m_page = source.toLocalFile();
        format();
    });
    setFrameShape(QFrame::NoFrame);
    // A bar that comes and goes with the text would change the width while a page is read.
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    document()->setDocumentMargin(Sizes::unit() * 3);
}

bool GuidePage::showPage(const QString& name) {
    m_page = toQString(resourceFolder() / "guide" / toPath(name));
    if (!QFileInfo(m_page).isFile()) {
        setPlainText(tr("The guide is missing from the installation: %1 does not exist.").arg(m_page));
        m_page.clear();
        return false;
    }
    lay();
    return true;
}

QString GuidePage::page() const {
    return QFileInfo(m_page).fileName();
}

bool GuidePage::showHeading(const QString& heading) {
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() > 0 && block.text() == heading) {
            verticalScrollBar()->setValue(qRound(document()->documentLayout()->blockBoundingRect(block).top()));
            return true;
        }
    return false;
}

void GuidePage::follow(const QUrl& link) {
    if (link.path().endsWith(QLatin1String(".md"))) {
        showPage(QFileInfo(link.path()).fileName());
        verticalScrollBar()->setValue(0);
    } else if (link.path().isEmpty()) {
        scrollToAnchor(link.fragment());
    } else {
        QDesktopServices::openUrl(link);
    }
}

void GuidePage::lay() {
    if (m_page.isEmpty())
        return;
    m_laidWidth = viewport()->width();
    const QUrl page = QUrl::fromLocalFile(m_page);
    const int place = source() == page ? verticalScrollBar()->value() : 0; // another page is read from its beginning
    if (source() == page) {
        reload(); // its pictures are of another width or theme now
        format();
    } else {
        setSource(page, QTextDocument::MarkdownResource); // sourceChanged() formats it
    }
    verticalScrollBar()->setValue(place);
}

void GuidePage::doSetSource(const QUrl& page, QTextDocument::ResourceType type) {
    const QScopedValueRollback reading(m_isReading, true);
    QTextBrowser::doSetSource(page, type);
}

void GuidePage::format() {
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        cursor.setPosition(block.position());
        QTextBlockFormat format = block.blockFormat();
        const bool isHeading = format.headingLevel() > 0;
        format.setTopMargin(isHeading && block.position() > 0 ? Sizes::unit() * 2.5 : 0);
        const QTextBlock next = block.next();
        const bool codeGoesOn = isCode(block) && next.isValid() && isCode(next);
        format.setBottomMargin(cursor.currentTable() || codeGoesOn ? 0 : Sizes::unit());
        if (!isHeading &&
            !block.text().contains(QChar::ObjectReplacementCharacter)) // a picture is one high line
            format.setLineHeight(120, QTextBlockFormat::ProportionalHeight);
        cursor.setBlockFormat(format);
        if (!isHeading)
            plain(block);
    }
    cursor.endEditBlock();
}

QVariant GuidePage::loadResource(int type, const QUrl& name) {
    if (type != QTextDocument::ImageResource)
        return QTextBrowser::loadResource(type, name);
    QString file = (name.isRelative() ? source().resolved(name) : name).toLocalFile();
    if (QString dark = file; widgets::Theme::current().isDark &&
                             QFile::exists(dark.replace(QLatin1String("-light."), QLatin1String("-dark."))))
        file = dark;
    QImage image(file);
    if (image.isNull())
        return {};
    const double ratio = devicePixelRatioF();
    const int room = int((viewport()->width() - 2 * document()->documentMargin()) * ratio);
    if (room > 0 && image.width() > room)
        image = image.convertToFormat(QImage::Format_RGB32).scaledToWidth(room, Qt::SmoothTransformation);
    image.setDevicePixelRatio(ratio);
    return image;
}

void GuidePage::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    if (!m_isReading && viewport()->width() != m_laidWidth)
        lay();
}

void GuidePage::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        lay();
}

Guide::Guide(QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_page(new GuidePage(this))
    , m_contents(new QComboBox(this))
    , m_search(new QLineEdit(this))
    , m_found(new QLabel(this)) {
    setObjectName(QStringLiteral("guide"));
    setWindowTitle(tr("Guide – Headroom"));
    const int unit = qRound(Sizes::unit());
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(unit, unit / 2, unit, unit / 2);
    bar->setSpacing(unit);
    const auto button = [&](const QString& text, const QString& tip, QKeySequence::StandardKey key) {
        auto* made = new QPushButton(text, this);
        made->setToolTip(tr("%1 %2").arg(tip, QKeySequence(key).toString(QKeySequence::NativeText)));
        made->setProperty("small", true);
        made->setAutoDefault(false);
        bar->addWidget(made);
        return made;
    };
    auto* back = button(tr("Back"), tr("The page before."), QKeySequence::Back);
    auto* forward = button(tr("Forward"), tr("The page after."), QKeySequence::Forward);
    connect(back, &QPushButton::clicked, m_page, &QTextBrowser::backward);
    connect(forward, &QPushButton::clicked, m_page, &QTextBrowser::forward);
    const auto follow = [](QPushButton* made, const QString& whyNot) {
        setAvailable(made, whyNot);
        return [made, whyNot](bool available) { setAvailable(made, available ? QString() : whyNot); };
    };
    connect(m_page, &QTextBrowser::backwardAvailable, back, follow(back, tr("There is no page before this one.")));
    connect(m_page, &QTextBrowser::forwardAvailable, forward, follow(forward, tr("There is no page after this one.")));
    m_contents->setAccessibleName(tr("Contents"));
    m_contents->setToolTip(tr("The pages of the guide."));
    m_contents->setProperty("small", true);
    fillContents();
    connect(m_contents, &QComboBox::activated, this,
            [this](int row) { showPage(m_contents->itemData(row).toString()); });
    connect(m_page, &QTextBrowser::sourceChanged, this,
            [this] { m_contents->setCurrentIndex(m_contents->findData(page())); });
    bar->addWidget(m_contents, 2);
    m_search->setPlaceholderText(tr("Search the guide"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setToolTip(tr("Enter: next match, in all pages. Shift+Enter: previous match. Ctrl+F"));
    m_search->setClearButtonEnabled(true);
    m_search->setProperty("small", true);
    bar->addWidget(m_search, 2);
    m_found->setProperty("caption", true);
    bar->addWidget(m_found);
    connect(m_search, &QLineEdit::returnPressed, this,
            [this] { search(QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier)); });
    connect(m_search, &QLineEdit::textChanged, m_found, &QLabel::clear);
    auto* find = new QShortcut(QKeySequence::Find, this);
    connect(find, &QShortcut::activated, m_search, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_page, 1);
    setFocusProxy(m_page);
    resize(QSize(qRound(Sizes::unit() * 110), qRound(Sizes::unit() * 110)).boundedTo(screen()->availableSize() * 9 / 10));
}

void Guide::showKeys(const QString& name, const QString& workspace) {
    for (const QString& page : {name, QStringLiteral("analyse.md")})
        if (showPage(page) && (m_page->showHeading(QStringLiteral("Keys in %1").arg(workspace)) || m_page->showHeading(QStringLiteral("Keys"))))
            return;
}

void Guide::fillContents() {
    const QDir folder(toQString(resourceFolder() / "guide"));
    for (const QString& name : folder.entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        QString title = QString::fromUtf8(file.readLine()).trimmed();
        while (title.startsWith(u'#') || title.startsWith(u' '))
            title.remove(0, 1);
        m_contents->addItem(title, name);
    }
}

/// The page scrolls only as far as the match is in sight; what follows it is to be read too.
void Guide::showFound() {
    m_found->clear();
    const int height = m_page->viewport()->height(), top = m_page->cursorRect().top();
    if (top < height / 6 || top > height / 2)
        m_page->verticalScrollBar()->setValue(m_page->verticalScrollBar()->value() + top - height / 3);
}

void Guide::search(bool backward) {
    const QString words = m_search->text().trimmed();
    if (words.isEmpty())
        return;
    const auto flags = backward ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (m_page->find(words, flags))
        return showFound();
    const int pages = m_contents->count(), here = m_contents->findData(page());
    for (int step = 1; step <= pages; ++step) { // the last is this page again, from its other end
        const int row = (here + (backward ? pages - step : step)) % pages;
        QFile file(toQString(resourceFolder() / "guide" / toPath(m_contents->itemData(row).toString())));
        if (!file.open(QIODevice::ReadOnly) ||
            !QString::fromUtf8(file.readAll()).contains(words, Qt::CaseInsensitive))
            continue;
        showPage(m_contents->itemData(row).toString());
        m_page->moveCursor(backward ? QTextCursor::End : QTextCursor::Start);
        if (m_page->find(words, flags))
            return showFound();
    }
    m_found->setText(tr("Not found"));
}

void Guide::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape)
        return QWidget::keyPressEvent(event);
    if (m_search->hasFocus() && !m_search->text().isEmpty()) {
        m_search->clear();
        return m_page->setFocus();
    }
    close();
}

} // namespace headroom::app
