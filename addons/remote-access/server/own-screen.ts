import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { selectScreenOfMachine, selectScreenOfName, type OwnScreen } from './queries.ts'

export async function ownScreen(db: Db | Tx, machine: MachineId): Promise<OwnScreen | null> {
  const { rows } = await selectScreenOfMachine(db, machine)
  return rows[0] ?? null
}

/** Returns the open screen of a machine's learner. The process that holds the screen's socket checks who may watch. */
export async function holderOfScreen(db: Db, machine: string): Promise<OwnScreen | null> {
  const { rows } = await selectScreenOfName(db, machine)
  return rows[0] ?? null
}

/** Returns an open terminal of a machine if it was opened with this session. */
export async function terminalOfSession(
  db: Db,
  sessionHash: Buffer,
  of: { readonly terminal: string; readonly machine: string },
): Promise<OwnScreen | null> {
  const found = await db
    .selectFrom('remote_session as r')
    .innerJoin('machine as m', 'm.id', 'r.machine_id')
    .select(['r.id', 'r.held_at as heldAt'])
    .where('r.id', '=', of.terminal)
    .where('m.name', '=', of.machine)
    .where('r.session_hash', '=', sessionHash)
    .where('r.kind', '=', 'terminal')
    .where('r.closed_at', 'is', null)
    .executeTakeFirst()
  return found ?? null
}

export async function desktopOfTicket(db: Db, sessionHash: Buffer, ticket: string): Promise<OwnScreen | null> {
  const found = await db
    .selectFrom('remote_session')
    .select(['id', 'held_at as heldAt'])
    .where('ticket_hash', '=', hashToken(ticket))
    .where('session_hash', '=', sessionHash)
    .where('kind', '=', 'desktop')
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return found ?? null
}

/** Returns the desktop of a view if the ticket was issued to this session. */
export async function desktopOfView(
  db: Db,
  sessionHash: Buffer,
  ticket: string,
): Promise<(OwnScreen & { readonly watch: string }) | null> {
  const found = await db
    .selectFrom('remote_watch as w')
    .innerJoin('remote_session as r', 'r.id', 'w.terminal_id')
    .select(['w.id as watch', 'r.id', 'r.held_at as heldAt'])
    .where('w.view_hash', '=', hashToken(ticket))
    .where('w.session_hash', '=', sessionHash)
    .where('w.closed_at', 'is', null)
    .executeTakeFirst()
  return found ?? null
}
