import type { AzureCloud } from './cloud.ts'
import type { Machine } from './compute/machines.ts'
import { billedStates } from './compute/machines.ts'
import { iso, wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'

interface Change {
  uid: string
  state: string
  at: number
}

export interface Interval {
  readonly from: string
  readonly to: string | null
}

/** Returns the oldest first. If two were created at the same instant, the deleted one comes first. */
export function recordedMachines(cloud: AzureCloud, now: number): unknown[] {
  const changes = Map.groupBy(
    cloud.database.all<Change>('SELECT uid, state, at FROM power ORDER BY uid, seq'),
    ({ uid }) => uid,
  )
  return cloud.database
    .all<Machine>('SELECT * FROM machine ORDER BY created_at, key, deleted_at IS NULL')
    .map((machine) => machineRecord(machine, changes.get(machine.uid) ?? [], now))
}

function machineRecord(machine: Machine, changes: readonly Change[], now: number): unknown {
  const intervals = billedIntervals(changes)
  const seconds = intervals.reduce((sum, { from, to }) => sum + ((to ?? wholeSecond(now)) - from) / 1000, 0)
  return {
    id: machine.id,
    uid: machine.uid,
    name: machine.name,
    resourceGroup: machine.group_name,
    location: machine.location,
    tags: machine.tags === null ? {} : (JSON.parse(machine.tags) as Record<string, string>),
    exists: machine.deleted_at === null,
    size: machine.size,
    os: machine.os,
    power: machine.power,
    powerHistory: changes.map(({ state, at }) => ({ state, at: iso(at) })),
    billed: intervals.map(({ from, to }): Interval => ({ from: iso(from), to: to === null ? null : iso(to) })),
    billedSeconds: seconds,
    createdAt: iso(machine.created_at),
    deletedAt: machine.deleted_at === null ? null : iso(machine.deleted_at),
  }
}

function billedIntervals(changes: readonly Change[]): { from: number; to: number | null }[] {
  const intervals: { from: number; to: number | null }[] = []
  let since: number | null = null
  for (const { state, at } of changes) {
    if (billedStates.has(state)) {
      since ??= at
    } else if (since !== null) {
      if (at > since) intervals.push({ from: since, to: at })
      since = null
    }
  }
  if (since !== null) intervals.push({ from: since, to: null })
  return intervals
}
