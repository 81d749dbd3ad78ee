#include "gui/inspect/inspect_window.h"

#include <QDragEnterEvent>
#include <QMenu>
#include <QSplitter>

#include "catalog/model_name.h"
#include "gui/inspect/inspect_list.h"
#include "gui/inspect/inspect_summary.h"
#include "gui/inspect/inspect_tensor.h"
#include "gui/inspect/inspect_words.h"
#include "gui/parts/card.h"
#include "gui/parts/file_drop.h"
#include "gui/parts/first_size.h"
#include "gui/parts/focus_ring.h"
#include "gui/parts/message_bar.h"
#include "gui/parts/small_parts.h"
#include "vitrine/engine.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/formats.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr QSize kInspectRoomy(1180, 780);

}  // namespace

InspectWindow::InspectWindow(QWidget* parent)
    : QDialog(parent, Qt::Window),
      m_inspector(new ModelInspector(this)),
      m_messages(new MessageBar(this)),
      m_name(new ElidingLabel(this)),
      m_other(plainButton(tr("&Open another"),
                          tr("Look into a model that need not be loaded, or drop its file or folder here"),
                          this)),
      m_summary(new InspectSummary(this)),
      m_list(new InspectList(m_session, this)),
      m_tensor(new InspectTensor(m_session, this)) {
  setFont(readable(font()));
  setAttribute(Qt::WA_DeleteOnClose);
  setAcceptDrops(true);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(kCardGap, kCardGap, kCardGap, kCardGap);
  rows->setSpacing(kCardGap);
  addParts(rows, {m_messages, makeHead(), m_summary, {makeMiddle(), 1}});
  openRoomy(this, kInspectRoomy);
  setMinimumSize(kLeastWindow);
  new FocusRing(this);
  wire();
  showTitle();
  m_list->tensors()->setFocus();
}

QWidget* InspectWindow::makeHead() {
  auto* head = new QWidget(this);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(4, 0, 4, 0);
  makeBold(m_name);
  m_name->setTextFormat(Qt::PlainText);
  m_name->setAccessibleName(tr("Model"));
  auto* menu = new QMenu(m_other);
  menu->addAction(tr("A model &file (GGUF)…"), this, &InspectWindow::fileWanted);
  menu->addAction(tr("A model f&older…"), this, &InspectWindow::folderWanted);
  m_other->setMenu(menu);
  addParts(row, {{m_name, 1}, m_other});
  return head;
}

QWidget* InspectWindow::makeMiddle() {
  auto* middle = new QSplitter(Qt::Horizontal, this);
  middle->setChildrenCollapsible(false);
  middle->setHandleWidth(kCardGap);
  middle->addWidget(m_list);
  middle->addWidget(m_tensor);
  middle->setStretchFactor(0, 1);
  middle->setStretchFactor(1, 1);
  middle->setSizes({kInspectRoomy.width() / 2, kInspectRoomy.width() / 2});
  return middle;
}

void InspectWindow::wire() {
  connect(m_inspector, &ModelInspector::modelKnown, this, &InspectWindow::onModel);
  connect(m_inspector, &ModelInspector::weightsKnown, m_tensor, &InspectTensor::setWeights);
  connect(m_inspector, &ModelInspector::groupKnown, m_tensor, &InspectTensor::setGroup);
  connect(m_inspector, &ModelInspector::progressed, m_tensor, &InspectTensor::setProgress);
  connect(m_inspector, &ModelInspector::failed, this, &InspectWindow::onFailed);
  connect(m_list, &InspectList::tensorChosen, this, [this](const InspectedTensor& tensor) {
    m_messages->end(MessageCause::kTensor);
    m_tensor->setTensor(tensor);
  });
  connect(m_tensor, &InspectTensor::weightsWanted, this,
          [this](const std::string& tensor) { m_inspector->readWeights(m_model, tensor); });
  connect(m_tensor, &InspectTensor::groupWanted, this,
          [this](const std::string& tensor, std::int64_t row, std::int64_t group) {
            m_inspector->readGroup(m_model, tensor, row, group);
          });
}

void InspectWindow::look(const QString& model) {
  for (const MessageCause cause : {MessageCause::kOpening, MessageCause::kTensor}) m_messages->end(cause);
  if (model.isEmpty())
    m_messages->say(MessageCause::kOpening,
                    Notice::note(tr("No model is open."),
                                 tr("Choose a file or a folder with “Open another”, or drop it here.")));
  else
    m_inspector->readModel(model);
  showTitle();
  if (m_inspector->isReading(ModelInspector::Kind::kModel))
    m_name->setText(tr("Reading %1…").arg(modelName(model)));
}

void InspectWindow::setRoof(const MachineRoof& roof) { m_summary->setRoof(roof); }

void InspectWindow::onModel(const QString& path, const InspectedModel& model) {
  m_model = path;
  m_modelName = windowText(model.name);
  m_title = modelTitle(model);
  showTitle();
  m_tensor->clear();
  m_summary->setModel(model);
  m_list->setModel(model);
}

void InspectWindow::onFailed(ModelInspector::Kind kind, const Notice& notice) {
  if (kind == ModelInspector::Kind::kWeights) m_tensor->endReading();
  showTitle();
  const bool opening = kind == ModelInspector::Kind::kModel;
  m_messages->say(opening ? MessageCause::kOpening : MessageCause::kTensor, notice);
}

void InspectWindow::showTitle() {
  setWindowTitle(m_model.isEmpty() ? tr("What is inside a model") : tr("What is inside %1").arg(m_modelName));
  m_name->setText(m_model.isEmpty() ? tr("What is inside a model") : m_title);
}

void InspectWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (droppedFiles(*event->mimeData()).size() == 1) event->acceptProposedAction();
}

void InspectWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  look(droppedFiles(*event->mimeData()).front());
}

}  // namespace vitrine

#include "moc_inspect_window.cpp"
