#include "gui/inspect/inspect_tensor.h"

#include <QButtonGroup>
#include <QEvent>
#include <QGridLayout>
#include <QProgressBar>
#include <QSplitter>
#include <algorithm>
#include <limits>

#include "gui/inspect/inspect_words.h"
#include "gui/parts/card.h"
#include "gui/parts/small_parts.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/painting/named_values_model.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/formats.h"
#include "widgets/support/layout_parts.h"
#include "widgets/weights/histogram_view.h"
#include "widgets/weights/packed_group_view.h"

namespace vitrine {

namespace {

constexpr int kProgressHeight = 4;  // pixels
constexpr int kProgressSteps = 100;
constexpr int kLinesForBoth = 33;  // of text: histogram and group below each other

// Of the last of so many, from 0.
int lastOf(std::int64_t count) {
  return static_cast<int>(std::clamp<std::int64_t>(count - 1, 0, std::numeric_limits<int>::max()));
}

}  // namespace

InspectTensor::InspectTensor(Session& session, QWidget* parent)
    : HeadedCard(parent),
      m_histogramModel(new HistogramModel(&session, this)),
      m_groupModel(new PackedGroupModel(&session, this)),
      m_errorModel(new NamedValuesModel(&session, tr("In type"), tr("Lost"), this)),
      m_name(new ElidingLabel(this)),
      m_facts(new ElidingLabel(this)),
      m_choice(new QButtonGroup(this)) {
  makeBold(m_name);
  m_name->setAccessibleName(tr("Tensor"));
  m_facts->setAccessibleName(tr("Type, shape and size of the tensor"));
  for (QLabel* label : {static_cast<QLabel*>(m_name), static_cast<QLabel*>(m_facts)})
    label->setTextFormat(Qt::PlainText);
  head()->addWidget(m_name, 1);
  column()->addWidget(m_facts);
  addPages({tr("Histogram"), tr("A group")}, m_choice);
  connect(m_choice, &QButtonGroup::idClicked, this, [this](int id) { showPage(static_cast<Page>(id)); });
  auto* parts = new QSplitter(Qt::Vertical, this);
  parts->setChildrenCollapsible(false);
  parts->setHandleWidth(kCardGap);
  m_parts = {makeWeights(), makeGroup()};
  for (QWidget* part : m_parts) parts->addWidget(part);
  parts->setStretchFactor(0, 2);
  parts->setStretchFactor(1, 3);
  column()->addWidget(parts, 1);
  clear();
  showPage(Page::kHistogram);
}

QToolButton* InspectTensor::pageButton(Page page) const {
  return static_cast<QToolButton*>(m_choice->button(static_cast<int>(page)));
}

void InspectTensor::showPage(Page page) {
  pageButton(page)->setChecked(true);
  fitPages();
}

void InspectTensor::fitPages() {
  const bool both = height() >= kLinesForBoth * fontMetrics().height();
  for (int page = 0; page < kPages; ++page) {
    m_choice->button(page)->setVisible(!both);
    m_parts[static_cast<std::size_t>(page)]->setVisible(both || page == m_choice->checkedId());
  }
}

void InspectTensor::resizeEvent(QResizeEvent* event) {
  HeadedCard::resizeEvent(event);
  fitPages();
}

void InspectTensor::changeEvent(QEvent* event) {
  HeadedCard::changeEvent(event);
  if (event->type() == QEvent::FontChange && m_parts[0] != nullptr) fitPages();
}

QWidget* InspectTensor::makeWeights() {
  auto* part = new QWidget(this);
  auto* rows = withoutMargins(new QVBoxLayout(part));
  rows->setSpacing(2);
  m_progress = new QProgressBar(part);
  m_progress->setTextVisible(false);
  m_progress->setFixedHeight(kProgressHeight);
  m_progress->setRange(0, kProgressSteps);
  m_progress->setAccessibleName(tr("Reading the weights"));
  QSizePolicy policy = m_progress->sizePolicy();
  policy.setRetainSizeWhenHidden(true);  // nothing jumps when it comes and goes
  m_progress->setSizePolicy(policy);
  m_statistics = new QLabel(part);
  m_statistics->setTextFormat(Qt::PlainText);
  m_statistics->setWordWrap(true);
  m_statistics->setAccessibleName(tr("Statistics of the weights"));
  m_histogram = new HistogramView(m_histogramModel, part);
  addParts(rows, {m_statistics, m_progress, {m_histogram, 1}});
  return part;
}

QWidget* InspectTensor::makeGroup() {
  auto* part = new QWidget(this);
  auto* numbers = new QGridLayout;
  m_row = new QSpinBox(part);
  m_number = new QSpinBox(part);
  m_rowRange = new QLabel(part);
  m_numberRange = new QLabel(part);
  addNumber(m_row, new QLabel(tr("&Row"), part), m_rowRange, tr("Row: the output whose weights are opened"),
            numbers, 0);
  addNumber(m_number, new QLabel(tr("&Group"), part), m_numberRange,
            tr("Group: neighbouring weights of the row that share a scale"), numbers, 4);
  numbers->setColumnMinimumWidth(3, 2 * fontMetrics().averageCharWidth());
  numbers->setColumnStretch(7, 1);
  m_group = new PackedGroupView(m_groupModel, part);
  m_errors = new DataTableView(m_errorModel, {}, part);
  m_errors->setAccessibleName(tr("Error of the group in another type"));
  m_errors->setToolTip(
      tr("The error of these weights when they are packed in another type: the root of the mean square of "
         "the error, over that of the weights. As many neighbours are packed as a block of the type has."));
  auto* views = new QSplitter(Qt::Horizontal, part);
  views->setChildrenCollapsible(false);
  views->addWidget(m_group);
  views->addWidget(m_errors);
  views->setStretchFactor(0, 1);
  views->setSizes({4 * m_group->sizeHint().width(), 19 * fontMetrics().averageCharWidth()});
  m_errors->setMinimumWidth(17 * fontMetrics().averageCharWidth());
  addParts(withoutMargins(new QVBoxLayout(part)), {numbers, {views, 1}});
  return part;
}

void InspectTensor::addNumber(QSpinBox* box, QLabel* label, QLabel* range, const QString& name,
                              QGridLayout* into, int column) {
  box->setGroupSeparatorShown(true);
  box->setAccessibleName(name);
  box->setToolTip(name);
  label->setBuddy(box);
  into->addWidget(label, 0, column);
  into->addWidget(box, 0, column + 1);
  into->addWidget(range, 0, column + 2);
  connect(box, &QSpinBox::valueChanged, this, &InspectTensor::askGroup);
}

void InspectTensor::clear() {
  m_tensor = {};
  m_name->setText(tr("Choose a tensor"));
  m_facts->clear();
  m_statistics->clear();
  m_histogramModel->clear();
  m_groupModel->clear();
  m_errorModel->setValues({});
  endReading();
  for (QSpinBox* box : {m_row, m_number}) box->setEnabled(false);
  for (QLabel* range : {m_rowRange, m_numberRange}) range->clear();
}

void InspectTensor::setTensor(const InspectedTensor& tensor) {
  clear();
  m_tensor = tensor;
  m_name->setText(QString::fromStdString(tensor.name));
  m_facts->setText(tensorTitle(tensor));
  const std::pair<QSpinBox*, int> boxes[] = {{m_row, lastOf(tensor.rows())},
                                             {m_number, lastOf(tensor.groups())}};
  for (const auto& [box, last] : boxes) {
    const QSignalBlocker quiet(box);
    box->setRange(0, last);
    box->setValue(0);
    box->setEnabled(last > 0);
  }
  m_rowRange->setText(tr("of 0 to %1").arg(formatCount(lastOf(tensor.rows()))));
  m_numberRange->setText(tr("of 0 to %1").arg(formatCount(lastOf(tensor.groups()))));
  m_statistics->setText(tr("Reading the weights…"));
  setProgress(0);
  emit weightsWanted(tensor.name);
  askGroup();
}

void InspectTensor::setProgress(double fraction) {
  m_progress->setValue(static_cast<int>(kProgressSteps * fraction));
  m_progress->setVisible(true);
}

void InspectTensor::endReading() {
  m_progress->setVisible(false);
  if (m_histogramModel->rowCount() == 0) m_statistics->clear();
}

void InspectTensor::setWeights(const InspectedWeights& weights) {
  m_histogramModel->setWeights(weights);
  m_statistics->setText(weightsText(weights));
  endReading();
}

bool InspectTensor::isRead() const {
  return m_histogramModel->rowCount() > 0 && m_groupModel->rowCount() > 0;
}

void InspectTensor::askGroup() {
  if (!m_tensor.name.empty()) emit groupWanted(m_tensor.name, m_row->value(), m_number->value());
}

void InspectTensor::setGroup(const InspectedGroup& group) {
  std::vector<NamedValue> errors;
  for (const auto& [type, error] : group.errors)
    errors.push_back({QString::fromStdString(type), formatPercent(error), error});
  m_errorModel->setValues(std::move(errors));
  m_groupModel->setGroup(group);
}

}  // namespace vitrine

#include "moc_inspect_tensor.cpp"
