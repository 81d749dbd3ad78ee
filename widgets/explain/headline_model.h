// HeadlineModel: the one sentence that says what the step shown decided (vitrine/prose/headline.h), in the
// window's language. No row while there is nothing to tell yet. Thread: the window's. Read next:
// headline_view.h.
#pragma once

#include "vitrine/prose/headline.h"
#include "widgets/explain/sentence_link.h"
#include "widgets/session/session_model.h"

namespace vitrine {

struct HeadlineRow {
  prose::HeadlineKind kind = prose::HeadlineKind::kNothing;
  QString text;
  std::vector<SentenceLink> links;
  std::int64_t event = -1;  // the number of the first event that it tells

  bool operator==(const HeadlineRow&) const = default;
};

class HeadlineModel : public RowsModel<HeadlineRow> {
  Q_OBJECT
 public:
  explicit HeadlineModel(Session* session, QObject* parent = nullptr);

 protected:
  const TableColumns& columns() const override;
  void refresh() override;
};

}  // namespace vitrine
