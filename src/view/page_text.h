// SPDX-License-Identifier: Apache-2.0
// The report's page, style and script: the files of src/view/page, which the build writes into the program.
#pragma once

#include <string_view>

namespace millrace::view {

std::string_view page_html();    // with {{title}}, {{style}}, {{data}} and {{script}} to be filled in
std::string_view page_style();   // all .css
std::string_view page_script();  // all .js, one after the other

}  // namespace millrace::view
