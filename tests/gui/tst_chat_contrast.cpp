// Contrast on the chat's pages, in light, dark and high contrast, of what is really painted: the window is
// drawn four times as large, so that strokes of letters have their full colour, and each text's strongest
// colour is compared with the most frequent one around it (WCAG: 4.5 for texts, 3 for marks).
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QToolBar>
#include <unordered_map>

#include "desk/chat_list_view.h"
#include "gui/answers/token_looker.h"
#include "gui/chat/answer_form_box.h"
#include "gui/chat/chat_branches.h"
#include "gui/chat/chat_menu.h"
#include "gui/chat/chat_settings_dialog.h"
#include "gui/chat/context_line.h"
#include "gui/chat/tool_results_line.h"
#include "gui/library/models_opening.h"
#include "gui/library/models_window.h"
#include "gui/parts/appearance.h"
#include "gui/settings/settings_dialog.h"
#include "gui/written_chat.h"
#include "support/chat_window.h"
#include "widgets/chat/branch_map.h"
#include "widgets/chat/find_bar.h"
#include "widgets/markdown/markdown_text.h"
#include "widgets/message/answer_text.h"
#include "widgets/message/file_chips.h"
#include "widgets/message/lit_label.h"
#include "widgets/message/token_popup.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr int kLarger = 4;
constexpr double kText = 4.5, kMark = 3;
constexpr int kLeastPixels = 6;  // of a colour that counts

// A window as it is painted.
class Painted {
 public:
  explicit Painted(QWidget& window)
      : m_window(window), m_image(window.size() * kLarger, QImage::Format_RGB32) {
    m_image.setDevicePixelRatio(kLarger);
    window.render(&m_image);
  }

  // Of what lies in a part's area; 0: one colour alone. The ground is its most frequent colour.
  double ratio(const QWidget& part, const QRect& area) const {
    const QRect inside = area.translated(part.mapTo(&m_window, QPoint())).intersected(m_window.rect());
    const QRect pixels(inside.topLeft() * kLarger, inside.size() * kLarger);
    std::unordered_map<QRgb, int> counts;
    for (int y = pixels.top(); y <= pixels.bottom(); ++y)
      for (int x = pixels.left(); x <= pixels.right(); ++x) ++counts[m_image.pixel(x, y)];
    const auto ground = std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
    double most = 0;
    for (const auto& [colour, count] : counts)
      if (colour != ground->first && count >= kLeastPixels)
        most = std::max(most, contrastRatio(QColor(colour), QColor(ground->first)));
    return most;
  }
  QRect sightOf(const QWidget& part) const {
    QRect area = part.rect();
    QPoint corner;
    for (const QWidget* one = &part; one != &m_window; one = one->parentWidget()) {
      corner += one->pos();
      area = area.intersected(one->parentWidget()->rect().translated(-corner));
    }
    return part.isVisible() ? area : QRect();
  }

 private:
  QWidget& m_window;
  QImage m_image;
};

class Complaints {
 public:
  explicit Complaints(QWidget& window) : m_window(window), m_painted(window) {}

  void check(const QWidget& part, const QRect& wanted, const QString& text, double least = kText) {
    const QRect area = wanted.intersected(m_painted.sightOf(part).adjusted(-4, 0, 0, 0));
    if (area.height() < wanted.height() || area.width() < 4 || text.trimmed().isEmpty()) return;
    ++m_checked;
    if (const double ratio = m_painted.ratio(part, area); ratio < least)
      m_all << QStringLiteral("%1 : 1 of “%2” in %3")
                   .arg(ratio, 0, 'f', 2)
                   .arg(text.left(40).simplified(), QLatin1String(part.metaObject()->className()));
  }
  // Each word, so that what lies behind one of them counts for itself.
  void checkWords(const QWidget& part, const QTextDocument& document) {
    const QString text = document.toRawText();
    for (qsizetype from = 0; from < text.size();) {
      qsizetype to = from;
      while (to < text.size() && text[to].isLetterOrNumber()) ++to;
      if (to > from)
        for (const QRectF& area : areasOf(document, {static_cast<int>(from), static_cast<int>(to - from)}))
          check(part, area.toAlignedRect(), text.mid(from, to - from));
      from = std::max(to, from + 1);
    }
  }
  void checkAll() {
    for (const auto* label : m_window.findChildren<QLabel*>())
      if (isMine(*label))
        check(*label, label->contentsRect(), label->text(), label->isEnabled() ? kText : kMark);
    for (const auto* label : m_window.findChildren<LitLabel*>())
      for (int hit = 0; isMine(*label) && label->hitRect(hit).isValid(); ++hit)
        check(*label, label->hitRect(hit).adjusted(3, 3, -3, -3), "a hit in " + label->text());
    for (const auto* button : m_window.findChildren<QAbstractButton*>())
      if (isMine(*button))
        check(*button, button->rect().adjusted(6, 4, -6, -4), button->text(),
              button->isEnabled() ? kText : kMark);
    for (const auto* button : m_window.findChildren<QAbstractButton*>())
      if (isMine(*button) && button->isEnabled() && button->text().isEmpty() && !button->icon().isNull())
        check(*button, button->rect().adjusted(4, 4, -4, -4), "the icon of " + button->accessibleName(),
              kMark);
    for (const auto* line : m_window.findChildren<QLineEdit*>())
      if (isMine(*line))
        check(*line, line->rect().adjusted(4, 4, -4, -4), line->text() + line->placeholderText());
    for (const auto* field : m_window.findChildren<QWidget*>()) {
      if (!isMine(*field) || field->parentWidget()->inherits("QAbstractSpinBox")) continue;
      const QRect edge(0, field->height() / 2 - 3, 8, 6);  // at the left
      const bool isMark = qobject_cast<const QCheckBox*>(field) || qobject_cast<const QRadioButton*>(field);
      if (isMark || qobject_cast<const QLineEdit*>(field) || qobject_cast<const QPlainTextEdit*>(field) ||
          qobject_cast<const QComboBox*>(field) || qobject_cast<const QAbstractSpinBox*>(field))
        check(*field, edge.translated(isMark ? 0 : -4, 0), "the edge of " + field->accessibleName(), kMark);
    }
    for (const auto* list : m_window.findChildren<QAbstractItemView*>())
      for (int row = 0; isMine(*list) && list->model() && row < list->model()->rowCount(); ++row) {
        const QModelIndex index = list->model()->index(row, 0);
        check(*list->viewport(), list->visualRect(index).adjusted(4, 2, -4, -2), index.data().toString());
      }
    for (const auto* answer : m_window.findChildren<AnswerText*>())
      if (isMine(*answer)) checkWords(*answer->viewport(), *answer->document());
  }
  int checked() const { return m_checked; }
  QString text() const { return QChar(u'\n') + m_all.join(u'\n'); }
  bool isEmpty() const { return m_all.isEmpty(); }

 private:
  bool isMine(const QWidget& part) const { return part.isVisible() && part.window() == &m_window; }

  QWidget& m_window;
  const Painted m_painted;
  QStringList m_all;
  int m_checked = 0;
};

}  // namespace

class TestChatContrast : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;
  std::unique_ptr<Appearance> m_look;

  static void addLooks() {
    QTest::addColumn<ColourScheme>("scheme");
    QTest::newRow("light") << ColourScheme::kLight;
    QTest::newRow("dark") << ColourScheme::kDark;
    QTest::newRow("high-contrast") << ColourScheme::kHighContrast;
  }
  void dress() {
    QFETCH(ColourScheme, scheme);
    m_look = std::make_unique<Appearance>(scheme, 100);
  }
  static bool openChat(ChatWindow& w, const ChatRecord& chat = writtenChat()) {
    if (!w.openModel()) return false;
    w.desk().open(w.desk().history().insert({chat}).at(0));
    emit w.desk().listChanged();
    for (auto* button : w.view().findChildren<QToolButton*>())
      if (button->isCheckable() && button->isVisible()) button->setChecked(true);
    return waitUntil([&] { return w.chat().rowCount() == (chat.shownLeaf == kWrittenCallId ? 4 : 6); });
  }
  static void check(QWidget& window, int least) {
    QCoreApplication::processEvents();
    if (const QString to = qEnvironmentVariable("VITRINE_PICTURES"); !to.isEmpty())
      window.grab().save(
          QStringLiteral("%1/%2-%3.png")
              .arg(to, QLatin1String(QTest::currentTestFunction()), QLatin1String(QTest::currentDataTag())));
    // On a busy machine the rows of a list may come while it is looked at: then it is looked at again.
    QString text;
    int checked = 0;
    const bool legible = waitUntil([&] {
      Complaints complaints(window);
      complaints.checkAll();
      text = complaints.text();
      checked = complaints.checked();
      return complaints.isEmpty();
    });
    QVERIFY2(legible, qPrintable(text));
    QVERIFY2(checked >= least, qPrintable(QString::number(checked)));
  }

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }
  void cleanup() { m_look.reset(); }

  void aChatWithHits_data() { addLooks(); }
  void aChatWithHits() {
    dress();
    ChatWindow w(16);
    QVERIFY(openChat(w));
    w.view().branchesButton()->setChecked(true);
    QTRY_VERIFY_WITH_TIMEOUT(w.window.chats().tree().map()->model()->rowCount() > 1, kPatience);
    const QString name = m_folder.filePath("notes.txt");
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("a fox\n") > 0);
    file.close();
    w.window.chats().attach({name});
    QTRY_VERIFY_WITH_TIMEOUT(w.window.findChild<FileChips*>()->isVisible(), kPatience);
    w.view().findAt("block", {"block"}, w.desk().branch().back().message.id);
    check(w.window, 50);
  }

  // A call's card in the midst of the page, and the field for its result.
  void aCallAndItsResult_data() { addLooks(); }
  void aCallAndItsResult() {
    dress();
    ChatWindow w(16);
    ChatRecord chat = writtenChat();
    chat.shownLeaf = kWrittenCallId;
    QVERIFY(openChat(w, chat));
    QTRY_VERIFY_WITH_TIMEOUT(w.window.findChild<ToolResultsLine*>()->isVisible(), kPatience);
    check(w.window, 30);
  }

  void whatAToolGaveBack_data() { addLooks(); }
  void whatAToolGaveBack() {
    dress();
    ChatWindow w(16);
    QVERIFY(openChat(w));
    w.view().findAt("slot", {"slot"}, w.desk().branch()[4].message.id);
    check(w.window, 30);
  }

  void theListAndTheContext_data() { addLooks(); }
  void theListAndTheContext() {
    dress();
    ChatWindow w(16);
    QVERIFY(openChat(w));
    std::vector<MessageId> ids;
    for (const ShownMessage& shown : w.desk().branch()) ids.push_back(shown.message.id);
    emit w.window.chats().controller().contextFull(w.desk().shown(), {{}, 900, 512, {0, 2}, {}}, ids);
    ChatListView& list = w.window.chats().list();
    list.focusSearch();
    QTest::keyClicks(list.searchLine(), "block");
    QTRY_VERIFY_WITH_TIMEOUT(list.list()->model()->rowCount() > 1, kPatience);
    check(w.window, 30);
  }

  // Where the keyboard is, a field has another outline, which is as well seen.
  void theKeyboardsFieldIsSeen_data() { addLooks(); }
  void theKeyboardsFieldIsSeen() {
    dress();
    ChatWindow w(16);
    QVERIFY(openChat(w));
    const auto edgeOf = [](QWidget& field) {
      const QImage image = field.grab().toImage();
      return image.pixelColor(image.width() / 2, 0);
    };
    QLineEdit& search = *w.window.chats().list().searchLine();
    w.view().focusInput();
    QTRY_VERIFY(w.input()->hasFocus());
    const QColor input = edgeOf(*w.input()), quiet = edgeOf(search);
    search.setFocus();
    QVERIFY(edgeOf(*w.input()) != input && edgeOf(search) != quiet);
    for (const QColor& edge : {input, edgeOf(search)})
      QVERIFY2(contrastRatio(edge, search.palette().color(QPalette::Base)) >= kMark, qPrintable(edge.name()));
  }

  void surpriseAndAToken_data() { addLooks(); }
  void surpriseAndAToken() {
    dress();
    ChatWindow w(0);  // no limit, whose line would lie below the popup
    QVERIFY(w.openModel());
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    QAction* tints = nullptr;
    for (QAction* action : w.window.chats().menu().actions())
      if (action->text().contains("surprising")) tints = action;
    QVERIFY(tints != nullptr);
    tints->setChecked(true);
    auto* const looker = w.window.findChild<TokenLooker*>();
    looker->open(w.desk().branch().back().message.id);
    QTRY_VERIFY_WITH_TIMEOUT(looker->popup().isVisible(), kPatience);
    check(w.window, 15);
  }

  void theChatsSettings_data() { addLooks(); }
  void theChatsSettings() {
    dress();
    ChatWindow w(16);
    ChatSettingsDialog dialog({.instructions = QStringLiteral("Rhyme."),
                               .stops = {},
                               .preset = {},
                               .form = {QStringLiteral("regex"), QStringLiteral("[a-")}},
                              w.window.host(), nullptr);
    dialog.setVisible(true);
    const auto* const form = dialog.findChild<AnswerFormBox*>();
    QTRY_VERIFY_WITH_TIMEOUT(
        std::ranges::any_of(form->findChildren<QLabel*>(),
                            [](const QLabel* label) { return label->text().contains("class"); }),
        kPatience);
    auto* const pages = dialog.findChild<QTabWidget*>();
    for (int page = 0; page < pages->count(); ++page) {
      pages->setCurrentIndex(page);
      check(dialog, 5);
    }
  }

  // Bars, sampler and buttons of the workbench.
  void theWorkbench_data() { addLooks(); }
  void theWorkbench() {
    dress();
    ShownWindow w;
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(3));
    check(w.window, 30);
  }

  void theSettings_data() { addLooks(); }
  void theSettings() {
    dress();
    ShownWindow w;
    QVERIFY(w.openModel());
    QTest::keyClick(&w.window, Qt::Key_Comma, Qt::ControlModifier);
    auto* const dialog = w.window.findChild<SettingsDialog*>();
    QVERIFY(dialog);
    check(*dialog, 15);
  }

  void theModels_data() { addLooks(); }
  void theModels() {
    dress();
    ShownWindow w;
    QVERIFY(w.openModel());
    QTest::keyClick(&w.window, Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    auto* const models = w.window.findChild<ModelsWindow*>();
    QVERIFY(models);
    QVERIFY(waitUntil([&] { return !models->isSearching(); }));
    check(*models, 5);
  }
};

QTEST_MAIN(TestChatContrast)
#include "tst_chat_contrast.moc"
