import type { Reader } from '#src/api/client.ts'

/** A lab user as both providers' lists have it. */
export interface LabUser {
  readonly _id: string
  readonly email: string
  readonly userId: string
  readonly duration: number
  readonly startDate: string
  readonly endDate: string
  readonly status: 'Creating' | 'Ready' | 'Ending' | 'Failing'
  readonly statusReason: string | null
  /** Their sandboxes, at a provider that has any. */
  readonly sandbox?: readonly { readonly status: string }[]
}

export interface NewLabUser {
  readonly username: string
  readonly personalEmail: string
  readonly duration: number
}

/** Somebody who has ended, and can be made anew. */
export interface EndedLabUser {
  readonly email: string
  readonly personalEmail: string
  readonly endDate: string
}

export interface Renewal {
  readonly email: string
  readonly duration?: number
  /** Rupees. */
  readonly credits?: number
}

/** One provider's lab users: how they are asked for, made, renewed and deleted. */
export interface LabUserSource<User extends LabUser> {
  readonly list: Reader<undefined, { users: User[] }>
  readonly create: (user: NewLabUser, options: { idempotencyKey: string }) => Promise<{ message: string }>
  readonly renew: (renewal: Renewal, options: { idempotencyKey: string }) => Promise<{ message: string }>
  readonly ended: Reader<undefined, { users: EndedLabUser[] }>
  /** True where lab users have credits, of which a renewal may add some. */
  readonly hasCredits: boolean
  readonly remove: (email: string) => Promise<{ message: string }>
}

/** Returns the users whose name or address contains a text. */
export function sought<User extends LabUser>(users: readonly User[], text: string): readonly User[] {
  const part = text.trim().toLowerCase()
  if (part === '') return users
  return users.filter(({ email, userId }) => email.toLowerCase().includes(part) || userId.toLowerCase().includes(part))
}

/** Returns true while a user or sandbox is being made or deleted, so that asking again soon is worth it. */
export const isMoving = (users: readonly LabUser[]): boolean =>
  users.some(({ status, sandbox = [] }) => comesOrGoes(status) || sandbox.some(({ status }) => comesOrGoes(status)))

const comesOrGoes = (status: string) => status === 'Creating' || status === 'Ending' || status === 'Deleting'

/** Returns the typed number of days, or null where it is not a whole number from 1 to `most`. */
export function daysOf(typed: string, most: number): number | null {
  const days = /^\s*\d{1,4}\s*$/.test(typed) ? Number(typed) : 0
  return days >= 1 && days <= most ? days : null
}
