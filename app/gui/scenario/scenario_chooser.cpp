#include "gui/scenario/scenario_chooser.h"

#include <QDialogButtonBox>
#include <QListView>

#include "gui/parts/first_size.h"
#include "gui/parts/small_parts.h"
#include "gui/scenario/scenario_list.h"
#include "gui/settings/settings.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {
namespace {

constexpr QSize kChooserRoomy(760, 600);
constexpr int kAboutLines = 3;

}  // namespace

ScenarioChooser::ScenarioChooser(const QString& present, QWidget* parent)
    : QDialog(parent), m_list(new QListView(this)), m_about(namedLabel(tr("What it shows"), this)) {
  setWindowTitle(tr("Choose a scenario"));
  auto* scenarios = new ScenarioList(Settings().recentScenarios(), this);
  m_list->setModel(scenarios);
  m_list->setItemDelegate(new ScenarioDelegate(m_list));
  m_list->setAccessibleName(tr("Scenarios"));
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_about->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  m_about->setMinimumHeight(kAboutLines * fontMetrics().lineSpacing());
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
  m_open = buttons->button(QDialogButtonBox::Open);
  addParts(new QVBoxLayout(this), {{m_list, 1}, m_about, buttons});
  connect(buttons, &QDialogButtonBox::accepted, this, &ScenarioChooser::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_list, &QListView::doubleClicked, this, &ScenarioChooser::accept);
  connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &ScenarioChooser::showAbout);
  m_open->setDefault(true);
  if (const int row = scenarios->rowOf(present); row >= 0) m_list->setCurrentIndex(scenarios->index(row));
  showAbout();
  m_list->setFocus();
  openInside(this, kChooserRoomy);
}

QString ScenarioChooser::name() const {
  const QModelIndex now = m_list->currentIndex();
  if (!now.isValid()) return {};
  return static_cast<const ScenarioList*>(m_list->model())->row(now.row()).key;
}

void ScenarioChooser::showAbout() {
  m_about->setText(m_list->currentIndex().data(Qt::ToolTipRole).toString());
  m_open->setEnabled(!name().isEmpty());
}

void ScenarioChooser::accept() {
  const QString chosenName = name();
  if (chosenName.isEmpty()) return;
  QDialog::accept();
  emit chosen(chosenName);
}

}  // namespace vitrine

#include "moc_scenario_chooser.cpp"
