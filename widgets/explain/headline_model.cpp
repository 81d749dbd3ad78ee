#include "widgets/explain/headline_model.h"

#include "widgets/support/window_language.h"

namespace vitrine {

std::optional<HeadlineRow> headlineAt(const Session& session) {
  const std::optional<prose::Headline> headline =
      prose::headlineOf(session.stepEvents(), session.state(), session.proseNames(), windowLanguage());
  if (!headline) return std::nullopt;
  return HeadlineRow{headline->kind, QString::fromStdString(headline->text),
                     sentenceLinks(headline->text, headline->links, session), headline->event};
}

HeadlineModel::HeadlineModel(Session* session, QObject* parent) : RowsModel(session, parent) { refresh(); }

void HeadlineModel::refresh() {
  std::vector<HeadlineRow> rows;
  if (std::optional<HeadlineRow> headline = headlineAt(*session())) rows.push_back(std::move(*headline));
  setRows(std::move(rows));
}

const TableColumns& HeadlineModel::columns() const {
  static const ColumnsOf<HeadlineModel> kColumns = {
      {QT_TR_NOOP("What the step decided"), &HeadlineRow::text},
  };
  return kColumns;
}

}  // namespace vitrine

#include "moc_headline_model.cpp"
