import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { MACHINE_STATUSES, type MachineStatus } from '@trainyard/contract/words/machine.ts'
import { findMachines } from '#src/machine/machine-list.ts'

/** The part of the console that its address holds, beside the training: a link shows another the same. */
export interface View {
  /** The text to find. */
  readonly find: string
  /** The state to show alone; null: all. */
  readonly state: MachineStatus | null
  readonly sort: Sort
}

export const SORT_KEYS = ['learner', 'name', 'state', 'hours', 'address'] as const
export type SortKey = (typeof SORT_KEYS)[number]
export interface Sort {
  readonly by: SortKey
  readonly desc: boolean
}

/** Reads a view from an address; what it does not know it leaves at its default. */
export function viewOf({ find = '', state, sort = '' }: Readonly<Record<string, string | undefined>>): View {
  const by = SORT_KEYS.find((key) => key === sort.replace(/^-/, ''))
  return {
    find,
    state: MACHINE_STATUSES.find((status) => status === state) ?? null,
    sort: by ? { by, desc: sort.startsWith('-') } : { by: 'learner', desc: false },
  }
}

/** Writes an order as the address has it; undefined for the one that holds without. */
export const sortText = ({ by, desc }: Sort): string | undefined =>
  by === 'learner' && !desc ? undefined : `${desc ? '-' : ''}${by}`

/** Returns the next order when a column's heading is pressed. */
export const pressed = (now: Sort, by: SortKey): Sort => ({ by, desc: now.by === by && !now.desc })

/** Returns the machines of a view, in the order that they have. */
export function inView(
  machines: readonly Machine[],
  { find, state }: Pick<View, 'find' | 'state'>,
): readonly Machine[] {
  const found = findMachines(machines, find)
  return state === null ? found : found.filter(({ status }) => status === state)
}

/** Returns how many machines have each state that there is, failing ones first. */
export function countStates(machines: readonly Machine[]): readonly { status: MachineStatus; count: number }[] {
  const counts = new Map<MachineStatus, number>()
  for (const { status } of machines) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => ({ status, count })).toSorted((a, b) => RANK[a.status] - RANK[b.status])
}

/** The states that need a person come first, those at rest last. */
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

const { compare } = new Intl.Collator('en', { numeric: true })

/** Minutes left; more than any number where there is no limit. */
const left = ({ quota }: Machine): number =>
  quota.total === null ? Number.POSITIVE_INFINITY : Math.max(0, quota.total - quota.consumed)

const ORDERS: Readonly<Record<SortKey, (a: Machine, b: Machine) => number>> = {
  learner: (a, b) => compare(a.email, b.email),
  name: (a, b) => compare(a.name, b.name),
  state: (a, b) => RANK[a.status] - RANK[b.status],
  // Two without a limit: the difference would be no number.
  hours: (a, b) => (left(a) === left(b) ? 0 : left(a) - left(b)),
  address: (a, b) =>
    Number(a.publicIp === null) - Number(b.publicIp === null) || compare(a.publicIp ?? '', b.publicIp ?? ''),
}

/** Returns the machines sorted, failing ones before all others whatever the order. */
export function ordered(machines: readonly Machine[], { by, desc }: Sort): readonly Machine[] {
  const sign = desc ? -1 : 1
  return machines.toSorted(
    (a, b) =>
      Number(b.status === 'Failing') - Number(a.status === 'Failing') ||
      sign * ORDERS[by](a, b) ||
      compare(a.name, b.name),
  )
}
