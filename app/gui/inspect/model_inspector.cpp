#include "gui/inspect/model_inspector.h"

#include <QThreadPool>
#include <mutex>
#include <utility>

namespace vitrine {

// Outlives the inspector for as long as work is under way.
struct ModelInspector::Desk {
  std::mutex mutex;
  ModelInspector* owner = nullptr;  // null: it is gone

  // Told only while the order is the newest of its kind; what is on its way to a destroyed owner goes with
  // it.
  void leave(std::shared_ptr<Order> order, Answer answer) {
    const std::lock_guard lock(mutex);
    if (owner == nullptr) return;
    const auto tell = [to = owner, order = std::move(order), answer = std::move(answer)] {
      if (!order->isReplaced) answer(*to);
    };
    QMetaObject::invokeMethod(owner, tell, Qt::QueuedConnection);
  }
};

ModelInspector::ModelInspector(QObject* parent) : QObject(parent), m_desk(std::make_shared<Desk>()) {
  m_desk->owner = this;
}

ModelInspector::~ModelInspector() {
  for (int kind = 0; kind < kKinds; ++kind) replace(static_cast<Kind>(kind));
  const std::lock_guard lock(m_desk->mutex);
  m_desk->owner = nullptr;
}

void ModelInspector::replace(Kind kind) {
  if (const auto before = std::exchange(m_orders[static_cast<std::size_t>(kind)], nullptr))
    before->isReplaced = true;
}

ModelInspector::Answer ModelInspector::answerOf(const Work& work, const std::shared_ptr<Order>& order,
                                                Desk& desk) {
  const auto failure = [kind = order->kind](const Notice& notice) {
    return [=](ModelInspector& to) { emit to.failed(kind, notice); };
  };
  try {
    return work(order, desk);
  } catch (const EngineError& error) {
    return failure(noticeOf(error));
  } catch (const std::bad_alloc&) {
    return failure(noticeOf(ErrorCode::kOutOfMemory, tr("There is not enough memory to read this."),
                            tr("Close other programs, or look into a smaller tensor.")));
  } catch (const std::exception& error) {
    return failure(noticeOf(ErrorCode::kIo, QString::fromUtf8(error.what()), {}));
  }
}

void ModelInspector::begin(Kind kind, Work work) {
  replace(kind);
  const auto order = std::make_shared<Order>();
  order->kind = kind;
  m_orders[static_cast<std::size_t>(kind)] = order;
  QThreadPool::globalInstance()->start([desk = m_desk, order, work = std::move(work)] {
    if (order->isReplaced) return;
    desk->leave(order, [answer = answerOf(work, order, *desk), kind = order->kind](ModelInspector& to) {
      to.m_orders[static_cast<std::size_t>(kind)] = nullptr;
      answer(to);
    });
  });
}

void ModelInspector::readModel(const QString& path) {
  begin(Kind::kModel, [path](const std::shared_ptr<Order>&, Desk&) -> Answer {
    const auto model = std::make_shared<const InspectedModel>(inspectModel(path.toStdString()));
    return [path, model](ModelInspector& to) {
      to.replace(Kind::kWeights);
      to.replace(Kind::kGroup);
      emit to.modelKnown(path, *model);
    };
  });
}

void ModelInspector::readWeights(const QString& path, const std::string& tensor) {
  begin(Kind::kWeights, [path, tensor](const std::shared_ptr<Order>& order, Desk& desk) -> Answer {
    const auto goesOn = [&, told = 0](double fraction) mutable {
      const int percent = static_cast<int>(100 * fraction);
      if (std::exchange(told, percent) != percent)
        desk.leave(order, [percent](ModelInspector& to) { emit to.progressed(percent / 100.0); });
      return !order->isReplaced.load();
    };
    const auto weights =
        std::make_shared<const InspectedWeights>(inspectWeights(path.toStdString(), tensor, kBins, goesOn));
    return [weights](ModelInspector& to) { emit to.weightsKnown(*weights); };
  });
}

void ModelInspector::readGroup(const QString& path, const std::string& tensor, std::int64_t row,
                               std::int64_t group) {
  begin(Kind::kGroup, [path, tensor, row, group](const std::shared_ptr<Order>&, Desk&) -> Answer {
    const auto opened =
        std::make_shared<const InspectedGroup>(inspectGroup(path.toStdString(), tensor, row, group));
    return [opened](ModelInspector& to) { emit to.groupKnown(*opened); };
  });
}

}  // namespace vitrine

#include "moc_model_inspector.cpp"
