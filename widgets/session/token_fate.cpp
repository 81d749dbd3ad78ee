#include "widgets/session/token_fate.h"

#include <QCoreApplication>

namespace vitrine {

QString tokenFateText(TokenFate fate) {
  switch (fate) {
    case TokenFate::kPrompt:
      return QCoreApplication::translate("TokenFate", "prompt");
    case TokenFate::kSampled:
      return QCoreApplication::translate("TokenFate", "sampled");
    case TokenFate::kAccepted:
      return QCoreApplication::translate("TokenFate", "draft, accepted");
    case TokenFate::kModel:
      return QCoreApplication::translate("TokenFate", "from the model, after the drafts");
    case TokenFate::kRejected:
      return QCoreApplication::translate("TokenFate", "draft, rejected");
    case TokenFate::kUnjudged:
      return QCoreApplication::translate("TokenFate", "draft, thrown away with the rejected one before it");
  }
  return {};
}

}  // namespace vitrine
