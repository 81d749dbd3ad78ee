#include "gui/inspect/inspect_summary.h"

#include <QGridLayout>

#include "gui/inspect/inspect_words.h"
#include "gui/parts/lines_area.h"
#include "gui/parts/small_parts.h"
#include "widgets/support/layout_parts.h"
#include "widgets/weights/type_shares_bar.h"

namespace vitrine {

InspectSummary::InspectSummary(QWidget* parent)
    : QWidget(parent),
      m_facts(namedLabel(tr("The model"), nullptr)),
      m_memory(namedLabel(tr("Memory at this context"), this)),
      m_speed(namedLabel(tr("Speed at this context"), this)),
      m_factLines(new LinesArea(m_facts, this)),
      m_types(new TypeSharesBar(this)),
      m_context(contextBox(1, this)) {
  m_facts->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_facts->installEventFilter(m_factLines);
  m_factLines->setAccessibleName(tr("The model, to scroll"));
  m_context->setAccessibleName(tr("Context in tokens"));
  auto* figures = new QGridLayout;
  figures->setColumnStretch(2, 1);
  figures->setVerticalSpacing(0);
  figures->addWidget(labelFor(m_context, tr("&Context"), this), 0, 0, 2, 1);
  figures->addWidget(m_context, 0, 1, 2, 1);
  figures->addWidget(m_memory, 0, 2);
  figures->addWidget(m_speed, 1, 2);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(4, 0, 4, 0);
  addParts(rows, {m_factLines, m_types, figures});
  connect(m_context, &QSpinBox::valueChanged, this, &InspectSummary::tell);
  setVisible(false);
}

void InspectSummary::setModel(const InspectedModel& model) {
  m_types->setShares(typeShares(model));
  m_facts->setText(modelFacts(model).join(QStringLiteral(" · ")));
  m_model = model;
  m_model->tensors.clear();
  m_model->keys.clear();
  m_context->setValue(std::max(model.contextLength, 1));
  tell();
  setVisible(true);
}

void InspectSummary::setRoof(const MachineRoof& roof) {
  m_roof = roof;
  tell();
}

void InspectSummary::tell() {
  if (!m_model) return;
  m_memory->setText(memoryText(*m_model, m_context->value()));
  m_speed->setText(m_roof ? speedText(*m_model, m_context->value(), *m_roof)
                          : tr("The speed follows once a model is open and its machine is measured."));
}

}  // namespace vitrine

#include "moc_inspect_summary.cpp"
