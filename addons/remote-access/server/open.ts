import { sql } from 'kysely'
import type { DesktopOffer } from '../contract/remote.ts'
import type { MachineId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { REMOTE_MESSAGES, TERMINALS_PER_MACHINE } from '../contract/remote-words.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { MachineRow } from '@trainyard/machines/tables.gen.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import type { MachineAddress } from '@trainyard/templates/server/machine-address.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { networkOf } from '@trainyard/machines/server/operation/route.ts'
import { openPassword } from '@trainyard/machines/server/credentials.ts'
import { lockMachineToOpen } from './scope.ts'
import { type Holder, issueTicket, useTicket } from './ticket.ts'
import { activityChanged } from '@trainyard/trainings/server/machine-changes.ts'

/** Machine to which the portal connects. Its address comes from the row, never from the browser. */
interface RemoteMachine extends MachineAddress {
  readonly id: MachineId
  readonly name: string
  readonly trainingId: TrainingId
}

export interface GrantedTerminal {
  readonly kind: 'terminal'
  readonly id: string
  /** Kind of the notice about watching that the learner sees; null if the terminal belongs to an instructor. */
  readonly watching: 'asked' | 'unasked' | null
  readonly machine: RemoteMachine & { readonly account: string; readonly password: string }
}

export interface GrantedSsh {
  readonly kind: 'ssh'
  readonly id: string
  readonly machine: RemoteMachine
}

export interface GrantedDesktop {
  readonly kind: 'desktop'
  readonly id: string
  readonly watching: GrantedTerminal['watching']
  readonly machine: RemoteMachine
}

interface PresentedTicket {
  readonly ticket: string
  readonly machine: string
  readonly requestId: string
  readonly heldAt?: string | null
}

/** Seconds without a heartbeat after which a session's process is considered dead. */
export const ABANDONED_SECONDS = 90

/** @throws Problem with the message to show */
export async function openRemote(
  tx: Tx,
  seal: Pick<Seal, 'open'>,
  holder: Holder,
  request: PresentedTicket & { readonly desktop?: boolean | undefined },
): Promise<GrantedTerminal | DesktopOffer> {
  const { machine, place } = await locate(tx, holder, request)
  const { admin_username: account } = machine
  if (machine.admin_password === null) throw conflict(REMOTE_MESSAGES.noAddress(place.name))
  const password = openPassword(seal, machine.admin_password, machine.id)
  if (machine.os === 'Windows' || request.desktop === true) {
    const file = { name: `${place.name}.rdp`, text: rdpFile(place.address, account) }
    const ticket = await issueTicket(tx, holder, machine)
    return { kind: 'desktop', machine: place.name, account, password, ticket, file }
  }
  const { id, watching } = await insertSession(tx, 'terminal', holder, machine, request)
  return { kind: 'terminal', id, watching, machine: { ...place, account, password } }
}

/** Lets a user continue a terminal of this session. @throws Problem with the message to show */
export async function resumeRemote(tx: Tx, holder: Holder, request: PresentedTicket, terminal: string): Promise<void> {
  const { machine } = await locate(tx, holder, request)
  const detail = { machine: machine.name, terminal }
  await writeAudit(tx, { call: 'remote.resume', requestId: request.requestId, actor: holder.actor, request: detail })
}

/** @throws Problem with the message to show */
export async function openDesktop(tx: Tx, holder: Holder, request: PresentedTicket): Promise<GrantedDesktop> {
  const { machine, place } = await locate(tx, holder, request)
  const { id, watching } = await insertSession(tx, 'desktop', holder, machine, request)
  return { kind: 'desktop', id, watching, machine: place }
}

/** @throws Problem with the message to show */
export async function openSsh(tx: Tx, holder: Holder, request: PresentedTicket): Promise<GrantedSsh> {
  const { machine, place } = await locate(tx, holder, request)
  await refuseWithoutSsh(tx, machine)
  const { id } = await insertSession(tx, 'ssh', holder, machine, request)
  return { kind: 'ssh', id, machine: place }
}

/** @throws Problem conflict if the machine has no SSH, or its training does not allow file transfers */
export async function refuseWithoutSsh(db: Db, { name, os, training_id }: MachineRow): Promise<void> {
  if (os !== 'Linux') throw conflict(REMOTE_MESSAGES.withoutSsh(name))
  const training = await db
    .selectFrom('training')
    .select(['name', 'files_allowed'])
    .where('id', '=', training_id)
    .executeTakeFirstOrThrow()
  if (!training.files_allowed) throw conflict(REMOTE_MESSAGES.sshNotAllowed(training.name))
}

async function locate(
  tx: Tx,
  holder: Holder,
  request: PresentedTicket,
): Promise<{ machine: MachineRow; place: RemoteMachine }> {
  await useTicket(tx, holder, request)
  const machine = await lockMachineToOpen(tx, holder.actor, request.machine)
  const { id, name, training_id: trainingId, public_ip: address } = machine
  if (address === null) throw conflict(REMOTE_MESSAGES.noAddress(name))
  return { machine, place: { id, name, trainingId, address, network: await networkOf(tx, machine.id) } }
}

const FULL = {
  terminal: REMOTE_MESSAGES.full,
  desktop: REMOTE_MESSAGES.fullOfDesktops,
  ssh: REMOTE_MESSAGES.fullOfConnections,
}

/** Inserts a session. Locks the machine's row, so that concurrent requests are counted one after the other. */
async function insertSession(
  tx: Tx,
  kind: 'terminal' | 'desktop' | 'ssh',
  holder: Holder,
  machine: MachineRow,
  request: PresentedTicket,
): Promise<Pick<GrantedTerminal, 'id' | 'watching'>> {
  const { open } = await tx
    .selectFrom('remote_session')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('machine_id', '=', machine.id)
    .where('kind', '=', kind)
    .where('closed_at', 'is', null)
    .where('seen_at', '>', sql<Date>`portal_now() - make_interval(secs => ${ABANDONED_SECONDS})`)
    .executeTakeFirstOrThrow()
  if (open >= TERMINALS_PER_MACHINE) throw conflict(FULL[kind](machine.name))
  const entered = await tx
    .insertInto('remote_session')
    .values({
      kind,
      session_hash: holder.sessionHash,
      user_id: holder.actor.id,
      email: holder.actor.email,
      machine_id: machine.id,
      organisation_id: machine.organisation_id,
      held_at: request.heldAt ?? null,
      ticket_hash: hashToken(request.ticket),
      told_watched: (eb) =>
        eb.selectFrom('training').select('watched_without_asking').where('id', '=', machine.training_id),
    })
    .returning(['id', 'told_watched'])
    .executeTakeFirstOrThrow()
  await activityChanged(tx, [machine.id])
  const detail = { machine: machine.name, as: kind, terminal: entered.id }
  await writeAudit(tx, { call: 'remote.open', requestId: request.requestId, actor: holder.actor, request: detail })
  const watching = holder.actor.email !== machine.email ? null : entered.told_watched ? 'unasked' : 'asked'
  return { id: entered.id, watching }
}

export async function closeRemote(
  tx: Tx,
  terminal: GrantedTerminal | GrantedDesktop | GrantedSsh,
  options: {
    readonly holder: Holder
    readonly requestId: string
    readonly ended: string
    /** Seconds since its page was connected last. They do not count as present. */
    readonly lostFor?: number
  },
): Promise<void> {
  const { ended, requestId, holder, lostFor = 0 } = options
  const closed = await tx
    .updateTable('remote_session')
    .set({ closed_at: sql<Date>`portal_now() - make_interval(secs => ${lostFor})`, ended })
    .where('id', '=', terminal.id)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (closed === undefined) return
  await activityChanged(tx, [terminal.machine.id])
  const request = { machine: terminal.machine.name, terminal: terminal.id, ended }
  await writeAudit(tx, { call: 'remote.close', requestId, actor: holder.actor, request })
}

/** Source: https://learn.microsoft.com/azure/virtual-desktop/rdp-properties */
function rdpFile(address: string, account: string): string {
  const lines = [
    `full address:s:${address}:3389`,
    `username:s:${account}`,
    'prompt for credentials:i:1',
    'authentication level:i:2',
    'redirectclipboard:i:1',
    'dynamic resolution:i:1',
  ]
  return `${lines.join('\r\n')}\r\n`
}
