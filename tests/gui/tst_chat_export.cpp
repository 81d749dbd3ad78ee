// A chat leaves the window as a web page, by menu, dialog and keys: what the page has, and that it runs
// nothing.
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>

#include "gui/chat/chat_menu.h"
#include "gui/parts/message_bar.h"
#include "support/chat_window.h"
#include "widgets/conversation/question_files.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

const QString kAnswer = QStringLiteral(
    "# Memory of a context\n\nA **KV cache** keeps *keys* and `values`; see [the "
    "paper](https://arxiv.org/abs/2309.06180)."
    "\n\n## In short\n\n1. Blocks of 16 tokens\n2. A table of blocks\n   - shared ones\n   - copied ones\n- "
    "[x] no gaps\n\n"
    "> Nothing is computed twice.\n\n| model | layers | KV heads | bytes of a token | tokens in 1 GiB | "
    "remark |\n"
    "|:--|--:|--:|--:|--:|:-:|\n| qwen3-0.6b | 28 | 8 | 114688 | 9362 | with grouped queries |\n"
    "| llama-3.1-8b | 32 | 8 | 131072 | 8192 | with grouped queries, as most models of its size |\n\n"
    "```cpp\n// Of one token, in all layers; keys and values.\nconstexpr std::size_t bytesOfToken(const "
    "Model& model, "
    "std::size_t bytesOfNumber) {\n  return 2 * model.layers * model.heads * model.width * bytesOfNumber;  "
    "// "
    "\"two\" is for both\n}\n```\n\nThe attention is \\(\\mathrm{softmax}(qk^T/\\sqrt d)\\,v\\), written "
    "out\n\n"
    "$$o_i = \\frac{\\sum_{j \\le i} e^{q_i \\cdot k_j / \\sqrt{d}} v_j}{\\sum_{j \\le i} e^{q_i \\cdot k_j "
    "/ "
    "\\sqrt{d}}}$$\n\n<script>alert(1)</script>\n\n---\n\nThat is all.[^1]\n\n[^1]: For one request.\n");

class Window : public ChatWindow {
 public:
  Window() : ChatWindow(4) {
    ChatHistory& history = desk().history();
    const ChatId chat = history.createChat();
    const QString file = QStringLiteral("block_size = 16\nnum_blocks = 512  # <of the pool>");
    const MessageId first = history.addMessage(chat, 0, MessageRole::kUser, QStringLiteral("What is it?"));
    history.addMessage(chat, first, MessageRole::kAssistant, QStringLiteral("The answer before."));
    const MessageId question =
        history.addMessage(chat, 0, MessageRole::kUser,
                           questionText({{{"pool.toml", file}}, "What is a <KV cache>?\nBriefly."}));
    history.addMessage(chat, question, MessageRole::kAssistant, kAnswer);
    history.rename(chat, QStringLiteral("What is a KV cache?"));
    desk().open(chat);
  }
  // Opens the menu with the mouse, chooses its line with its letter, and in the dialog the kind and the name
  // with keys. False: the dialog did not come.
  bool exportAs(const QString& kind, const QString& name) {
    bool chosen = false;
    QTimer waiting;
    QObject::connect(&waiting, &QTimer::timeout, &waiting, [&] {
      auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr || !dialog->isActiveWindow()) return;
      waiting.stop();
      auto* const kinds = dialog->findChild<QComboBox*>(QStringLiteral("fileTypeCombo"));
      kinds->setFocus();
      QTest::keyClicks(kinds, kind);
      auto* const line = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
      proposed = line->text();
      line->setFocus();
      line->selectAll();
      QTest::keyClicks(line, name);
      chosen = true;
      QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save),
                        Qt::LeftButton);
      if (dialog->isVisible()) dialog->reject();
    });
    waiting.start(10);
    ChatMenu& menu = window.chats().menu();
    QMenuBar* const bar = window.menuBar();
    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->actionGeometry(menu.menuAction()).center());
    if (!waitUntil([&] { return menu.isVisible(); })) return false;
    QTest::keyClick(&menu, Qt::Key_E);
    return waitUntil([&] { return chosen; });
  }
  QString proposed;  // name of the dialog's
};

QString readAll(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace

class TestChatExport : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;

 private slots:
  void initTestCase() {
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QVERIFY(m_surroundings.prepare());
  }
  void init() { QSettings().clear(); }

  void aWebPage() {
    Window w;
    QVERIFY(w.exportAs("Web", m_folder.filePath("page")));  // the ending comes with the kind
    QCOMPARE(w.proposed, QString("What is a KV cache"));
    QVERIFY2(w.window.messages().text().contains(m_folder.filePath("page.html")),  // it says where it is
             qPrintable(w.window.messages().text()));
    const QString page = readAll(m_folder.filePath("page.html"));
    QVERIFY(!page.isEmpty() && !QFile::exists(m_folder.filePath("page")));
    if (const QString copy = qEnvironmentVariable("VITRINE_PICTURES"); !copy.isEmpty())
      QFile::copy(m_folder.filePath("page.html"), copy + "/chat.html");
    const QStringList parts = {
        // Markdown as HTML
        "<strong>KV cache</strong>", "<em>keys</em>", "<code>values</code>", "Memory of a context</h3>",
        "<ol><li value=\"1\">", "<blockquote>", "<div class=\"wide\"><table>", "<hr>",
        "href=\"https://arxiv.org/abs/2309.06180\"",
        // code in colours
        "<figcaption>cpp</figcaption>", "<span class=\"k1\">return</span>", "--k1: #",
        // formulas
        "<math display=\"block\">", "<mfrac>", "<msqrt>",
        // the file folded, by its name and size, and the words beside it
        "<details><summary>pool.toml · 50 bytes</summary>", "num_blocks = 512  # &lt;of the pool&gt;</pre>",
        "dir=\"auto\">What is a &lt;KV cache&gt;?\nBriefly.</div>", "2 of 4 messages"};
    for (const QString& part : parts) QVERIFY2(page.contains(part), qPrintable(part));
    QVERIFY(!page.contains("```") && !page.contains("$$") && !page.contains("The answer before."));
    // The page runs nothing and loads nothing.
    static const QRegularExpression active(
        QStringLiteral(
            "<(script|iframe|object|embed|link|img|form)|<[^>]*\\s(on\\w+|src)\\s*=|url\\(|@import|"
            "href=\"(?!https://arxiv|#)"),
        QRegularExpression::CaseInsensitiveOption);
    const auto found = active.match(page);
    QVERIFY2(!found.hasMatch(), qPrintable(found.captured()));
    QVERIFY(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    QVERIFY(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""));
  }

  // The name gets the ending before the dialog looks whether there is such a file.
  void noPageIsWrittenOverInSilence() {
    Window w;
    QFile there(m_folder.filePath("there.html"));
    QVERIFY(there.open(QIODevice::WriteOnly) && there.write("mine") == 4);
    there.close();
    bool asked = false;
    QTimer waiting;
    connect(&waiting, &QTimer::timeout, &waiting, [&] {
      auto* const box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr) return;
      waiting.stop();
      asked = box->text().contains("there.html");
      QTest::mouseClick(box->button(QMessageBox::No), Qt::LeftButton);
    });
    waiting.start(10);
    QVERIFY(w.exportAs("Web", m_folder.filePath("there")));
    QVERIFY(asked);
    QCOMPARE(readAll(there.fileName()), QString("mine"));
  }
};

QTEST_MAIN(TestChatExport)
#include "tst_chat_export.moc"
