// One window for all starts: a start hands over what it was given, or goes on by itself when no program
// answers, the one that does refuses, hangs or speaks otherwise. A listening program outlives whatever is
// sent to it.
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <atomic>
#include <latch>
#include <memory>

#include "instance/single_instance.h"
#include "instance/start_socket.h"

using namespace vitrine;

namespace {

constexpr int kLimitMs = 30000;
constexpr InstancePatience kPatient{.connectMs = 10000, .answerMs = 30000, .peerMs = 30000};
constexpr InstancePatience kHasty{.connectMs = 10000, .answerMs = 100, .peerMs = 100};

const StartRequest kRequest{"step", "/models/tiny", "token", {"/runs/one.vitrine", "/runs/\xff two.json"}};

// A second start, in a thread of its own: it waits for an answer.
class Start {
 public:
  explicit Start(const QString& socket, const StartRequest& request = kRequest)
      : m_thread(QThread::create([this, socket, request] {
          SingleInstance instance(socket, kPatient);
          m_handed = instance.begin(request);
          m_listened = instance.isListening();
        })) {
    m_thread->start();
  }
  ~Start() { m_thread->wait(); }
  bool isOver() const { return m_thread->isFinished(); }
  bool handed() const { return m_handed; }
  bool listened() const { return m_listened; }

 private:
  bool m_handed = false, m_listened = false;
  std::unique_ptr<QThread> m_thread;
};

}  // namespace

class TestInstance : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> m_folder;
  QString m_socket;
  std::vector<StartRequest> m_taken;

  SingleInstance::Taker takeAll() {
    return {[](const StartRequest&) { return true; },
            [this](const StartRequest& request) { m_taken.push_back(request); }};
  }
  // The program still hears a start.
  bool answers() {
    const std::size_t before = m_taken.size();
    const Start start(m_socket);
    return QTest::qWaitFor([&] { return start.isOver() && m_taken.size() == before + 1; }, kLimitMs) &&
           start.handed();
  }

 private slots:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_socket = m_folder->filePath("window");
    m_taken.clear();
  }

  void theFirstListensAndTheSecondHandsOver() {
    SingleInstance first(m_socket, kPatient);
    QVERIFY(!first.begin(kRequest) && first.isListening());
    // No other user may connect.
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    QVERIFY(!(QFile::permissions(m_socket) & others));
    first.serve(takeAll());
    const Start second(m_socket);
    QTRY_VERIFY_WITH_TIMEOUT(second.isOver(), kLimitMs);
    QVERIFY(second.handed() && !second.listened());
    QTRY_COMPARE_WITH_TIMEOUT(m_taken.size(), std::size_t{1}, kLimitMs);
    QVERIFY(m_taken.front() == kRequest);
  }

  // The window is still being made.
  void aStartBeforeTheWindowWaits() {
    SingleInstance first(m_socket, kPatient);
    QVERIFY(!first.begin({}));
    const Start second(m_socket);
    QTest::qWait(50);
    QVERIFY(!second.isOver());
    first.serve(takeAll());
    QTRY_VERIFY_WITH_TIMEOUT(second.isOver(), kLimitMs);
    QVERIFY(second.handed());
  }

  void aStartThatIsRefusedGoesOn() {
    SingleInstance first(m_socket, kPatient);
    QVERIFY(!first.begin({}));
    first.serve({[](const StartRequest&) { return false; },
                 [this](const StartRequest& request) { m_taken.push_back(request); }});
    const Start second(m_socket);
    QTRY_VERIFY_WITH_TIMEOUT(second.isOver(), kLimitMs);
    QVERIFY(!second.handed() && !second.listened() && first.isListening());
    QVERIFY(m_taken.empty());
  }

  void aProgramThatHangsIsLeftAlone() {  // and what was said to it comes to nothing
    SingleInstance first(m_socket, kPatient);
    QVERIFY(!first.begin({}));  // never serves
    SingleInstance second(m_socket, kHasty);
    QVERIFY(!second.begin(kRequest));
    QVERIFY(!second.isListening() && first.isListening());
    first.serve(takeAll());
    QVERIFY(answers());  // it has its socket still, and opens nothing for the start that went on by itself
    QCOMPARE(m_taken.size(), std::size_t{1});
  }

  void anAnswerOfAnotherKindIsNone_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("another version") << QByteArray("VTRN\2y");
    QTest::newRow("another program's") << QByteArray("HTTP/1.1 200 OK\r\n");
    QTest::newRow("half of one") << QByteArray("VTRN");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("megabytes") << QByteArray(4 << 20, 'V');
  }
  void anAnswerOfAnotherKindIsNone() {
    QFETCH(QByteArray, answer);
    QLocalServer other;
    QVERIFY(other.listen(m_socket));
    connect(&other, &QLocalServer::newConnection, &other, [&] {
      QLocalSocket* const peer = other.nextPendingConnection();
      peer->write(answer);
      peer->disconnectFromServer();
    });
    const Start start(m_socket);
    QTRY_VERIFY_WITH_TIMEOUT(start.isOver(), kLimitMs);
    QVERIFY(!start.handed());
  }

  void withoutARequestNothingIsHandedOver() {
    SingleInstance first(m_socket, kPatient);
    QVERIFY(!first.begin({}));
    first.serve(takeAll());
    SingleInstance second(m_socket, kPatient);
    QVERIFY(!second.begin({}) && !second.isListening());
    QTest::qWait(50);
    QVERIFY(m_taken.empty());
    QVERIFY(answers());
  }

  void whatADeadProgramLeftIsTakenAway() {
    {
      QLocalServer dead;  // its file stays: the descriptor goes, as with a kill
      QVERIFY(dead.listen(m_socket));
      QVERIFY(QFile::rename(m_socket, m_socket + ".kept"));
    }
    QVERIFY(QFile::rename(m_socket + ".kept", m_socket));
    SingleInstance first(m_socket, kPatient);
    QVERIFY(!first.begin(kRequest) && first.isListening());
    first.serve(takeAll());
    QVERIFY(answers());
  }

  void afterTheEndTheNextListens() {
    auto first = std::make_unique<SingleInstance>(m_socket, kPatient);
    QVERIFY(!first->begin({}));
    first->serve(takeAll());
    first->close();
    QVERIFY(!QFileInfo::exists(m_socket));
    SingleInstance second(m_socket, kPatient);
    QVERIFY(!second.begin(kRequest) && second.isListening());
    first.reset();
    second.serve(takeAll());
    QVERIFY(answers());
  }

  // Of any number of starts at once one listens, and all others find it.
  void startsAtOnceHaveOneWindow() {
    constexpr int kStarts = 8;
    std::atomic<int> listening = 0;
    std::latch begun(kStarts);
    QList<QThread*> threads;
    for (int i = 0; i < kStarts; ++i)
      threads << QThread::create([&] {
        SingleInstance instance(m_socket, kPatient);
        instance.begin({});
        listening += instance.isListening() ? 1 : 0;
        begun.arrive_and_wait();  // none ends before all have begun
      });
    for (QThread* thread : threads) thread->start();
    for (QThread* thread : threads) QVERIFY(thread->wait(kLimitMs));
    qDeleteAll(threads);
    QCOMPARE(listening.load(), 1);
  }

  void nowhereToListen_data() {
    QTest::addColumn<QString>("socket");
    QTest::newRow("no folder") << QString();
    QTest::newRow("a folder that is not there") << QStringLiteral("/no-such-folder/window");
    QTest::newRow("a name that is too long") << QDir::tempPath() + '/' + QString(200, 'x');
  }
  void nowhereToListen() {
    QFETCH(QString, socket);
    SingleInstance first(socket, kPatient);
    QVERIFY(!first.begin(kRequest) && !first.isListening());
    SingleInstance second(socket, kPatient);
    QVERIFY(!second.begin(kRequest));
  }

  void bytesThatAreNoMessage_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("bad bytes") << QByteArray("GET / HTTP/1.1\r\n\r\n");
    QTest::newRow("another version") << QByteArray("VTRN\7\0\0\0\0", 9);
    QTest::newRow("a length beyond all") << QByteArray("VTRN\1\xff\xff\xff\xff", 9);
    QTest::newRow("more than said") << QByteArray("VTRN\1\0\0\0\3\0\0\0x", 13);
  }
  void bytesThatAreNoMessage() {
    QFETCH(QByteArray, bytes);
    SingleInstance first(m_socket, kPatient);
    QVERIFY(!first.begin({}));
    first.serve(takeAll());
    QLocalSocket peer;
    peer.connectToServer(m_socket);
    QVERIFY(peer.waitForConnected(kLimitMs));
    peer.write(bytes);
    QTRY_COMPARE_WITH_TIMEOUT(peer.state(), QLocalSocket::UnconnectedState, kLimitMs);
    QCOMPARE(peer.readAll(), QByteArray("VTRN\1n"));
    QVERIFY(m_taken.empty());
    QVERIFY(answers());
  }

  // What is sent after the limit stays with the sender, however much it is.
  void aPeerThatSendsWithoutEnd_data() {
    QTest::addColumn<QByteArray>("head");
    QTest::newRow("bad bytes") << QByteArray("x");
    QTest::newRow("a length beyond all") << QByteArray("VTRN\1\x40\0\0\0", 9);
    QTest::newRow("the longest message") << QByteArray("VTRN\1\0\0\xff\xf7", 9);
  }
  void aPeerThatSendsWithoutEnd() {
    QFETCH(QByteArray, head);
    SingleInstance first(m_socket, kPatient);
    QVERIFY(!first.begin({}));
    first.serve(takeAll());
    QLocalSocket peer;
    peer.connectToServer(m_socket);
    QVERIFY(peer.waitForConnected(kLimitMs));
    const QByteArray part(1 << 20, 'x');
    qint64 sent = peer.write(head);
    connect(&peer, &QLocalSocket::bytesWritten, &peer, [&] {
      if (peer.bytesToWrite() == 0) sent += peer.write(part);
    });
    QTRY_COMPARE_WITH_TIMEOUT(peer.state(), QLocalSocket::UnconnectedState, kLimitMs);
    QVERIFY2(sent < (qint64{8} << 20), QByteArray::number(sent));
    QVERIFY(m_taken.empty());
    QVERIFY(answers());
  }

  void aPeerThatStopsInTheMiddle_data() {
    QTest::addColumn<int>("bytes");
    QTest::newRow("says nothing") << 0;
    QTest::newRow("half a head") << 6;
    QTest::newRow("half a message") << 20;
  }
  void aPeerThatStopsInTheMiddle() {
    QFETCH(int, bytes);
    SingleInstance first(m_socket, kHasty);
    QVERIFY(!first.begin({}));
    first.serve(takeAll());
    QLocalSocket waits, goes;
    for (QLocalSocket* peer : {&waits, &goes}) {
      peer->connectToServer(m_socket);
      QVERIFY(peer->waitForConnected(kLimitMs));
      peer->write(QByteArray::fromStdString(*toStartMessage(kRequest)).left(bytes));
      peer->flush();
    }
    goes.abort();
    QTRY_COMPARE_WITH_TIMEOUT(waits.state(), QLocalSocket::UnconnectedState, kLimitMs);
    QVERIFY(m_taken.empty() && first.isListening());
  }

  // A message may come in any parts.
  void aMessageByteByByte() {
    SingleInstance first(m_socket, kPatient);
    QVERIFY(!first.begin({}));
    first.serve(takeAll());
    QLocalSocket peer;
    peer.connectToServer(m_socket);
    QVERIFY(peer.waitForConnected(kLimitMs));
    const std::string message = toStartMessage(kRequest).value();
    for (const char byte : message) {
      peer.write(&byte, 1);
      peer.flush();
      QCoreApplication::processEvents();
    }
    QTRY_COMPARE_WITH_TIMEOUT(peer.bytesAvailable(), qint64{6}, kLimitMs);
    QCOMPARE(peer.readAll(), QByteArray("VTRN\1y"));
    QTRY_COMPARE_WITH_TIMEOUT(m_taken.size(), std::size_t{1}, kLimitMs);
    QVERIFY(m_taken.front() == kRequest);
  }

  // Silent ones take all places for a while; then others are heard again.
  void manyPeersAtOnce() {
    SingleInstance first(m_socket, kHasty);
    QVERIFY(!first.begin({}));
    first.serve(takeAll());
    std::vector<std::unique_ptr<QLocalSocket>> silent;
    for (int i = 0; i < 3 * SingleInstance::kMostPeers; ++i) {
      silent.push_back(std::make_unique<QLocalSocket>());
      silent.back()->connectToServer(m_socket);
      QCoreApplication::processEvents();
    }
    for (const auto& peer : silent)
      QTRY_COMPARE_WITH_TIMEOUT(peer->state(), QLocalSocket::UnconnectedState, kLimitMs);
    QVERIFY(m_taken.empty());
    QVERIFY(answers());
  }

  // Starts that share nothing do not meet.
  void theSocketIsTheUsersAndTheFiles() {
    const QByteArray before = qgetenv("XDG_RUNTIME_DIR");
    QFile::setPermissions(m_folder->path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("XDG_RUNTIME_DIR", m_folder->path().toLocal8Bit());
    const QString one = startSocket({"/a/settings", "/a/chats"});
    QVERIFY(one.startsWith(m_folder->path() + '/'));
    QCOMPARE(startSocket({"/a/settings", "/a/chats"}), one);
    QVERIFY(startSocket({"/b/settings", "/a/chats"}) != one);
    qputenv("DISPLAY", "another:1");
    QVERIFY(startSocket({"/a/settings", "/a/chats"}) != one);
    before.isNull() ? qunsetenv("XDG_RUNTIME_DIR") : qputenv("XDG_RUNTIME_DIR", before);
  }
};

QTEST_GUILESS_MAIN(TestInstance)
#include "tst_instance.moc"
