"""What Schemathesis has to know about the contract beside its document, and what is asked of an answer beyond its own checks."""

import json
import os
import time
import tomllib
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import schemathesis

ROLE = os.environ["FLOTILLA_ROLE"]
URL = os.environ["FLOTILLA_URL"]
CONFIG = tomllib.loads(Path(os.environ["FLOTILLA_CONFIG"]).read_text())

# The member that the run needs.
MEMBER = "alpha"

# Within which a restarted instance has to be back, in seconds.
RESTART_SECONDS = 30

# What can be done to one thing, by the field that is its key: each of them may follow each that writes.
FAMILIES = {
    "ref": [
        "registerSession",
        "replySession",
        "controlSession",
        "closeSession",
        "linkSessionPullRequest",
        "getSession",
        "sessionTranscript",
        "getWorkItem",
    ],
    "name": [
        "createStandingSession",
        "sayToStandingSession",
        "controlStandingSession",
        "deleteStandingSession",
        "getStandingSession",
    ],
}

SPELLINGS = {"enum": [0, 1]}, {"type": "string", "pattern": "^([tT][rR][uU][eE]|[fF][aA][lL][sS][eE]|0|1)$"}

# OpenAPI 3.1 calls a stream a text; this is what each of its frames is.
FRAME = {
    "type": "object",
    "required": ["event", "data"],
    "properties": {
        "event": {"enum": ["log", "transcript", "desync"]},
        "data": {"type": "string", "contentMediaType": "application/json", "contentSchema": {"type": "object"}},
    },
    "if": {"properties": {"event": {"const": "log"}}},
    "then": {
        "required": ["id"],
        "properties": {"data": {"contentSchema": {"$ref": "#/components/schemas/Event"}}},
    },
}

# By request.
restarts_before = {}


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Makes the document as strict as what it promises, and as lenient as what it says in words."""
    operations = {operation["operationId"]: operation for path in raw_schema["paths"].values() for operation in path.values()}
    components = raw_schema["components"]
    for parameter in components["parameters"].values():
        parameter.update(known_value("query", parameter["name"], CONFIG["parameters"]))
    for operation_id, operation in operations.items():
        # It stands for what may befall any request before an operation has it, and would excuse every status.
        operation["responses"].pop("default")
        bindings = bindings_of(operation_id)
        for parameter in operation.get("parameters", []):
            parameter.update(known_value("query", parameter.get("name"), bindings))
        if body := operation.get("requestBody"):
            schema = components["schemas"][body["content"]["application/json"]["schema"]["$ref"].split("/")[-1]]
            for name, field in schema["properties"].items():
                schema["properties"][name] = with_spellings(field) | known_value("body", name, bindings)
    operations["streamEvents"]["responses"]["200"]["content"]["text/event-stream"]["schema"] = FRAME
    link_families(operations)


def link_families(operations):
    for key, family in FAMILIES.items():
        value = {key: f"$request.body#/{key}"}
        links = {
            target: {"operationId": target, "requestBody" if "requestBody" in operations[target] else "parameters": value}
            for target in family
        }
        for source in family:
            # Without a name, `control` is about no session in particular.
            if "requestBody" in operations[source] and source != "controlStandingSession":
                operations[source]["responses"]["200"]["links"] = links


def bindings_of(operation_id):
    own = [entry.get("parameters", {}) for entry in CONFIG["operations"] if operation_id in entry["include-operation-id"]]
    return CONFIG["parameters"] | {key: binding for bindings in own for key, binding in bindings.items()}


def known_value(place, name, bindings):
    """A key that hits, for the phase that changes one thing at a time: it would otherwise change what nobody has."""
    for key, is_list in ((f"{place}.{name}", False), (f"{place}.{name}[*]", True)):
        if binding := bindings.get(key):
            [first, *_] = CONFIG["dictionaries"][binding["dictionary"]]["values"]
            return {"example": [first] if is_list else first}
    return {}


def with_spellings(field):
    """Booleans of bodies are also read as some clients write them (spec/manager.md § 13.4); the type is what clients know."""
    return {"anyOf": [field, *SPELLINGS]} if "boolean" in field.get("type", "") else field


@schemathesis.hook
def filter_case(context, case):
    """Leaves out what would take the run's own ground away, and what the document can say in words only."""
    if id_of(case) == "unregisterInstance" and isinstance(case.body, dict) and case.body.get("name") == MEMBER:
        return False
    is_valid = case.meta is None or case.meta.generation.mode.is_positive
    # Such a body is 422 wherever it says so, also in a field that nobody reads.
    if is_valid:
        return not has_reserved_key(case.body)
    # Whatever stands in a list of the query is a list of texts when it is sent.
    return all(is_texts((case.query or {}).get(name, [])) for name in lists_of(case))


def lists_of(case):
    parameters = case.operation.definition.raw.get("parameters", [])
    return [parameter["name"] for parameter in parameters if parameter.get("schema", {}).get("type") == "array"]


def is_texts(value):
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def id_of(case):
    return case.operation.definition.raw["operationId"]


def has_reserved_key(value):
    if isinstance(value, list):
        return any(map(has_reserved_key, value))
    if not isinstance(value, dict):
        return False
    return "__proto__" in value or "constructor" in value or any(map(has_reserved_key, value.values()))


@schemathesis.hook
def before_call(context, case, kwargs):
    if id_of(case) == "restart":
        restarts_before[case.id] = count_restarts()


@schemathesis.hook
def after_call(context, case, response):
    """An instance that was told to restart is away for a moment, and has to come back."""
    if id_of(case) != "restart" or response.status_code != 200:
        return
    deadline = time.monotonic() + RESTART_SECONDS
    while count_restarts() <= restarts_before[case.id]:
        assert time.monotonic() < deadline, f"it is not back {RESTART_SECONDS} s after {response.text}"
        time.sleep(0.1)


def count_restarts():
    """So far, of all instances that the one in question sees; none while it is away."""
    try:
        with urlopen(f"{URL}/api/v1/events?type=restart.completed&limit=0", timeout=5) as answer:
            return len(json.load(answer))
    except (URLError, ConnectionError, TimeoutError):
        return 0


@schemathesis.check
def member_failure_names_the_member(ctx, response, case):
    """502 is a member's failure: a worker has none, and those that fail here are the ones that the run itself has registered."""
    if response.status_code != 502:
        return
    assert ROLE == "manager", "a worker answers 502"
    named = response.json().get("instance")
    assert named is not None, "502 without the name of the member"
    assert named != MEMBER, f"502 for {named}, which is there"


@schemathesis.check
def reason_is_in_words_of_the_contract(ctx, response, case):
    """A reason speaks of what was sent, and not of the graph behind it."""
    if 400 <= response.status_code < 500:
        assert 'Variable "$' not in response.text, response.text
