#include "gui/runs/breakpoints_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>

#include "vitrine/prose/breakpoint_words.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/window_language.h"

namespace vitrine {
namespace {

bool takesValue(BreakKind kind) {
  return kind == BreakKind::kToken || kind == BreakKind::kEntropy || kind == BreakKind::kStep ||
         kind == BreakKind::kEvent;
}

}  // namespace

BreakpointsDialog::BreakpointsDialog(RunTo& runTo, QWidget* parent)
    : QDialog(parent),
      m_runTo(runTo),
      m_list(new QListView(this)),
      m_kind(new QComboBox(this)),
      m_request(new QComboBox(this)),
      m_value(new QLineEdit(this)),
      m_fault(new QLabel(this)),
      m_remove(new QPushButton(tr("&Remove"), this)),
      m_inside(new QCheckBox(tr("Stop &inside the step, before its next phase"), this)) {
  setWindowTitle(tr("Breakpoints"));
  m_list->setModel(&runTo.list());
  m_list->setAccessibleName(tr("Breakpoints"));
  m_fault->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  addParts(new QVBoxLayout(this),
           {new QLabel(tr("A run stops at the end of the step in which one of these happens."), this),
            {m_list, 1},
            {m_remove, 0, Qt::AlignRight},
            makeForm(),
            m_fault,
            m_inside,
            buttons});
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_remove, &QPushButton::clicked, this, &BreakpointsDialog::removeCurrent);
  connect(m_inside, &QCheckBox::toggled, this, &BreakpointsDialog::stopsInsideChosen);
  connect(m_kind, &QComboBox::currentIndexChanged, this, &BreakpointsDialog::onKind);
  onKind();
}

QWidget* BreakpointsDialog::makeForm() {
  for (int i = 0; i < kBreakKindCount; ++i) {
    const auto words = prose::wordsOf(static_cast<BreakKind>(i), windowLanguage());
    m_kind->addItem(QString::fromStdString(words.title));
    m_kind->setItemData(i, QString::fromStdString(words.help), Qt::ToolTipRole);
  }
  m_kind->setCurrentIndex(static_cast<int>(BreakKind::kPreemption));
  m_kind->setAccessibleName(tr("Kind of event that stops the run"));
  m_value->setAccessibleName(tr("Value"));
  m_request->setAccessibleName(tr("Request"));
  auto* addButton = new QPushButton(tr("&Add"), this);
  addButton->setAutoDefault(true);
  connect(addButton, &QPushButton::clicked, this, &BreakpointsDialog::add);
  auto* form = new QWidget(this);
  addParts(withoutMargins(new QHBoxLayout(form)), {m_kind, {m_value, 1}, m_request, addButton});
  return form;
}

void BreakpointsDialog::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  fillRequests();
}

void BreakpointsDialog::fillRequests() {
  const Session& session = m_runTo.session();
  m_request->clear();
  m_request->addItem(tr("any request"), 0);
  for (const auto& [id, request] : session.state().requests)
    m_request->addItem(tr("%1 (%2)").arg(QString::fromStdString(session.proseNames().request(id)),
                                         QString::fromStdString(request.name)),
                       id);
}

void BreakpointsDialog::onKind() {
  const auto kind = static_cast<BreakKind>(m_kind->currentIndex());
  m_value->setEnabled(takesValue(kind));
  m_request->setEnabled(kind != BreakKind::kStep);
  m_value->setPlaceholderText(kind == BreakKind::kToken     ? tr("a text, or #273")
                              : kind == BreakKind::kEntropy ? tr("bits, such as 3.5")
                              : kind == BreakKind::kStep    ? tr("a step")
                              : kind == BreakKind::kEvent   ? tr("a name, such as block_freed")
                                                            : tr("no value"));
  m_fault->clear();
}

// The fields make the text that the command line reads, so both say the same when it is wrong.
void BreakpointsDialog::add() {
  const auto kind = static_cast<BreakKind>(m_kind->currentIndex());
  const int request = m_request->currentData().toInt();
  std::string text = nameOf(kind);
  if (takesValue(kind)) text += "=" + m_value->text().toStdString();
  if (kind == BreakKind::kRequest && request == 0)
    return m_fault->setText(tr("Choose a request on the right."));
  if (kind == BreakKind::kRequest) text += "=#" + std::to_string(request);
  try {
    Breakpoint one = breakpointFromText(text);
    if (kind != BreakKind::kStep) one.request = request;
    m_fault->setText(m_runTo.list().add(one) ? QString() : tr("This breakpoint is there already."));
  } catch (const EngineError& error) {
    m_fault->setText(
        QStringLiteral("%1; %2").arg(QString::fromUtf8(error.what()), QString::fromStdString(error.hint())));
  }
}

void BreakpointsDialog::removeCurrent() { m_runTo.list().remove(m_list->currentIndex().row()); }

}  // namespace vitrine

#include "moc_breakpoints_dialog.cpp"
