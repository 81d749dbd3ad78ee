// LayersPanel: a forward opened: what each layer would have said, where its attention looks, where its time
// goes, and how a GPU is handed its layers, with the choices of each above it. Thread: the window's. Read
// next: exits_view.h, attention_view.h, roofline_view.h, launches_view.h.
#pragma once

#include <QWidget>

class QButtonGroup;
class QComboBox;
class QHBoxLayout;
class QPushButton;
class QSpinBox;
class QStackedWidget;

namespace vitrine {

class AttentionModel;
class AttentionView;
class ExitsModel;
class ExitsView;
class LaunchesModel;
class LaunchesView;
class OperationsModel;
class RooflineView;

class LayersPanel : public QWidget {
  Q_OBJECT
 public:
  enum class Page { kExits, kAttention, kTime, kLaunches };
  static constexpr int kPages = 4;

  // The models must outlive it.
  LayersPanel(ExitsModel* exits, AttentionModel* attention, OperationsModel* operations,
              LaunchesModel* launches, QWidget* parent = nullptr);

  ExitsView* exits() const { return m_exitsView; }
  AttentionView* attention() const { return m_attentionView; }
  RooflineView* time() const { return m_timeView; }
  LaunchesView* launches() const { return m_launchesView; }
  QString summary() const;  // of the view that is shown
  void showPage(Page page);
  // What the comparison with libtorch found, or why there is none; empty: nothing to say.
  void setComparison(const QString& words);
  void setComparing(bool comparing);

 signals:
  void summaryChanged(const QString& summary);
  void comparisonRequested();

 private:
  void makeChoices(QHBoxLayout* row);
  void makeAttentionChoices(QHBoxLayout* row);
  void followRun();  // of which model there may be another number of layers and heads
  void choose();

  ExitsModel* m_exits;
  AttentionModel* m_attention;
  ExitsView* m_exitsView;
  AttentionView* m_attentionView;
  RooflineView* m_timeView;
  LaunchesView* m_launchesView;
  QStackedWidget* m_pages;
  QButtonGroup* m_views;
  QSpinBox* m_layer;
  QComboBox* m_head;
  QWidget* m_attentionChoices;
  QPushButton* m_compare;
};

}  // namespace vitrine
