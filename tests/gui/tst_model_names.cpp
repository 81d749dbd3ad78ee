// The name of a model is the library's, wherever the window says it: over the chat, in the line at the bottom
// and under each answer, whichever way the model was opened. Real mouse and keys over the real engine.
#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "gui/bars/machine_buttons.h"
#include "gui/bars/status_strip.h"
#include "gui/chat/chats.h"
#include "gui/library/model_menu.h"
#include "gui/library/models_list.h"
#include "gui/library/models_opening.h"
#include "gui/library/models_table_model.h"
#include "gui/library/models_window.h"
#include "support/window_bench.h"
#include "vitrine/convert.h"
#include "widgets/chat/chat_view.h"
#include "widgets/conversation/chat_model.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/sampler/sampler_controls.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// What the window says of the model that is open.
QString modelBox(ShownWindow& w) {
  for (const MenuButton* button : w.window.findChildren<MenuButton*>())
    if (qobject_cast<ModelMenu*>(button->menu()) != nullptr) return button->choice();
  return {};
}
QString modelInStrip(ShownWindow& w) {
  for (const QLabel* field : w.window.findChild<StatusStrip*>()->findChildren<QLabel*>())
    if (field->accessibleName() == QStringLiteral("Model")) return field->text();
  return {};
}
const ChatEntry& entry(ShownWindow& w, int at) { return w.window.panels().chatModel->at(at); }

bool ask(ShownWindow& w, const QString& question) {
  const int before = w.window.panels().chatModel->rowCount();
  QPlainTextEdit* const input = w.window.panels().chat->input();
  QTest::keyClicks(input, question);
  QTest::keyClick(input, Qt::Key_Return);
  return waitUntil([&] {
    const int rows = w.window.panels().chatModel->rowCount();
    return rows == before + 2 && entry(w, rows - 1).status == AnswerStatus::kDone &&
           entry(w, rows - 1).message != 0;
  });
}

QStringList recentModels(ShownWindow& w) {
  auto* const menu = w.window.findChild<ModelMenu*>();
  emit menu->aboutToShow();
  QStringList texts;
  for (const QAction* action : menu->actions()) texts << action->text();
  return texts;
}

}  // namespace

class TestModelNames : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_home;

  QString at(const QString& path) const { return m_home.path() + '/' + path; }
  QString blob() const { return at("ollama/blobs/sha256-" + QString(64, 'a')); }
  QString snapshot() const { return at("hub/models--acme--slow/snapshots/0123456789abcdef"); }
  void write(const QString& path, const QByteArray& text) const {
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
  }
  ModelsPlaces places() const {
    const ModelRoots roots{{{ModelProgram::kOllama, at("ollama")}, {ModelProgram::kHuggingFace, at("hub")}}};
    return {[roots](const QStringList&) { return roots; }, at("own"), {}, [] { return qint64{64} << 30; }};
  }

  // A click and a double click on its row.
  bool openInLibrary(ShownWindow& w, const QString& path) const {
    w.window.models().setPlaces(places());
    ModelsWindow* const library = w.window.models().open();
    if (!waitUntil([&] { return !library->isSearching(); })) return false;
    DataTableView* const table = library->list().table();
    const int row = library->list().model().rowOf(path);
    if (row < 0) return false;
    const QPoint place = table->visualRect(table->model()->index(row, 0)).center();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, place);
    return waitForOpen(w, path);
  }
  static bool waitForOpen(ShownWindow& w, const QString& path) {
    return waitUntil([&] {
             return w.window.session().engine() &&
                    w.window.session().engine()->model.path == path.toStdString();
           }) &&
           waitForMode(w.window, MachineMode::kPaused);
  }

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
    QDir().mkpath(QFileInfo(blob()).path());
    convertModel(builtinModelDirectory(), at("packed.gguf").toStdString(), ConvertType::kQ80);
    QVERIFY(QFile::rename(at("packed.gguf"), blob()));
    write(at("ollama/manifests/registry.ollama.ai/library/tiny/latest"),
          "{\"layers\":[{\"mediaType\":\"application/vnd.ollama.image.model\",\"digest\":\"sha256:" +
              QByteArray(64, 'a') + "\"}]}");
    const QString files = at("hub/models--acme--slow/blobs");
    QDir().mkpath(files);
    QDir().mkpath(snapshot());
    for (const auto& file : std::filesystem::directory_iterator(builtinModelDirectory())) {
      if (!file.is_regular_file()) continue;
      const QString name = QString::fromStdString(file.path().filename().string());
      QVERIFY(QFile::copy(QString::fromStdString(file.path().string()), files + "/of-" + name));
      QVERIFY(QFile::link("../../blobs/of-" + name, snapshot() + '/' + name));
    }
    write(at("hub/models--acme--slow/refs/main"), "0123456789abcdef");
  }
  void init() { QSettings().clear(); }

  void theLibrarysNameIsEverywhere_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("name");
    QTest::newRow("Ollama") << blob() << "tiny:latest";
    QTest::newRow("Hugging Face") << snapshot() << "acme/slow";
  }
  void theLibrarysNameIsEverywhere() {
    QFETCH(QString, path);
    QFETCH(QString, name);
    ShownWindow w(Perspective::kChat);
    QVERIFY(openInLibrary(w, path));
    QCOMPARE(modelBox(w), name);
    QCOMPARE(modelInStrip(w), name);
    emit w.window.panels().controls->maxTokensChanged(4);
    QVERIFY(ask(w, QStringLiteral("Hello!")));
    QVERIFY(recentModels(w).contains(name));

    // The built-in model has its own, and each answer keeps that of its model.
    QVERIFY(w.openModel());
    QVERIFY(waitForOpen(w, QString::fromStdString(builtinModelDirectory().string())));
    QCOMPARE(modelBox(w), QString("Built-in model"));
    QCOMPARE(modelInStrip(w), QString("Built-in model"));
    QVERIFY(ask(w, QStringLiteral("And you?")));

    // By its path, as --model opens it.
    w.window.openModel(path);
    QVERIFY(waitForOpen(w, path));
    QCOMPARE(modelBox(w), name);
    QCOMPARE(modelInStrip(w), name);

    Desk& desk = w.window.chats().desk();
    const ChatId chat = desk.shown();
    w.window.chats().keep();
    desk.begin();
    QVERIFY(desk.open(chat));
    QVERIFY2(entry(w, 1).note.endsWith(" · " + name), qPrintable(entry(w, 1).note));
    QVERIFY2(entry(w, 3).note.endsWith(" · Built-in model"), qPrintable(entry(w, 3).note));
  }

  void theListOfRecentModelsKeepsTheName() {
    {
      ShownWindow w;
      QVERIFY(openInLibrary(w, blob()));
    }
    ShownWindow later;
    QVERIFY(later.openModel());
    QVERIFY(recentModels(later).contains("tiny:latest"));
    for (QAction* action : later.window.findChild<ModelMenu*>()->actions())
      if (action->text() == "tiny:latest") {
        action->trigger();
        break;
      }
    QVERIFY(waitForOpen(later, blob()));
    QCOMPARE(modelBox(later), QString("tiny:latest"));
  }
};

QTEST_MAIN(TestModelNames)
#include "tst_model_names.moc"
