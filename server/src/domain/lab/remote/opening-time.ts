import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { remote } from '@trainyard/contract/calls/remote.ts'
import { REMOTE_MESSAGES } from '@trainyard/contract/words/remote.ts'
import type { Tx } from '../../../db/schema.ts'
import { hashToken } from '../../../core/tokens.ts'
import { conflict, Problem } from '../../../core/errors.ts'
import type { Holder } from './ticket.ts'

const REPORT_WITHIN_SECONDS = 130
/** Maximum time in milliseconds from the user's click to the creation of the ticket. */
const BEFORE_TICKET_MS = 10_000
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
  const { rows } = await sql<{ possible: boolean }>`
    select ${milliseconds} between extract(epoch from t.used_at - t.created_at) * 1000
      and extract(epoch from portal_now() - t.created_at) * 1000 + ${BEFORE_TICKET_MS} as possible
    from remote_ticket t join machine m on m.id = t.machine_id
    where t.token_hash = ${hash} and t.session_hash = ${sessionHash} and t.user_id = ${actor.id} and m.name = ${vmName}
      and t.used_at > portal_now() - make_interval(secs => ${REPORT_WITHIN_SECONDS})
      and (m.os = 'Linux' or ${kind} = 'desktop')`.execute(tx)
  if (rows[0] === undefined) throw new Problem('forbidden', REMOTE_MESSAGES.notOpened)
  if (!rows[0].possible) throw new Problem('invalid', REMOTE_MESSAGES.tooLong)
  const { rows: today } = await sql<{ stored: number }>`
    select count(*)::int as stored from remote_opening
    where user_id = ${actor.id} and measured_at > portal_now() - interval '1 day'`.execute(tx)
  if (today[0]!.stored >= MAX_PER_DAY) throw conflict(REMOTE_MESSAGES.dailyLimitReached)
  const stored = await sql`
    insert into remote_opening (ticket_hash, user_id, machine_id, organisation_id, kind, vm_size, location, milliseconds)
    select t.token_hash, t.user_id, m.id, m.organisation_id, ${kind}, m.vm_size, m.location, ${milliseconds}
    from remote_ticket t join machine m on m.id = t.machine_id where t.token_hash = ${hash}
    on conflict do nothing`.execute(tx)
  if (stored.numAffectedRows === 0n) throw conflict(REMOTE_MESSAGES.measuredAlready)
}
