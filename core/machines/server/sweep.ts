import pLimit from 'p-limit'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { shuffled } from '@trainyard/platform/server/core/shuffled.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { notifyWorkers } from '@trainyard/platform/server/run/reconcile/notify.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type {
  Cloud,
  Clouds,
  CloudMachineRef,
  MachineReading,
  TaggedMachine,
} from '@trainyard/templates/server/cloud.ts'
import { mustDelete, next } from './next.ts'
import { observe } from './observe.ts'
import { recordOrphans } from './orphans.ts'
import { pauseBefore } from './pace.ts'
import {
  selectMachinesToSweep,
  postponeWaiting,
  selectContinuedDeletions,
  updateDueTimes,
  selectSweepState,
  selectProvidersBesides,
  updateSweepDue,
  type LockedMachine,
  type MachineBefore,
} from './queries.ts'
import { lockMachines, recordObservations } from './record.ts'

const CHUNK = 200
const MAX_MISSING_READS = 128
const MAX_UNKNOWN_POWER_READS = 16

type MachineSighting = readonly [MachineBefore, MachineReading]

/**
 * Data that a sweep reads.
 *
 * - `states`: read one list, the states of all machines. It shows finished operations and changes outside the portal.
 * - `everything`: also read the list of resources with the portal's tag. It shows missing machines and orphans.
 */
export type SweepScope = 'states' | 'everything'

export async function sweep(db: Db, clouds: Clouds, scope: SweepScope, signal: AbortSignal): Promise<void> {
  // All at once, because a provider that fails or does not answer must not delay the others.
  const sweeps = Object.entries(clouds).map(([provider, cloud]) => sweepProvider(db, provider, cloud, scope, signal))
  const failed = (await Promise.allSettled(sweeps)).find(({ status }) => status === 'rejected')
  signal.throwIfAborted()
  if (failed?.status === 'rejected') throw failed.reason
}

async function sweepProvider(
  db: Db,
  provider: string,
  cloud: Cloud,
  scope: SweepScope,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = await portalNow(db)
  const { rows } = await selectMachinesToSweep(db, provider)
  const before = new Map(rows.map((row) => [keyOf(row), row]))
  const listed = new Set<MachineBefore>()
  const seen: MachineSighting[] = []
  const unknownPower: MachineBefore[] = []
  for await (const { at, seen: state, ...ref } of cloud.listMachines(signal)) {
    const machine = before.get(keyOf(ref))
    if (machine === undefined) continue
    listed.add(machine)
    if (isAtRest(machine) && (state === null || state.state === 'failed')) unknownPower.push(machine)
    if (state !== null) seen.push([machine, { at, seen: state, address: null }])
  }
  await recordSightings(db, seen)
  const unlisted = rows.filter((row) => !listed.has(row))
  await postponeDeletions(db, seen)
  await continueDeletions(db, unlisted)
  if (scope === 'states') return
  const orphans: TaggedMachine[] = []
  for await (const tagged of cloud.listTaggedMachines(signal)) {
    const machine = before.get(keyOf(tagged))
    if (machine?.id === tagged.id) listed.add(machine)
    else orphans.push(tagged)
  }
  const missing = unlisted.filter((row) => !listed.has(row) && shouldBeListed(row))
  await recordSightings(db, await readIndividually(cloud, missing, MAX_MISSING_READS, signal))
  await recordSightings(db, await readIndividually(cloud, unknownPower, MAX_UNKNOWN_POWER_READS, signal))
  await recordOrphans(db, provider, orphans, startedAt)
}

/** Returns the key of a machine. Azure ignores case and sometimes writes groups in capitals. */
const keyOf = ({ place, name }: CloudMachineRef): string => `${place.group}/${name}`.toLowerCase()

/** Returns false for machines that may be missing in the list: they were never created or are being deleted. */
const shouldBeListed = (row: MachineBefore): boolean => row.observed !== 'absent' && !mustDelete(row) && isQuiet(row)

const isQuiet = (machine: MachineBefore) => machine.leased_until === null

const isAtRest = (row: MachineBefore): boolean =>
  (row.observed === 'running' || row.observed === 'stopped') && row.reconcile_at === null && isQuiet(row)

const isBeingDeleted = (row: MachineBefore): boolean => row.command === 'delete' && row.command_accepted && isQuiet(row)

/**
 * Postpones the next read of a deletion while the list shows that the deletion is in progress. Does not postpone a
 * failed deletion.
 */
async function postponeDeletions(db: Db, seen: readonly MachineSighting[]): Promise<void> {
  const waiting = seen
    .filter(([row, { seen }]) => isBeingDeleted(row) && seen.state === 'changing' && seen.toward === 'absent')
    .map(([row]) => ({ id: row.id, seconds: pauseBefore('delete', row, row.now) }))
  if (waiting.length === 0) return
  await postponeWaiting(db, waiting)
}

/** Continues the deletion of machines that are no longer listed, by deleting their other resources. */
async function continueDeletions(db: Db, unlisted: readonly MachineBefore[]): Promise<void> {
  const deleted = unlisted.filter(isBeingDeleted)
  if (deleted.length === 0) return
  await db.transaction().execute(async (tx) => {
    const { rows } = await selectContinuedDeletions(
      tx,
      deleted.map(({ id }) => id),
    )
    if (rows.length > 0) await notifyWorkers(tx, 'machine')
  })
}

/**
 * Reads some machines individually, because lists lag and may omit the power state. The choice is random, so that later
 * sweeps include the machines beyond the maximum.
 */
async function readIndividually(
  cloud: Cloud,
  all: readonly MachineBefore[],
  max: number,
  signal: AbortSignal,
): Promise<MachineSighting[]> {
  return pLimit(8).map(shuffled(all).slice(0, max), async (machine): Promise<MachineSighting> => {
    const ref = { place: machine.place, name: machine.name, addressKind: machine.address_kind }
    return [machine, await cloud.getMachine(ref, signal)]
  })
}

async function recordSightings(db: Db, sightings: readonly MachineSighting[]): Promise<void> {
  const changes = sightings.filter(([machine, sighting]) => isQuiet(machine) && changesRow(machine, sighting))
  for (let i = 0; i < changes.length; i += CHUNK) {
    const chunk = new Map(changes.slice(i, i + CHUNK).map(([machine, sighting]) => [machine.id, { machine, sighting }]))
    await db.transaction().execute((tx) => recordChunk(tx, chunk))
  }
}

async function recordChunk(
  tx: Tx,
  chunk: ReadonlyMap<MachineId, { readonly machine: MachineBefore; readonly sighting: MachineReading }>,
): Promise<void> {
  const locked = await lockMachines(tx, [...chunk.keys()])
  // Skip machines that were processed since the list was requested: the list may be older than the row.
  const unchanged = locked.filter(({ id, fence, leased_until }) => {
    return leased_until === null && fence === chunk.get(id)!.machine.fence
  })
  const recordings = unchanged.map((machine) => {
    const { at, seen, address } = chunk.get(machine.id)!.sighting
    return { machine, observation: { kind: 'seen', at, seen, address } as const }
  })
  const after = await recordObservations(tx, recordings)
  const due = after.map((machine, index) => ({ id: machine.id, seconds: secondsUntil(unchanged[index]!, machine) }))
  await updateDueTimes(tx, due)
}

function secondsUntil(before: LockedMachine, machine: LockedMachine): number | null {
  // The list does not contain addresses, so a machine that has started to run is read once individually.
  if (machine.observed === 'running' && machine.public_ip === null && next(machine) === 'settled') return 0
  const seconds = pauseBefore(next(machine), machine, machine.now)
  if (seconds === null || machine.attempts === 0 || machine.reconcile_at === null) return seconds
  // The read covers the operation in progress, so a failure is retried after the usual pause.
  if (next(before) === 'wait') return seconds
  // The failure persists, so the pause that the provider requested still applies.
  return Math.max(seconds, (machine.reconcile_at.getTime() - machine.now.getTime()) / 1000)
}

function changesRow(machine: MachineBefore, { at, seen, address }: MachineReading): boolean {
  const { fields, run } = observe(machine, { kind: 'seen', at, seen, address })
  if (machine.observed !== fields.observed || machine.desired !== fields.desired) return true
  if (machine.command !== fields.command || machine.command_accepted !== fields.command_accepted) return true
  if (machine.last_error !== fields.last_error || machine.restart_asked_at !== fields.restart_asked_at) return true
  // True if the run does not match what the provider bills.
  return run !== null && 'opens' in run !== machine.metered
}

/** Sweeps if a sweep is due; returns null otherwise. @param wholeEvery seconds between sweeps of everything */
export async function sweepIfDue(
  db: Db,
  clouds: Clouds,
  wholeEvery: number,
  signal: AbortSignal,
): Promise<SweepScope | null> {
  const { rows } = await selectSweepState(db)
  const { whole, changing } = rows[0]!
  if (!whole && !changing) return null
  const scope = whole ? 'everything' : 'states'
  await sweep(db, clouds, scope, signal)
  // The interval starts at the end of the sweep. A failed sweep stays due.
  if (whole) {
    await updateSweepDue(db, wholeEvery)
    await requireClouds(db, clouds)
  }
  return scope
}

/** @throws CloudError unreachable if a live machine's provider is not set up, so that nobody watches its cost */
async function requireClouds(db: Db, clouds: Clouds): Promise<void> {
  const { rows } = await selectProvidersBesides(db, Object.keys(clouds))
  if (rows.length === 0) return
  const names = rows.map(({ provider }) => provider).join(', ')
  throw new CloudError('unreachable', `Machines run at a provider that is not set up on this portal: ${names}.`)
}
