#include "gui/library/models_list.h"

#include <QComboBox>
#include <QDir>
#include <QKeyEvent>
#include <QMenu>
#include <algorithm>

#include "gui/library/models_table_model.h"
#include "gui/parts/small_parts.h"
#include "gui/settings/kept_columns.h"
#include "gui/settings/kv_share_words.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/formats.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {

namespace {

constexpr int kUsualContext = 4096;  // tokens
constexpr int kWithFamily = 115;     // letters: below that the names need the room
constexpr int kWithProgram = 85;

}  // namespace

ModelsList::ModelsList(Session& session, QWidget* parent)
    : QWidget(parent), m_model(new ModelsTableModel(&session, this)) {
  auto* rows = new QVBoxLayout(this);
  rows->addWidget(makeHead());
  makeTable();
  rows->addWidget(m_table, 1);
  m_reason = namedLabel(tr("Whether the selected model fits"), this);
  m_path = new ElidingLabel(this);
  m_path->setTextFormat(Qt::PlainText);
  m_path->setAccessibleName(tr("Where the selected model lies"));
  addParts(rows, {m_reason, makePool(), m_path, makeFoot()});
  wire();
  estimate();
}

QWidget* ModelsList::makeHead() {
  auto* head = new QWidget(this);
  m_filter =
      findLine(tr("Find: qwen3, Ollama, Q4_K, …"), tr("Find models by name, program, family or type"), head);
  m_context = contextBox(0, head);
  m_context->setSpecialValueText(tr("each model's own"));
  m_context->setValue(kUsualContext);
  m_context->setAccessibleName(tr("Context in tokens"));
  m_context->setToolTip(tr("Tokens of the conversation that memory and speed are computed for"));
  auto* label = labelFor(m_context, tr("At a &context of"), head);
  addParts(withoutMargins(new QHBoxLayout(head)), {{m_filter, 1}, label, m_context});
  return head;
}

void ModelsList::makeTable() {
  m_table =
      new DataTableView(m_model,
                        tr("No models to show. “Get a model” downloads one, and “Folders” adds a folder "
                           "of yours to the search. The built-in model is always there."),
                        this);
  m_table->setAccessibleName(tr("Models on this computer"));
  m_table->setTextElideMode(Qt::ElideMiddle);  // names often differ at their end
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  new KeptColumns(m_table, Settings().modelColumns, ModelsTableModel::columnKeys(), ModelsTableModel::kName,
                  {ModelsTableModel::kFit, Qt::AscendingOrder});
  m_table->installEventFilter(this);
}

// In the order of KvShare.
QWidget* ModelsList::makePool() {
  auto* line = new QWidget(this);
  m_share = new QComboBox(line);
  for (const KvShare share : {KvShare::kQuarter, KvShare::kHalf, KvShare::kMost})
    m_share->addItem(kvShareText(share));
  m_share->setCurrentIndex(static_cast<int>(KvShare::kHalf));
  m_share->setAccessibleName(tr("Part of the free memory for keys and values"));
  m_share->setToolTip(
      tr("Of the memory that a model's weights leave free, the part for the keys and values of all "
         "chats. It counts when a model is opened."));
  auto* label = labelFor(m_share, tr("&KV memory, share of free:"), line);
  m_pool = namedLabel(tr("KV memory of the selected model"), line);
  addParts(withoutMargins(new QHBoxLayout(line)), {label, m_share, {m_pool, 1}});
  connect(m_share, &QComboBox::activated, this, [this](int share) {
    tell();
    emit shareChosen(static_cast<KvShare>(share));
  });
  return line;
}

QWidget* ModelsList::makeFoot() {
  auto* foot = new QWidget(this);
  m_open = plainButton(tr("&Open"), tr("Load the selected model (Enter in the table)"), foot);
  m_inside =
      plainButton(tr("What is &inside…"), tr("Sizes, tensors and weights, without loading the model"), foot);
  m_draft = plainButton({}, {}, foot);
  m_state = new ElidingLabel(foot);
  m_state->setTextFormat(Qt::PlainText);
  m_state->setAccessibleName(tr("The search"));
  m_folders = plainButton(tr("&Folders"), tr("Folders of yours that are searched too"), foot);
  m_folderMenu = new QMenu(m_folders);
  m_folders->setMenu(m_folderMenu);
  m_again = plainButton(tr("&Search again"), tr("Look again at all places"), foot);
  addParts(withoutMargins(new QHBoxLayout(foot)),
           {m_open, m_inside, m_draft, {m_state, 1}, m_folders, m_again});
  setFolders({});
  return foot;
}

void ModelsList::wire() {
  connect(m_filter, &QLineEdit::textChanged, m_model, &ModelsTableModel::setWords);
  connect(m_context, &QSpinBox::valueChanged, this, &ModelsList::estimate);
  connect(m_model, &QAbstractItemModel::modelReset, this, &ModelsList::keepChoice);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid()) m_chosen = m_model->at(now.row()).model.path;
            tell();
          });
  // Not activated(), which is one click on some desktops.
  connect(m_table, &QAbstractItemView::doubleClicked, this, &ModelsList::giveOpen);
  connect(m_open, &QPushButton::clicked, this, &ModelsList::giveOpen);
  connect(m_inside, &QPushButton::clicked, this, [this] {
    if (const auto model = chosen()) emit insideWanted(model->path);
  });
  connect(m_draft, &QPushButton::clicked, this, &ModelsList::giveDraft);
  connect(m_again, &QPushButton::clicked, this, &ModelsList::searchWanted);
}

void ModelsList::clear() { m_model->clear(); }

void ModelsList::add(const FoundModel& model) {
  m_model->add(model);
  if (model.path == m_chosen) keepChoice();
}

void ModelsList::choose(const QString& path) {
  m_chosen = path;
  keepChoice();
}

void ModelsList::chooseFirst() {
  if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0) m_table->selectRow(0);
}

void ModelsList::setMachine(const MachineFigures& machine) {
  m_machine = machine;
  estimate();
}

void ModelsList::setPool(const EngineOptions& options, KvShare share) {
  m_options = options;
  m_share->setCurrentIndex(static_cast<int>(share));
  m_share->setEnabled(leavesPoolOpen(options));
  tell();
}

QString ModelsList::poolWords(const FoundModel& model) const {
  if (!model.opens) return {};
  if (m_options.numBlocks > 0)
    return tr("%1 tokens, as the machine options say.")
        .arg(formatCount(qint64{m_options.numBlocks} * m_options.blockSize));
  if (m_options.kvMemoryBytes > 0)
    return tr("%1, as the machine options say.")
        .arg(dataSizeText(static_cast<qint64>(m_options.kvMemoryBytes)));
  const auto share = static_cast<KvShare>(m_share->currentIndex());
  const KvPool pool = fitKvPool(model, m_options, m_machine.availableBytes, share);
  return tr("%1, %2 tokens for all chats").arg(dataSizeText(pool.bytes), formatCount(pool.tokens));
}

void ModelsList::setFolders(const QStringList& own) {
  m_folderMenu->clear();
  m_folderMenu->addAction(tr("&Add a folder…"), this, &ModelsList::folderWanted);
  if (!own.isEmpty()) m_folderMenu->addSeparator();
  for (const QString& folder : own) {
    QString shown = QDir::toNativeSeparators(folder);
    m_folderMenu->addAction(tr("Forget %1").arg(shown.replace(u'&', QStringLiteral("&&"))), this,
                            [this, folder] { emit folderForgotten(folder); });
  }
}

void ModelsList::showState(const QString& words) { m_state->setText(words); }

std::optional<FoundModel> ModelsList::chosen() const {
  const QModelIndex now = m_table->currentIndex();
  if (!now.isValid()) return std::nullopt;
  return m_model->at(now.row()).model;
}

void ModelsList::estimate() { m_model->estimate(m_context->value(), m_machine); }

// A filter, another order or a search has moved the rows; the model that is looked at is the same. At first
// it is none.
void ModelsList::keepChoice() {
  if (const int row = m_model->rowOf(m_chosen); row >= 0) m_table->selectRow(row);
  tell();
}

void ModelsList::tell() {
  const QModelIndex now = m_table->currentIndex();
  m_open->setEnabled(now.isValid());
  m_inside->setEnabled(now.isValid());
  m_draft->setEnabled(now.isValid());
  m_draft->setText(isDrafting() ? tr("Stop &drafting") : tr("Use as &draft"));
  m_draft->setToolTip(isDrafting() ? tr("The open model answers alone again")
                                   : tr("Loads the selected model beside the open one. It proposes tokens, "
                                        "which the open one checks: the same answers in fewer steps."));
  m_path->setText(now.isValid() ? QDir::toNativeSeparators(m_model->at(now.row()).model.path) : QString());
  m_pool->setText(now.isValid() ? poolWords(m_model->at(now.row()).model) : QString());
  if (!now.isValid()) return m_reason->setText(tr("Select a model to see its needs."));
  const ModelsTableModel::Row& row = m_model->at(now.row());
  QString words = tr("%1: %2").arg(fitText(row.estimate.fit), row.estimate.reason);
  if (row.estimate.tokensPerSecond > 0)
    words += u' ' +
             tr("At most %1, and %2 when the context is full.")
                 .arg(formatRate(row.estimate.tokensPerSecond), formatRate(row.estimate.tokensPerSecondFull));
  else if (row.model.opens)
    words += u' ' + tr("Its speed follows once a model is open and the machine is measured.");
  m_reason->setText(words);
}

void ModelsList::giveOpen() {
  if (const auto model = chosen()) emit openWanted(*model);
}

bool ModelsList::isDrafting() const {
  const auto model = chosen();
  return model && model->path == m_drafting;
}

void ModelsList::giveDraft() {
  if (isDrafting())
    emit draftUnwanted();
  else if (const auto model = chosen())
    emit draftWanted(*model);
}

void ModelsList::setDraft(const QString& path) {
  m_drafting = path;
  tell();
}

bool ModelsList::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_table && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      giveOpen();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void ModelsList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int letters = width() / std::max(fontMetrics().averageCharWidth(), 1);
  for (const int column : {ModelsTableModel::kFamily, ModelsTableModel::kContext})
    m_table->setColumnHidden(column, letters < kWithFamily);
  for (const int column : {ModelsTableModel::kProgram, ModelsTableModel::kType})
    m_table->setColumnHidden(column, letters < kWithProgram);
}

}  // namespace vitrine

#include "moc_models_list.cpp"
