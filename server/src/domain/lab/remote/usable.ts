import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { remote } from '@trainyard/contract/calls/remote.ts'
import { REMOTE } from '@trainyard/contract/words/remote.ts'
import type { Tx } from '../../../db/schema.ts'
import { hashToken } from '../../../core/tokens.ts'
import { conflict, Problem } from '../../../core/errors.ts'
import type { Holder } from './ticket.ts'

/** A page that opened a machine tells within this many seconds, or not at all. */
const TOLD_WITHIN_SECONDS = 130
/** The click comes before the ticket, by its way to the portal and back. */
const BEFORE_TICKET_MS = 10_000
/** So many of one person are kept a day: in a month they crowd nobody else's out. */
const OF_ONE_PERSON = 20

/**
 * Keeps how long somebody waited from the click until a machine was usable. The browser measured, and may say what it
 * likes within what the portal saw itself: not less than from the ticket's making to its use, not more than until now.
 * @throws Problem forbidden where the ticket did not open that machine just now for this very session; invalid where it
 *   can't have been so long; conflict when it was kept already, or enough were
 */
export async function noteUsable(
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
      and t.used_at > portal_now() - make_interval(secs => ${TOLD_WITHIN_SECONDS})
      and (m.os = 'Linux' or ${kind} = 'desktop')`.execute(tx)
  if (rows[0] === undefined) throw new Problem('forbidden', REMOTE.notOpened)
  if (!rows[0].possible) throw new Problem('invalid', REMOTE.notSoLong)
  const { rows: today } = await sql<{ kept: number }>`
    select count(*)::int as kept from remote_opening
    where user_id = ${actor.id} and measured_at > portal_now() - interval '1 day'`.execute(tx)
  if (today[0]!.kept >= OF_ONE_PERSON) throw conflict(REMOTE.measuredEnough)
  const kept = await sql`
    insert into remote_opening (ticket_hash, user_id, machine_id, organisation_id, kind, vm_size, location, milliseconds)
    select t.token_hash, t.user_id, m.id, m.organisation_id, ${kind}, m.vm_size, m.location, ${milliseconds}
    from remote_ticket t join machine m on m.id = t.machine_id where t.token_hash = ${hash}
    on conflict do nothing`.execute(tx)
  if (kept.numAffectedRows === 0n) throw conflict(REMOTE.measuredAlready)
}
