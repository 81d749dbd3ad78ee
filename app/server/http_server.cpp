#include "server/http_server.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "server/http_connection.h"
#include "vitrine/error.h"

namespace vitrine::server {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;

// Connections above the limit that are told so; more are closed without a word.
constexpr std::size_t kRefusedAtOnce = 32;
constexpr std::chrono::milliseconds kRestAfterFailure{100};

[[noreturn]] void cannotListen(const std::string& address, int port, const std::string& why) {
  throw EngineError(ErrorCode::kUnavailable,
                    "cannot listen on " + address + " port " + std::to_string(port) + ": " + why,
                    "Name another --port, or 0 for one that is free.");
}

}  // namespace

struct HttpServer::Network {
  Network(HttpHandler& h, const HttpLimits& l)
      : handler(h),
        limits(l),
        context(std::make_shared<asio::io_context>(1)),
        acceptor(*context),
        rest(*context) {}

  void accept() {
    acceptor.async_accept([this](const boost::system::error_code& error, Tcp::socket socket) {
      if (!acceptor.is_open()) return;
      if (error) return acceptLater();
      take(std::move(socket));
      accept();
    });
  }
  // There are no more descriptors, for one.
  void acceptLater() {
    rest.expires_after(kRestAfterFailure);
    rest.async_wait([this](const boost::system::error_code& error) {
      if (!error && acceptor.is_open()) accept();
    });
  }
  void take(Tcp::socket socket) {
    const std::size_t count = connections.size();
    if (count >= limits.connections + kRefusedAtOnce) return;
    const auto closed = [this](const std::shared_ptr<HttpConnection>& connection) {
      connections.erase(connection);
      const std::lock_guard lock(mutex);
      open = connections.size();
      changed.notify_all();
    };
    const auto connection =
        std::make_shared<HttpConnection>(context, std::move(socket), handler, limits, closed);
    connections.insert(connection);
    {
      const std::lock_guard lock(mutex);
      open = connections.size();
    }
    count < limits.connections ? connection->start() : connection->refuseAll();
  }
  void windDown() {
    boost::system::error_code ignored;
    acceptor.close(ignored);
    rest.cancel();
    const std::lock_guard lock(mutex);
    winding = true;
    changed.notify_all();
  }

  HttpHandler& handler;
  const HttpLimits limits;
  const std::shared_ptr<asio::io_context> context;
  Tcp::acceptor acceptor;
  asio::steady_timer rest;
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work;
  std::set<std::shared_ptr<HttpConnection>> connections;
  std::thread thread;

  std::mutex mutex;
  std::condition_variable changed;
  std::size_t open = 0;  // connections.size(), for other threads
  bool winding = false;
};

HttpServer::HttpServer(HttpHandler& handler, const HttpLimits& limits)
    : m_network(std::make_unique<Network>(handler, limits)) {}

HttpServer::~HttpServer() { close(std::chrono::milliseconds(0)); }

bool HttpServer::isAddress(const std::string& text) {
  boost::system::error_code error;
  asio::ip::make_address(text, error);
  return !error;
}

bool HttpServer::isLoopback(const std::string& address) {
  boost::system::error_code error;
  const asio::ip::address parsed = asio::ip::make_address(address, error);
  return !error && parsed.is_loopback();
}

void HttpServer::listen(const std::string& address, int port) {
  Network& network = *m_network;
  boost::system::error_code error;
  const asio::ip::address parsed = asio::ip::make_address(address, error);
  if (error) cannotListen(address, port, "this is no address");
  const Tcp::endpoint place(parsed, static_cast<std::uint16_t>(port));
  network.acceptor.open(place.protocol(), error);
  // A port of a server that has just ended can be had again.
  if (!error) network.acceptor.set_option(Tcp::acceptor::reuse_address(true), error);
  if (!error) network.acceptor.bind(place, error);
  if (!error) network.acceptor.listen(Tcp::acceptor::max_listen_connections, error);
  if (error) {
    boost::system::error_code ignored;
    network.acceptor.close(ignored);
    cannotListen(address, port, error.message());
  }
  m_port = network.acceptor.local_endpoint().port();
  m_url = "http://" + (parsed.is_v6() ? '[' + address + ']' : address) + ':' + std::to_string(m_port);
  network.work.emplace(network.context->get_executor());
  network.accept();
  network.thread = std::thread([&network] { network.context->run(); });
}

std::size_t HttpServer::connections() const {
  const std::lock_guard lock(m_network->mutex);
  return m_network->open;
}

void HttpServer::stopListening() {
  if (!m_network->thread.joinable()) return;
  asio::post(*m_network->context, [network = m_network.get()] {
    network->windDown();
    const auto all = network->connections;  // which changes as they close
    for (const auto& connection : all) connection->windDown();
  });
}

void HttpServer::close(std::chrono::milliseconds patience) {
  Network& network = *m_network;
  if (!network.thread.joinable()) return;
  stopListening();
  {
    std::unique_lock lock(network.mutex);
    network.changed.wait(lock, [&] { return network.winding; });
    network.changed.wait_for(lock, patience, [&] { return network.open == 0; });
  }
  asio::post(*network.context, [&network] {
    const auto all = network.connections;
    for (const auto& connection : all) connection->close();
    network.work.reset();
  });
  network.thread.join();
}

}  // namespace vitrine::server
