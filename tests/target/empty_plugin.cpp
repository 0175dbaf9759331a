// SPDX-License-Identifier: Apache-2.0
// A library that loads and is no plugin.
int millrace_has_no_pjrt_api = 0;
