// InspectList: what a model holds, as lists: its tensors with a filter, the keys of a GGUF file, the chat
// template. Thread: the window's. Read next: widgets/weights/tensor_table_model.h.
#pragma once

#include <optional>

#include "gui/parts/headed_card.h"
#include "vitrine/inspect.h"

class QButtonGroup;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QStackedWidget;
class QToolButton;

namespace vitrine {

class DataTableView;
class NamedValuesModel;
class Session;
class TensorTableModel;

class InspectList : public HeadedCard {
  Q_OBJECT

 public:
  enum class Page : std::uint8_t { kTensors, kKeys, kTemplate };

  explicit InspectList(Session& session, QWidget* parent = nullptr);

  // Chooses the first matrix of a layer, which is small enough to be read at once.
  void setModel(const InspectedModel& model);
  void showPage(Page page);
  void choose(const std::string& tensor);

  QLineEdit* filter() const { return m_filter; }
  QComboBox* layers() const { return m_layers; }
  DataTableView* tensors() const { return m_tensors; }
  DataTableView* keys() const { return m_keys; }
  QPlainTextEdit* chatTemplate() const { return m_template; }
  QToolButton* pageButton(Page page) const;

 signals:
  void tensorChosen(const vitrine::InspectedTensor& tensor);  // another than before

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeTensors();
  void fillLayers();
  void applyFont();
  void keepChoice();
  void onCurrent(int row);
  void countShown();

  TensorTableModel* m_tensorModel;
  NamedValuesModel* m_keyModel;
  QButtonGroup* m_choice;
  QStackedWidget* m_pages;
  QLineEdit* m_filter;
  QComboBox* m_layers;
  DataTableView *m_tensors, *m_keys;
  QPlainTextEdit* m_template;
  QLabel* m_count;
  std::string m_chosen;
};

}  // namespace vitrine
