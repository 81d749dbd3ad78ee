// ModelInspector: looks into models on threads of the program's pool: what inspect.h says of a model, of the
// weights of one tensor, of a group of them.
//
// One order of each kind at a time: a newer one replaces the one before, whose answer is never told. It ends
// at once where reading weights asks for it, and otherwise unheard. Destroying it waits for nothing.
// Thread: the window's. Read next: vitrine/inspect.h.
#pragma once

#include <QObject>
#include <array>
#include <atomic>
#include <functional>
#include <memory>

#include "vitrine/inspect.h"
#include "widgets/support/notice.h"

namespace vitrine {

class ModelInspector : public QObject {
  Q_OBJECT

 public:
  enum class Kind : std::uint8_t { kModel, kWeights, kGroup };
  static constexpr int kKinds = 3;
  static constexpr int kBins = 64;  // of a histogram

  explicit ModelInspector(QObject* parent = nullptr);
  ~ModelInspector() override;

  // A folder or a GGUF file. modelKnown() or failed() answers; a tensor's orders of before go.
  void readModel(const QString& path);
  void readWeights(const QString& path, const std::string& tensor);
  void readGroup(const QString& path, const std::string& tensor, std::int64_t row, std::int64_t group);
  bool isReading(Kind kind) const { return m_orders[static_cast<std::size_t>(kind)] != nullptr; }

 signals:
  void modelKnown(const QString& path, const vitrine::InspectedModel& model);
  void weightsKnown(const vitrine::InspectedWeights& weights);
  void groupKnown(const vitrine::InspectedGroup& group);
  void progressed(double fraction);  // of reading weights
  // Instead of an answer; isReading() says false already.
  void failed(vitrine::ModelInspector::Kind kind, const vitrine::Notice& notice);

 private:
  struct Desk;                                          // where answers are left
  using Answer = std::function<void(ModelInspector&)>;  // told on the window's thread
  struct Order {
    Kind kind = Kind::kModel;
    std::atomic<bool> isReplaced = false;
  };
  using Work = std::function<Answer(const std::shared_ptr<Order>&, Desk&)>;

  void begin(Kind kind, Work work);
  void replace(Kind kind);
  static Answer answerOf(const Work& work, const std::shared_ptr<Order>& order, Desk& desk);

  std::shared_ptr<Desk> m_desk;
  std::array<std::shared_ptr<Order>, kKinds> m_orders;  // null: nothing is under way
};

}  // namespace vitrine
