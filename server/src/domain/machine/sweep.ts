import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import { portalNow } from '../../db/client.ts'
import type { Db, Tx } from '../../db/schema.ts'
import type { Cloud, MachinePlace, Sighting, TaggedSighting } from '../../providers/cloud.ts'
import { next } from './next.ts'
import { observe } from './observe.ts'
import { noteOrphans } from './orphans.ts'
import { pauseBefore } from './pace.ts'
import { type LockedMachine, lockMachines, recordObservations } from './record.ts'

/** Rows written in one transaction. */
const CHUNK = 200
/** Machines missing from the list that one sweep looks at closely. */
const CLOSE_LOOKS = 64

/** A machine as it was before the list was asked for; the list says nothing of one that was worked on since. */
type Before = LockedMachine

/**
 * Looks at everything the provider has that carries our tag, and writes down what is new: machines that have come to
 * rest, moved behind our back, vanished, and what has no row. Answers how many machines are on their way.
 */
export async function sweep(db: Db, cloud: Cloud, signal: AbortSignal): Promise<{ changing: number }> {
  const began = await portalNow(db)
  const { rows } = await sql<Before>`
    select *, portal_now() as now from machine where terminated_at is null`.execute(db)
  const before = new Map(rows.map((row) => [row.id as string, row]))
  const seen = new Map<string, TaggedSighting>()
  const strangers: TaggedSighting[] = []
  for await (const sighting of cloud.lookAtAllMachines(signal)) {
    const machine = sighting.id === null ? undefined : before.get(sighting.id)
    if (machine !== undefined && isPlace(machine, sighting)) seen.set(machine.id, sighting)
    else strangers.push(sighting)
  }
  const sightings = [...seen].map(([id, sighting]) => [before.get(id)!, sighting] as const)
  await recordSightings(db, sightings)
  await recordSightings(db, await lookForMissing(cloud, missingFrom(rows, seen), signal))
  await noteOrphans(db, strangers, began)
  return { changing: await countChanging(db) }
}

function isPlace(machine: Before, place: MachinePlace): boolean {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  return same(machine.name, place.name) && same(machine.resource_group, place.resourceGroup)
}

/** Machines that should have been in the list. One that was never made, or is being deleted, may be missing. */
function missingFrom(rows: readonly Before[], seen: ReadonlyMap<string, unknown>): Before[] {
  return rows
    .filter((row) => !seen.has(row.id) && row.observed !== 'absent' && row.desired !== 'gone' && isQuiet(row))
    .slice(0, CLOSE_LOOKS)
}

const isQuiet = (machine: Before) => machine.leased_until === null

async function lookForMissing(
  cloud: Cloud,
  missing: readonly Before[],
  signal: AbortSignal,
): Promise<(readonly [Before, Sighting])[]> {
  const found: (readonly [Before, Sighting])[] = []
  const left = [...missing]
  const look = async () => {
    for (let machine = left.pop(); machine !== undefined; machine = left.pop()) {
      const place = { resourceGroup: machine.resource_group, name: machine.name }
      found.push([machine, await cloud.lookAtMachine(place, signal)])
    }
  }
  await Promise.all(Array.from({ length: 8 }, look))
  return found
}

async function recordSightings(db: Db, sightings: readonly (readonly [Before, Sighting])[]): Promise<void> {
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
  const due = after.map((machine) => ({ id: machine.id, seconds: secondsUntil(machine) }))
  await sql`
    update machine m set reconcile_at = portal_now() + make_interval(secs => due.seconds)
    from unnest(${due.map(({ id }) => id)}::uuid[], ${due.map(({ seconds }) => seconds)}::float8[]) as due (id, seconds)
    where m.id = due.id and m.terminated_at is null`.execute(tx)
}

function secondsUntil(machine: LockedMachine): number | null {
  // The list of all does not tell addresses: a machine that has come to run is looked at once by itself.
  if (machine.observed === 'running' && machine.public_ip === null && next(machine) === 'settled') return 0
  const seconds = pauseBefore(next(machine), machine, machine.now)
  if (seconds === null || machine.attempts === 0 || machine.reconcile_at === null) return seconds
  // Something failed and nothing went well since: the pause that the provider asked for goes on.
  return Math.max(seconds, (machine.reconcile_at.getTime() - machine.now.getTime()) / 1000)
}

/** Whether a sighting would change the row: most, most of the time, do not. */
function saysSomethingNew(machine: Before, { at, seen, publicAddress }: Sighting): boolean {
  const { believed, run } = observe(machine, { kind: 'seen', at, seen, publicAddress })
  if (machine.observed !== believed.observed || machine.desired !== believed.desired) return true
  if (machine.command !== believed.command || machine.command_accepted !== believed.command_accepted) return true
  if (machine.trouble !== believed.trouble || machine.restart_asked_at !== believed.restart_asked_at) return true
  return run !== null && 'closes' in run ? machine.observed !== 'stopped' : false
}

async function countChanging(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from machine where observed = 'changing'`.execute(db)
  return rows[0]!.count
}
