import type { Db } from '@trainyard/platform/server/db/schema.ts'

export interface ProviderRecord {
  readonly machines: readonly {
    readonly name: string
    readonly exists: boolean
    readonly tags: Readonly<Record<string, string>>
    readonly billed: readonly { readonly from: string; readonly to: string | null }[]
  }[]
  readonly addresses: readonly { readonly name: string }[]
  readonly networkInterfaces: readonly { readonly name: string }[]
  readonly disks: readonly { readonly name: string }[]
}

/** Checks S1 and M4 when nothing is changing. Runs match the billed time within `tolerance` seconds. */
export async function machineDifferences(db: Db, record: ProviderRecord, tolerance = 0): Promise<string[]> {
  const machines = await db.selectFrom('machine').selectAll().execute()
  const live = machines.filter((machine) => machine.terminated_at === null)
  const existing = record.machines.filter((machine) => machine.exists)
  const differences = [
    ...unmatched(
      'machine',
      live.map((m) => m.id),
      existing.map((m) => m.tags['trainyard-machine'] ?? m.name),
    ),
    ...unmatched(
      'networkInterface',
      live.map((m) => `${m.name}-nic`),
      record.networkInterfaces.map((networkInterface) => networkInterface.name),
    ),
    ...unmatched(
      'address',
      live.map((m) => `${m.name}-ip`),
      record.addresses.map((address) => address.name),
    ),
    ...unmatched(
      'disk',
      live.map((m) => `${m.name}-os`),
      record.disks.map((disk) => disk.name),
    ),
  ]
  return [...differences, ...(await runDifferences(db, record, tolerance))]
}

export async function runDifferences(
  db: Db,
  record: Pick<ProviderRecord, 'machines'>,
  tolerance = 0,
): Promise<string[]> {
  const machines = await db.selectFrom('machine').select(['id', 'name']).execute()
  const runs = await db.selectFrom('run').selectAll().orderBy('started_at').execute()
  return machines.flatMap(({ id, name }) => {
    const billed = record.machines
      .filter(
        (m) => (m.tags['trainyard-machine'] ?? m.name) === (m.tags['trainyard-machine'] === undefined ? name : id),
      )
      .flatMap((m) => m.billed)
    const machineRuns = runs.filter((run) => run.machine_id === id)
    return unpaired(name, machineRuns, billed, tolerance)
  })
}

/** Returns runs and billed periods without a counterpart. Omits periods that are not longer than the tolerance. */
function unpaired(name: string, runs: readonly Stretch[], billed: readonly Billed[], tolerance: number): string[] {
  const unmatchedIntervals = [...billed]
  const lone = runs.filter((run) => {
    const matchIndex = unmatchedIntervals.findIndex(
      ({ from, to }) =>
        differenceMs(run.started_at, from) <= tolerance && differenceMs(run.stopped_at, to) <= tolerance,
    )
    if (matchIndex >= 0) unmatchedIntervals.splice(matchIndex, 1)
    return matchIndex < 0 && lasts(run.started_at, run.stopped_at) > tolerance
  })
  const until = (to: string | null | undefined) => to ?? 'now'
  return [
    ...lone.map(
      (run) => `${name} ran ${run.started_at.toISOString()} to ${until(run.stopped_at?.toISOString())}, unbilled`,
    ),
    ...unmatchedIntervals
      .filter(({ from, to }) => lasts(new Date(from), to === null ? null : new Date(to)) > tolerance)
      .map(({ from, to }) => `${name} was billed ${from} to ${until(to)} without a matching run`),
  ]
}

interface Stretch {
  readonly started_at: Date
  readonly stopped_at: Date | null
}
type Billed = ProviderRecord['machines'][number]['billed'][number]

function unmatched(kind: string, portalNames: readonly string[], providerNames: readonly string[]): string[] {
  const known = new Set(portalNames)
  const there = new Set(providerNames)
  return [
    ...portalNames.filter((name) => !there.has(name)).map((name) => `the ${kind} ${name} is missing at the provider`),
    ...providerNames.filter((name) => !known.has(name)).map((name) => `the ${kind} ${name} exists without a row`),
    ...(there.size === providerNames.length ? [] : [`some ${kind} exists twice`]),
  ]
}

const lasts = (from: Date, to: Date | null): number =>
  to === null ? Number.POSITIVE_INFINITY : (to.getTime() - from.getTime()) / 1000

function differenceMs(portalTime: Date | null, providerTime: string | null): number {
  if (portalTime === null || providerTime === null)
    return portalTime === null && providerTime === null ? 0 : Number.POSITIVE_INFINITY
  return Math.abs(portalTime.getTime() - Date.parse(providerTime)) / 1000
}
