#include "gui/inspect/inspect_list.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QFontDatabase>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <algorithm>

#include "gui/parts/small_parts.h"
#include "vitrine/inspected_figures.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/painting/named_values_model.h"
#include "widgets/support/formats.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"
#include "widgets/weights/tensor_table_model.h"

namespace vitrine {

namespace {

constexpr int kWithShapes = 50;             // letters: below that the names need the room
constexpr std::size_t kLongestValue = 400;  // of a key, in a cell; copies have all of it

}  // namespace

InspectList::InspectList(Session& session, QWidget* parent)
    : HeadedCard(parent),
      m_tensorModel(new TensorTableModel(&session, this)),
      m_keyModel(new NamedValuesModel(&session, tr("Key"), tr("Value"), this)),
      m_choice(new QButtonGroup(this)),
      m_pages(new QStackedWidget(this)) {
  addPages({tr("Tensors"), tr("Keys"), tr("Chat template")}, m_choice);
  head()->addStretch(1);
  m_count = new QLabel(this);
  m_count->setAccessibleName(tr("Tensors shown"));
  head()->addWidget(m_count);
  m_pages->addWidget(makeTensors());
  m_keys = new DataTableView(m_keyModel,
                             tr("Only a GGUF file has keys. A folder says the same in config.json."), this);
  m_keys->setAccessibleName(tr("Keys of the file"));
  m_pages->addWidget(m_keys);
  m_template = new QPlainTextEdit(this);
  m_template->setReadOnly(true);
  m_template->setTabChangesFocus(true);
  m_template->setFrameShape(QFrame::NoFrame);
  m_template->setAccessibleName(tr("Chat template"));
  m_template->setPlaceholderText(tr("This model has no chat template."));
  m_pages->addWidget(m_template);
  column()->addWidget(m_pages, 1);
  connect(m_choice, &QButtonGroup::idClicked, this, [this](int id) { showPage(static_cast<Page>(id)); });
  applyFont();
  showPage(Page::kTensors);
}

QWidget* InspectList::makeTensors() {
  auto* page = new QWidget(this);
  m_filter = findLine(tr("Find: attn_q, Q4_K, …"), tr("Find tensors by name or type"), page);
  m_layers = new QComboBox(page);
  m_layers->setAccessibleName(tr("Layer"));
  m_layers->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_tensors = new DataTableView(m_tensorModel, tr("No tensors to show."), page);
  m_tensors->setAccessibleName(tr("Tensors"));
  m_tensors->setTextElideMode(Qt::ElideMiddle);  // what differs stands at the end
  m_tensors->setSelectionMode(QAbstractItemView::SingleSelection);
  QHeaderView* header = m_tensors->horizontalHeader();
  header->setStretchLastSection(false);
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  header->setSectionResizeMode(TensorTableModel::kName, QHeaderView::Stretch);
  header->setSortIndicatorClearable(true);
  header->setSortIndicator(-1, Qt::AscendingOrder);
  header->setSectionsClickable(true);
  m_tensors->setSortingEnabled(true);
  auto* row = addParts(new QHBoxLayout, {{m_filter, 1}, m_layers});
  addParts(withoutMargins(new QVBoxLayout(page)), {row, {m_tensors, 1}});
  connect(m_filter, &QLineEdit::textChanged, m_tensorModel, &TensorTableModel::setWords);
  connect(m_layers, &QComboBox::currentIndexChanged, this,
          [this] { m_tensorModel->setLayer(m_layers->currentData().toInt()); });
  connect(m_tensorModel, &QAbstractItemModel::modelReset, this, &InspectList::keepChoice);
  connect(m_tensors->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) { onCurrent(now.row()); });
  return page;
}

QToolButton* InspectList::pageButton(Page page) const {
  return static_cast<QToolButton*>(m_choice->button(static_cast<int>(page)));
}

void InspectList::showPage(Page page) {
  pageButton(page)->setChecked(true);
  m_pages->setCurrentIndex(static_cast<int>(page));
  m_count->setVisible(page == Page::kTensors);
}

void InspectList::setModel(const InspectedModel& model) {
  {
    const QSignalBlocker quietFilter(m_filter), quietHeader(m_tensors->horizontalHeader());
    m_filter->clear();
    m_tensors->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  }
  m_chosen.clear();
  m_tensorModel->sort(-1);
  m_tensorModel->setTensors(model.tensors);
  fillLayers();
  std::vector<NamedValue> keys;
  for (const auto& [name, value] : model.keys)
    keys.push_back({QString::fromStdString(name),
                    QString::fromStdString(value.substr(0, kLongestValue)).simplified(),
                    QString::fromStdString(value)});
  m_keyModel->setValues(std::move(keys));
  m_template->setPlainText(QString::fromStdString(model.chatTemplate));
  const auto first = std::ranges::find_if(model.tensors, [](const InspectedTensor& tensor) {
    return layerOf(tensor.name) == 0 && tensor.shape.size() == 2;
  });
  if (first != model.tensors.end()) choose(first->name);
}

void InspectList::fillLayers() {
  const QSignalBlocker quiet(m_layers);
  m_layers->clear();
  m_layers->addItem(tr("all layers"), TensorTableModel::kAllLayers);
  m_layers->addItem(tr("outside of layers"), TensorTableModel::kNoLayer);
  for (int layer = 0; layer < m_tensorModel->layers(); ++layer)
    m_layers->addItem(tr("layer %1").arg(layer), layer);
}

void InspectList::choose(const std::string& tensor) {
  if (const int row = m_tensorModel->rowOf(tensor); row >= 0) m_tensors->selectRow(row);
}

// A filter or another order has moved the rows; the tensor that is looked at is the same.
void InspectList::keepChoice() {
  countShown();
  if (const int row = m_tensorModel->rowOf(m_chosen); row >= 0) m_tensors->selectRow(row);
}

void InspectList::onCurrent(int row) {
  if (row < 0 || m_tensorModel->at(row).name == m_chosen) return;
  m_chosen = m_tensorModel->at(row).name;
  emit tensorChosen(m_tensorModel->at(row));
}

void InspectList::countShown() {
  const int shown = m_tensorModel->rowCount(), all = m_tensorModel->tensors();
  m_count->setText(shown == all ? formatCount(all)
                                : tr("%1 of %2").arg(formatCount(shown), formatCount(all)));
}

// Letters of one width, for a template's indentation.
void InspectList::applyFont() {
  QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  fixed.setPointSizeF(readable(font()).pointSizeF());
  m_template->setFont(fixed);
}

void InspectList::resizeEvent(QResizeEvent* event) {
  HeadedCard::resizeEvent(event);
  m_tensors->setColumnHidden(TensorTableModel::kShape,
                             width() < kWithShapes * fontMetrics().averageCharWidth());
}

void InspectList::changeEvent(QEvent* event) {
  HeadedCard::changeEvent(event);
  if (event->type() == QEvent::FontChange && m_template != nullptr) applyFont();
}

}  // namespace vitrine

#include "moc_inspect_list.cpp"
