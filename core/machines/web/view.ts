import { compareNaturally } from '@trainyard/platform/contract/words/natural-order.ts'
import type { Machine } from '../contract/machine.ts'
import { MACHINE_STATUSES, type MachineStatus } from '../contract/machine-words.ts'
import { findMachines, learnerOf } from './machine-list.ts'

/** Part of the console's state that is stored in the URL, so that a link shows the same view. */
export interface View {
  readonly find: string
  readonly state: MachineStatus | null
  readonly sort: Sort
}

const SORT_KEYS = ['learner', 'name', 'state', 'hours', 'address'] as const
export type SortKey = (typeof SORT_KEYS)[number]
export interface Sort {
  readonly by: SortKey
  readonly desc: boolean
}

/** Parses a view from URL parameters. Unknown values become defaults. */
export function parseView({ find = '', state, sort = '' }: Readonly<Record<string, string | undefined>>): View {
  const by = SORT_KEYS.find((key) => key === sort.replace(/^-/, ''))
  return {
    find,
    state: MACHINE_STATUSES.find((status) => status === state) ?? null,
    sort: by ? { by, desc: sort.startsWith('-') } : { by: 'learner', desc: false },
  }
}

export const formatSort = ({ by, desc }: Sort): string | undefined =>
  by === 'learner' && !desc ? undefined : `${desc ? '-' : ''}${by}`

export const nextSort = (now: Sort, by: SortKey): Sort => ({ by, desc: now.by === by && !now.desc })

export function filterMachines(
  machines: readonly Machine[],
  { find, state }: Pick<View, 'find' | 'state'>,
): readonly Machine[] {
  const found = findMachines(machines, find)
  return state === null ? found : found.filter(({ status }) => status === state)
}

export function countStates(machines: readonly Machine[]): readonly { status: MachineStatus; count: number }[] {
  const counts = new Map<MachineStatus, number>()
  for (const { status } of machines) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => ({ status, count })).toSorted((a, b) => RANK[a.status] - RANK[b.status])
}

/** Display order: statuses that need attention first, machines at rest last. */
const RANK: Readonly<Record<MachineStatus, number>> = {
  Failing: 0,
  Running: 1,
  Creating: 2,
  Starting: 3,
  Restarting: 4,
  Resetting: 5,
  Stopping: 6,
  Stopped: 7,
  Planned: 8,
  Deleting: 9,
  Terminated: 10,
}

const minutesLeft = ({ quota }: Machine): number =>
  quota.total === null ? Number.POSITIVE_INFINITY : Math.max(0, quota.total - quota.consumed)

const ORDERS: Readonly<Record<SortKey, (a: Machine, b: Machine) => number>> = {
  learner: (a, b) => compareNaturally(learnerOf(a), learnerOf(b)),
  name: (a, b) => compareNaturally(a.name, b.name),
  state: (a, b) => RANK[a.status] - RANK[b.status],
  // The difference of two infinities would be NaN.
  hours: (a, b) => (minutesLeft(a) === minutesLeft(b) ? 0 : minutesLeft(a) - minutesLeft(b)),
  address: (a, b) =>
    Number(a.publicIp === null) - Number(b.publicIp === null) || compareNaturally(a.publicIp ?? '', b.publicIp ?? ''),
}

export function sortMachines(machines: readonly Machine[], { by, desc }: Sort): readonly Machine[] {
  const sign = desc ? -1 : 1
  return machines.toSorted(
    (a, b) =>
      Number(b.status === 'Failing') - Number(a.status === 'Failing') ||
      sign * ORDERS[by](a, b) ||
      compareNaturally(a.name, b.name),
  )
}
