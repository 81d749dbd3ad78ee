// A made-up home with models, and the window of the models on it, for tests of that window. Thread: the
// window's.
#pragma once

#include <QAbstractButton>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include "catalog/download_run.h"
#include "catalog/model_scan.h"
#include "gui/library/models_download.h"
#include "gui/library/models_list.h"
#include "gui/library/models_table_model.h"
#include "gui/library/models_window.h"
#include "support/window_bench.h"
#include "widgets/painting/data_table_view.h"

namespace vitrine::test {

constexpr qint64 kPlenty = qint64{64} << 30;

inline QString golden(const char* name) {
  return QStringLiteral(VITRINE_SOURCE_DIR "/tests/golden/gguf/") + name;
}

// A home of LM Studio's folder with two models, one that is broken and a part for pictures, and of a folder
// of one's own.
class Home {
 public:
  Home() {
    put("lm/owner/small/small.gguf", contentOf(golden("mistral.gguf")));
    put("lm/owner/other/other.gguf", contentOf(golden("qwen3.gguf")));
    put("lm/owner/broken/broken.gguf", "GGUF, but no more");
    put("lm/owner/small/mmproj-small.gguf", contentOf(golden("mistral.gguf")));
    put("mine/third.gguf", contentOf(golden("mistral.gguf")));
  }
  QString at(const QString& path) const { return m_folder.path() + '/' + path; }
  void put(const QString& path, const QByteArray& bytes) const {
    QDir().mkpath(QFileInfo(at(path)).path());
    QFile file(at(path));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("no made-up home");
  }
  ModelRoots roots(const QStringList& own) const {
    ModelRoots roots{{{ModelProgram::kVitrine, at("vitrine")}, {ModelProgram::kLmStudio, at("lm")}}};
    for (const QString& folder : own) roots.folders.append({ModelProgram::kOwnFolder, folder});
    return roots;
  }
  ModelsPlaces places(const DownloadSettings& hub = {}) const {
    return {[this](const QStringList& own) { return roots(own); }, at("vitrine"), hub,
            [this] { return available; }};
  }
  QList<FoundModel> models(const QStringList& own = {}) const {
    QList<FoundModel> found;
    scanModels(roots(own), {},
               {[&](const FoundModel& model) { found.append(model); }, [](const LeftOut&) {},
                [](const ModelRoot&) {}, [] { return false; }});
    return found;
  }

  FoundModel model(const QString& path) const {
    for (const FoundModel& one : models())
      if (one.path == path) return one;
    return {};
  }

  QString small() const { return at("lm/owner/small/small.gguf"); }
  QString broken() const { return at("lm/owner/broken/broken.gguf"); }
  qint64 available = kPlenty;

 private:
  QTemporaryDir m_folder;
};

struct Shown {
  ModelsWindow window;

  explicit Shown(const ModelsPlaces& places, QSize size = {1366, 768}) : window(places) {
    window.resize(size);
    window.show();
  }
  bool search() {
    window.search();
    return waitUntil([this] { return !window.isSearching(); });
  }
  ModelsTableModel& rows() { return window.list().model(); }
  DataTableView* table() { return window.list().table(); }
  QString cell(const QString& path, ModelsTableModel::Column column, int role = Qt::DisplayRole) {
    return rows().index(rows().rowOf(path), column).data(role).toString();
  }
  QString chosen() {
    const auto model = window.list().chosen();
    return model ? model->path : QString();
  }
  void choose(const QString& path) { table()->selectRow(rows().rowOf(path)); }
  ModelsDownload& download() { return window.download(); }
  bool isAt(DownloadState state) {
    return waitUntil([&] { return download().state() == state; });
  }
  // By keys: the address, then what it lists.
  bool list(const QString& address = QStringLiteral("owner/model")) {
    window.pages()->setCurrentIndex(ModelsWindow::kGet);
    download().address()->setFocus();
    download().address()->clear();
    QTest::keyClicks(download().address(), address);
    QTest::keyClick(download().address(), Qt::Key_Return);
    return isAt(DownloadState::kListed);
  }
};

// What enables a button may come from another thread.
inline void press(QAbstractButton* button) {
  QVERIFY(waitUntil([&] { return button->isEnabled(); }));
  QTest::mouseClick(button, Qt::LeftButton);
}

}  // namespace vitrine::test
