import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'
import type { Command, MachineRow } from '../../../db/schema/machine.ts'
import type { Accepted, Cloud } from '../../../providers/cloud.ts'
import { CloudError } from '../../../providers/errors.ts'
import type { Kind } from '../../../reconcile/loop.ts'
import type { Result, Step } from '../../../reconcile/outcome.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { goes, next, type Next } from './next.ts'
import type { Observation } from './observe.ts'
import { DELETE_PARTS_SECONDS, pauseBefore, secondsHeld } from './pace.ts'
import { type LockedMachine, recordObservation } from './record.ts'
import { forgetRefusal, noteRefusal } from './refusal.ts'
import { specOf } from './spec.ts'
import { MACHINE_DUE } from './wake.ts'

export interface MachineParts {
  readonly db: Db
  readonly cloud: Cloud
  readonly seal: Seal
}

/** A creation whose reply was lost may still be on its way this long. */
const ABANDONED_CREATE_MS = 60_000
/** Looks and commands that may follow one another under one claim. */
const MOVES = 3

/** Makes the cloud agree with the rows of machines. */
export const machineKind = (parts: MachineParts): Kind<MachineRow> => ({
  table: 'machine',
  channel: MACHINE_DUE,
  step: move(parts, 1),
})

/** One thing that the machine needs now. */
const move =
  (parts: MachineParts, number: number): Step<MachineRow> =>
  (machine, signal) => {
    const todo = next(machine)
    const goOn = number < MOVES ? move(parts, number + 1) : null
    return trying(todo, machine, () => ask({ ...parts, machine, goOn }, todo, signal))
  }

interface Asking extends MachineParts {
  readonly machine: MachineRow
  /** Goes on at once after a look that shows more to do; null: enough was done under this claim. */
  readonly goOn: Step<MachineRow> | null
}

const placeOf = ({ resource_group, name }: MachineRow) => ({ resourceGroup: resource_group, name })

/** Asks the cloud for what comes next. */
async function ask(asking: Asking, todo: Next, signal: AbortSignal): Promise<Result<MachineRow>> {
  const { cloud, db, seal, machine } = asking
  const place = placeOf(machine)
  switch (todo) {
    case 'settled':
      if (machine.observed !== 'running' || machine.public_ip !== null) return record(asking, null)
      return record(asking, { kind: 'seen', ...(await cloud.lookAtMachine(place, signal)) })
    case 'look':
    case 'wait':
      return record(asking, { kind: 'seen', ...(await cloud.lookAtMachine(place, signal)) })
    case 'hold':
      return letGo(asking)
    case 'create': {
      const spec = await specOf(db, seal, machine)
      return command(asking, todo, (still) => cloud.createMachine(spec, still))
    }
    case 'start':
      return command(asking, todo, (still) => cloud.startMachine(place, still))
    case 'stop':
      return command(asking, todo, (still) => cloud.stopMachine(place, still))
    case 'restart':
      return command(asking, todo, (still) => cloud.restartMachine(place, still))
    case 'password':
      return giveOwnPassword(asking, signal)
    case 'delete':
      return askToDelete(asking, signal)
  }
}

/** The stop goes out once it can't be undone any more: the row says so before anything is sent. */
function letGo(parts: MachineParts): Result<MachineRow> {
  return (_tx, locked) => {
    const seconds = secondsHeld(locked, locked.now)
    return seconds > 0 ? { next: seconds } : { set: { not_before: null }, next: move(parts, 1) }
  }
}

/** Written down before it is sent: a lost reply, or a worker killed meanwhile, leaves a trace of it. */
const marked = (sent: Command) => ({ command: sent, command_at: sql<Date>`portal_now()`, command_accepted: false })

function command(
  asking: Asking,
  todo: Exclude<Command, 'delete'>,
  send: (signal: AbortSignal) => Promise<Accepted>,
): Result<MachineRow> {
  return {
    set: marked(todo),
    next: (_row, signal) =>
      trying(todo, asking.machine, async () =>
        record(asking, { kind: 'accepted', command: todo, ...(await send(signal)) }),
      ),
  }
}

/** Writes down what was seen or done, and says what follows. */
function record(asking: Asking, observation: Observation | null): Result<MachineRow> {
  return async (tx, locked) => {
    const after = observation === null ? locked : await recordObservation(tx, locked, observation)
    const { attempts, last_error } = after
    if (after.terminated_at !== null) return { set: { attempts, last_error }, next: 'over' }
    if (observation?.kind === 'accepted' && observation.command === 'create') await forgetRefusal(tx, after)
    const follows = next(after)
    const looked = observation?.kind === 'seen'
    if (looked && asking.goOn !== null && RESTING.every((rest) => rest !== follows) && pause(after) === 0) {
      return { next: asking.goOn }
    }
    const unaddressed = !looked && after.observed === 'running' && after.public_ip === null && follows === 'settled'
    const partsLeft = observation?.kind === 'deleted' && observation.remaining === 'parts'
    return {
      set: { attempts, last_error: follows === 'wait' && isOverdue(after) ? OVERDUE : last_error },
      next: unaddressed ? 1 : partsLeft ? DELETE_PARTS_SECONDS : pause(after),
    }
  }
}

const RESTING: readonly Next[] = ['look', 'wait', 'settled']

const pause = (machine: LockedMachine) => pauseBefore(next(machine), machine, machine.now)

/** A command that the cloud took this long ago and has not finished gets a word to those who wait. */
const OVERDUE_MS = 15 * 60_000
const OVERDUE = 'The cloud took this more than 15 minutes ago and has not finished it. It is looked at again and again.'

const isOverdue = ({ command_accepted, command_at, last_error, now }: LockedMachine) =>
  command_accepted && last_error === null && now.getTime() - command_at!.getTime() > OVERDUE_MS

/** A machine made of a copied disk has that disk's password; nobody is given the machine before it has its own. */
async function giveOwnPassword(asking: Asking, signal: AbortSignal): Promise<Result<MachineRow>> {
  const { cloud, seal, machine } = asking
  const { id, location, os, admin_username, admin_password, password_number } = machine
  const account = { id, ...placeOf(machine), location, os, username: admin_username, passwordNumber: password_number }
  const outcome = await cloud.setPassword({ ...account, password: seal.open(admin_password!, id) }, signal)
  if (outcome === 'working') return record(asking, null)
  return async (_tx, locked) => {
    // It was handed on meanwhile: what was set is the password before its own.
    if (locked.password_number !== password_number) return { next: 0 }
    return { set: { password_due: false, attempts: 0, last_error: null }, next: async () => record(asking, null) }
  }
}

async function askToDelete(asking: Asking, signal: AbortSignal): Promise<Result<MachineRow>> {
  const { cloud, machine } = asking
  if (machine.command !== 'create' || !machine.command_accepted) return remove(asking, signal)
  // It may have come to run, and been billed, since it was last seen on its way.
  const sighting = await cloud.lookAtMachine(placeOf(machine), signal)
  return async (tx, locked) => {
    await recordObservation(tx, locked, { kind: 'seen', ...sighting })
    return { next: (_row, still) => trying('delete', machine, () => remove(asking, still)) }
  }
}

async function remove(asking: Asking, signal: AbortSignal): Promise<Result<MachineRow>> {
  const { command: sent, command_at, command_accepted, observed, first_seen_at: firstSeenAt } = asking.machine
  const abandonedCreate = sent === 'create' && !command_accepted
  const goesOn = sent === 'delete' && command_accepted
  const stands = sent === null && (observed === 'running' || observed === 'stopped')
  const toDelete = { ...placeOf(asking.machine), firstSeenAt, stands }
  const send = async (still: AbortSignal) => {
    const { at, remaining } = await asking.cloud.deleteMachine(toDelete, still)
    if (abandonedCreate && remaining === 'nothing' && at.getTime() - command_at!.getTime() < ABANDONED_CREATE_MS) {
      throw new CloudError('conflict', 'Waiting for a creation whose answer was lost.', 20)
    }
    // The bill ended with the first deletion that was taken, not with the steps after it.
    return record(asking, { kind: 'deleted', remaining, at: goesOn ? command_at! : at })
  }
  if (abandonedCreate || goesOn) return send(signal)
  return { set: marked('delete'), next: (_row, still) => trying('delete', asking.machine, () => send(still)) }
}

/** Does what was found to do; an error of the cloud's is written down with what it says of the machine. */
async function trying(
  tried: Next,
  asked: MachineRow,
  work: () => Promise<Result<MachineRow>>,
): Promise<Result<MachineRow>> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CloudError)) throw error
    return failed(tried, asked, error)
  }
}

/** Shown as the reason, and tried again after a pause, or not by itself where it is final. */
function failed(tried: Next, asked: MachineRow, error: CloudError): Result<MachineRow> {
  // Refused outright it was not done; without an answer nobody knows. A look that fails says nothing of the command.
  const undone = error.kind !== 'unreachable' && tried !== 'look'
  return async (tx, machine) => {
    // A wish that came meanwhile starts anew.
    const anew = machine.generation !== asked.generation
    const refused = error.final && !anew && (tried === 'create' || tried === 'password')
    if (refused && machine.observed === 'absent') await noteRefusal(tx, machine, error.message)
    const outstanding = machine.command !== null && !machine.command_accepted
    const abandonedCreate = goes(machine) && machine.command === 'create'
    const forgotten = undone && outstanding && !abandonedCreate
    return {
      set: { refused, ...(forgotten ? { command: null, command_at: null, command_accepted: false } : {}) },
      error,
      ...(refused ? { next: null } : {}),
    }
  }
}
