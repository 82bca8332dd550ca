# SPDX-License-Identifier: Apache-2.0
"""The API against its own description: what it says is what it does."""

from __future__ import annotations

import json

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings

from support.campaign_world import make_world
from tertium.campaigns.api.document import DOCUMENT
from tertium.campaigns.models import Judgement

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
OPERATIONS = [
    (path, method.upper())
    for path, methods in DOCUMENT["paths"].items()
    for method in methods
    if method != "parameters" and not path.endswith("openapi.json")
]
EXAMPLES = 8  # a kind of values, an address and a role


@pytest.fixture
def schema():
    import schemathesis
    from django.core.wsgi import get_wsgi_application

    # The server would close the connection that holds the test's transaction.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    server = get_wsgi_application()

    def closing(environ, start_response):
        # As a real server does, which the library's client is not.
        reply = server(environ, start_response)
        body = list(reply)
        reply.close()
        return body

    @schemathesis.serializer("application/x-ndjson", "application/jsonl")
    def lines(_context, value):
        return value if isinstance(value, bytes) else json.dumps(value).encode()

    yield schemathesis.openapi.from_wsgi("/api/v1/openapi.json", closing)
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_the_api_does_what_its_description_says(tmp_path, schema, path, method):
    """Good and bad values for every parameter: no failure, nothing unannounced."""
    from schemathesis import GenerationMode
    from schemathesis.checks import positive_data_acceptance

    world = make_world(tmp_path, "first")
    world.judge()
    operation = schema.find_operation_by_path(method, path)
    fixed = {"name": "first"} if "{name}" in path else None
    for role in ("manager", "observer"):
        headers = world.bearer(role)
        for mode in GenerationMode:
            # The campaign there is, and any name that could be one.
            for parameters in {str(fixed): fixed, "None": None}.values():
                if parameters and "{code}" in path:
                    parameters = {**parameters, "code": "nobody"}
                check(
                    operation.as_strategy(mode, path_parameters=parameters),
                    headers,
                    # Good values are not all: a file must fit the campaign.
                    excluded_checks=[positive_data_acceptance],
                )
    assert Judgement.objects.count() == 1


def check(strategy, headers, **options):
    @settings(
        max_examples=EXAMPLES,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy)
    def run(case):
        case.call_and_validate(headers=headers, **options)

    run()
