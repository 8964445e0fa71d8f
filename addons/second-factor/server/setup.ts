import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'

const MINUTES = 30

const contextOf = (user: UserId): string => `authenticator app being added by ${user}`

/** Encrypts a setup. It is stored only after the first code, so that abandoned setups leave no data behind. */
export async function sealSetup(tx: Tx, seal: Seal, user: UserId, secret: string): Promise<string> {
  const until = (await portalNow(tx)).getTime() + MINUTES * 60_000
  return seal.seal(`${until} ${secret}`, contextOf(user)).toString('base64url')
}

/**
 * Decrypts a setup.
 * @throws Problem malformed if it is invalid, expired or another user's
 */
export async function openSetup(
  tx: Tx,
  seal: Seal,
  user: UserId,
  setup: string,
): Promise<{ readonly secret: string; readonly now: Date }> {
  const now = await portalNow(tx)
  const [until, secret] = decryptSetup(seal, user, setup)
  if (secret === undefined || Number(until) < now.getTime()) {
    throw new Problem('malformed', 'setup has expired. Please start again.')
  }
  return { secret, now }
}

function decryptSetup(seal: Seal, user: UserId, setup: string): readonly string[] {
  try {
    return seal.open(Buffer.from(setup, 'base64url'), contextOf(user)).split(' ')
  } catch {
    return []
  }
}
