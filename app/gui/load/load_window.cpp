#include "gui/load/load_window.h"

#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/load/load_model.h"
#include "gui/load/load_plots.h"
#include "gui/parts/card.h"
#include "gui/parts/first_size.h"
#include "gui/parts/focus_ring.h"
#include "gui/parts/headed_card.h"
#include "gui/parts/server_fields.h"
#include "gui/parts/small_parts.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/spoken_label.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr QSize kLoadRoomy(1180, 760);
constexpr int kLeastServerLines = 5, kUsualServerLines = 10;  // of the table, with its headings
constexpr int kMostColumnLetters = 36;

}  // namespace

LoadWindow::LoadWindow(const Stored<QStringList>& kept, QWidget* parent)
    : QDialog((speakLabelsWhole(), parent), Qt::Window),  // before there is a label
      m_kept(kept),
      m_watcher(new LoadWatcher(this)),
      m_model(new LoadModel(&m_session, *m_watcher, this)) {
  setWindowTitle(tr("Load of servers"));
  setFont(readable(font()));
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(kCardGap, kCardGap, kCardGap, kCardGap);
  rows->setSpacing(kCardGap);
  QWidget* const head = makeHead();
  m_problem = namedLabel(tr("Problem with the address"), this);
  addParts(rows, {head, m_problem, {makeMiddle(), 1}});
  openRoomy(this, kLoadRoomy);
  setMinimumSize(kLeastWindow);
  new FocusRing(this);
  connect(m_model, &LoadModel::refreshed, this, &LoadWindow::follow);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &LoadWindow::follow);
  for (const QString& text : m_kept())
    if (const auto server = apiAddress(text, {})) m_watcher->add(*server);
  say({});
  follow();
  m_address->setFocus();
}

QWidget* LoadWindow::makeHead() {
  auto* head = new QWidget(this);
  m_address = ServerFields::address({}, head);
  m_key = ServerFields::key(head);
  m_add = plainButton(tr("A&dd"), tr("Show the load of this server beside the others (Enter)"), head);
  auto* const row = withoutMargins(new QHBoxLayout(head));
  addParts(row, {labelFor(m_address, tr("&Address"), head),
                 {m_address, 2},
                 labelFor(m_key, tr("&Key"), head),
                 {m_key, 1},
                 m_add});
  connect(m_add, &QPushButton::clicked, this, &LoadWindow::addTyped);
  for (const QLineEdit* line : {m_address, m_key}) {
    connect(line, &QLineEdit::returnPressed, this, &LoadWindow::addTyped);
    connect(line, &QLineEdit::textEdited, this, [this] { say({}); });
  }
  return head;
}

QWidget* LoadWindow::makeMiddle() {
  auto* middle = new QSplitter(Qt::Vertical, this);
  middle->setChildrenCollapsible(false);
  middle->setHandleWidth(kCardGap);
  auto* const servers = new TitledCard(tr("Servers"), this);
  makeTable();
  m_selected = namedLabel(tr("The selected server"), servers);
  m_remove =
      plainButton(tr("&Remove"), tr("Show the selected server no longer (Delete in the table)"), servers);
  connect(m_remove, &QPushButton::clicked, this, &LoadWindow::removeSelected);
  addParts(servers->column(),
           {{m_table, 1}, addParts(new QHBoxLayout, {{m_selected, 1}, {m_remove, 0, Qt::AlignTop}})});
  auto* const plots = new TitledCard(tr("The last ten minutes"), this);
  m_plots = new LoadPlots(*m_watcher, plots);
  plots->column()->addWidget(m_plots, 1);
  m_plotsCard = plots;
  middle->addWidget(servers);
  middle->addWidget(plots);
  middle->setStretchFactor(0, 0);
  middle->setStretchFactor(1, 1);
  const int usual = (kUsualServerLines + 4) * fontMetrics().lineSpacing();
  middle->setSizes({usual, kLoadRoomy.height() - usual});
  return middle;
}

void LoadWindow::makeTable() {
  m_table = new DataTableView(m_model,
                              tr("Add the address of a vLLM, SGLang, llama.cpp or Vitrine server. Several "
                                 "replicas behind a router stand side by side."),
                              this);
  m_table->setAccessibleName(tr("Servers and their load"));
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setTextElideMode(Qt::ElideMiddle);  // names of replicas often differ at their end
  m_table->setMinimumHeight(kLeastServerLines * fontMetrics().lineSpacing());
  m_table->leaveColumns();
  auto* const away = new QAction(tr("&Remove"), m_table);
  away->setShortcut(Qt::Key_Delete);
  away->setShortcutContext(Qt::WidgetShortcut);
  m_table->addAction(away);
  connect(away, &QAction::triggered, this, &LoadWindow::removeSelected);
}

int LoadWindow::row() const {
  const QModelIndex current = m_table->currentIndex();
  return current.isValid() && current.row() < m_watcher->count() ? current.row() : -1;
}

bool LoadWindow::add(const ApiAddress& server) {
  const int added = m_watcher->add(server);
  if (added < 0) {
    say(tr("%1 servers stand side by side here at most. Remove one first.").arg(LoadWatcher::kMostServers));
    return false;
  }
  keep();
  if (added < m_model->rowCount()) m_table->selectRow(added);  // a hidden table has its rows later
  return true;
}

void LoadWindow::addTyped() {
  const auto server = apiAddress(m_address->text(), m_key->text());
  if (!server) return say(tr("This is no address of a server."));
  if (!add(*server)) return;
  say({});
  for (QLineEdit* line : {m_address, m_key}) line->clear();
  m_address->setFocus();
}

void LoadWindow::removeSelected() {
  if (row() < 0) return;
  m_watcher->remove(row());
  keep();
  say({});
}

void LoadWindow::keep() const {
  QStringList addresses;
  for (const ApiAddress& server : m_watcher->servers()) addresses << server.text();
  m_kept.set(addresses);
}

void LoadWindow::say(const QString& problem) {
  m_problem->setText(problem);
  m_problem->setVisible(!problem.isEmpty());
}

QString LoadWindow::problem() const { return m_problem->text(); }
QString LoadWindow::selected() const { return m_selected->text(); }

void LoadWindow::follow() {
  const int shown = row() < m_model->rowCount() ? row() : -1;
  QString words;
  if (shown >= 0) words = tr("%1: %2").arg(m_model->at(shown).server, m_model->at(shown).state);
  if (m_selected->text() != words) m_selected->setText(words);
  m_remove->setEnabled(shown >= 0);
  m_plots->setCurrent(shown);
  m_plotsCard->setVisible(m_watcher->count() > 0);
  fitColumns();
}

// Wider with what they show, and never narrower: columns must not move while they are read. The last one
// gets the rest.
void LoadWindow::fitColumns() {
  if (!m_table->isVisible()) return;
  const QAbstractItemView& view = *m_table;  // has the hint in public
  const int most =
      std::min(kMostColumnLetters * fontMetrics().averageCharWidth(), m_table->viewport()->width() * 2 / 5);
  m_fitted.resize(static_cast<std::size_t>(LoadModel::kState), 0);
  for (int column = 0; column < LoadModel::kState; ++column) {
    const int heading = m_table->horizontalHeader()->sectionSizeHint(column);
    const int wanted = std::min(std::max(view.sizeHintForColumn(column), heading) + 12, most);
    int& fitted = m_fitted[static_cast<std::size_t>(column)];
    if (wanted <= fitted) continue;
    fitted = wanted;
    m_table->setColumnWidth(column, wanted);
  }
}

void LoadWindow::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  m_watcher->setWatching(true);
  follow();
}

void LoadWindow::hideEvent(QHideEvent* event) {
  QDialog::hideEvent(event);
  m_watcher->setWatching(false);
}

// Letters of another size need other widths.
void LoadWindow::changeEvent(QEvent* event) {
  QDialog::changeEvent(event);
  if (event->type() == QEvent::FontChange) m_fitted.clear();
}

}  // namespace vitrine

#include "moc_load_window.cpp"
