// ModelsOffers: models of the hub to choose from: the shelf of this program, or what the hub's own search
// finds for the words that are typed. The hub is asked once after a pause of typing, and for words alone.
// What is to be done with a model is signalled. Thread: the window's. Errors: a sentence above the models;
// the shelf is there without a network. Read next: catalog/hub_search.h.
#pragma once

#include <QTimer>
#include <QWidget>

#include "catalog/hub_fit.h"
#include "catalog/hub_search.h"

class QLabel;
class QLineEdit;
class QTreeWidget;

namespace vitrine {

class ModelsOffers : public QWidget {
  Q_OBJECT

 public:
  explicit ModelsOffers(const DownloadSettings& settings, QWidget* parent = nullptr);

  void setFit(const HubFit& fit);

  QLineEdit* words() const { return m_words; }
  QTreeWidget* offers() const { return m_tree; }
  QLabel* about() const { return m_about; }  // of the models that are shown

 signals:
  // As it would be typed: "owner/name", or "owner/name:Q4_K_M" where the files that fit are known.
  void chosen(const vitrine::HubOffer& offer, const QString& address);
  void wanted();  // the files of the chosen one

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void wire();
  void onTyped();
  void search();
  void showShelf();
  void showOffers(const QList<HubOffer>& offers, bool isShelf);
  QStringList cellsOf(const HubOffer& offer) const;
  QString placeOf(const HubOffer& offer) const;
  void tellChosen();

  const QString m_host;
  HubSearch m_search;
  QTimer m_pause;  // of typing
  HubFit m_fit;
  QList<HubOffer> m_offered;
  bool m_isShelf = true;
  QLineEdit* m_words;
  QLabel* m_about;
  QTreeWidget* m_tree;
};

}  // namespace vitrine
