import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { remote } from '../contract/remote.ts'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import { isPossibleOpening, countOpeningsToday, insertOpening } from './queries.ts'
import type { Holder } from './ticket.ts'

/** Maximum number of measurements stored per user and day, so that the measurements of one user do not dominate. */
const MAX_PER_DAY = 20

/**
 * Stores how long a desktop or terminal took to open. The browser reports the duration, so it is checked against the
 * server's own times.
 * @throws Problem forbidden; invalid; conflict if already stored
 */
export async function recordOpening(
  tx: Tx,
  { actor, sessionHash }: Holder,
  { vmName, password, kind, milliseconds }: BodyOf<typeof remote.usable>,
): Promise<void> {
  const hash = hashToken(password)
  const { rows } = await isPossibleOpening(tx, { milliseconds, hash, sessionHash, actor: actor.id, vmName, kind })
  if (rows[0] === undefined) throw new Problem('forbidden', REMOTE_MESSAGES.notOpened)
  if (!rows[0].possible) throw new Problem('invalid', REMOTE_MESSAGES.tooLong)
  const { rows: today } = await countOpeningsToday(tx, actor.id)
  if (today[0]!.stored >= MAX_PER_DAY) throw conflict(REMOTE_MESSAGES.dailyLimitReached)
  const stored = await insertOpening(tx, kind, milliseconds, hash)
  if (stored.numAffectedRows === 0n) throw conflict(REMOTE_MESSAGES.measuredAlready)
}
