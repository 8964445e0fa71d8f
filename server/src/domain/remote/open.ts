import { sql } from 'kysely'
import type { MachineId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { REMOTE, TERMINALS_PER_MACHINE } from '@trainyard/contract/words/remote.ts'
import type { Tx } from '../../db/schema.ts'
import { writeAudit } from '../../core/audit.ts'
import { conflict } from '../../core/errors.ts'
import type { Seal } from '../../secrets/seal.ts'
import { machineToOpen } from './scope.ts'
import { rdpFile } from './rdp.ts'
import { type Holder, useTicket } from './ticket.ts'

/** A terminal that somebody may have: where to connect, as whom. */
export interface Granted {
  readonly kind: 'terminal'
  /** The terminal's row. */
  readonly id: string
  /** Its learner is told this about being watched; null: it is an instructor's. */
  readonly watching: 'asked' | 'unasked' | null
  readonly machine: {
    readonly id: MachineId
    readonly name: string
    readonly trainingId: TrainingId
    /** From the machine's row alone: nothing that a browser sends chooses where the portal connects. */
    readonly address: string
    readonly account: string
    readonly password: string
  }
}

/** A terminal not spoken of for this long belongs to a process that is no more. */
export const ABANDONED_SECONDS = 90

export interface File {
  readonly kind: 'file'
  readonly machine: string
  readonly name: string
  readonly text: string
}

/**
 * Uses a ticket for a terminal on its machine, or for the file that leads to a Windows machine.
 * @throws Problem with the sentence to show
 */
export async function openRemote(
  tx: Tx,
  seal: Pick<Seal, 'open'>,
  holder: Holder,
  asked: {
    readonly ticket: string
    readonly machine: string
    readonly requestId: string
    readonly heldAt?: string | null
  },
): Promise<Granted | File> {
  await useTicket(tx, holder, asked)
  const machine = await machineToOpen(tx, holder.actor, asked.machine)
  if (machine.public_ip === null || machine.admin_password === null) throw conflict(REMOTE.noAddress(machine.name))
  const audit = (detail: Record<string, unknown>) =>
    writeAudit(tx, { call: 'remote.open', requestId: asked.requestId, actor: holder.actor, asked: detail })
  if (machine.os === 'Windows') {
    await audit({ machine: machine.name, as: 'file' })
    const { name, public_ip, admin_username } = machine
    return { kind: 'file', machine: name, name: `${name}.rdp`, text: rdpFile(public_ip, admin_username) }
  }
  // The machine's row is held: two that come at once are counted one after the other.
  const { open } = await tx
    .selectFrom('remote_session')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('machine_id', '=', machine.id)
    .where('closed_at', 'is', null)
    .where('seen_at', '>', sql<Date>`portal_now() - make_interval(secs => ${ABANDONED_SECONDS})`)
    .executeTakeFirstOrThrow()
  if (open >= TERMINALS_PER_MACHINE) throw conflict(REMOTE.full(machine.name))
  const { id, told_watched } = await tx
    .insertInto('remote_session')
    .values({
      session_hash: holder.sessionHash,
      user_id: holder.actor.id,
      email: holder.actor.email,
      machine_id: machine.id,
      organisation_id: machine.organisation_id,
      held_at: asked.heldAt ?? null,
      told_watched: (eb) =>
        eb.selectFrom('training').select('watched_without_asking').where('id', '=', machine.training_id),
    })
    .returning(['id', 'told_watched'])
    .executeTakeFirstOrThrow()
  await audit({ machine: machine.name, as: 'terminal', terminal: id })
  return {
    kind: 'terminal',
    id,
    watching: holder.actor.email !== machine.email ? null : told_watched ? 'unasked' : 'asked',
    machine: {
      id: machine.id,
      name: machine.name,
      trainingId: machine.training_id,
      address: machine.public_ip,
      account: machine.admin_username,
      password: seal.open(machine.admin_password, machine.id),
    },
  }
}

/** Writes down that a terminal is over, and why; once. */
export async function closeRemote(
  tx: Tx,
  terminal: Granted,
  given: { readonly holder: Holder; readonly requestId: string; readonly ended: string },
): Promise<void> {
  const { ended, requestId, holder } = given
  const closed = await tx
    .updateTable('remote_session')
    .set({ closed_at: sql<Date>`portal_now()`, ended })
    .where('id', '=', terminal.id)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (closed === undefined) return
  const asked = { machine: terminal.machine.name, terminal: terminal.id, ended }
  await writeAudit(tx, { call: 'remote.close', requestId, actor: holder.actor, asked })
}
