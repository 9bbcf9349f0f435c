"""Whether what the stub sends has the shape that the SDKs know: nothing missing, nothing added."""

import pydantic

NEWER = {"name"}
"""Fields of `response.function_call_arguments.done` that not every version of the SDK knows."""


def assert_no_unknown_fields(value, where="$"):
    """A strict client has checked the rest; what it does not know stands in `model_extra`."""
    if isinstance(value, pydantic.BaseModel):
        unknown = set(value.model_extra or ())
        if getattr(value, "type", "") == "response.function_call_arguments.done":
            unknown -= NEWER
        assert not unknown, f"{where}: {type(value).__name__} does not know {unknown}"
        for name in type(value).model_fields:
            assert_no_unknown_fields(getattr(value, name), f"{where}.{name}")
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            assert_no_unknown_fields(item, f"{where}[{place}]")
