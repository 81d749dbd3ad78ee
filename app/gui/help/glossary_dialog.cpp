#include "gui/help/glossary_dialog.h"

#include <QDialogButtonBox>
#include <QListWidget>

#include "gui/parts/small_parts.h"
#include "widgets/support/glossary_tips.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

GlossaryDialog::GlossaryDialog(QWidget* parent)
    : QDialog(parent),
      m_filter(findLine(tr("Find a term"), tr("Find a term"), this)),
      m_list(new QListWidget(this)) {
  setWindowTitle(tr("Glossary"));
  setFont(readable(font()));
  m_list->setAccessibleName(tr("Terms"));
  for (const prose::Term& term : windowGlossary()) m_list->addItem(QString::fromStdString(term.name));
  auto* left = addParts(new QVBoxLayout, {m_filter, {m_list, 1}});
  auto* columns = addParts(new QHBoxLayout, {{left, 2}, {makeExplanation(), 3}});
  auto* close = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(close, &QDialogButtonBox::rejected, this, &QDialog::close);
  addParts(new QVBoxLayout(this), {{columns, 1}, close});
  connect(m_filter, &QLineEdit::textChanged, this, &GlossaryDialog::narrow);
  connect(m_list, &QListWidget::currentRowChanged, this, &GlossaryDialog::explain);
  resize(40 * fontMetrics().averageCharWidth() * 2, 22 * fontMetrics().lineSpacing());
  m_list->setCurrentRow(0);
  m_filter->setFocus();
}

QWidget* GlossaryDialog::makeExplanation() {
  auto* page = new QWidget(this);
  m_name = new QLabel(page);
  makeBold(m_name);
  m_meaning = wrappedLabel({}, page);
  m_meaning->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_paper = new QLabel(page);
  m_paper->setOpenExternalLinks(true);
  m_paper->setWordWrap(true);
  m_scenario = plainButton(tr("Open a scenario that shows it"), {}, page);
  connect(m_scenario, &QPushButton::clicked, this, [this] {
    const std::string& name = windowGlossary()[static_cast<std::size_t>(m_list->currentRow())].scenario;
    emit scenarioRequested(QString::fromStdString(name));
  });
  auto* rows = addParts(new QVBoxLayout(page), {m_name, m_meaning, m_paper});
  rows->addStretch(1);
  rows->addWidget(m_scenario, 0, Qt::AlignLeft);
  return page;
}

// The meanings count, too: "queue" finds head-of-line blocking.
void GlossaryDialog::narrow(const QString& words) {
  int first = -1;
  for (int row = 0; row < m_list->count(); ++row) {
    const prose::Term& term = windowGlossary()[static_cast<std::size_t>(row)];
    const QString text = QString::fromStdString(term.name + ' ' + term.meaning);
    const bool fits = text.contains(words, Qt::CaseInsensitive);
    m_list->item(row)->setHidden(!fits);
    if (fits && first < 0) first = row;
  }
  if (m_list->currentRow() < 0 || m_list->currentItem()->isHidden()) m_list->setCurrentRow(first);
}

void GlossaryDialog::explain(int row) {
  const prose::Term term = row < 0 ? prose::Term() : windowGlossary()[static_cast<std::size_t>(row)];
  m_name->setText(QString::fromStdString(term.name));
  m_meaning->setText(row < 0 ? tr("No term has these words.") : QString::fromStdString(term.meaning));
  const QString paper = QString::fromStdString(term.paper).toHtmlEscaped();
  m_paper->setText(QStringLiteral("<a href=\"%1\">%2</a>").arg(QString::fromStdString(term.link), paper));
  m_paper->setVisible(!term.paper.empty());
  m_scenario->setVisible(!term.scenario.empty());
}

void GlossaryDialog::choose(const prose::Term& term) {
  m_filter->clear();
  m_list->setCurrentRow(static_cast<int>(&term - windowGlossary().data()));
}

QString GlossaryDialog::explanation() const { return m_meaning->text(); }

}  // namespace vitrine

#include "moc_glossary_dialog.cpp"
