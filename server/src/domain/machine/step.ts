import type { Db, Tx } from '../../db/schema.ts'
import type { Cloud } from '../../providers/cloud.ts'
import { CloudError } from '../../providers/errors.ts'
import { afterError, errorOf, pauseAfter } from '../../reconcile/failures.ts'
import type { Seal } from '../../secrets/seal.ts'
import { type Claimed, markCommand, release, withClaimed } from './claim.ts'
import { next, type Next } from './next.ts'
import type { Observation } from './observe.ts'
import { DELETE_PARTS_SECONDS, pauseBefore } from './pace.ts'
import { type LockedMachine, recordObservation } from './record.ts'
import { forgetRefusal, noteRefusal } from './refusal.ts'
import { specOf } from './spec.ts'

export interface StepParts {
  readonly db: Db
  readonly cloud: Cloud
  readonly seal: Seal
  /** Told of what is no error of the cloud's but a bug of ours. */
  readonly onFault: (fault: unknown) => void
}

/** A creation whose reply was lost may still be on its way this long. */
const UNACCEPTED_CREATE_MS = 60_000
/** Looks and commands that may follow one another in one step. */
const MOVES = 3

/** Does what a claimed machine needs now, writes down what came of it, and gives the machine back. */
export async function takeStep(parts: StepParts, claimed: Claimed, signal: AbortSignal): Promise<void> {
  let machine: Claimed | null = claimed
  try {
    for (let move = 1; machine !== null; move++) machine = await takeMove(parts, machine, move === MOVES, signal)
  } catch (fault) {
    await recordError(parts, claimed, next(machine ?? claimed), fault)
  }
}

/** One call to the cloud, and its record. Answers the machine as it is now when there is more to do at once. */
async function takeMove(parts: StepParts, machine: Claimed, last: boolean, signal: AbortSignal) {
  const { db } = parts
  const observation = await ask(parts, machine, signal)
  if (observation === 'lost') return null
  return withClaimed(db, machine, async (tx, locked) => {
    const after = observation === null ? locked : await recordObservation(tx, locked, observation)
    if (after.terminated_at !== null) return null
    if (observation?.kind === 'accepted' && observation.command === 'create') await forgetRefusal(tx, after)
    const follows = next(after)
    if (follows === 'wait' && isOverdue(after)) await noteOverdue(tx, after)
    const looked = observation?.kind === 'seen'
    if (looked && !last && follows !== 'look' && follows !== 'wait' && follows !== 'settled' && pause(after) === 0) {
      return after
    }
    const unaddressed = !looked && after.observed === 'running' && after.public_ip === null && follows === 'settled'
    const partsLeft = observation?.kind === 'deleted' && observation.remaining === 'parts'
    await release(tx, machine, unaddressed ? 1 : partsLeft ? DELETE_PARTS_SECONDS : pause(after))
    return null
  })
}

const pause = (machine: LockedMachine) => pauseBefore(next(machine), machine, machine.now)

/** What the cloud took this long ago and has not finished is no longer what one waits for without a word. */
const OVERDUE_MS = 15 * 60_000
const OVERDUE = 'The cloud took this more than 15 minutes ago and has not finished it. It is looked at again and again.'

const isOverdue = ({ command_accepted, command_at, last_error, now }: LockedMachine) =>
  command_accepted && last_error === null && now.getTime() - command_at!.getTime() > OVERDUE_MS

const noteOverdue = (tx: Tx, { id }: LockedMachine) =>
  tx.updateTable('machine').set({ last_error: OVERDUE }).where('id', '=', id).execute()

/** Asks the cloud for what comes next; null: nothing was to be asked; 'lost': the claim is over. */
async function ask(parts: StepParts, machine: Claimed, signal: AbortSignal): Promise<Observation | null | 'lost'> {
  const { cloud, db, seal } = parts
  const place = { resourceGroup: machine.resource_group, name: machine.name }
  const todo = next(machine)
  switch (todo) {
    case 'look':
    case 'wait':
      return { kind: 'seen', ...(await cloud.lookAtMachine(place, signal)) }
    case 'settled': {
      const unaddressed = machine.observed === 'running' && machine.public_ip === null
      return unaddressed ? { kind: 'seen', ...(await cloud.lookAtMachine(place, signal)) } : null
    }
    case 'create': {
      const spec = await specOf(db, seal, machine)
      if (!(await markCommand(db, machine, 'create'))) return 'lost'
      return { kind: 'accepted', command: todo, ...(await cloud.createMachine(spec, signal)) }
    }
    case 'start':
      if (!(await markCommand(db, machine, 'start'))) return 'lost'
      return { kind: 'accepted', command: todo, ...(await cloud.startMachine(place, signal)) }
    case 'stop':
      if (!(await markCommand(db, machine, 'stop'))) return 'lost'
      return { kind: 'accepted', command: todo, ...(await cloud.stopMachine(place, signal)) }
    case 'password':
      return giveOwnPassword(parts, machine, signal)
    case 'restart':
      if (!(await markCommand(db, machine, 'restart'))) return 'lost'
      return { kind: 'accepted', command: todo, ...(await cloud.restartMachine(place, signal)) }
    case 'delete':
      return askToDelete(parts, machine, signal)
  }
}

/** A machine made of a copied disk has that disk's password; nobody is given the machine before it has its own. */
async function giveOwnPassword({ cloud, db, seal }: StepParts, machine: Claimed, signal: AbortSignal) {
  const { id, name, resource_group, location, os, admin_username, admin_password } = machine
  const account = { id, name, resourceGroup: resource_group, location, os, username: admin_username }
  const outcome = await cloud.setPassword({ ...account, password: seal.open(admin_password!, id) }, signal)
  if (outcome === 'working') return null
  const done = await withClaimed(db, machine, (tx) =>
    tx
      .updateTable('machine')
      .set({ password_due: false, attempts: 0, last_error: null })
      .where('id', '=', id)
      .execute(),
  )
  return done === null ? 'lost' : null
}

async function askToDelete(
  { cloud, db }: StepParts,
  machine: Claimed,
  signal: AbortSignal,
): Promise<Observation | null | 'lost'> {
  const place = { resourceGroup: machine.resource_group, name: machine.name }
  const { command, command_at, command_accepted, first_seen_at: firstSeenAt } = machine
  // It may have come to run, and been billed, since it was last seen on its way.
  if (command === 'create' && command_accepted) {
    const sighting = await cloud.lookAtMachine(place, signal)
    const noted = await withClaimed(db, machine, (tx, locked) =>
      recordObservation(tx, locked, { kind: 'seen', ...sighting }),
    )
    if (noted === null) return 'lost'
  }
  const unacceptedCreate = command === 'create' && !command_accepted
  const goesOn = command === 'delete' && command_accepted
  if (!unacceptedCreate && !goesOn && !(await markCommand(db, machine, 'delete'))) return 'lost'
  const stands = command === null && (machine.observed === 'running' || machine.observed === 'stopped')
  const { at, remaining } = await cloud.deleteMachine({ ...place, firstSeenAt, stands }, signal)
  if (unacceptedCreate && remaining === 'nothing' && at.getTime() - command_at!.getTime() < UNACCEPTED_CREATE_MS) {
    throw new CloudError('conflict', 'Waiting for a creation whose answer was lost.', 20)
  }
  // The bill ended with the first deletion that was taken, not with the steps after it.
  return { kind: 'deleted', remaining, at: goesOn ? command_at! : at }
}

/**
 * Writes down a failure: shown as the reason, tried again after a pause, or not by itself where it is final. What was
 * wanted anew meanwhile starts anew.
 */
async function recordError(parts: StepParts, claimed: Claimed, tried: Next, fault: unknown): Promise<void> {
  const error = errorOf(fault, parts.onFault)
  // Refused outright it was not done; without an answer nobody knows. A look that fails says nothing of the command.
  const undone = error.kind !== 'unreachable' && tried !== 'look'
  await withClaimed(parts.db, claimed, async (tx, machine) => {
    const told = afterError(error, machine)
    const anew = machine.generation !== claimed.generation
    const refused = error instanceof CloudError && error.final && !anew && (tried === 'create' || tried === 'password')
    const outstanding = machine.command !== null && !machine.command_accepted
    const abandonedCreate = machine.desired === 'gone' && machine.command === 'create'
    await tx
      .updateTable('machine')
      .set({
        ...told,
        refused,
        ...(undone && outstanding && !abandonedCreate
          ? { command: null, command_at: null, command_accepted: false }
          : {}),
      })
      .where('id', '=', machine.id)
      .execute()
    if (refused && machine.observed === 'absent') await noteRefusal(tx, machine, error.message)
    // What is wanted anew meanwhile is tried at once, but not before the provider's pause is over.
    const pause = refused ? null : pauseAfter(error, told.attempts)
    await release(tx, machine, anew ? (error.retryAfter ?? 0) : pause)
  })
}
