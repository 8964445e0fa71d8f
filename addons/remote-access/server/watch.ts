import { sql } from 'kysely'
import { WATCHERS_PER_TERMINAL, WATCHING } from '../contract/watching.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { lockMachineToWatch } from './scope.ts'
import { type Holder, useTicket } from './ticket.ts'
import { ownScreen } from './own-screen.ts'
import { selectEarlierWatches, closeWatch } from './queries.ts'

export interface Watch {
  readonly id: string
  readonly terminal: string
  readonly machine: string
  readonly learner: string
  readonly watcher: string
  readonly organisation: OrganisationId
  readonly mustAsk: boolean
}

/** @throws Problem with the message to show */
export async function requestWatch(
  tx: Tx,
  holder: Holder,
  request: { readonly ticket: string; readonly machine: string },
): Promise<Watch> {
  await useTicket(tx, holder, request, { toWatch: true })
  // Checks the scope again, because the instructor may have lost this role since the ticket was issued. Locks the
  // machine's row, so that concurrent watchers are counted one after the other.
  const machine = await lockMachineToWatch(tx, holder.actor, request.machine)
  const terminal = await ownScreen(tx, machine.id)
  if (terminal === null) throw conflict(WATCHING.notConnected(machine.email))
  const { rows } = await selectEarlierWatches(tx, {
    email: holder.actor.email,
    refused: WATCHING.refused(machine.email),
    consentWithdrawn: WATCHING.consentWithdrawn(machine.email),
    terminal: terminal.id,
    training: machine.training_id,
  })
  const { open, mine, refused, unasked } = rows[0]!
  if (mine > 0) throw conflict(WATCHING.already)
  if (open >= WATCHERS_PER_TERMINAL) throw conflict(WATCHING.full)
  if (refused) throw conflict(WATCHING.refusedRecently)
  const { id } = await tx
    .insertInto('remote_watch')
    .values({
      terminal_id: terminal.id,
      organisation_id: machine.organisation_id,
      session_hash: holder.sessionHash,
      user_id: holder.actor.id,
      email: holder.actor.email,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    id,
    terminal: terminal.id,
    machine: machine.name,
    learner: machine.email,
    watcher: holder.actor.email,
    organisation: machine.organisation_id,
    // If an admin decided that watching needs no consent, this does not apply to the instructors of a training.
    mustAsk: !unasked || holder.actor.role === 'user',
  }
}

const auditDetail = ({ id, terminal, machine, learner, watcher }: Watch) => ({
  machine,
  learner,
  watcher,
  terminal,
  watch: id,
})

export async function beginWatch(
  tx: Tx,
  watch: Watch,
  { viewHash, ...by }: { actor: Actor; requestId: string; viewHash: Buffer | null },
): Promise<boolean> {
  const started = await tx
    .updateTable('remote_watch')
    .set({ began_at: sql<Date>`portal_now()`, view_hash: viewHash })
    .where('id', '=', watch.id)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (started === undefined) return false
  const consent = watch.mustAsk ? 'given' : 'informed'
  await audit(tx, 'remote.watchBegin', watch, { ...by, request: { ...auditDetail(watch), consent } })
  return true
}

export async function endWatch(
  tx: Tx,
  watch: Watch,
  by: { actor: Actor; requestId: string; ended: string },
): Promise<void> {
  const { rows } = await closeWatch(tx, by.ended, watch.id)
  if (rows[0] === undefined) return
  const { ended, ...who } = by
  await audit(tx, 'remote.watchEnd', watch, {
    ...who,
    request: { ...auditDetail(watch), seconds: rows[0].seconds, ended },
  })
}

export const moveKeyboard = (
  tx: Tx,
  watch: Watch,
  by: { actor: Actor; requestId: string; to: 'watcher' | 'learner' },
): Promise<void> => {
  const { to, ...who } = by
  return audit(tx, to === 'watcher' ? 'remote.giveKeyboard' : 'remote.takeKeyboard', watch, {
    ...who,
    request: auditDetail(watch),
  })
}

const audit = (
  tx: Tx,
  call: string,
  { organisation }: Watch,
  entry: { actor: Actor; requestId: string; request: Record<string, unknown> },
): Promise<void> => writeAudit(tx, { call, organisation, ...entry })
