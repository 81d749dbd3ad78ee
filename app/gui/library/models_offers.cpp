#include "gui/library/models_offers.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>
#include <QTreeWidget>

#include "catalog/hub_shelf.h"
#include "gui/library/models_table_model.h"
#include "gui/parts/small_parts.h"
#include "widgets/support/formats.h"
#include "widgets/support/layout_parts.h"

namespace vitrine {

namespace {

constexpr int kPauseMs = 500;
constexpr int kMostLetters = 200;
enum OfferColumn { kModel, kParameters, kFamily, kDownloads, kHere };

QString billionsText(qint64 parameters) {
  if (parameters <= 0) return {};
  const double billions = static_cast<double>(parameters) / 1e9;
  return ModelsOffers::tr("%1 billion").arg(QLocale().toString(billions, 'f', billions < 10 ? 1 : 0));
}

}  // namespace

ModelsOffers::ModelsOffers(const DownloadSettings& settings, QWidget* parent)
    : QWidget(parent), m_host(settings.hub.host()), m_search(settings) {
  m_words = findLine(tr("Find: qwen3 coder, llama 3b, …"), tr("Search the hub for models by words"), this);
  m_words->setMaxLength(kMostLetters);
  m_about = namedLabel(tr("The models to choose from"), this);
  m_tree = new QTreeWidget(this);
  m_tree->setAccessibleName(tr("Models to choose from"));
  m_tree->setHeaderLabels(
      {tr("Model"), tr("Parameters"), tr("Family"), tr("Downloads"), tr("This computer")});
  m_tree->headerItem()->setToolTip(kHere,
                                   tr("Whether it opens, and the file that fits the memory that is free "
                                      "now, at the context chosen on the first page"));
  m_tree->headerItem()->setToolTip(kDownloads, tr("In the last month"));
  m_tree->setRootIsDecorated(false);
  m_tree->setUniformRowHeights(true);
  m_tree->setAllColumnsShowFocus(true);
  m_tree->setFrameShape(QFrame::NoFrame);
  m_tree->setTextElideMode(Qt::ElideMiddle);
  m_tree->header()->setStretchLastSection(false);
  m_tree->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_tree->header()->setSectionResizeMode(kModel, QHeaderView::Stretch);
  m_tree->installEventFilter(this);
  addParts(withoutMargins(new QVBoxLayout(this)), {m_words, m_about, {m_tree, 1}});
  wire();
  showShelf();
}

void ModelsOffers::wire() {
  m_pause.setSingleShot(true);
  m_pause.setInterval(kPauseMs);
  connect(&m_pause, &QTimer::timeout, this, &ModelsOffers::search);
  connect(m_words, &QLineEdit::textChanged, this, &ModelsOffers::onTyped);
  connect(m_words, &QLineEdit::returnPressed, this, &ModelsOffers::search);
  connect(&m_search, &HubSearch::found, this, [this](const QList<HubOffer>& offers) {
    showOffers(offers, false);
    m_about->setText(offers.isEmpty()
                         ? tr("%1 finds no model in GGUF files with these words.").arg(m_host)
                         : tr("Models in GGUF files at %1, the most downloaded first.").arg(m_host));
  });
  connect(&m_search, &HubSearch::failed, this, [this](const DownloadProblem& problem) {
    showShelf();
    m_about->setText(problem.hint.isEmpty() ? problem.message : problem.message + u' ' + problem.hint);
  });
  connect(m_tree, &QTreeWidget::itemSelectionChanged, this, &ModelsOffers::tellChosen);
  // Not activated(), which is one click on some desktops.
  connect(m_tree, &QTreeWidget::itemDoubleClicked, this, &ModelsOffers::wanted);
}

void ModelsOffers::onTyped() {
  m_search.cancel();
  if (!m_words->text().trimmed().isEmpty()) return m_pause.start();
  m_pause.stop();
  showShelf();
}

void ModelsOffers::search() {
  m_pause.stop();
  const QString words = m_words->text().simplified();
  if (words.isEmpty()) return;
  m_about->setText(tr("Searching %1…").arg(m_host));
  m_search.search(words);
}

void ModelsOffers::showShelf() {
  if (!m_isShelf || m_offered.isEmpty()) showOffers(hubShelf(), true);
  m_about->setText(
      tr("Good small models. Type words to search all of %1; it is asked when typing pauses.").arg(m_host));
}

void ModelsOffers::showOffers(const QList<HubOffer>& offers, bool isShelf) {
  m_offered = offers;
  m_isShelf = isShelf;
  m_tree->setColumnHidden(kDownloads, isShelf);
  m_tree->clear();
  for (const HubOffer& offer : offers) {
    auto* item = new QTreeWidgetItem(cellsOf(offer));
    for (const OfferColumn column : {kParameters, kDownloads})
      item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    m_tree->addTopLevelItem(item);
  }
  m_tree->scrollToTop();
}

QStringList ModelsOffers::cellsOf(const HubOffer& offer) const {
  return {offer.name, billionsText(offer.parameters), offer.family,
          offer.downloads < 0 ? QString() : formatCount(offer.downloads), placeOf(offer)};
}

// Whether it opens, and where sizes are known, the file that fits this machine.
QString ModelsOffers::placeOf(const HubOffer& offer) const {
  const QList<HubChoice> choices = offeredChoices(offer, m_fit);
  if (const HubChoice* choice = suggestedChoice(choices)) {
    QStringList words{choice->label, dataSizeText(choice->bytes()),
                      fitWords(estimateChoice(offer, *choice, m_fit), m_fit.machine)};
    words.removeAll(QString());
    return words.join(QStringLiteral(", "));
  }
  switch (opensHere(offer)) {
    case OpensHere::kYes:
      return tr("opens");
    case OpensHere::kNo:
      return tr("does not open");
    case OpensHere::kNotKnown:
      return tr("not known");
  }
  return {};
}

void ModelsOffers::setFit(const HubFit& fit) {
  m_fit = fit;
  for (int row = 0; row < m_offered.size(); ++row)
    m_tree->topLevelItem(row)->setText(kHere, placeOf(m_offered[row]));
}

void ModelsOffers::tellChosen() {
  const QList<QTreeWidgetItem*> selected = m_tree->selectedItems();
  if (selected.isEmpty()) return;
  const HubOffer& offer = m_offered[m_tree->indexOfTopLevelItem(selected.front())];
  const QList<HubChoice> choices = offeredChoices(offer, m_fit);
  const HubChoice* choice = suggestedChoice(choices);
  emit chosen(offer, choice == nullptr ? offer.repository : offer.repository + u':' + choice->label);
}

bool ModelsOffers::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_tree && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && !m_tree->selectedItems().isEmpty()) {
      emit wanted();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace vitrine

#include "moc_models_offers.cpp"
