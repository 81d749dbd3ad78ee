#include <sstream>

#include "bench/canvas.h"

namespace vitrine::cli {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

std::string named(Colour c) {
  return "rgb(" + std::to_string(c.red) + "," + std::to_string(c.green) + "," + std::to_string(c.blue) + ")";
}

class SvgCanvas final : public Canvas {
 public:
  SvgCanvas(int width, int height) {
    m_body << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
           << "\" viewBox=\"0 0 " << width << ' ' << height << "\" font-family=\"sans-serif\">\n"
           << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  }
  void line(Point from, Point to, Colour colour, double width) override {
    m_body << "<line x1=\"" << from.x << "\" y1=\"" << from.y << "\" x2=\"" << to.x << "\" y2=\"" << to.y
           << "\" stroke=\"" << named(colour) << "\" stroke-width=\"" << width << "\"/>\n";
  }
  void box(Point corner, double width, double height, Colour colour) override {
    m_body << "<rect x=\"" << corner.x << "\" y=\"" << corner.y << "\" width=\"" << width << "\" height=\""
           << height << "\" fill=\"" << named(colour) << "\"/>\n";
  }
  void disc(Point centre, double radius, Colour colour) override {
    m_body << "<circle cx=\"" << centre.x << "\" cy=\"" << centre.y << "\" r=\"" << radius << "\" fill=\""
           << named(colour) << "\" fill-opacity=\"" << kDiscOpacity << "\" stroke=\"black\"/>\n";
  }
  void text(Point at, const std::string& words, Lettering lettering) override {
    static constexpr const char* kAnchors[] = {"start", "middle", "end"};
    m_body << "<text x=\"" << at.x << "\" y=\"" << at.y << "\" font-size=\"" << lettering.size
           << "\" text-anchor=\"" << kAnchors[static_cast<int>(lettering.anchor)] << '"';
    if (lettering.degrees != 0)
      m_body << " transform=\"rotate(" << -lettering.degrees << ' ' << at.x << ' ' << at.y << ")\"";
    m_body << " fill=\"" << named(lettering.colour) << '"';
    m_body << '>' << escaped(words) << "</text>\n";
  }
  std::string bytes() override { return m_body.str() + "</svg>\n"; }

 private:
  std::ostringstream m_body;
};

}  // namespace

std::unique_ptr<Canvas> makeSvgCanvas(int width, int height) {
  return std::make_unique<SvgCanvas>(width, height);
}

}  // namespace vitrine::cli
