// A message on a page: what the window shows, as HTML that can do nothing.
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

#include "markdown/texts.h"
#include "widgets/markdown/markdown_page.h"
#include "widgets/markdown/mathml_writer.h"
#include "widgets/markdown/maths_parser.h"

using namespace vitrine;

namespace {

QString html(const QString& markdown) { return markdownToHtml(markdown, "m1"); }

// Every element closes, in order.
QString troubleIn(const QString& page) {
  QString text = page;
  text.replace("<br>", "<br/>").replace("<hr>", "<hr/>");
  QXmlStreamReader reader("<div>" + text + "</div>");
  while (!reader.atEnd()) reader.readNext();
  return reader.hasError() ? reader.errorString() + ": " + page.left(600) : QString();
}

QString plainOf(const QString& page) {
  QString text;
  QXmlStreamReader reader("<div>" + QString(page).replace("<br>", "<br/>").replace("<hr>", "<hr/>") +
                          "</div>");
  while (!reader.atEnd())
    if (reader.readNext() == QXmlStreamReader::Characters) text += reader.text();
  return text;
}

}  // namespace

class TestMarkdownHtml : public QObject {
  Q_OBJECT

 private slots:
  void blocksBecomeElements_data() {
    QTest::addColumn<QString>("markdown");
    QTest::addColumn<QString>("page");
    const auto row = [](const char* name, const char* markdown, const char* page) {
      QTest::newRow(name) << QString::fromUtf8(markdown) << QString::fromUtf8(page);
    };
    row("paragraph", "a *b* **c** ~~d~~ `e`\nf",
        "<p dir=\"auto\">a <em>b</em> <strong>c</strong> <del>d</del> <code>e</code><br>\nf</p>\n");
    row("heading", "# T", "<h3 dir=\"auto\">T</h3>\n");
    row("rule", "***", "<hr>\n");
    row("list", "- a\n  1. b\n  2. c\n- d",
        "<ul><li><p dir=\"auto\">a</p>\n<ol><li value=\"1\"><p class=\"tight\" dir=\"auto\">b</p>\n</li>\n"
        "<li value=\"2\"><p class=\"tight\" dir=\"auto\">c</p>\n</li></ol>\n</li>\n"
        "<li><p class=\"tight\" dir=\"auto\">d</p>\n</li></ul>\n");
    row("task", "- [x] a", "<ul><li class=\"bare\"><p dir=\"auto\">☑ a</p>\n</li></ul>\n");
    row("quotes", "> a\n>> b\n\nc",
        "<blockquote>\n<p dir=\"auto\">a</p>\n<blockquote>\n<p "
        "dir=\"auto\">b</p>\n</blockquote>\n</blockquote>\n"
        "<p dir=\"auto\">c</p>\n");
    row("table", "|a|b|\n|:--|--:|\n|1|<|",
        "<div class=\"wide\"><table>\n<tr><th class=\"left\" dir=\"auto\">a</th><th class=\"right\" "
        "dir=\"auto\">b</th></tr>\n<tr><td class=\"left\" dir=\"auto\">1</td><td class=\"right\" "
        "dir=\"auto\">&lt;</td></tr>\n</table></div>\n");
    row("table of names", "|a-b|c d|\n|---|:--|\n|qwen3-0.6b|x y|\n|模型|a sentence that is as long as few|",
        "<div class=\"wide\"><table>\n<tr><th class=\"short\" dir=\"auto\">a-b</th><th class=\"left\" "
        "dir=\"auto\">c d</th></tr>\n<tr><td class=\"short\" dir=\"auto\">qwen3-0.6b</td><td class=\"left "
        "short\" dir=\"auto\">x y</td></tr>\n<tr><td class=\"short\" dir=\"auto\">模型</td><td class=\"left "
        "long\" dir=\"auto\">a "
        "sentence that is as long as few</td></tr>\n</table></div>\n");
    row("code", "```zz<b>\na <b>\n\nc\n```",
        "<figure><figcaption>zz&lt;b&gt;</figcaption><pre><code>a &lt;b&gt;\n\nc</code></pre></figure>\n");
    row("link", "[a](https://e.org/?a=1&b=\"'2)",
        "<p dir=\"auto\"><a rel=\"noreferrer\" href=\"https://e.org/?a=1&amp;b=&quot;&#39;2\">a</a></p>\n");
    row("footnote", "a[^<b>] c[^<B>]\n\n[^<b>]: d\n\ne[^x]",
        "<p dir=\"auto\">a<sup><a id=\"m1-mark-1\" href=\"#m1-note-1\">1</a></sup> c"
        "<sup><a id=\"m1-mark-1-2\" href=\"#m1-note-1\">1</a></sup></p>\n<p dir=\"auto\">e[^x]</p>\n<hr>\n"
        "<p dir=\"auto\"><sup><a id=\"m1-note-1\" href=\"#m1-mark-1\">1</a></sup> d</p>\n");
    row("formula", "$x^2$",
        "<p dir=\"auto\"><math><mrow><msup><mi "
        "mathvariant=\"normal\">𝑥</mi><mn>2</mn></msup></mrow></math></p>\n");
  }
  void blocksBecomeElements() {
    QFETCH(const QString, markdown);
    QFETCH(const QString, page);
    QCOMPARE(html(markdown), page);
  }

  void codeHasTheColoursOfTheWindow() {
    const QString page = html("```cpp\nreturn 1; // <i>why</i>\n```");
    QVERIFY2(page.contains("<span class=\"k1\">return</span>"), qPrintable(page));
    QVERIFY2(page.contains("&lt;i&gt;why&lt;/i&gt;"), qPrintable(page));
    const QString style = markdownPageStyle();
    QVERIFY(style.contains(".answer .k1 { color: var(--k1); font-weight: bold }"));
    QCOMPARE(style.count("--k1: #"), 2);  // light and dark
    QVERIFY(style.indexOf("--k1: #7a2fb0") < style.indexOf("@media (prefers-color-scheme: dark)"));
    static const QRegularExpression used(QStringLiteral("var\\((--[a-z0-9]+)\\)"));
    for (auto one = used.globalMatch(style); one.hasNext();) {
      const QString colour = one.next().captured(1);
      QVERIFY2(style.count(colour + ": #") == 2, qPrintable(colour));
    }
    QVERIFY(style.contains("@supports (display: math)"));               // a root's sign needs no font
    static const QRegularExpression place(QStringLiteral("%L?[0-9]"));  // of an argument
    QVERIFY(!style.contains(place) && !style.contains("url(") && !style.contains('<'));
  }

  void formulasAreMathml_data() {
    QTest::addColumn<QString>("formula");
    QTest::addColumn<QString>("has");
    const auto row = [](const char* formula, const char* has) {
      QTest::newRow(formula) << QString::fromUtf8(formula) << QString::fromUtf8(has);
    };
    row("$$\\frac{a}{b}$$", "<math display=\"block\">");
    row("\\(\\frac{a}{2}\\)", "<mfrac>");
    row("\\(\\sqrt d\\)", "<msqrt><mrow><mi mathvariant=\"normal\">𝑑</mi></mrow></msqrt>");
    row("\\(\\sqrt[3]{x}\\)", "<mroot><mrow>");
    row("\\(\\overline{ab}\\)", "<mrow style=\"border-top:");
    row("\\(\\underline{ab}\\)", "<mrow style=\"border-bottom:");
    row("\\(\\left(\\frac ab\\right]\\)", "<mo form=\"prefix\" fence=\"true\" stretchy=\"true\">(</mo>");
    row("\\[\\sum_{i=1}^n i\\]", "<munderover><mo largeop=\"true\" movablelimits=\"true\">∑</mo>");
    row("\\(a_i^2\\)", "<msubsup>");
    row("\\(\\hat x\\)", "accent=\"true\"");
    row("\\(\\mathbb R\\)", "ℝ");
    row("\\(a < b\\)", "<mo>&lt;</mo>");
    row("\\(\\text{<script>}\\)", "&lt;script&gt;");
    row("\\[\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}\\]", "<mtr><mtd>");
    row("\\[\\underbrace{a}_{b}\\]", "⏟");
  }
  void formulasAreMathml() {
    QFETCH(const QString, formula);
    QFETCH(const QString, has);
    const QString page = html(formula);
    QVERIFY2(page.contains(has), qPrintable(page));
    QCOMPARE(troubleIn(page), QString());
  }

  void everyElementCloses() {
    std::mt19937 random(31);
    for (int i = 0; i < 400; ++i) {
      const std::string text = i == 0 ? test::ordinaryText() : test::randomText(random, 10 + i % 60);
      QCOMPARE(troubleIn(html(QString::fromStdString(text))), QString());
    }
    QCOMPARE(troubleIn(html(QString::fromStdString(test::mathsAnswer()))), QString());
  }

  // An address of a footnote is there, and there once, whatever refers to it.
  void footnotesLeadToWhatIsThere() {
    static const QRegularExpression ids(" id=\"([^\"]*)\""), targets("href=\"#([^\"]*)\"");
    std::mt19937 random(32);
    int links = 0;
    for (int i = 0; i < 400; ++i) {
      const QString page = html(QString::fromStdString(test::randomText(random, 80)));
      QSet<QString> known;
      for (auto id = ids.globalMatch(page); id.hasNext();) {
        const QString name = id.next().captured(1);
        QVERIFY2(!known.contains(name), qPrintable(page));
        known.insert(name);
      }
      for (auto target = targets.globalMatch(page); target.hasNext(); ++links)
        QVERIFY2(known.contains(target.next().captured(1)), qPrintable(page));
    }
    QVERIFY(links > 20);
  }

  // What a message may hold reaches the page as text.
  void aHostileMessageStaysText() {
    static const QRegularExpression tags(QStringLiteral("<[^>]*>"));
    static const QRegularExpression known(
        QStringLiteral("^</"
                       "?(p|h[3-6]|hr|br|ul|ol|li|blockquote|div|table|tr|t[hd]|figure|figcaption|pre|code|"
                       "em|strong|del|span|"
                       "sup|a|math|m[a-z]+)[ >]"));
    static const QRegularExpression danger(
        QStringLiteral(" on|src=|style=\"(?!text-align|font-family|border)|href=\"(?!https?:|mailto:|#m1-)"),
        QRegularExpression::CaseInsensitiveOption);
    std::vector<test::HostileText> all = test::hostileTexts(20000);
    all.push_back({"markup",
                   "<script>alert(1)</script> <img src=x onerror=y> </p></body> \"><svg onload=z>\n\n"
                   "[x](javascript:a) [y](data:text/html,b) ![p](https://e.org/p.png\" onload=\"q)\n\n"
                   "```\"><script>\n</code></pre><script>1</script>\n```\n\n|</td><script>|\n|---|\n"});
    for (const auto& [name, text] : all) {
      const QString page = html(QString::fromStdString(text));
      QVERIFY2(troubleIn(page).isEmpty(), name);
      for (auto tag = tags.globalMatch(page); tag.hasNext();) {
        const QString found = tag.next().captured();
        QVERIFY2(known.match(found).hasMatch() && !danger.match(found).hasMatch(), qPrintable(name + found));
      }
    }
    QVERIFY(plainOf(html("<script>alert(1)</script>")).contains("<script>alert(1)</script>"));
  }
};

QTEST_MAIN(TestMarkdownHtml)
#include "tst_markdown_html.moc"
