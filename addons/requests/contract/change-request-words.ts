import { hoursOfMinutes } from '@trainyard/platform/contract/words/duration.ts'

/**
 * `hours`: a learner requests more hours for a machine. `quota`: an admin requests a higher quota for a training.
 * `admin`: an admin requests another admin.
 */
const CHANGE_REQUEST_KINDS = ['hours', 'quota', 'admin'] as const
export type ChangeRequestKind = (typeof CHANGE_REQUEST_KINDS)[number]

export const CHANGE_REQUEST_STATES = ['open', 'approved', 'refused', 'withdrawn'] as const
export type ChangeRequestState = (typeof CHANGE_REQUEST_STATES)[number]

export const CHANGE_REQUEST_LABELS: Readonly<Record<ChangeRequestState, string>> = {
  open: 'Waiting for a decision',
  approved: 'Approved',
  refused: 'Refused',
  withdrawn: 'Withdrawn',
}

/** Maximum number of hours of one request. */
export const REQUESTED_HOURS_MAX = { hours: 100, quota: 10_000 } as const
export const OPEN_REQUESTS_MAX = 10
/** Days after which a request that is no longer open is deleted. */
export const CHANGE_REQUEST_DAYS = 365

export type RequestSubject =
  | { readonly kind: 'hours'; readonly minutes: number; readonly machine: string; readonly training: string }
  | { readonly kind: 'quota'; readonly minutes: number; readonly training: string }
  | { readonly kind: 'admin'; readonly email: string }

const moreHours = (minutes: number): string => {
  const hours = hoursOfMinutes(minutes)
  return `${hours.toLocaleString('en-IN')} more ${hours === 1 ? 'hour' : 'hours'}`
}

/** Names the requested change, such as `5 more hours for linux-101-1 (Linux 101)`. */
export function requestText(request: RequestSubject): string {
  if (request.kind === 'admin') return `${request.email} as an admin`
  const { kind, minutes, training } = request
  return `${moreHours(minutes)} for ${kind === 'hours' ? `${request.machine} (${training})` : `all machines of ${training}`}`
}
