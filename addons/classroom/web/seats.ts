import { compareNaturally } from '@trainyard/platform/contract/words/natural-order.ts'
import type { ClassView, Seat } from '../contract/classroom.ts'
import { learnerOf } from '@trainyard/machines/web/machine-list.ts'

/** Idle time, in minutes, from which a learner may need help. */
const IDLE_MINUTES = 10

/** Returns the class with the changed seats merged in and terminated machines removed. */
export function mergeClass(before: ClassView, changed: ClassView): ClassView {
  const rest = new Map(changed.seats.map((seat) => [seat.machine._id, seat]))
  const merged = before.seats.map((seat) => {
    const updated = rest.get(seat.machine._id)
    rest.delete(seat.machine._id)
    return updated ?? seat
  })
  return { room: changed.room, seats: [...merged, ...rest.values()].filter(({ machine }) => machine.isAlive) }
}

export const minutesSince = (instant: string | null, now: number): number | null =>
  instant === null ? null : Math.max(0, Math.floor((now - Date.parse(instant)) / 60_000))

const NEEDS = ['hand', 'failing', 'disconnected', 'idle', 'none'] as const
export type Need = (typeof NEEDS)[number]

/** Returns the most urgent reason to help a learner. */
export function needOf(seat: Seat, now: number): Need {
  const { machine, handRaisedAt, connectedSince } = seat
  if (handRaisedAt !== null) return 'hand'
  if (machine.status === 'Failing') return 'failing'
  if (machine.status !== 'Running') return 'none'
  if (machine.guacamole && machine.osType === 'Linux' && connectedSince === null) return 'disconnected'
  return matches(seat, 'idle', now) ? 'idle' : 'none'
}

export const ORDERS = {
  need: 'Who needs help',
  learner: 'Learner',
  idle: 'Idle longest',
} as const
export type Order = keyof typeof ORDERS

/** Sorts learner 9 before learner 10. */
export function sortSeats(seats: readonly Seat[], order: Order, now: number): readonly Seat[] {
  const byLearner = (a: Seat, b: Seat) =>
    compareNaturally(learnerOf(a.machine), learnerOf(b.machine)) || compareNaturally(a.machine.name, b.machine.name)
  // All instants have the same text format, so they are compared as texts. Missing instants come last.
  const byInstant = (first: string | null, second: string | null) => {
    const [a, b] = [first ?? '~', second ?? '~']
    return a < b ? -1 : a > b ? 1 : 0
  }
  switch (order) {
    case 'learner':
      return seats.toSorted(byLearner)
    case 'idle':
      return seats.toSorted((a, b) => byInstant(a.idleSince, b.idleSince) || byLearner(a, b))
    case 'need': {
      const rank = new Map(seats.map((seat) => [seat, NEEDS.indexOf(needOf(seat, now))]))
      return seats.toSorted(
        (a, b) => rank.get(a)! - rank.get(b)! || byInstant(a.handRaisedAt, b.handRaisedAt) || byLearner(a, b),
      )
    }
  }
}

/** Filters of a class, with their labels. A seat can match several. */
export const FILTERS = {
  running: 'Running',
  here: 'Here',
  hands: 'Hands',
  failing: 'Failing',
  idle: 'Idle',
  away: 'Not here',
} as const
export type Filter = keyof typeof FILTERS

export function matches(
  { machine, connectedSince, handRaisedAt, idleSince }: Seat,
  filter: Filter,
  now: number,
): boolean {
  switch (filter) {
    case 'running':
      return machine.status === 'Running'
    case 'here':
      return connectedSince !== null
    case 'hands':
      return handRaisedAt !== null
    case 'failing':
      return machine.status === 'Failing'
    case 'idle':
      return machine.status === 'Running' && (minutesSince(idleSince, now) ?? 0) >= IDLE_MINUTES
    case 'away':
      return connectedSince === null
  }
}

export const countOfSeats = (seats: readonly Seat[], filter: Filter, now: number): number =>
  seats.filter((seat) => matches(seat, filter, now)).length

export function formatDuration(minutes: number): string {
  if (minutes < 60) return `${minutes} min`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  const days = Math.floor(minutes / (24 * 60))
  return `${days} ${days === 1 ? 'day' : 'days'}`
}

/**
 * Returns the place of each raised hand in the queue, from 1, by machine. A learner with two machines has one place.
 */
export function queueOf(seats: readonly Seat[]): ReadonlyMap<string, number> {
  const raised = sortSeats(
    seats.filter(({ handRaisedAt }) => handRaisedAt !== null),
    'need',
    0,
  )
  const learners = [...new Set(raised.map(({ machine }) => machine.email))]
  return new Map(raised.map(({ machine }) => [machine._id, learners.indexOf(machine.email) + 1]))
}

/**
 * Returns the seats with a raised hand, a failing machine or a learner who is stuck, grouped by learner: hands in the
 * order of the queue, then failures, then others.
 */
export function learnersInNeed(
  seats: readonly Seat[],
  queue: ReadonlyMap<string, number>,
  stuck: ReadonlyMap<string, string>,
): readonly (readonly [Seat, ...Seat[]])[] {
  const needing = seats
    .filter(
      ({ machine, handRaisedAt }) => handRaisedAt !== null || machine.status === 'Failing' || stuck.has(machine.name),
    )
    .toSorted((a, b) => placeOf(queue, a) - placeOf(queue, b))
  return [...Map.groupBy(needing, ({ machine }) => machine.email).values()] as [Seat, ...Seat[]][]
}

const placeOf = (queue: ReadonlyMap<string, number>, { machine }: Seat): number =>
  queue.get(machine._id) ?? (machine.status === 'Failing' ? Number.MAX_SAFE_INTEGER : Infinity)

const ENDINGS = new Map([
  ['one', 'st'],
  ['two', 'nd'],
  ['few', 'rd'],
])
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })

/** Formats a place in a queue: 1st, 2nd, 3rd, 4th, 11th. */
export const placeText = (place: number): string => `${place}${ENDINGS.get(ordinals.select(place)) ?? 'th'}`

/** Returns the part of an e-mail address before the @, which is enough to recognise a learner of a class. */
export const shortName = (email: string): string => email.split('@')[0] || email
