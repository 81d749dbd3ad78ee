// InspectTensor: one tensor opened: the histogram of its weights, and a group of them from the bits to the
// floats, with what other types would lose of it. Asks for both by signals. Thread: the window's. Read next:
// widgets/weights/packed_group_view.h.
#pragma once

#include <array>

#include "gui/parts/headed_card.h"
#include "vitrine/inspect.h"

class QButtonGroup;
class QGridLayout;
class QLabel;
class QProgressBar;
class QSpinBox;
class QToolButton;

namespace vitrine {

class DataTableView;
class ElidingLabel;
class HistogramModel;
class HistogramView;
class NamedValuesModel;
class PackedGroupModel;
class PackedGroupView;
class Session;

class InspectTensor : public HeadedCard {
  Q_OBJECT

 public:
  // Both are in sight where there is room.
  enum class Page : std::uint8_t { kHistogram, kGroup };
  static constexpr int kPages = 2;

  explicit InspectTensor(Session& session, QWidget* parent = nullptr);

  void clear();
  void showPage(Page page);
  void setTensor(const InspectedTensor& tensor);  // asks for its weights, and for its first group
  void setProgress(double fraction);
  void setWeights(const InspectedWeights& weights);
  void setGroup(const InspectedGroup& group);
  void endReading();  // without an answer

  bool isRead() const;                                        // weights and group are there
  const InspectedTensor& tensor() const { return m_tensor; }  // no name: none
  HistogramView* histogram() const { return m_histogram; }
  PackedGroupView* group() const { return m_group; }
  DataTableView* errors() const { return m_errors; }
  QSpinBox* row() const { return m_row; }
  QSpinBox* groupNumber() const { return m_number; }
  QToolButton* pageButton(Page page) const;
  QLabel* statistics() const { return m_statistics; }

 signals:
  void weightsWanted(const std::string& tensor);
  void groupWanted(const std::string& tensor, std::int64_t row, std::int64_t group);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void fitPages();
  QWidget* makeWeights();
  QWidget* makeGroup();
  void addNumber(QSpinBox* box, QLabel* label, QLabel* range, const QString& name, QGridLayout* into,
                 int column);
  void askGroup();

  InspectedTensor m_tensor;
  HistogramModel* m_histogramModel;
  PackedGroupModel* m_groupModel;
  NamedValuesModel* m_errorModel;
  ElidingLabel *m_name, *m_facts;
  QButtonGroup* m_choice;
  std::array<QWidget*, kPages> m_parts = {};
  QLabel* m_statistics;
  QProgressBar* m_progress;
  HistogramView* m_histogram;
  QSpinBox *m_row, *m_number;
  QLabel *m_rowRange, *m_numberRange;
  PackedGroupView* m_group;
  DataTableView* m_errors;
};

}  // namespace vitrine
