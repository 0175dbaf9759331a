// SPDX-License-Identifier: Apache-2.0
#pragma once

// Marks what libmillrace.so shows to the outside; everything else is hidden.
#define MILLRACE_API __attribute__((visibility("default")))
