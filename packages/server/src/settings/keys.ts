import Type from 'typebox'
import { secret } from './kinds.ts'

/** Keys of tokens and stored secrets, and their rotation. */
export const keySettings = {
  MANC_TOKEN_KEY: secret('Signs access tokens. At least 32 characters; the same on every replica.'),
  MANC_TOKEN_KEY_NEXT: Type.Optional(
    secret(
      'While the key is rotated: the next `MANC_TOKEN_KEY`. Its tokens are accepted, so that some replicas may use it already.',
    ),
  ),
  MANC_TOKEN_KEY_PREVIOUS: Type.Optional(
    secret(
      'After the key was rotated: the former `MANC_TOKEN_KEY`. Its tokens are accepted until they expire.',
    ),
  ),
  MANC_DATA_KEY: secret(
    'Encrypts API keys and keys the hashes of generated secrets. At least 32 characters; the same on every replica. If it is lost, the API keys are lost.',
  ),
  MANC_DATA_KEY_NEXT: Type.Optional(
    secret(
      'While the key is rotated: the next `MANC_DATA_KEY`. Data under it can be read, so that some replicas may use it already.',
    ),
  ),
  MANC_DATA_KEY_PREVIOUS: Type.Optional(
    secret(
      'After the key was rotated: the former `MANC_DATA_KEY`. Data under it can be read. `manc-server keys status` shows whether it is still needed.',
    ),
  ),
}
