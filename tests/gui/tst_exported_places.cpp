// What the window exports names models and folders without their paths; and a trace that names its model
// alone goes on with it.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "gui/chat/chat_menu.h"
#include "gui/chat/chat_trace.h"
#include "gui/help/diagnostics.h"
#include "gui/runs/run_archive.h"
#include "history/chat_json.h"
#include "support/chat_window.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr auto kTellTale = "tell-tale-home";

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestExportedPlaces : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;
  QString m_model;

  QString file(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
    const QString home = m_folder.filePath(QLatin1String(kTellTale));
    m_model = home + "/models/small-fox";
    QVERIFY(QDir().mkpath(home + "/models"));
    std::filesystem::copy(builtinModelDirectory(), m_model.toStdString());
  }
  void init() { QSettings().clear(); }

  void everyExport() {
    EngineOptions options = Settings::defaultEngineOptions();
    options.swapFolder = (m_folder.filePath(QLatin1String(kTellTale)) + "/swap").toStdString();
    Settings().setEngineOptions(options);
    ChatWindow w(8);
    QVERIFY(w.openModel(m_model));
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    QVERIFY(QString::fromStdString(w.window.session().engine()->model.path).contains(kTellTale));

    ChatMenu& menu = w.window.chats().menu();
    menu.exportChat(w.desk().shown(), file("chat.json"));
    const QByteArray chat = bytesOf(file("chat.json"));
    QVERIFY2(chat.contains("small-fox") && chat.contains("swap_folder") && !chat.contains(kTellTale), chat);
    for (const char* name : {"chat.md", "chat.html"}) {
      menu.exportChat(w.desk().shown(), file(name));
      QVERIFY(!bytesOf(file(name)).isEmpty() && !bytesOf(file(name)).contains(kTellTale));
    }
    menu.exportChat(w.desk().shown(), file("chat.vitrine"));
    QVERIFY(waitUntil(
        [&] { return !w.window.chats().trace().isUnderWay() && QFile::exists(file("chat.vitrine")); }));
    QVERIFY(bytesOf(file("chat.vitrine")).contains("small-fox"));
    QVERIFY(!bytesOf(file("chat.vitrine")).contains(kTellTale));
    w.window.archive().save(file("run.vitrine"));
    QVERIFY(
        waitUntil([&] { return !w.window.archive().isUnderWay() && QFile::exists(file("run.vitrine")); }));
    QVERIFY(bytesOf(file("run.vitrine")).contains("small-fox"));
    QVERIFY(!bytesOf(file("run.vitrine")).contains(kTellTale));
    const QString diagnostics = diagnosticsText({w.window.session().engine(), options, {}, 100, {}});
    QVERIFY2(diagnostics.contains("small-fox") && !diagnostics.contains(kTellTale), qPrintable(diagnostics));

    // The trace names the model alone, which is found again.
    w.window.open(file("run.vitrine"));
    QVERIFY(waitUntil(
        [&] { return w.window.host().mode() == MachineMode::kEmpty && w.window.archive().canResume(); }));
    w.window.archive().resume();
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QCOMPARE(QString::fromStdString(w.window.session().engine()->model.path), m_model);
  }

  // What chats of before were kept with.
  void anOldAnswer() {
    ChatRecord chat;
    MessageRecord answer;
    answer.id = 1;
    answer.role = MessageRole::kAssistant;
    answer.provenance.model = "small-fox";
    answer.provenance.engineOptions =
        R"({"draft":"model","draft_model":"/tell-tale-home/models/fox/","num_blocks":8})";
    chat.messages = {answer};
    const QByteArray json = chatsToJson({chat});
    QVERIFY2(!json.contains(kTellTale) && json.contains("\"draft_model\": \"fox\""), json);
    QVERIFY(json.contains("\"num_blocks\": 8"));
  }
};

QTEST_MAIN(TestExportedPlaces)
#include "tst_exported_places.moc"
