"""Users."""

from __future__ import annotations

from manc import models
from manc._async.methods import AsyncUsersMethods
from manc._core.wire import JsonObject


class AsyncUsers(AsyncUsersMethods):
    """People who manage and watch the network."""

    async def create_first(self, body: models.UserCreate | JsonObject, setup_token: str) -> models.TokenData:
        """Creates the first administrator, with the setup token from the controller's log."""
        return await self._transport.call("createUserPublic", models.TokenData, body=body, bearer=setup_token)

    async def recover_password(self, username: str) -> models.Done:
        """Sends an e-mail with a reset token, if the account exists."""
        return await self._transport.call("recoverPassword", models.Done, body={"username": username})
