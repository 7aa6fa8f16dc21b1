"""Models that are generated from the OpenAPI document."""

from __future__ import annotations

import re

import pytest
from pydantic import BaseModel, ValidationError

from manc import models

SECRET = re.compile(r"(^|_)(password|secret|token|api_key)$")
# A member whose values are a fixed list of texts.
NO_SECRETS = {("SignInOptions", "current_password")}
CLASSES = [each for each in vars(models).values() if isinstance(each, type) and issubclass(each, BaseModel)]


def test_secrets_are_not_in_the_text_of_any_model() -> None:
    secrets = {
        (each.__name__, name): field
        for each in CLASSES
        for name, field in each.model_fields.items()
        if SECRET.search(name) and (each.__name__, name) not in NO_SECRETS
    }
    assert len(secrets) >= 17
    assert [name for name, field in secrets.items() if field.repr] == []


@pytest.mark.parametrize(
    "model",
    [
        models.UserCreate(username="ada@example.org", password="hidden-value", roles=["operator"]),
        models.AgentUpdate(password="hidden-value"),
        models.ThirdPartyAppCreate(app_name="steering", api_key="hidden-value", permissions={}),
        models.Token(access_token="hidden-value", token_type="bearer", expires_in=60),
    ],
)
def test_the_text_of_a_model_has_no_secret_and_requests_have_it(model: BaseModel) -> None:
    assert "hidden-value" not in f"{model!r} {model}"
    assert "hidden-value" in model.model_dump_json()


def test_the_text_of_a_validation_error_has_no_input() -> None:
    shown = [each for each in CLASSES if not each.model_config.get("hide_input_in_errors")]
    assert shown == [BaseModel]
    with pytest.raises(ValidationError, match="password") as raised:
        models.AgentUpdate.model_validate({"password": ["hidden-value"]})
    assert "hidden-value" not in str(raised.value)
