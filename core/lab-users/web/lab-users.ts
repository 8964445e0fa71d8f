import type { Reader } from '@trainyard/platform/web/api/client.ts'

export interface LabUser {
  readonly _id: string
  readonly email: string
  readonly userId: string
  readonly duration: number
  readonly startDate: string
  readonly endDate: string
  readonly status: 'Creating' | 'Ready' | 'Ending' | 'Failing'
  readonly statusReason: string | null
  readonly accessPass?: 'None' | 'Requested' | 'Ready'
  readonly sandbox?: readonly { readonly status: string }[]
}

export interface NewLabUser {
  readonly username: string
  readonly personalEmail: string
  readonly duration: number
}

export interface EndedLabUser {
  readonly email: string
  readonly personalEmail: string
  readonly endDate: string
}

interface Renewal {
  readonly email: string
  readonly duration?: number
  /** In rupees. */
  readonly credits?: number
}

export interface LabUserSource<User extends LabUser> {
  readonly list: Reader<undefined, { users: User[] }>
  readonly create: (user: NewLabUser, options: { idempotencyKey: string }) => Promise<{ message: string }>
  readonly renew: (renewal: Renewal, options: { idempotencyKey: string }) => Promise<{ message: string }>
  readonly ended: Reader<undefined, { users: EndedLabUser[] }>
  readonly hasCredits: boolean
  readonly remove: (email: string) => Promise<{ message: string }>
}

export function filterUsers<User extends LabUser>(users: readonly User[], text: string): readonly User[] {
  const part = text.trim().toLowerCase()
  if (part === '') return users
  return users.filter(({ email, userId }) => email.toLowerCase().includes(part) || userId.toLowerCase().includes(part))
}

export const ORDERS = { start: 'Last added', end: 'First to end', name: 'Name' } as const
export type Order = keyof typeof ORDERS

const SORTS: Readonly<Record<Order, (a: LabUser, b: LabUser) => number>> = {
  start: (a, b) => Date.parse(b.startDate) - Date.parse(a.startDate),
  end: (a, b) => Date.parse(a.endDate) - Date.parse(b.endDate),
  name: (a, b) => a.email.localeCompare(b.email),
}

export const sortUsers = <User extends LabUser>(users: readonly User[], order: Order): User[] =>
  users.toSorted(SORTS[order])

const DAY_MS = 24 * 60 * 60 * 1_000

/** @param days null for users with any end */
export const endingWithin = <User extends LabUser>(users: readonly User[], days: number | null, now: Date) =>
  days === null ? users : users.filter(({ endDate }) => Date.parse(endDate) - now.getTime() <= days * DAY_MS)

export const isChanging = (users: readonly LabUser[]): boolean =>
  users.some(
    ({ status, accessPass, sandbox = [] }) =>
      isTransitional(status) || accessPass === 'Requested' || sandbox.some(({ status }) => isTransitional(status)),
  )

const isTransitional = (status: string) => status === 'Creating' || status === 'Ending' || status === 'Deleting'

/** Returns the entered number of days; null if it is not a whole number from 1 to `max`. */
export function daysOf(entered: string, max: number): number | null {
  const days = /^\s*\d{1,4}\s*$/.test(entered) ? Number(entered) : 0
  return days >= 1 && days <= max ? days : null
}
