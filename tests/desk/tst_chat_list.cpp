// The list of chats, by real keys and clicks.
#include "desk/chat_list_view.h"

#include <QDateTime>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "desk/answer_writer.h"
#include "desk/chat_list_model.h"
#include "desk/chat_titles.h"
#include "support/word_machine.h"
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
  void click(int row, Qt::KeyboardModifiers modifiers = {}) {
    QTest::mouseClick(view.list()->viewport(), Qt::LeftButton, modifiers,
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

  // A heading says the day already; without one, as for a pinned chat, the row says it.
  void underADayStandsTheTimeAlone() {
    Room room({"today's"});
    const QDateTime yesterday(QDate::currentDate().addDays(-1), QTime(14, 5));
    ChatRecord record;
    record.summary.title = "yesterday's";
    record.summary.createdMs = record.summary.changedMs = yesterday.toMSecsSinceEpoch();
    const std::vector<ChatId> ids = room.desk.history().insert({record});
    emit room.desk.listChanged();
    QTRY_COMPARE(room.rows(), QStringList({"Today", "today's", "Yesterday", "yesterday's"}));
    const auto time = [&](int row) { return room.model.index(row).data(ChatListModel::kTime).toString(); };
    QCOMPARE(time(3), shortTime(yesterday.toMSecsSinceEpoch(), yesterday.date()));
    room.desk.history().setPinned(ids.front(), true);
    emit room.desk.listChanged();
    QTRY_COMPARE(room.rows(), QStringList({"Pinned", "yesterday's", "Today", "today's"}));
    QCOMPARE(time(1), shortTime(yesterday.toMSecsSinceEpoch(), QDate::currentDate()));
    const QDate today(2026, 3, 20);
    const auto in = [&](int ago) {
      return timeInGroup(QDateTime(today.addDays(-ago), QTime(14, 5)).toMSecsSinceEpoch(), today);
    };
    QCOMPARE(in(0), in(1));
    QCOMPARE(in(3), QLocale().toString(today.addDays(-3), "ddd"));
    QCOMPARE(in(20), QLocale().toString(today.addDays(-20), "d MMM"));
  }

  void equalTitlesAreToldApart() {
    const QString beginning = "Tell me a long story about a fox and a lighthouse in the far north";
    const std::vector<ChatSummary> chats = {
        {.id = 5, .title = titleFrom(beginning + ", please, with a happy end"), .createdMs = 5},
        {.id = 4, .title = titleFrom(beginning + ", please, with a sad end"), .createdMs = 4},
        {.id = 3, .title = "Hello", .createdMs = 3},
        {.id = 2, .title = "", .createdMs = 2},
        {.id = 1, .title = "Hello", .createdMs = 1},
        {.id = 6, .title = "", .createdMs = 6}};
    QCOMPARE(chats[0].title, chats[1].title);
    const std::vector<ChatTitle> titles = titlesApart(chats, [&](ChatId chat) {
      return beginning + (chat == 5 ? ", please, with a happy end" : ", please, with a sad end");
    });
    QVERIFY2(titles[0].text.endsWith("with a happy end"), qPrintable(titles[0].text));
    QVERIFY2(titles[1].text.endsWith("with a sad end"), qPrintable(titles[1].text));
    QVERIFY(titles[0].text.startsWith(chats[0].title) && titles[0].beginsAlike && titles[1].beginsAlike);
    QCOMPARE(titles[4].text, QString("Hello"));  // the oldest
    QCOMPARE(titles[2].text, QString("Hello (2)"));
    QVERIFY(titles[3].text.isEmpty() && titles[5].text.isEmpty());  // they have no title to tell apart
    // In the list; a new name is still that of the chat.
    Room room({beginning + " and a dog", beginning + " and a cat"});
    QVERIFY(room.rows()[1].endsWith("a cat") && room.rows()[2].endsWith("a dog"));
    QCOMPARE(room.model.index(1).data(Qt::EditRole), room.model.index(2).data(Qt::EditRole));
    QVERIFY(room.model.index(1).data(ChatListModel::kBeginsAlike).toBool());
  }

  // For screen readers with a word, for eyes with a shape.
  void marksHaveAWord() {
    Room room({"first", "second"});
    const auto chat = [&](int row) { return room.model.index(row).data(ChatListModel::kChat).toLongLong(); };
    const auto said = [&](int row) { return room.model.index(row).data(Qt::AccessibleTextRole).toString(); };
    const auto pictureOf = [&](int row) {
      return room.view.list()
          ->viewport()
          ->grab(room.view.list()->visualRect(room.model.index(row)))
          .toImage();
    };
    QCOMPARE(said(2), QString("first"));
    const QImage plain = pictureOf(2);
    room.desk.history().setDraft(chat(2), "And then");
    emit room.desk.listChanged();
    QTRY_COMPARE(said(2), QString("first, draft"));
    const QImage draft = pictureOf(2);
    QVERIFY(draft != plain);
    // As high as the small letters beside it.
    const QColor ink = Theme::of(&room.view).accentText();
    const QFontMetrics metrics(room.view.list()->font());
    const double scale = draft.devicePixelRatio();
    QList<int> inked;
    for (int y = 0; y < draft.height(); ++y)
      for (int x = 0; x < int(scale * (10 + metrics.xHeight())); ++x)
        if (const QColor pixel = draft.pixelColor(x, y);
            std::abs(pixel.blue() - ink.blue()) + std::abs(pixel.red() - ink.red()) < 48 &&
            !inked.contains(y))
          inked << y;
    QVERIFY(!inked.isEmpty());
    const double middle = (inked.first() + inked.last() + 1) / 2.0 / scale;
    const double letters = 6 + metrics.ascent() - metrics.xHeight() / 2.0;
    QVERIFY2(std::abs(middle - letters) <= 1, qPrintable(QString("%1, letters %2").arg(middle).arg(letters)));

    room.desk.open(chat(2));
    QCOMPARE(said(2), QString("first"));  // its draft stands in the input
    const MessageId last = room.desk.branch().back().message.id;
    PendingTurn pending{chat(2), {.parent = last}};
    pending.request.name = "ask";
    room.writer.pending().add(std::move(pending));
    test::WordMachine machine{64, 8};
    machine.submit("ask", 8, 4);
    room.session.append(machine.take());
    room.model.search({});
    const auto rowOfFirst = [&] { return room.model.rowOf(room.desk.shown()); };
    QCOMPARE(said(rowOfFirst()), QString("first, being answered"));
    const ChatId answered = room.desk.shown();
    room.desk.open(chat(rowOfFirst() == 1 ? 2 : 1));
    machine.run();
    room.session.append(machine.take());
    QTRY_COMPARE(said(room.model.rowOf(answered)), QString("first, new answer"));
    room.desk.open(answered);
    QCOMPARE(said(room.model.rowOf(answered)), QString("first"));
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

  // Another branch of the chat that is open comes between two clicks, and no selection goes for it.
  void severalStaySelectedInTheOpenChat() {
    Room room({"first", "second", "third"});
    room.desk.begin();
    const ChatId open = room.desk.ensureChat();  // begun with a message: it was not opened
    const MessageId question = room.desk.history().addMessage(open, 0, MessageRole::kUser, "fourth");
    QTRY_COMPARE(room.rows().value(1), QString("fourth"));
    const auto selected = [&] {
      QStringList titles;
      for (int row = 0; row < room.model.rowCount(); ++row)
        if (room.view.list()->selectionModel()->isSelected(room.model.index(row))) titles << room.rows()[row];
      return titles;
    };
    room.click(2, Qt::ControlModifier);
    QCOMPARE(selected(), QStringList({"fourth", "third"}));
    room.desk.setLeftOut(open, {question}, true);  // opens the chat once more
    QCOMPARE(selected(), QStringList({"fourth", "third"}));
    room.click(3, Qt::ControlModifier);
    QCOMPARE(selected(), QStringList({"fourth", "third", "second"}));
    room.desk.open(open);
    QCOMPARE(selected(), QStringList({"fourth", "third", "second"}));
    room.click(4);
    QCOMPARE(selected(), QStringList({"first"}));
    room.click(3, Qt::ControlModifier);
    room.desk.open(open);  // another one
    QCOMPARE(selected(), QStringList({"fourth"}));
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
    QCOMPARE(undo->text(), QString("Undo delete: 1 chat(s)"));
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
