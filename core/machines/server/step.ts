import { sql } from 'kysely'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { MachineRow } from '../tables.gen.ts'
import { type Accepted, type Cloud, type Clouds, cloudOf } from '@trainyard/templates/server/cloud.ts'
import { CloudError, type CloudErrorKind } from '@trainyard/platform/server/providers/errors.ts'
import type { Kind } from '@trainyard/platform/server/run/reconcile/loop.ts'
import type { Result, Step } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { passwordToSend } from './credentials.ts'
import { type Command, mustDelete, next, type NextAction } from './next.ts'
import type { Observation } from './observe.ts'
import { DELETE_PARTS_SECONDS, pauseBefore, secondsOfHold, secondsToAddressRead } from './pace.ts'
import type { LockedMachine } from './queries.ts'
import { recordObservation } from './record.ts'
import { clearRefusal, recordRefusal } from './refusal.ts'
import { specOf, tagsOf } from './spec.ts'
import { machinesChanged } from '@trainyard/trainings/server/machine-changes.ts'
import { organisationTurns } from '@trainyard/organisations/server/turns.ts'
import { publishMachines } from './publish.ts'

export interface MachineStepDependencies {
  readonly db: Db
  readonly clouds: Clouds
  readonly seal: Seal
  /** IPv4 prefixes of the portal itself. */
  readonly egress?: readonly string[]
}

/** Milliseconds after which a creation with a lost reply can no longer be in progress. */
const ABANDONED_CREATE_MS = 60_000
const MAX_STEPS = 3
/** Machines of one organisation that a worker changes concurrently: three quarters of all, see `PACE`. */
const PER_ORGANISATION = 18

export const machineKind = (parts: MachineStepDependencies): Kind<MachineRow> => ({
  table: 'machine',
  turns: organisationTurns(PER_ORGANISATION),
  step: machineStep(parts, 1),
  async onWrite(tx, before, after) {
    if (before.last_error !== after.last_error || before.password_due !== after.password_due)
      await machinesChanged(tx, [after.id])
    // Observations publish the other changes.
    await publishMachines(tx, [{ before: { ...after, last_error: before.last_error }, after }])
  },
})

const machineStep =
  (parts: MachineStepDependencies, number: number): Step<MachineRow> =>
  (machine, signal) => {
    const step = next(machine)
    const continueStep = number < MAX_STEPS ? machineStep(parts, number + 1) : null
    return withErrorHandling(step, machine, async () =>
      runStep({ ...parts, machine, cloud: cloudOf(parts.clouds, machine.provider), continueStep }, step, signal),
    )
  }

interface StepContext extends MachineStepDependencies {
  readonly cloud: Cloud
  readonly machine: MachineRow
  /** Function that continues with the next step; null if this claim has reached the maximum number of steps. */
  readonly continueStep: Step<MachineRow> | null
}

const refOf = ({ place, name }: MachineRow) => ({ place, name })

async function runStep(context: StepContext, step: NextAction, signal: AbortSignal): Promise<Result<MachineRow>> {
  const { cloud, db, seal, machine } = context
  const ref = refOf(machine)
  switch (step) {
    case 'settled':
      if (machine.observed !== 'running' || machine.public_ip !== null) return record(context, null)
      return read(context, signal)
    case 'read':
    case 'wait':
      return read(context, signal)
    case 'hold':
      return releaseHold(context)
    case 'create': {
      const spec = await specOf(db, seal, machine, context.egress)
      return command(context, step, (nextSignal) => cloud.createMachine(spec, nextSignal))
    }
    case 'start':
      return command(context, step, (nextSignal) => cloud.startMachine(ref, nextSignal))
    case 'stop':
      return command(context, step, (nextSignal) => cloud.stopMachine(ref, nextSignal))
    case 'restart':
      return command(context, step, (nextSignal) => cloud.restartMachine(ref, nextSignal))
    case 'password':
      return setOwnPassword(context, signal)
    case 'delete':
      return deleteAfterRead(context, signal)
  }
}

async function read(context: StepContext, signal: AbortSignal): Promise<Result<MachineRow>> {
  const { cloud, machine } = context
  const reading = await cloud.getMachine({ ...refOf(machine), addressKind: machine.address_kind }, signal)
  return record(context, { kind: 'seen', ...reading })
}

/** Ends the undo period in the row before the command is sent. */
function releaseHold(parts: MachineStepDependencies): Result<MachineRow> {
  return (_tx, locked) => {
    const seconds = secondsOfHold(locked, locked.now)
    return seconds > 0 ? { next: seconds } : { set: { not_before: null }, next: machineStep(parts, 1) }
  }
}

/** Stores the command before it is sent, so that it survives a lost reply or a killed worker. */
const sentCommand = (sent: Command) => ({ command: sent, command_at: sql<Date>`portal_now()`, command_accepted: false })

function command(
  context: StepContext,
  step: Exclude<Command, 'delete'>,
  send: (signal: AbortSignal) => Promise<Accepted>,
): Result<MachineRow> {
  return {
    set: sentCommand(step),
    next: (_row, signal) =>
      withErrorHandling(step, context.machine, async () =>
        record(context, { kind: 'accepted', command: step, ...(await send(signal)) }),
      ),
  }
}

function record(context: StepContext, observation: Observation | null): Result<MachineRow> {
  return async (tx, locked) => {
    const after = observation === null ? locked : await recordObservation(tx, locked, observation)
    const { attempts, last_error } = after
    if (after.terminated_at !== null) return { set: { attempts, last_error }, next: 'never' }
    if (observation?.kind === 'accepted') {
      if (observation.command === 'create') await clearRefusal(tx, after)
      if (observation.isFinished)
        return {
          next: (row, signal) => withErrorHandling('read', row, () => read({ ...context, machine: row }, signal)),
        }
    }
    const follows = next(after)
    const wasRead = observation?.kind === 'seen'
    // A machine that has just started gets its password at once. Later its password is only polled.
    const isFirstPassword = follows === 'password' && locked.observed !== 'running' && attempts === 0
    const isDue = isFirstPassword || pause(after) === 0
    if (wasRead && context.continueStep !== null && !IDLE_STEPS.has(follows) && isDue)
      return { next: context.continueStep }
    const lacksAddress = after.observed === 'running' && after.public_ip === null && follows === 'settled'
    const partsLeft = observation?.kind === 'deleted' && observation.remaining === 'parts'
    return {
      set: { attempts, last_error: follows === 'wait' && isOverdue(after) ? OVERDUE : last_error },
      next: lacksAddress
        ? wasRead
          ? secondsToAddressRead(after, after.now)
          : 1
        : partsLeft
          ? DELETE_PARTS_SECONDS
          : pause(after),
    }
  }
}

const IDLE_STEPS: ReadonlySet<NextAction> = new Set(['read', 'wait', 'settled'])

const pause = (machine: LockedMachine) => pauseBefore(next(machine), machine, machine.now)

const OVERDUE_MS = 15 * 60_000
const OVERDUE = 'The cloud accepted this more than 15 minutes ago and has not finished it. The portal keeps checking.'

const isOverdue = ({ command_accepted, command_at, last_error, now }: LockedMachine) =>
  command_accepted && last_error === null && now.getTime() - command_at!.getTime() > OVERDUE_MS

/**
 * Sets the machine's password. Until then no user gets access, because a copied disk has the password of another
 * machine.
 */
async function setOwnPassword(context: StepContext, signal: AbortSignal): Promise<Result<MachineRow>> {
  const { cloud, db, seal, machine } = context
  const { id, os, admin_username, admin_password, password_number } = machine
  const account = { id, ...refOf(machine), os, username: admin_username, passwordNumber: password_number }
  const password = passwordToSend(seal, admin_password!, id)
  const tags = await tagsOf(db, machine)
  const outcome = await cloud.setPassword({ ...account, password, tags }, signal)
  if (outcome === 'working') return record(context, null)
  return async (_tx, locked) => {
    // The machine was handed over while the password was being set, so a newer password must be set next.
    if (locked.password_number !== password_number) return { next: 0 }
    return { set: { password_due: false, attempts: 0, last_error: null }, next: async () => record(context, null) }
  }
}

async function deleteAfterRead(context: StepContext, signal: AbortSignal): Promise<Result<MachineRow>> {
  const { cloud, machine } = context
  if (machine.command !== 'create' || !machine.command_accepted) return deleteMachine(context, signal)
  // The machine may have started to run, and to be billed, since the last observation.
  const sighting = await cloud.getMachine({ ...refOf(machine), addressKind: machine.address_kind }, signal)
  return async (tx, locked) => {
    await recordObservation(tx, locked, { kind: 'seen', ...sighting })
    return {
      next: (_row, nextSignal) => withErrorHandling('delete', machine, () => deleteMachine(context, nextSignal)),
    }
  }
}

async function deleteMachine(context: StepContext, signal: AbortSignal): Promise<Result<MachineRow>> {
  const { command: sent, command_at, command_accepted, observed, first_seen_at: firstSeenAt } = context.machine
  const abandonedCreate = sent === 'create' && !command_accepted
  const isContinued = sent === 'delete' && command_accepted
  const isKnownToExist = sent === null && (observed === 'running' || observed === 'stopped')
  const toDelete = { ...refOf(context.machine), firstSeenAt, isKnownToExist }
  const send = async (sendSignal: AbortSignal) => {
    const { at, remaining } = await context.cloud.deleteMachine(toDelete, sendSignal)
    if (abandonedCreate && remaining === 'nothing' && at.getTime() - command_at!.getTime() < ABANDONED_CREATE_MS) {
      throw new CloudError('conflict', 'Waiting for a creation whose reply was lost.', 20)
    }
    // Billing ended with the first accepted deletion, not with the following steps.
    return record(context, { kind: 'deleted', remaining, at: isContinued ? command_at! : at })
  }
  if (abandonedCreate || isContinued) return send(signal)
  return {
    set: sentCommand('delete'),
    next: (_row, nextSignal) => withErrorHandling('delete', context.machine, () => send(nextSignal)),
  }
}

async function withErrorHandling(
  step: NextAction,
  before: MachineRow,
  callback: () => Promise<Result<MachineRow>>,
): Promise<Result<MachineRow>> {
  try {
    return await callback()
  } catch (error) {
    if (!(error instanceof CloudError)) throw error
    return failed(step, before, error)
  }
}

/**
 * Errors that the portal retries but that concern all machines of a template. Retries fail until the situation at Azure
 * changes.
 */
const LASTING: ReadonlySet<CloudErrorKind> = new Set(['capacity', 'quota', 'refused', 'unauthorised'])

function failed(step: NextAction, before: MachineRow, error: CloudError): Result<MachineRow> {
  // True if the command was not executed. A refused command was not executed. Without a reply this is unknown. A failed
  // read does not concern the command.
  const wasNotExecuted = error.kind !== 'unreachable' && step !== 'read'
  return async (tx, machine) => {
    // True if the desired state changed after the failure. This starts a new series of attempts.
    const isNewRequest = machine.generation !== before.generation
    const refused = error.final && !isNewRequest && (step === 'create' || step === 'password')
    const isRefusedCreate = refused || (step === 'create' && !isNewRequest && LASTING.has(error.kind))
    if (isRefusedCreate && machine.observed === 'absent') await recordRefusal(tx, machine, error.message)
    const outstanding = machine.command !== null && !machine.command_accepted
    const abandonedCreate = mustDelete(machine) && machine.command === 'create'
    const isDropped = wasNotExecuted && outstanding && !abandonedCreate
    return {
      set: { refused, ...(isDropped ? { command: null, command_at: null, command_accepted: false } : {}) },
      error,
      ...(refused ? { next: null } : {}),
    }
  }
}
