// SPDX-License-Identifier: Apache-2.0
// The evidence of a lab on disk. Files of an earlier lab in the same folder are replaced one by one, each whole or
// not at all; anything else that lies there is left alone.
//
//   transcript.txt, environment.json, figures.json, and with the lesson predictions.md, figures.svg,
//   timeline.svg and timeline.json (modeled); the pictures in a width for phones, too (figures-narrow.svg)
//   inputs/lesson.x.npy, inputs/lesson.y.npy, ...
//   outputs/schedules.buffered.npy, ...: one a run
#pragma once

#include <filesystem>
#include <string>

#include "lab/report.h"

namespace millrace::lab {

// Error(kUser) where `folder` is there and is not a folder: asked before the lab runs.
void require_folder(const std::filesystem::path& folder);

// Creates the folder where it is missing. Error(kUser) where something cannot be written.
void write_evidence(const LabReport& report, const std::filesystem::path& folder);

}  // namespace millrace::lab
