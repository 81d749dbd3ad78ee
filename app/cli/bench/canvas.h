// Canvas: the few strokes a picture needs, once as SVG and once through cairo. Origin at the top left;
// pixels.
#pragma once

#include <memory>
#include <string>

namespace vitrine::cli {

struct Colour {
  int red, green, blue;
};
struct Point {
  double x, y;
};
enum class Anchor { kStart, kMiddle, kEnd };
struct Lettering {
  double size;
  Anchor anchor;
  double degrees = 0;  // turned anticlockwise; 90 is read from the right
  Colour colour = {0, 0, 0};
};

inline constexpr double kDiscOpacity = 0.75;

class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void line(Point from, Point to, Colour colour, double width) = 0;
  virtual void box(Point corner, double width, double height, Colour colour) = 0;
  // What lies below a disc shines through.
  virtual void disc(Point centre, double radius, Colour colour) = 0;
  // The anchor of the words, on their base line, stands at the point.
  virtual void text(Point at, const std::string& words, Lettering lettering) = 0;
  virtual std::string bytes() = 0;  // of the whole picture, as its file has them
};

std::unique_ptr<Canvas> makeSvgCanvas(int width, int height);
std::unique_ptr<Canvas> makePngCanvas(int width, int height);  // null: this build has no cairo

}  // namespace vitrine::cli
