# SPDX-License-Identifier: Apache-2.0
"""Eight CPU devices, the door installed, and a ledger of its own for each test."""
import os

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"

import pytest

import millrace.jax
from millrace import _library

pytest_plugins = ["pytester"]


@pytest.fixture(autouse=True)
def door(request):
  """Nothing of one test is seen by another."""
  if request.node.get_closest_marker("no_door"):
    yield
    return
  millrace.jax.install()
  _library.begin_ledger()
  yield
  _library.end_ledger()
  millrace.jax.uninstall()


def pytest_configure(config):
  config.addinivalue_line("markers", "no_door: without the door installed")
