#include "gui/bench/bench_results_window.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QMimeData>
#include <QSplitter>
#include <QVBoxLayout>
#include <utility>

#include "gui/bench/bench_figure_card.h"
#include "gui/bench/bench_table_card.h"
#include "gui/parts/card.h"
#include "gui/parts/file_drop.h"
#include "gui/parts/first_size.h"
#include "gui/parts/focus_ring.h"
#include "gui/parts/lines_area.h"
#include "gui/parts/message_bar.h"
#include "gui/parts/small_parts.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/formats.h"
#include "widgets/support/theme.h"
#include "widgets/support/window_language.h"

namespace vitrine {

namespace {

constexpr QSize kResultsRoomy(1080, 720);
constexpr int kLeastFigureLines = 9, kLeastTableLines = 8;

// The machine and model of the figures, in one line.
QString belongsTo(const BenchResults& results) {
  QStringList parts{BenchResultsWindow::tr("model: %1").arg(windowText(results.model)),
                    windowText(results.device)};
  if (!results.weights.empty())
    parts << BenchResultsWindow::tr("%1 weights").arg(windowText(results.weights));
  if (!results.backend.empty())
    parts << BenchResultsWindow::tr("backend %1").arg(windowText(results.backend));
  if (results.threads > 0 && !windowText(results.device).contains(QLatin1String("thread")))
    parts << BenchResultsWindow::tr("%n thread(s)", nullptr, results.threads);
  for (const std::string& setting : results.settings) parts << windowText(setting);
  return parts.join(QStringLiteral(" · "));
}

// "latency", or "latency (2)" where the name is taken.
std::string freeName(const QString& file, const std::vector<NamedBenchResults>& taken) {
  const QString name = QFileInfo(file).completeBaseName();
  QString free = name;
  const auto isTaken = [&](const QString& wanted) {
    return std::ranges::any_of(taken, [&](const auto& one) { return windowText(one.name) == wanted; });
  };
  for (int number = 2; isTaken(free); ++number) free = QStringLiteral("%1 (%2)").arg(name).arg(number);
  return free.toStdString();
}

}  // namespace

BenchResultsWindow::BenchResultsWindow(QWidget* parent)
    : QDialog(parent, Qt::Window),
      m_title(new QLabel(this)),
      m_meaning(namedLabel(tr("What it measures"), this)),
      m_remarks(namedLabel(tr("Remarks"), nullptr)),
      m_remarkLines(new LinesArea(m_remarks, this)),
      m_messages(new MessageBar(this)),
      m_compare(plainButton(tr("&Compare with…"),
                            tr("Open another result of the same kind beside this one, or drop its file here"),
                            this)),
      m_figures(new BenchFigureCard(m_session, this)),
      m_tables(new BenchTableCard(m_session, this)) {
  setFont(readable(font()));
  setAttribute(Qt::WA_DeleteOnClose);
  setAcceptDrops(true);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(kCardGap, kCardGap, kCardGap, kCardGap);
  rows->setSpacing(kCardGap);
  rows->addWidget(m_messages);
  rows->addWidget(makeHead());
  rows->addWidget(makeMiddle(), 1);
  m_remarks->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_remarks->installEventFilter(m_remarkLines);
  rows->addWidget(m_remarkLines);
  openRoomy(this, kResultsRoomy);
  setMinimumSize(kLeastWindow);
  new FocusRing(this);
  m_figures->figures()->setFocus();
  applyColours();
}

QWidget* BenchResultsWindow::makeHead() {
  auto* head = new QWidget(this);
  auto* grid = new QGridLayout(head);
  grid->setContentsMargins(4, 0, 4, 0);
  grid->setVerticalSpacing(2);
  makeBold(m_title);
  m_title->setTextFormat(Qt::PlainText);
  m_title->setAccessibleName(tr("Kind of benchmark"));
  connect(m_compare, &QPushButton::clicked, this, &BenchResultsWindow::chooseRequested);
  grid->addWidget(m_title, 0, 0);
  grid->addWidget(m_compare, 0, 1, 2, 1, Qt::AlignRight | Qt::AlignTop);
  grid->addWidget(m_meaning, 1, 0);
  grid->setColumnStretch(0, 1);
  return head;
}

QWidget* BenchResultsWindow::makeMiddle() {
  auto* middle = new QSplitter(Qt::Vertical, this);
  middle->setChildrenCollapsible(false);
  middle->setHandleWidth(kCardGap);
  m_figures->setMinimumHeight(kLeastFigureLines * fontMetrics().lineSpacing());
  m_tables->setMinimumHeight(kLeastTableLines * fontMetrics().lineSpacing());
  middle->addWidget(m_figures);
  middle->addWidget(m_tables);
  middle->setStretchFactor(0, 3);
  middle->setStretchFactor(1, 1);
  return middle;
}

bool BenchResultsWindow::add(const QString& file, BenchResults results) {
  const QString path = QFileInfo(file).absoluteFilePath();
  if (const auto place = m_files.indexOf(path); place >= 0) {
    m_all[static_cast<std::size_t>(place)].results = std::move(results);
  } else if (files() == kMostFiles) {
    m_messages->say(MessageCause::kOpening,
                    Notice::note(tr("%n file(s) stand side by side here at most.", nullptr, kMostFiles),
                                 tr("Remove one, or close this window.")));
    return false;
  } else {
    m_all.push_back({freeName(file, m_all), std::move(results)});
    m_files << path;
  }
  rebuild();
  return true;
}

void BenchResultsWindow::remove(int place) {
  if (files() < 2 || place < 0 || place >= files()) return;
  m_all.erase(m_all.begin() + place);
  m_files.removeAt(place);
  rebuild();
}

void BenchResultsWindow::rebuild() {
  m_shown = compareBenchResults(m_all, windowLanguage());
  const QString title = windowText(m_shown.title);
  QStringList names;
  for (const NamedBenchResults& one : m_all) names << windowText(one.name);
  setWindowTitle(tr("%1: %2").arg(title, names.join(QStringLiteral(", "))));
  m_title->setText(title);
  m_meaning->setText(windowText(m_shown.meaning));
  showFiles();
  m_figures->show(m_shown);
  m_tables->show(m_shown);
  QStringList remarks;
  for (const std::string& remark : m_shown.remarks) remarks << windowText(remark);
  m_remarks->setText(remarks.join(u'\n'));
  m_remarkLines->setVisible(!remarks.isEmpty());
}

void BenchResultsWindow::showFiles() {
  delete m_fileLines;
  m_fileLines = new QWidget(this);
  auto* grid = new QGridLayout(m_fileLines);
  grid->setContentsMargins(4, 0, 4, 0);
  grid->setVerticalSpacing(0);
  grid->setColumnStretch(1, 1);
  m_tabStop = m_compare;
  for (int place = 0; place < files(); ++place) addFileLine(place);
  static_cast<QVBoxLayout*>(layout())->insertWidget(2, m_fileLines);
}

void BenchResultsWindow::addFileLine(int place) {
  auto* grid = static_cast<QGridLayout*>(m_fileLines->layout());
  const NamedBenchResults& one = m_all[static_cast<std::size_t>(place)];
  auto* name = new QLabel(windowText(one.name), m_fileLines);
  auto* line = new ElidingLabel(belongsTo(one.results), m_fileLines);
  name->setToolTip(m_files[place]);
  for (QLabel* label : {name, static_cast<QLabel*>(line)}) label->setTextFormat(Qt::PlainText);
  line->setAccessibleName(tr("What %1 belongs to").arg(windowText(one.name)));
  makeBold(name);
  grid->addWidget(name, place, 0);
  grid->addWidget(line, place, 1);
  if (files() < 2) return;
  auto* away = new QToolButton(m_fileLines);
  away->setText(tr("Remove"));
  away->setAutoRaise(true);
  away->setAccessibleName(tr("Remove %1").arg(windowText(one.name)));
  // Later: the button itself goes with the lines.
  connect(
      away, &QToolButton::clicked, this, [this, place] { remove(place); }, Qt::QueuedConnection);
  grid->addWidget(away, place, 2);
  setTabOrder(std::exchange(m_tabStop, away), away);  // not behind what was there before
}

void BenchResultsWindow::applyColours() {
  QPalette dim = palette();
  dim.setColor(QPalette::WindowText, Theme(dim).dimText());
  m_remarks->setPalette(dim);
}

void BenchResultsWindow::changeEvent(QEvent* event) {
  QDialog::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_remarks != nullptr) applyColours();
}

void BenchResultsWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!droppedFiles(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void BenchResultsWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  emit openRequested(droppedFiles(*event->mimeData()));
}

}  // namespace vitrine

#include "moc_bench_results_window.cpp"
