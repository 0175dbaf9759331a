// SPDX-License-Identifier: Apache-2.0
// Shapes of an SVG, added from top to bottom. Internal to the pictures.
#pragma once

#include <string>

namespace millrace::view {

class Drawing {
 public:
  explicit Drawing(double width) : width_(width) {}

  double width() const { return width_; }
  double y = 0;  // where the next thing begins

  void rect(double x, double top, double w, double h, const std::string& attributes, const std::string& title = "");
  void text(double x, double base, const std::string& what, const std::string& attributes = "");
  void line(double x1, double y1, double x2, double y2, const std::string& attributes);
  void group(const std::string& title);  // until raw("</g>")
  void raw(const std::string& element) { body_ += element; }
  // Words over as many lines as they need, from `y` on; moves y.
  void paragraph(double x, const std::string& what, double size, const std::string& attributes = "");

  // The whole picture; `title` and `about` are what a screen reader says of it.
  std::string finished(const std::string& title, const std::string& about) const;

 private:
  double width_;
  std::string body_;
};

// Width of a text in pixels, about, in a usual sans serif of this size.
double width_of(const std::string& text, double size);

}  // namespace millrace::view
