// ModelsDownload: a model of the hub in three steps: one of those that are offered is chosen or an address is
// typed, and listed; one of its files is chosen; the download is watched, paused, gone on with or cancelled,
// and the model opened. Nothing is asked of the network before words are searched or the list is wanted.
// Thread: the window's. Read next: models_offers.h; catalog/model_download.h.
#pragma once

#include <QWidget>

#include "catalog/hub_fit.h"
#include "catalog/model_download.h"
#include "widgets/support/notice.h"

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTreeWidget;

namespace vitrine {

class ModelsOffers;

class ModelsDownload : public QWidget {
  Q_OBJECT

 public:
  // `folder`: of models; it may be missing.
  ModelsDownload(const DownloadSettings& settings, const QString& folder, QWidget* parent = nullptr);

  DownloadState state() const { return m_download.state(); }
  void setFit(const HubFit& fit);  // of the machine and the context, for estimates

  ModelsOffers& offers() { return *m_offers; }
  QLineEdit* address() const { return m_address; }
  QPushButton* list() const { return m_list; }
  QTreeWidget* choices() const { return m_choices; }
  QLabel* promise() const { return m_promise; }  // which host is contacted, and when
  QLabel* place() const { return m_place; }
  QProgressBar* progress() const { return m_progress; }
  QLabel* words() const { return m_words; }  // of what it does
  QPushButton* start() const { return m_start; }
  QPushButton* pause() const { return m_pause; }  // and resume
  QPushButton* cancel() const { return m_cancel; }
  QPushButton* open() const { return m_open; }  // in sight when a download is done

 signals:
  void begun();  // a new download was asked for: clears the earlier error
  void noticed(const vitrine::Notice& notice);
  void finished(const QString& model);    // its path
  void openWanted(const QString& model);  // the path of the one that is downloaded

 private:
  QWidget* makeHead();
  QWidget* makeChoices();
  QWidget* makeFoot();
  void wire();
  void choose(const HubOffer& offer, const QString& address);
  void askForList();
  void showChoices();
  QString remarkOf(const HubChoice& choice) const;
  void showListing(const HubListing& listing);
  void tellPlace();
  void startDownload();
  void pauseOrResume();
  void onState(DownloadState state);
  void onProgress(const DownloadProgress& progress);
  bool isUnderWay() const;
  const HubChoice* chosen() const;

  const DownloadSettings m_settings;
  const QString m_folder;
  ModelDownload m_download;
  HubAddress m_wish;
  HubOffer m_offer,
      m_chosenOffer;  // of the listed repository and of the choice; empty where nothing is known
  HubFit m_fit;
  HubListing m_listing;
  QList<HubChoice> m_offered;
  QString m_downloaded;      // the path of the model that has come
  bool m_isOrdered = false;  // a download was started, and neither finished nor cancelled
  ModelsOffers* m_offers;
  QLabel *m_promise, *m_words, *m_place;
  QLineEdit* m_address;
  QTreeWidget* m_choices;
  QProgressBar* m_progress;
  QPushButton *m_list, *m_start, *m_pause, *m_cancel, *m_open;
};

}  // namespace vitrine
