// The model names a chat in the window: after the first answer, where it is wanted, and behind all other
// work.
#include "gui/turns/chat_namer.h"

#include <QTest>

#include "gui/chat/chat_menu.h"
#include "gui/chat/chats.h"
#include "support/chat_window.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

class Window : public ChatWindow {
 public:
  Window() : ChatWindow(4) {}
  QAction* naming() { return window.chats().menu().naming; }
  const RequestState* titleRequest() {
    for (const auto& [id, request] : live().requests)
      if (request.name == "title-1") return &request;
    return nullptr;
  }
  bool isTitleRequestOver() {
    const RequestState* const request = titleRequest();
    return request != nullptr && request->finished;
  }
};

}  // namespace

class TestChatNamer : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void aTitleIsOneLineWithoutMarks_data() {
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("title");
    QTest::newRow("plain") << "The fox"
                           << "The fox";
    QTest::newRow("quoted") << " “The fox”.\nIt is about"
                            << "The fox";
    QTest::newRow("heading") << "## **The  fox**"
                             << "The fox";
    QTest::newRow("labels stay") << "Title: The fox"
                                 << "Title: The fox";
    QTest::newRow("marks alone") << "…**“”"
                                 << "…";
    QTest::newRow("nothing") << " \n"
                             << "";
    QTest::newRow("long") << QString("word ").repeated(30) << QString("word ").repeated(12).trimmed() + "…";
    QTest::newRow("one long word") << QString(90, 'a') << QString(59, 'a') + "…";
    QTest::newRow("no letter is halved")
        << QString("🦊").repeated(40) << QString("🦊").repeated(29) + "…";
    QTest::newRow("cut after the marks") << "**" + QString(60, 'a') + "**" << QString(60, 'a');
  }
  void aTitleIsOneLineWithoutMarks() {
    QFETCH(QString, written);
    QTEST(titleOf(written), "title");
  }

  void nothingIsAskedUnlessItIsWanted() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(!w.naming()->isChecked());
    w.ask("one");
    QVERIFY(w.answered(2));
    QTest::qWait(50);
    QVERIFY(w.titleRequest() == nullptr);
    QCOMPARE(w.desk().title(), QString("one"));
  }

  void theModelNamesAChat() {
    Window w;
    QVERIFY(w.openModel());
    w.naming()->setChecked(true);
    w.ask("Tell me about the fox");
    QVERIFY(w.answered(2));
    QTRY_VERIFY_WITH_TIMEOUT(w.isTitleRequestOver(), kPatience);
    QTRY_VERIFY(w.desk().title() != "Tell me about the fox");
    QVERIFY(!w.desk().title().isEmpty());
    QVERIFY(!w.desk().history().summary(w.desk().shown())->titleGiven);
    QCOMPARE(w.chat().rowCount(), 2);
    w.ask("And then?");  // it has its name
    QVERIFY(w.answered(4));
    QTest::qWait(50);
    int titles = 0;
    for (const auto& [id, request] : w.live().requests) titles += request.name.starts_with("title-");
    QCOMPARE(titles, 1);
  }

  void anotherRequestGoesBeforeIt() {
    Window w;
    QVERIFY(w.openModel());
    w.naming()->setChecked(true);
    w.window.host().setStepsPerSecond(10);  // a title takes more than a second
    w.ask("one");
    QVERIFY(w.answered(2));
    QTRY_VERIFY_WITH_TIMEOUT(w.titleRequest() != nullptr, kPatience);
    QVERIFY(!w.isTitleRequestOver());
    w.ask("two");
    QVERIFY(w.answered(4));
    QVERIFY(w.isTitleRequestOver());
    QCOMPARE(w.desk().title(), QString("one"));
  }

  void aGivenNameStays() {
    Window w;
    QVERIFY(w.openModel());
    w.naming()->setChecked(true);
    w.window.host().setStepsPerSecond(10);
    w.ask("one");
    QVERIFY(w.answered(2));
    QTRY_VERIFY_WITH_TIMEOUT(w.titleRequest() != nullptr, kPatience);
    QVERIFY(w.desk().history().rename(w.desk().shown(), "mine"));
    w.window.host().setStepsPerSecond(0);
    QTRY_VERIFY_WITH_TIMEOUT(w.isTitleRequestOver(), kPatience);
    QTest::qWait(50);
    QCOMPARE(w.desk().title(), QString("mine"));
  }
};

QTEST_MAIN(TestChatNamer)
#include "tst_chat_namer.moc"
