// SPDX-License-Identifier: Apache-2.0
// The report as JSON, the same under `lab --json` and in figures.json of the evidence.
//
//   {"schema": 1, "command": "lab", "verdict": "PASS" | "FAIL", "execution": "simulated",
//    "actual_backend": {"kind": "cpu", "name": ...}, "simulated_chip": "TPU v5e", "versions": {...},
//    "tolerance": {"rtol": 1e-06, "atol": 1e-06},
//    "endpoints": [-1.75, 2.25],                 of the buffered run; only with the lesson
//    "tile_table": {...},                        plan/table.h, "execution": "modeled"; only with the lesson
//    "inputs": [{"name", "shape", "dtype"}],
//    "experiments": [{"id", "title", "question", "prediction", "choices", "guess", "outcome", "answer",
//      "notes": [...],
//      "runs": [{"name", "input", "program", "block", "input_slots", "output_slots", "synchronous", "order",
//                "execution": "simulated", "copies", "copied_bytes", "grid_steps", "instructions", "races",
//                "max_abs_error" (null where infinite), "within_tolerance", "equal"}],
//      "claims": [{"claim", "held", "detail"}]}],
//    "failures": ["third-slot: ..."]}
//
// question, prediction, choices, outcome and answer are absent where there is nothing to predict, guess where no
// learner was asked (`lab --step`).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lab/report.h"

namespace millrace::lab {

nlohmann::ordered_json figures(const LabReport& report);

// environment.json: {"schema", "actual_backend", "simulated_chip", "versions"}.
nlohmann::ordered_json environment_json(const Environment& environment);

}  // namespace millrace::lab
