import pLimit from 'p-limit'
import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import { shuffled } from '../../../core/shuffled.ts'
import { portalNow } from '../../../db/client.ts'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { Cloud, MachinePlace, Sighting, TaggedMachine } from '../../../providers/cloud.ts'
import { goes, next } from './next.ts'
import { observe } from './observe.ts'
import { noteOrphans } from './orphans.ts'
import { DELETE_PARTS_SECONDS, pauseBefore } from './pace.ts'
import { type LockedMachine, lockMachines, recordObservations } from './record.ts'
import { MACHINE_DUE } from './wake.ts'

/** Rows written in one transaction. */
const CHUNK = 200
/** Machines that neither list has, which one sweep asks for one by one. */
const CLOSE_LOOKS = 128
/** Machines at rest of which the list doesn't tell the power, which one sweep asks for one by one: two reads each. */
const SILENT_LOOKS = 16

/** A machine as it was before the list was asked for; the list says nothing of one that was worked on since. */
type Before = LockedMachine & {
  /** A run of it is open. */
  readonly metered: boolean
}

/** One that the list says something of. */
type Seen = readonly [Before, Sighting]

/**
 * - `states`: how all machines stand, which is one list. It shows what came to rest and what moved behind our back.
 * - `everything`: the list of what carries our tag as well, so that what vanished and what has no row shows too.
 */
export type SweepScope = 'states' | 'everything'

/** Looks at what the provider has and writes down what is new. */
export async function sweep(db: Db, cloud: Cloud, scope: SweepScope, signal: AbortSignal): Promise<void> {
  const began = await portalNow(db)
  const { rows } = await sql<Before>`
    select m.*, portal_now() as now, r.id is not null as metered
    from machine m left join run r on r.machine_id = m.id and r.stopped_at is null
    where m.terminated_at is null`.execute(db)
  const before = new Map(rows.map((row) => [keyOf({ resourceGroup: row.resource_group, name: row.name }), row]))
  const listed = new Set<Before>()
  const seen: Seen[] = []
  const silent: Before[] = []
  for await (const { at, seen: state, ...place } of cloud.lookAtAllMachines(signal)) {
    const machine = before.get(keyOf(place))
    if (machine === undefined) continue
    listed.add(machine)
    if (isAtRest(machine) && (state === null || state.state === 'failed')) silent.push(machine)
    if (state !== null) seen.push([machine, { at, seen: state, publicAddress: null }])
  }
  await recordSightings(db, seen)
  const unlisted = rows.filter((row) => !listed.has(row))
  await putOffDeletions(db, seen)
  await wakeDeleted(db, unlisted)
  if (scope === 'states') return
  const strangers: TaggedMachine[] = []
  for await (const tagged of cloud.taggedMachines(signal)) {
    const machine = before.get(keyOf(tagged))
    if (machine?.id === tagged.id) listed.add(machine)
    else strangers.push(tagged)
  }
  const missing = unlisted.filter((row) => !listed.has(row) && shouldBeListed(row))
  await recordSightings(db, await lookAlone(cloud, missing, CLOSE_LOOKS, signal))
  await recordSightings(db, await lookAlone(cloud, silent, SILENT_LOOKS, signal))
  await noteOrphans(db, strangers, began)
}

/** A machine's place as one word: the provider doesn't tell cases apart, and writes groups in capitals at times. */
const keyOf = ({ resourceGroup, name }: MachinePlace): string => `${resourceGroup}/${name}`.toLowerCase()

/** One that was never made, or is being deleted, may be missing. */
const shouldBeListed = (row: Before): boolean => row.observed !== 'absent' && !goes(row) && isQuiet(row)

const isQuiet = (machine: Before) => machine.leased_until === null

/** One that stands and is as wanted: but for the sweep nobody looks at it. */
const isAtRest = (row: Before): boolean =>
  (row.observed === 'running' || row.observed === 'stopped') && row.reconcile_at === null && isQuiet(row)

const isBeingDeleted = (row: Before): boolean => row.command === 'delete' && row.command_accepted && isQuiet(row)

/** A list read more seldom than this doesn't keep deletions from being looked at. */
const PUT_OFF_SECONDS = 10

/** A deletion that the list shows at work has no need of a look of its own; one that came to nothing has. */
async function putOffDeletions(db: Db, seen: readonly Seen[]): Promise<void> {
  const waiting = seen
    .filter(([row, { seen }]) => isBeingDeleted(row) && seen.state === 'changing' && seen.toward === 'absent')
    .map(([row]) => ({ id: row.id, seconds: pauseBefore('delete', row, row.now) }))
  if (waiting.length === 0) return
  await sql`
    with waiting as (
      select m.id, due.seconds from machine m
        join unnest(${waiting.map(({ id }) => id)}::uuid[], ${waiting.map(({ seconds }) => seconds)}::float8[])
          as due (id, seconds) on due.id = m.id
      where m.leased_until is null and m.attempts = 0 and m.reconcile_at > portal_now()
        and m.reconcile_at < portal_now() + make_interval(secs => ${PUT_OFF_SECONDS})
      order by m.id for update of m)
    update machine m set reconcile_at = portal_now() + make_interval(secs => waiting.seconds)
    from waiting where m.id = waiting.id`.execute(db)
}

/** A deletion whose machine is in the list no more goes on at once: what the machine brought is next. */
async function wakeDeleted(db: Db, unlisted: readonly Before[]): Promise<void> {
  const gone = unlisted.filter(isBeingDeleted)
  if (gone.length === 0) return
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      with gone as (
        select id from machine where id = any(${gone.map(({ id }) => id)}::uuid[]) and leased_until is null
          and attempts = 0 and reconcile_at > portal_now() + make_interval(secs => ${DELETE_PARTS_SECONDS})
        order by id for update)
      update machine m set reconcile_at = portal_now() from gone where m.id = gone.id returning m.id`.execute(tx)
    if (rows.length > 0) await notifyWorkers(tx, MACHINE_DUE)
  })
}

/**
 * Asked for alone: that a machine is gone for good is not told by lists, which lag, and how it stands not by one that
 * leaves its power out. Others' turn comes with the next sweeps: a look may find nothing new, so not always the same
 * ones are first.
 */
async function lookAlone(cloud: Cloud, all: readonly Before[], most: number, signal: AbortSignal): Promise<Seen[]> {
  return pLimit(8).map(shuffled(all).slice(0, most), async (machine): Promise<Seen> => {
    const place = { resourceGroup: machine.resource_group, name: machine.name }
    return [machine, await cloud.lookAtMachine(place, signal)]
  })
}

async function recordSightings(db: Db, sightings: readonly Seen[]): Promise<void> {
  const news = sightings.filter(([machine, sighting]) => isQuiet(machine) && saysSomethingNew(machine, sighting))
  for (let i = 0; i < news.length; i += CHUNK) {
    const chunk = new Map(news.slice(i, i + CHUNK).map(([machine, sighting]) => [machine.id, { machine, sighting }]))
    await db.transaction().execute((tx) => recordChunk(tx, chunk))
  }
}

async function recordChunk(
  tx: Tx,
  chunk: ReadonlyMap<MachineId, { readonly machine: Before; readonly sighting: Sighting }>,
): Promise<void> {
  const locked = await lockMachines(tx, [...chunk.keys()])
  // Worked on since the list was asked for: what the list says may be older than what was done.
  const quiet = locked.filter(({ id, fence, leased_until }) => {
    return leased_until === null && fence === chunk.get(id)!.machine.fence
  })
  const recordings = quiet.map((machine) => {
    const { at, seen, publicAddress } = chunk.get(machine.id)!.sighting
    return { machine, observation: { kind: 'seen', at, seen, publicAddress } as const }
  })
  const after = await recordObservations(tx, recordings)
  const due = after.map((machine, place) => ({ id: machine.id, seconds: secondsUntil(quiet[place]!, machine) }))
  await sql`
    update machine m set reconcile_at = portal_now() + make_interval(secs => due.seconds)
    from unnest(${due.map(({ id }) => id)}::uuid[], ${due.map(({ seconds }) => seconds)}::float8[]) as due (id, seconds)
    where m.id = due.id and m.terminated_at is null`.execute(tx)
}

function secondsUntil(before: LockedMachine, machine: LockedMachine): number | null {
  // The list of all does not tell addresses: a machine that has come to run is looked at once by itself.
  if (machine.observed === 'running' && machine.public_ip === null && next(machine) === 'settled') return 0
  const seconds = pauseBefore(next(machine), machine, machine.now)
  if (seconds === null || machine.attempts === 0 || machine.reconcile_at === null) return seconds
  // The look at what was at work has been had, and what failed is tried again as soon as any other.
  if (next(before) === 'wait') return seconds
  // Something failed and nothing went well since: the pause that the provider asked for goes on.
  return Math.max(seconds, (machine.reconcile_at.getTime() - machine.now.getTime()) / 1000)
}

/** Returns true when a sighting would change the row: most, most of the time, do not. */
function saysSomethingNew(machine: Before, { at, seen, publicAddress }: Sighting): boolean {
  const { believed, run } = observe(machine, { kind: 'seen', at, seen, publicAddress })
  if (machine.observed !== believed.observed || machine.desired !== believed.desired) return true
  if (machine.command !== believed.command || machine.command_accepted !== believed.command_accepted) return true
  if (machine.last_error !== believed.last_error || machine.restart_asked_at !== believed.restart_asked_at) return true
  // The portal bills what the provider bills, whatever came between.
  return run !== null && 'opens' in run !== machine.metered
}

/**
 * Looks at everything where that is due, else at the states of machines where some are on their way; null where neither
 * is, and nothing was asked.
 * @param wholeEvery seconds between looks at everything
 */
export async function sweepWhereDue(
  db: Db,
  cloud: Cloud,
  wholeEvery: number,
  signal: AbortSignal,
): Promise<SweepScope | null> {
  const { rows } = await sql<{ whole: boolean; changing: boolean }>`
    select due_at <= portal_now() as whole, exists (select from machine where observed = 'changing') as changing
    from whole_sweep`.execute(db)
  const { whole, changing } = rows[0]!
  if (!whole && !changing) return null
  const scope = whole ? 'everything' : 'states'
  await sweep(db, cloud, scope, signal)
  // Counted from its end. One that failed is due still.
  if (whole) await sql`update whole_sweep set due_at = portal_now() + make_interval(secs => ${wholeEvery})`.execute(db)
  return scope
}
