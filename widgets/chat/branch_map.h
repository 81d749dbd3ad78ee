// BranchMap: the branches of a chat as a tree, a line for each stretch of messages without a fork. A question
// is a square, an answer a circle; the path that is shown is drawn strong and its marks are filled. A click,
// or the arrow keys and Enter, ask for a branch. Thread: the window's. Read next: branch_layout.h.
#pragma once

#include <QAbstractListModel>
#include <QListView>

#include "widgets/chat/branch_layout.h"

namespace vitrine {

struct BranchContent {
  std::vector<BranchMessage> messages = {};
  std::vector<QString> words = {};  // each message's author and beginning, on one line
  int blockSize = 0;                // tokens in a KV block; 0: not known
};

class BranchMapModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { kMessage = Qt::UserRole };  // what is to be shown for the row

  using QAbstractListModel::QAbstractListModel;

  void setContent(BranchContent content);
  const BranchRow& row(int at) const { return m_rows[static_cast<std::size_t>(at)]; }
  const BranchMessage& first(int at) const { return m_content.messages[row(at).first]; }
  bool isShown(int at) const { return first(at).isShown; }
  // "The branches share 320 tokens (20 blocks): ..."; empty: they share nothing.
  QString summary() const;

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
  }
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  const QString& words(int at) const { return m_content.words[row(at).first]; }
  QString reused(int at) const;

  BranchContent m_content;
  std::vector<BranchRow> m_rows;
};

class BranchMap : public QListView {
  Q_OBJECT
 public:
  explicit BranchMap(QWidget* parent = nullptr);

  void setContent(BranchContent content);
  BranchMapModel& content() { return *m_model; }

 signals:
  void branchRequested(qint64 message);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void ask(const QModelIndex& index);

  BranchMapModel* m_model;
};

}  // namespace vitrine
