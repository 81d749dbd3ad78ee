// ExitsModel: what each layer would have said: for the newest tokens of the selected sequence, the tokens
// that the model would find most likely if it ended after each of its layers (logit lens; vitrine/inside.h).
//
// A row for each exit, the model itself first, the embeddings last; a column for each token. Thread: the
// window's. Read next: inside_model.h.
#pragma once

#include <unordered_map>

#include "widgets/layers/inside_model.h"

namespace vitrine {

struct ExitCell {
  QString text;            // of the best token, with spaces made visible
  double probability = 0;  // of it; 0: the logits are no numbers, and no token is the best
  bool agrees = false;     // the model itself says the same
  float norm = 0;          // of the hidden state: its L2 norm

  QString percent() const;
};

class ExitsModel : public InsideModel {
  Q_OBJECT
 public:
  static constexpr int kPositions = 32, kTop = 5;

  explicit ExitsModel(Session* session, QObject* parent = nullptr) : InsideModel(session, parent) {
    refresh();
  }

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_exits; }
  int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() || m_exits == 0 ? 0 : 1 + m_tokens;
  }
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  int exitOf(int row) const { return rowCount() - 1 - row; }  // layers before it
  int positionOf(int column) const { return m_first + column; }
  int tokens() const { return m_tokens; }  // columns of them
  ExitCell cell(int row, int column) const;
  float largestNorm(int column) const;
  QString exitName(int row) const;              // "12, the model", "4, drafts exit here"
  QString describe(int row, int column) const;  // for tooltips and screen readers
  QString sampledAt(int column) const;          // the token that follows in the sequence; empty: none yet

  // The largest difference of each layer's hidden states from libtorch's; empty: not compared. They belong to
  // the report that is shown.
  void setDifferences(std::vector<double> differences);
  const std::vector<double>& differences() const { return m_differences; }

 protected:
  InsideOptions optionsFor(int tokens) const override;
  void reportChanged() override;

 private:
  const std::vector<ExitGuess>& guesses(int row, int column) const;
  QString textOf(TokenId token) const;

  int m_exits = 0, m_first = 0, m_tokens = 0;
  std::unordered_map<TokenId, QString> m_texts;
  std::vector<double> m_differences;
};

}  // namespace vitrine
