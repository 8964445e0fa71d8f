import { sql } from 'kysely'
import { WATCH_REFUSED_SECONDS, WATCHERS_PER_TERMINAL, WATCHING } from '@trainyard/contract/words/watching.ts'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { writeAudit } from '../../../core/audit.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import { onlyOwn } from '../training/scope.ts'
import { machineToOpen } from './scope.ts'
import { type Holder, useTicket } from './ticket.ts'
import { ownScreen } from './watched.ts'

/** Somebody who may watch a learner's screen, once the learner allows it where they are asked. */
export interface Watch {
  readonly id: string
  readonly terminal: string
  readonly machine: string
  readonly learner: string
  readonly watcher: string
  readonly organisation: OrganisationId
  readonly mustAsk: boolean
}

/**
 * Uses a ticket to watch the screen of a machine's learner.
 * @throws Problem with the sentence to show
 */
export async function askToWatch(
  tx: Tx,
  holder: Holder,
  asked: { readonly ticket: string; readonly machine: string },
): Promise<Watch> {
  await useTicket(tx, holder, asked, { toWatch: true })
  // Whoever gave the ticket out knew them as an instructor; they may be none any more.
  if (onlyOwn(holder.actor) !== null) throw notFound('machine')
  // The machine's row is held: of several who come at once each is counted.
  const machine = await machineToOpen(tx, holder.actor, asked.machine)
  const terminal = await ownScreen(tx, machine.id)
  if (terminal === null) throw conflict(WATCHING.notConnected(machine.email))
  const { rows } = await sql<{ open: number; mine: number; refused: boolean; unasked: boolean }>`
    select count(*) filter (where w.closed_at is null)::int as open,
      count(*) filter (where w.closed_at is null and w.email = ${holder.actor.email})::int as mine,
      coalesce(bool_or(w.email = ${holder.actor.email} and w.ended in (${WATCHING.refused(machine.email)},
        ${WATCHING.consentTakenBack(machine.email)})
        and w.closed_at > portal_now() - make_interval(secs => ${WATCH_REFUSED_SECONDS})), false) as refused,
      -- The stricter of what holds now and what the learner was told.
      (select r.told_watched and training.watched_without_asking from remote_session r, training
        where r.id = ${terminal.id} and training.id = ${machine.training_id}) as unasked
    from remote_watch w where w.terminal_id = ${terminal.id}`.execute(tx)
  const { open, mine, refused, unasked } = rows[0]!
  if (mine > 0) throw conflict(WATCHING.already)
  if (open >= WATCHERS_PER_TERMINAL) throw conflict(WATCHING.full)
  if (refused) throw conflict(WATCHING.again)
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
    mustAsk: !unasked,
  }
}

/** The part of an audit row that says who was watched: nothing of what was seen. */
const about = ({ id, terminal, machine, learner, watcher }: Watch) => ({
  machine,
  learner,
  watcher,
  terminal,
  watch: id,
})

/** Writes down that somebody sees the learner's screen from now on; false where it was over meanwhile. */
export async function beginWatch(
  tx: Tx,
  watch: Watch,
  { viewHash, ...by }: { actor: Actor; requestId: string; viewHash: Buffer | null },
): Promise<boolean> {
  const begun = await tx
    .updateTable('remote_watch')
    .set({ began_at: sql<Date>`portal_now()`, view_hash: viewHash })
    .where('id', '=', watch.id)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (begun === undefined) return false
  const consent = watch.mustAsk ? 'given' : 'told at the door'
  await audit(tx, 'remote.watchBegin', watch, { ...by, asked: { ...about(watch), consent } })
  return true
}

/** Writes down that it is over, why, and how long they saw it; once. */
export async function endWatch(
  tx: Tx,
  watch: Watch,
  by: { actor: Actor; requestId: string; ended: string },
): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`
    update remote_watch set closed_at = portal_now(), ended = ${by.ended}
    where id = ${watch.id} and closed_at is null
    returning coalesce(round(extract(epoch from portal_now() - began_at)), 0)::int as seconds`.execute(tx)
  if (rows[0] === undefined) return
  const { ended, ...who } = by
  await audit(tx, 'remote.watchEnd', watch, {
    ...who,
    asked: { ...about(watch), seconds: rows[0].seconds, ended },
  })
}

/** Writes down that the keyboard went to a watcher, or back; by the learner, or by the watcher who handed it back. */
export const moveKeyboard = (
  tx: Tx,
  watch: Watch,
  by: { actor: Actor; requestId: string; to: 'watcher' | 'learner' },
): Promise<void> => {
  const { to, ...who } = by
  return audit(tx, to === 'watcher' ? 'remote.giveKeyboard' : 'remote.takeKeyboard', watch, {
    ...who,
    asked: about(watch),
  })
}

const audit = (
  tx: Tx,
  call: string,
  { organisation }: Watch,
  entry: { actor: Actor; requestId: string; asked: Record<string, unknown> },
): Promise<void> => writeAudit(tx, { call, organisation, ...entry })
