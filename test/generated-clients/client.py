"""Calls through a client that was generated from the OpenAPI document; see check.sh."""

import os
import re
from pathlib import Path

from relayer import AuthenticatedClient
from relayer.api.relayers import get_relayer, list_relayers
from relayer.api.signing import sign_typed_data
from relayer.models import Failure, RelayerPage, SignatureEnvelope, TypedDataHashesDto

HASHES = TypedDataHashesDto(
    domain_separator="0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f",
    hash_struct_message="0xc52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e",
)

token = Path(os.environ["API_KEY_FILE"]).read_text().strip()
client = AuthenticatedClient(base_url=os.environ["SERVICE_URL"], token=token)

page = list_relayers.sync(client=client, per_page=5)
assert isinstance(page, RelayerPage)
relayer = page.data[0]
signed = sign_typed_data.sync(relayer.id, client=client, body=HASHES)
assert isinstance(signed, SignatureEnvelope)
assert re.fullmatch("[0-9a-f]{130}", signed.data.sig)
failure = get_relayer.sync("missing", client=client)
assert isinstance(failure, Failure)
assert failure.message == "Relayer with ID missing not found"
print(f"Python: {relayer.id} signed, a failure was read")
