// The list of chats, by real keys and clicks.
#include "desk/chat_list_view.h"

#include <QDateTime>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>

#include "desk/answer_writer.h"
#include "desk/chat_days.h"
#include "desk/chat_list_model.h"
#include "widgets/support/theme.h"

using namespace vitrine;

namespace {

struct Room {
  Session session;
  Desk desk;
  AnswerWriter writer{desk, session};
  ChatListModel model{desk, writer};
  ChatListView view{desk, model};

  explicit Room(const QStringList& questions) {
    for (const QString& question : questions) {
      const ChatId chat = desk.history().createChat();
      desk.history().addMessage(chat, 0, MessageRole::kUser, question);
      // The newest first: in one millisecond no chat is newer than another.
      for (const qint64 now = QDateTime::currentMSecsSinceEpoch();
           QDateTime::currentMSecsSinceEpoch() <= now;) {
      }
    }
    emit desk.listChanged();
    view.resize(300, 500);
    view.show();
    // The list is laid out when it has rows and a size.
    while (!view.list()->isVisible() || view.list()->visualRect(model.index(model.rowCount() - 1)).isEmpty())
      QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
  }
  QStringList rows() const {
    QStringList rows;
    for (int i = 0; i < model.rowCount(); ++i) rows << model.index(i).data().toString();
    return rows;
  }
  void click(int row) {
    QTest::mouseClick(view.list()->viewport(), Qt::LeftButton, {},
                      view.list()->visualRect(model.index(row)).center());
  }
};

}  // namespace

class TestChatList : public QObject {
  Q_OBJECT

 private slots:
  void daysHaveNames() {
    const QDate today(2026, 3, 20);
    QCOMPARE(dayGroup(today, today), QString("Today"));
    QCOMPARE(dayGroup(today.addDays(3), today), QString("Today"));
    QCOMPARE(dayGroup(today.addDays(-1), today), QString("Yesterday"));
    QCOMPARE(dayGroup(today.addDays(-6), today), QString("In the last week"));
    QCOMPARE(dayGroup(today.addDays(-29), today), QString("In the last month"));
    QCOMPARE(dayGroup(today.addDays(-60), today), QLocale().toString(today.addDays(-60), "MMMM yyyy"));
  }

  // The C locale's short time has seconds.
  void timesHaveHoursAndMinutes_data() {
    QTest::addColumn<QLocale>("locale");
    QTest::addColumn<QString>("time");
    QTest::newRow("C") << QLocale::c() << "14:05";
    QTest::newRow("en_GB") << QLocale("en_GB") << "14:05";
    QTest::newRow("da") << QLocale("da") << "14.05";
    QTest::newRow("de") << QLocale("de") << "14:05";
  }
  void timesHaveHoursAndMinutes() {
    QFETCH(QLocale, locale);
    const QLocale before;
    const auto back = qScopeGuard([&] { QLocale::setDefault(before); });
    QLocale::setDefault(locale);
    const QDateTime at(QDate(2026, 3, 20), QTime(14, 5, 47));
    QTEST(shortTime(at.toMSecsSinceEpoch(), at.date()), "time");
    const QString day = shortTime(at.toMSecsSinceEpoch(), at.date().addDays(1));
    QCOMPARE(day, locale.toString(at.date(), QLocale::ShortFormat));
  }

  void chatsStandUnderTheirDay() {
    Room room({"first", "second"});
    QCOMPARE(room.rows(), QStringList({"Today", "second", "first"}));
    room.desk.history().setPinned(room.model.index(2).data(ChatListModel::kChat).toLongLong(), true);
    emit room.desk.listChanged();
    QTRY_COMPARE(room.rows(), QStringList({"Pinned", "first", "Today", "second"}));
  }

  void aClickOpens() {
    Room room({"first", "second"});
    QSignalSpy chosen(&room.view, &ChatListView::chosen);
    room.click(2);
    QCOMPARE(room.desk.title(), QString("first"));
    QCOMPARE(chosen.size(), 1);
    room.click(0);  // a heading is no chat
    QCOMPARE(room.desk.title(), QString("first"));
  }

  // However far in the message it stands.
  void whatWasFoundIsInSight() {
    Room room({QString("a word and another word, ").repeated(3) + "and a lighthouse at the end of them all"});
    const QColor ground = [&] {
      const Theme theme = Theme::of(&room.view);
      return mix(theme.base(), theme.accent(), 0.25);
    }();
    const auto isGround = [&ground](const QColor& c) {  // but for the rounding of its mixture
      return std::abs(c.red() - ground.red()) + std::abs(c.green() - ground.green()) +
                 std::abs(c.blue() - ground.blue()) <=
             3;
    };
    const auto litPixels = [&] {
      const QImage image = room.view.list()->viewport()->grab().toImage();
      int lit = 0;
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) lit += isGround(image.pixelColor(x, y));
      return lit;
    };
    QCOMPARE(litPixels(), 0);
    QTest::keyClicks(room.view.searchLine(), "lighthouse");
    QTRY_VERIFY(room.model.isSearching() && room.model.rowCount() == 1);
    QTRY_VERIFY(litPixels() > 100);
  }

  void searchFindsAsOneTypes() {
    Room room({"the fox and the lighthouse", "what is a KV cache", "lighthouses of the north"});
    room.view.focusSearch();
    QTest::keyClicks(room.view.searchLine(), "lighth");
    QTRY_VERIFY(room.model.isSearching() && room.model.rowCount() > 0);
    for (const QString& row : room.rows()) QVERIFY2(row.contains("light"), qPrintable(row));
    QVERIFY(!room.model.index(0).data(ChatListModel::kHits).toList().isEmpty());
    QTest::keyClick(room.view.searchLine(), Qt::Key_Down);
    QTest::keyClick(room.view.list(), Qt::Key_Return);
    QVERIFY(room.desk.title().contains("light"));
    QTest::keyClick(room.view.searchLine(), Qt::Key_Escape);
    QTRY_VERIFY(!room.model.isSearching());
    QCOMPARE(room.model.rowCount(), 4);
    QTest::keyClicks(room.view.searchLine(), "\"* NEAR(");  // no error of syntax
    QTRY_VERIFY(room.model.isSearching());
  }

  void keysRenameAndDelete() {
    Room room({"first", "second"});
    room.click(1);
    room.view.list()->setFocus();
    QTest::keyClick(room.view.list(), Qt::Key_F2);
    auto* editor = room.view.list()->findChild<QLineEdit*>();
    QVERIFY(editor != nullptr);
    editor->setText("A better name");
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(room.rows(), QStringList({"Today", "A better name", "first"}));
    room.view.list()->setCurrentIndex(room.model.index(1));
    QTest::keyClick(room.view.list(), Qt::Key_Delete);
    QTRY_COMPARE(room.rows(), QStringList({"Today", "first"}));
    QPushButton* undo = nullptr;
    for (QPushButton* button : room.view.findChildren<QPushButton*>())
      if (button->isVisible() && button->text().startsWith("Undo")) undo = button;
    QVERIFY(undo != nullptr);
    QTest::mouseClick(undo, Qt::LeftButton);
    QTRY_COMPARE(room.rows(), QStringList({"Today", "A better name", "first"}));
    QVERIFY(!undo->isVisible());
  }

  void theArchiveIsApart() {
    Room room({"first", "second"});
    room.desk.history().setArchived(room.model.index(1).data(ChatListModel::kChat).toLongLong(), true);
    emit room.desk.listChanged();
    QTRY_COMPARE(room.rows(), QStringList({"Today", "first"}));
    room.model.setArchive(true);
    QCOMPARE(room.rows(), QStringList({"Today", "second"}));
  }
};

QTEST_MAIN(TestChatList)
#include "tst_chat_list.moc"
