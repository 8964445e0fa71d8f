/** A lab of Azure Lab Services, read from its API or from files. */
export interface SourceLab {
  /** Resource ID in lower case. For a lab from files, the ID is derived from its group and name. */
  readonly key: string
  readonly name: string
  readonly title: string
  readonly location: string | null
  /** State of the lab: Draft, Publishing, Scaling, Syncing or Published; null if unknown. */
  readonly state: string | null
  readonly isFailed: boolean
  /** Name of the size, such as Classic_Fsv2_2_4GB_128_S_SSD. */
  readonly size: string
  readonly capacity: number | null
  readonly os: 'Windows' | 'Linux' | null
  readonly image: SourceImage
  /** Minutes that each user may use outside schedules. */
  readonly quotaMinutes: number
  readonly idle: SourceIdle | null
  readonly openAccess: boolean
  readonly registrationCode: string | null
  readonly roster: 'manual' | 'group' | 'lms'
  readonly sharesPassword: boolean
  readonly users: readonly SourceUser[]
  readonly schedules: readonly SourceSchedule[]
  /** E-mails, in lower case, of the users who manage the lab and become instructors. */
  readonly owners: readonly string[]
  /** Role in Azure of each owner; absent for labs from files. */
  readonly ownerRoles?: Readonly<Record<string, string>>
  /** Sentences about values that could not be read. */
  readonly unread: readonly string[]
}

export type SourceImage =
  | {
      readonly kind: 'marketplace'
      readonly publisher: string
      readonly offer: string
      readonly sku: string
      readonly version: string
    }
  | { readonly kind: 'gallery'; readonly id: string; readonly isSpecialized: boolean | null }
  /** An image that a file specifies by its display name. */
  | { readonly kind: 'named'; readonly name: string }

export interface SourceIdle {
  readonly minutes: number
  readonly when: 'idle' | 'disconnected'
}

export interface SourceUser {
  /** E-mail address in lower case. */
  readonly email: string
  readonly displayName: string | null
  readonly isRegistered: boolean
  readonly usedMinutes: number
  readonly extraMinutes: number
}

/** Local date (YYYY-MM-DD) and time (HH:mm) in the schedule's zone. */
export interface LocalTime {
  readonly date: string
  readonly time: string
}

export interface SourceSchedule {
  readonly key: string
  readonly start: LocalTime | null
  readonly stop: LocalTime | null
  /** Time zone as stated in the source, with an IANA or a Windows name. */
  readonly timeZone: string
  readonly repeats: SourceRecurrence | null
  readonly notes: string | null
}

export interface SourceRecurrence {
  readonly every: 'day' | 'week'
  readonly interval: number
  /** Monday 1 to Sunday 7. If empty, the schedule runs on the weekday of the first run. */
  readonly weekdays: readonly number[]
  /** Last day, inclusive. */
  readonly until: string
}

const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?)?$/

/** Returns the whole minutes of an ISO 8601 duration such as PT10H or P1DT1H, rounded up; null for any other value. */
export function minutesOf(duration: unknown): number | null {
  if (typeof duration !== 'string') return null
  const found = DURATION.exec(duration)
  if (found === null || duration === 'P' || duration.endsWith('T')) return null
  const [days, hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ]
  return days * 1440 + hours * 60 + minutes + Math.ceil(seconds / 60)
}
