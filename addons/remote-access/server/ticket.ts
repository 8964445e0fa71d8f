import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { REMOTE_MESSAGES, REMOTE_TICKET_SECONDS } from '../contract/remote-words.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { MachineRow } from '@trainyard/machines/tables.gen.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import { signIns } from '@trainyard/users/server/valid-session.ts'

export interface Holder {
  readonly actor: Actor
  /** Hash of the session's token or of the API key. */
  readonly sessionHash: Buffer
}

/** Issues a ticket. Only the hash of the ticket is stored. */
export async function issueTicket(
  tx: Tx,
  { actor, sessionHash }: Holder,
  machine: MachineRow,
  { toWatch = false } = {},
): Promise<string> {
  const ticket = randomBytes(32).toString('base64url')
  await tx
    .deleteFrom('remote_ticket')
    .where('expires_at', '<', sql<Date>`portal_now() - interval '1 day'`)
    .execute()
  await tx
    .insertInto('remote_ticket')
    .values({
      token_hash: hashToken(ticket),
      session_hash: sessionHash,
      user_id: actor.id,
      machine_id: machine.id,
      organisation_id: machine.organisation_id,
      to_watch: toWatch,
      expires_at: sql<Date>`portal_now() + make_interval(secs => ${REMOTE_TICKET_SECONDS})`,
    })
    .execute()
  return ticket
}

/** SQL: false after the session or the API key has ended. A socket and a request's body can outlast it. */
export const isSignedIn = ({ sessionHash }: Holder): RawBuilder<boolean> =>
  sql<boolean>`exists (select from (${sqlOf(signIns, null)}) as sign_in where token_hash = ${sessionHash})`

/**
 * Consumes a ticket. All reasons for a refusal give the same error.
 * @throws Problem forbidden
 */
export async function useTicket(
  tx: Tx,
  holder: Holder,
  request: { readonly ticket: string; readonly machine: string },
  { toWatch = false } = {},
): Promise<void> {
  const { actor, sessionHash } = holder
  const used = await tx
    .updateTable('remote_ticket')
    .set({ used_at: sql<Date>`portal_now()` })
    .where('token_hash', '=', hashToken(request.ticket))
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`portal_now()`)
    .where('session_hash', '=', sessionHash)
    .where('user_id', '=', actor.id)
    .where('to_watch', '=', toWatch)
    .where(isSignedIn(holder))
    .where('machine_id', '=', (eb) => eb.selectFrom('machine').select('id').where('name', '=', request.machine))
    .returning('machine_id')
    .executeTakeFirst()
  if (used === undefined) throw new Problem('forbidden', REMOTE_MESSAGES.ticketRefused)
}
