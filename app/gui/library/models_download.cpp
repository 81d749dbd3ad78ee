#include "gui/library/models_download.h"

#include <QDir>
#include <QGridLayout>
#include <QHeaderView>
#include <QProgressBar>
#include <QStorageInfo>
#include <QTreeWidget>

#include "gui/library/models_offers.h"
#include "gui/library/models_table_model.h"
#include "gui/parts/small_parts.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr int kBarSteps = 1000;
enum Column { kFiles, kSize, kRemark };

QString timeText(qint64 seconds) {
  if (seconds < 60) return ModelsDownload::tr("%1 s").arg(seconds);
  if (seconds < 3600) return ModelsDownload::tr("%1 min %2 s").arg(seconds / 60).arg(seconds % 60);
  return ModelsDownload::tr("%1 h %2 min").arg(seconds / 3600).arg(seconds / 60 % 60);
}

// Of the file system that the folder will be on; below 0: not known.
qint64 freeBytesAt(QString folder, const DownloadSettings& settings) {
  if (settings.freeBytes) return settings.freeBytes(folder);
  while (!QFileInfo::exists(folder) && QFileInfo(folder).path() != folder) folder = QFileInfo(folder).path();
  return QStorageInfo(folder).bytesAvailable();
}

}  // namespace

ModelsDownload::ModelsDownload(const DownloadSettings& settings, const QString& folder, QWidget* parent)
    : QWidget(parent), m_settings(settings), m_folder(folder), m_download(settings) {
  m_offers = new ModelsOffers(settings, this);
  addParts(new QVBoxLayout(this), {{m_offers, 3}, makeHead(), {makeChoices(), 2}, makeFoot()});
  wire();
  tellPlace();
  onState(DownloadState::kIdle);
}

QWidget* ModelsDownload::makeHead() {
  auto* head = new QWidget(this);
  m_address = findLine(tr("owner/name, owner/name:Q4_K_M, or the address of a page"),
                       tr("Address or repository of a model"), head);
  auto* label = labelFor(m_address, tr("&Model"), head);
  m_list = plainButton(tr("&List"), tr("Ask which files the model has"), head);
  m_promise = namedLabel(tr("Servers that a download contacts"), head);
  m_promise->setText(
      tr("Nothing is contacted before you type words or press List. Then %1 is asked, and where it keeps "
         "its files.")
          .arg(m_settings.hub.host()));
  auto* grid = withoutMargins(new QGridLayout(head));
  grid->addWidget(label, 0, 0);
  grid->addWidget(m_address, 0, 1);
  grid->addWidget(m_list, 0, 2);
  grid->addWidget(m_promise, 1, 0, 1, 3);
  grid->setColumnStretch(1, 1);
  return head;
}

QWidget* ModelsDownload::makeChoices() {
  m_choices = new QTreeWidget(this);
  m_choices->setAccessibleName(tr("Files to choose from"));
  m_choices->setHeaderLabels({tr("Files"), tr("Size"), tr("Remark")});
  m_choices->setRootIsDecorated(false);
  m_choices->setUniformRowHeights(true);
  m_choices->setAllColumnsShowFocus(true);
  m_choices->setFrameShape(QFrame::NoFrame);
  m_choices->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_choices->header()->setStretchLastSection(true);
  return m_choices;
}

QWidget* ModelsDownload::makeFoot() {
  auto* foot = new QWidget(this);
  m_place = new ElidingLabel(foot);
  m_place->setTextFormat(Qt::PlainText);
  m_place->setAccessibleName(tr("Where it will lie"));
  m_progress = new QProgressBar(foot);
  m_progress->setRange(0, kBarSteps);
  m_progress->setTextVisible(false);
  m_progress->setAccessibleName(tr("Progress of the download"));
  m_words = namedLabel(tr("The download"), foot);
  m_start = plainButton(tr("&Download"), tr("Download the chosen files"), foot);
  m_pause = plainButton(tr("&Pause"), tr("The downloaded part is kept, also when the program ends"), foot);
  m_cancel = plainButton(tr("&Cancel"), tr("End the download and remove the downloaded part"), foot);
  m_open = plainButton(tr("&Open"), tr("Load the model that has been downloaded"), foot);
  auto* buttons = addParts(new QHBoxLayout, {m_start, m_pause, m_cancel, m_open, {m_words, 1}});
  addParts(withoutMargins(new QVBoxLayout(foot)), {m_place, m_progress, buttons});
  return foot;
}

void ModelsDownload::wire() {
  connect(m_offers, &ModelsOffers::chosen, this, &ModelsDownload::choose);
  connect(m_offers, &ModelsOffers::wanted, m_list, &QPushButton::click);
  connect(m_list, &QPushButton::clicked, this, &ModelsDownload::askForList);
  connect(m_address, &QLineEdit::returnPressed, m_list, &QPushButton::click);
  connect(m_address, &QLineEdit::textChanged, this, [this] { onState(state()); });
  connect(m_choices, &QTreeWidget::currentItemChanged, this, [this] {
    tellPlace();
    onState(state());
  });
  connect(m_start, &QPushButton::clicked, this, &ModelsDownload::startDownload);
  connect(m_pause, &QPushButton::clicked, this, &ModelsDownload::pauseOrResume);
  connect(m_cancel, &QPushButton::clicked, this, [this] { m_download.cancel(true); });
  connect(&m_download, &ModelDownload::stateChanged, this, &ModelsDownload::onState);
  connect(&m_download, &ModelDownload::listed, this, &ModelsDownload::showListing);
  connect(&m_download, &ModelDownload::progressed, this, &ModelsDownload::onProgress);
  connect(&m_download, &ModelDownload::waiting, this, [this](int milliseconds, const QString& why) {
    m_words->setText(tr("%1 It tries again in %2.").arg(why, timeText((milliseconds + 999) / 1000)));
  });
  connect(&m_download, &ModelDownload::failed, this, [this](const DownloadProblem& problem) {
    emit noticed(Notice::problem(problem.message, problem.hint));
  });
  connect(&m_download, &ModelDownload::finished, this, [this](const QString& model) {
    m_downloaded = model;
    onState(state());
    emit finished(model);
  });
  connect(m_open, &QPushButton::clicked, this, [this] { emit openWanted(m_downloaded); });
}

void ModelsDownload::choose(const HubOffer& offer, const QString& address) {
  if (!m_address->isEnabled()) return;  // a download is under way
  m_chosenOffer = offer;
  m_address->setText(address);
}

void ModelsDownload::setFit(const HubFit& fit) {
  m_fit = fit;
  m_offers->setFit(fit);
  for (int row = 0; row < m_offered.size(); ++row)
    m_choices->topLevelItem(row)->setText(kRemark, remarkOf(m_offered[row]));
}

void ModelsDownload::askForList() {
  const ParsedHubAddress parsed = parseHubAddress(m_address->text(), m_settings.hub);
  if (!parsed.address)
    return emit noticed(
        Notice::problem(parsed.problem, tr("Type owner/name, or paste the address of a model's page.")));
  emit begun();
  m_wish = *parsed.address;
  m_offer = m_chosenOffer.repository == m_wish.repository ? m_chosenOffer
                                                          : HubOffer{m_wish.repository, m_wish.repository};
  m_isOrdered = false;
  m_downloaded.clear();
  showListing({});
  m_download.list(m_wish);
}

void ModelsDownload::showListing(const HubListing& listing) {
  m_listing = listing;
  m_offered = hubChoices(listing, m_wish);
  suggestFitting(m_offered, m_wish, m_offer, m_fit);
  showChoices();
  if (m_offered.isEmpty() && !listing.repository.isEmpty())
    emit noticed(Notice::problem(tr("%1 has no files that this program could load.").arg(listing.repository),
                                 tr("It loads GGUF files, and folders of config.json and safetensors.")));
  if (!m_offered.isEmpty() && isAncestorOf(focusWidget())) m_choices->setFocus();
  tellPlace();
  onState(state());
}

void ModelsDownload::showChoices() {
  m_choices->clear();
  for (const HubChoice& choice : m_offered) {
    auto* item = new QTreeWidgetItem({choice.label, dataSizeText(choice.bytes()), remarkOf(choice)});
    item->setTextAlignment(kSize, Qt::AlignRight | Qt::AlignVCenter);
    m_choices->addTopLevelItem(item);
    if (choice.isSuggested) m_choices->setCurrentItem(item);
  }
}

QString ModelsDownload::remarkOf(const HubChoice& choice) const {
  QStringList remarks;
  if (choice.isSuggested) remarks << tr("suggested");
  remarks << (choice.isReadable ? fitWords(estimateChoice(m_offer, choice, m_fit), m_fit.machine)
                                : tr("this program does not read this type"));
  remarks.removeAll(QString());
  return remarks.join(", ");
}

const HubChoice* ModelsDownload::chosen() const {
  const int row = m_choices->indexOfTopLevelItem(m_choices->currentItem());
  return row >= 0 && row < m_offered.size() ? &m_offered[row] : nullptr;
}

void ModelsDownload::tellPlace() {
  const QString folder = m_listing.repository.isEmpty() ? m_folder : m_folder + '/' + m_listing.repository;
  const qint64 free = freeBytesAt(m_folder, m_settings);
  QString words = tr("It will lie in %1.").arg(QDir::toNativeSeparators(folder));
  if (free >= 0) words += u' ' + tr("%1 are free there.").arg(dataSizeText(free));
  if (const HubChoice* choice = chosen(); choice && free >= 0 && choice->bytes() > free)
    words += u' ' + tr("That is too little.");
  m_place->setText(words);
}

void ModelsDownload::startDownload() {
  const HubChoice* choice = chosen();
  if (choice == nullptr) return;
  emit begun();
  m_isOrdered = true;
  m_downloaded.clear();
  m_progress->setValue(0);
  m_download.start(m_listing, *choice, m_folder);
}

void ModelsDownload::pauseOrResume() {
  if (state() != DownloadState::kPaused && state() != DownloadState::kFailed) return m_download.pause();
  emit begun();
  m_download.resume();
}

bool ModelsDownload::isUnderWay() const {
  return state() == DownloadState::kChecking || state() == DownloadState::kLoading ||
         state() == DownloadState::kWaiting;
}

// The actions that are possible now, and what each does in words. A paused download must be gone on with or
// cancelled before another one is listed, so that none is forgotten half done.
void ModelsDownload::onState(DownloadState now) {
  if (now == DownloadState::kFinished || now == DownloadState::kCancelled) m_isOrdered = false;
  const bool isHeld = m_isOrdered && (now == DownloadState::kPaused || now == DownloadState::kFailed);
  const bool isBusy = isUnderWay() || isHeld;
  m_address->setEnabled(!isBusy);
  m_list->setEnabled(!isBusy && !m_address->text().trimmed().isEmpty());
  m_choices->setEnabled(!isBusy);
  m_start->setEnabled(!isBusy && now != DownloadState::kListing && chosen() != nullptr);
  m_pause->setEnabled(isBusy);
  m_pause->setText(isHeld ? tr("&Resume") : tr("&Pause"));
  m_cancel->setEnabled(isBusy || now == DownloadState::kListing);
  m_open->setVisible(!m_downloaded.isEmpty());
  switch (now) {
    case DownloadState::kListing:
      return m_words->setText(tr("Asking %1 for the files…").arg(m_settings.hub.host()));
    case DownloadState::kChecking:
      return m_words->setText(tr("Checking the files that are there already…"));
    case DownloadState::kPaused:
      return m_words->setText(tr("Paused. The downloaded part is kept."));
    case DownloadState::kFailed:
      return m_words->setText(m_isOrdered ? tr("Stopped. The downloaded part is kept.") : QString());
    case DownloadState::kFinished:
      m_progress->setValue(kBarSteps);
      return m_words->setText(tr("Done. It is among the models on this computer."));
    case DownloadState::kCancelled:
      m_progress->setValue(0);
      return m_words->setText(tr("Cancelled."));
    case DownloadState::kLoading:
    case DownloadState::kWaiting:
      return;  // its own signals tell more
    default:
      return m_words->clear();
  }
}

void ModelsDownload::onProgress(const DownloadProgress& progress) {
  if (progress.bytes <= 0) return;
  m_progress->setValue(static_cast<int>(progress.done * kBarSteps / progress.bytes));
  QStringList parts{tr("%1 of %2").arg(dataSizeText(progress.done), dataSizeText(progress.bytes))};
  if (progress.bytesPerSecond > 0)
    parts << tr("%1/s").arg(dataSizeText(static_cast<qint64>(progress.bytesPerSecond)));
  if (progress.secondsLeft >= 0) parts << tr("%1 left").arg(timeText(progress.secondsLeft));
  if (isUnderWay()) m_words->setText(parts.join(QStringLiteral(" · ")));
}

}  // namespace vitrine

#include "moc_models_download.cpp"
