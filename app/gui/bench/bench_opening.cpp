#include "gui/bench/bench_opening.h"

#include <QFileDialog>
#include <QFileInfo>

#include "bench_results/bench_results.h"
#include "gui/bench/bench_results_window.h"
#include "gui/parts/message_bar.h"
#include "gui/parts/screen_fit.h"
#include "widgets/support/window_language.h"

namespace vitrine {

BenchOpening::BenchOpening(QWidget* window) : QObject(window), m_window(window) {}

BenchResultsWindow* BenchOpening::open(const QString& file) {
  try {
    BenchResults results = readBenchFile(file.toStdString(), windowLanguage());
    BenchResultsWindow* const window = windowOf(results.kind);
    window->add(file, std::move(results));
    m_folder = QFileInfo(file).absolutePath();
    showInFront(*window);
    return window;
  } catch (const EngineError& error) {
    emit noticed(noticeOf(error));
    return nullptr;
  }
}

BenchResultsWindow* BenchOpening::windowOf(BenchKind kind) {
  m_open.removeAll(nullptr);
  for (const auto& window : m_open)
    if (window->isVisible() && window->results().kind == kind) return window;
  auto* window = new BenchResultsWindow(m_window);
  m_open << window;
  new ScreenFit(window);
  connect(window, &BenchResultsWindow::openRequested, this,
          [this, window](const QStringList& files) { openFrom(*window, files); });
  connect(window, &BenchResultsWindow::chooseRequested, this,
          [this, window] { openFrom(*window, ask(window)); });
  return window;
}

// A failure is said where the user is.
void BenchOpening::openFrom(BenchResultsWindow& window, const QStringList& files) {
  MessageBar& messages = window.messages();
  messages.end(MessageCause::kOpening);
  const auto heard =
      connect(this, &BenchOpening::noticed, &messages, messages.saying(MessageCause::kOpening));
  for (const QString& file : files) open(file);
  disconnect(heard);
}

void BenchOpening::choose() {
  for (const QString& file : ask(m_window)) open(file);
}

QStringList BenchOpening::ask(QWidget* parent) {
  return QFileDialog::getOpenFileNames(parent, tr("Open bench results"), m_folder,
                                       tr("Results of vitrine-cli bench (*.json)"));
}

}  // namespace vitrine

#include "moc_bench_opening.cpp"
