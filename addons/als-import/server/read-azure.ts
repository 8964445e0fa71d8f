import { z } from 'zod'
import type { LabRole, LabServicesResource } from './lab-services-provider.ts'
import {
  minutesOf,
  type LocalTime,
  type SourceIdle,
  type SourceImage,
  type SourceLab,
  type SourceRecurrence,
  type SourceSchedule,
  type SourceUser,
} from './source.ts'

/** A lab as it was read from Azure, with all fields. It is stored with the import. */
export interface AzureLab {
  readonly lab: LabServicesResource
  readonly users: readonly LabServicesResource[]
  readonly schedules: readonly LabServicesResource[]
  readonly machines: readonly LabServicesResource[]
  /** Image of the plan that the lab uses; null if the lab has no plan or a marketplace image. */
  readonly image: LabServicesResource | null
  /** Roles at the lab; absent in imports of earlier versions. */
  readonly roles?: readonly LabRole[]
  /** Reason why the roles could not be read. */
  readonly rolesProblem?: string
}

const text = z.string().catch('')
const labShape = z.looseObject({
  title: z.string().optional().catch(undefined),
  state: z.string().optional().catch(undefined),
  provisioningState: z.string().optional().catch(undefined),
  autoShutdownProfile: z
    .looseObject({
      shutdownOnDisconnect: text,
      shutdownWhenNotConnected: text,
      shutdownOnIdle: text,
      disconnectDelay: text,
      noConnectDelay: text,
      idleDelay: text,
    })
    .optional()
    .catch(undefined),
  virtualMachineProfile: z
    .looseObject({
      imageReference: z
        .looseObject({ id: z.string().optional(), publisher: text, offer: text, sku: text, version: text })
        .optional()
        .catch(undefined),
      osType: z.enum(['Windows', 'Linux']).optional().catch(undefined),
      sku: z
        .looseObject({ name: text, capacity: z.number().optional().catch(undefined) })
        .optional()
        .catch(undefined),
      usageQuota: text,
      useSharedPassword: text,
    })
    .optional()
    .catch(undefined),
  securityProfile: z
    .looseObject({ registrationCode: z.string().optional().catch(undefined), openAccess: text })
    .optional()
    .catch(undefined),
  rosterProfile: z
    .looseObject({
      activeDirectoryGroupId: z.string().optional().catch(undefined),
      ltiContextId: z.string().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})
type LabProperties = z.output<typeof labShape>

/** Returns the ID of a lab in lower case, because Azure varies the case of the ID. */
export const keyOfLab = (id: string): string => id.toLowerCase()

export function readAzureLab({ lab, users, schedules, image, roles, rolesProblem }: AzureLab): SourceLab {
  const properties = labShape.parse(lab.properties)
  const profile = properties.virtualMachineProfile
  const unread: string[] = []
  const note = (sentence: string): null => {
    unread.push(sentence)
    return null
  }
  const quota = minutesOf(profile?.usageQuota)
  if (quota === null) note(`The usage quota of ${lab.name} could not be read.`)
  if (rolesProblem !== undefined) note(`The owners of ${lab.name} could not be read. ${rolesProblem}`)
  const ownerRoles = ownersIn(roles ?? [], note)
  return {
    key: keyOfLab(lab.id),
    name: lab.name,
    title: properties.title ?? lab.name,
    location: typeof lab['location'] === 'string' ? lab['location'] : null,
    state: properties.state ?? null,
    isFailed: properties.provisioningState === 'Failed',
    size: profile?.sku?.name ?? '',
    capacity: profile?.sku?.capacity ?? null,
    os: profile?.osType ?? null,
    image: imageOf(profile?.imageReference, image),
    quotaMinutes: quota ?? 0,
    idle: idleOf(properties.autoShutdownProfile),
    openAccess: properties.securityProfile?.openAccess === 'Enabled',
    registrationCode: properties.securityProfile?.registrationCode ?? null,
    roster: rosterOf(properties.rosterProfile),
    sharesPassword: profile?.useSharedPassword === 'Enabled',
    users: users.flatMap((user) => userOf(user, note) ?? []),
    schedules: schedules.flatMap((schedule) => scheduleOf(schedule, note) ?? []),
    owners: [...ownerRoles.keys()],
    ownerRoles: Object.fromEntries(ownerRoles),
    unread,
  }
}

/**
 * Returns the role of each user who manages the lab, by e-mail address. `roles` are ordered by their rights, so that
 * the first role of a user is the user's strongest role.
 */
function ownersIn(roles: readonly LabRole[], note: (sentence: string) => null): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { role, email, principalType, principalId } of roles) {
    if (email === null) note(`The ${role} ${principalId} (${principalType}) of the lab has no known e-mail address.`)
    else if (!found.has(email)) found.set(email, role)
  }
  return found
}

function imageOf(
  reference: NonNullable<LabProperties['virtualMachineProfile']>['imageReference'],
  image: LabServicesResource | null,
): SourceImage {
  if (reference?.id !== undefined) {
    const state = image?.properties['osState']
    return {
      kind: 'gallery',
      id: reference.id,
      isSpecialized: typeof state === 'string' ? state === 'Specialized' : null,
    }
  }
  const { publisher = '', offer = '', sku = '', version = 'latest' } = reference ?? {}
  return { kind: 'marketplace', publisher, offer, sku, version: version === '' ? 'latest' : version }
}

/** Returns the idle stop. Ignores disabled delays, which Azure also returns. */
function idleOf(profile: LabProperties['autoShutdownProfile']): SourceIdle | null {
  if (profile === undefined) return null
  const idle = minutesOf(profile.idleDelay)
  if (profile.shutdownOnIdle !== '' && profile.shutdownOnIdle !== 'None' && idle !== null) {
    return { minutes: idle, when: 'idle' }
  }
  const delays = [
    profile.shutdownOnDisconnect === 'Enabled' ? minutesOf(profile.disconnectDelay) : null,
    profile.shutdownWhenNotConnected === 'Enabled' ? minutesOf(profile.noConnectDelay) : null,
  ].filter((delay) => delay !== null)
  return delays.length === 0 ? null : { minutes: Math.max(...delays), when: 'disconnected' }
}

/** Returns how the lab gets its users. Users are added manually if the profile is absent or its IDs are empty. */
function rosterOf(profile: LabProperties['rosterProfile']): SourceLab['roster'] {
  if ((profile?.activeDirectoryGroupId ?? '') !== '') return 'group'
  return (profile?.ltiContextId ?? '') === '' ? 'manual' : 'lms'
}

function userOf({ name, properties }: LabServicesResource, note: (sentence: string) => null): SourceUser | null {
  const { email, displayName, registrationState, totalUsage, additionalUsageQuota } = properties
  if (typeof email !== 'string' || !email.includes('@')) return note(`The user ${name} has no e-mail address.`)
  return {
    email: email.trim().toLowerCase(),
    displayName: typeof displayName === 'string' ? displayName : null,
    isRegistered: registrationState === 'Registered',
    usedMinutes: minutesOf(totalUsage) ?? 0,
    extraMinutes: minutesOf(additionalUsageQuota) ?? 0,
  }
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
export const weekdayOf = (name: string): number | null => {
  const index = WEEKDAYS.findIndex((day) => day === name.toLowerCase() || day.slice(0, 3) === name.toLowerCase())
  return index < 0 ? null : index + 1
}

/**
 * Reads a schedule. Its times have a Z but are local times in the schedule's zone. Sources: Schedules.json of version
 * 2023-06-07, "Timestamp offsets will be ignored and timeZoneId is used instead", and a recording of July 2025.
 */
function scheduleOf(
  { name, properties }: LabServicesResource,
  note: (sentence: string) => null,
): SourceSchedule | null {
  const { startAt, stopAt, timeZoneId, recurrencePattern, notes } = properties
  const [start, stop] = [wallTime(startAt), wallTime(stopAt)]
  if (typeof timeZoneId !== 'string') return note(`The schedule ${name} has no time zone.`)
  if (start === null && stop === null) return note(`The times of the schedule ${name} could not be read.`)
  const repeats = recurrencePattern === undefined || recurrencePattern === null ? null : recurrenceOf(recurrencePattern)
  if (repeats === 'unreadable') return note(`The recurrence of the schedule ${name} could not be read.`)
  return {
    key: name.toLowerCase(),
    start,
    stop,
    timeZone: timeZoneId,
    repeats,
    notes: typeof notes === 'string' && notes !== '' ? notes : null,
  }
}

function wallTime(value: unknown): LocalTime | null {
  const [, date, time] = (typeof value === 'string' && /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(value)) || []
  return date === undefined || time === undefined ? null : { date, time }
}

const recurrenceShape = z.looseObject({
  frequency: z.enum(['Daily', 'Weekly']),
  interval: z.int().min(1).nullish(),
  weekDays: z.array(z.string()).nullish(),
  expirationDate: z.string().regex(/^\d{4}-\d{2}-\d{2}/),
})

function recurrenceOf(value: unknown): SourceRecurrence | 'unreadable' {
  const read = recurrenceShape.safeParse(value)
  if (!read.success) return 'unreadable'
  const { frequency, interval, weekDays, expirationDate } = read.data
  const weekdays = (weekDays ?? []).map(weekdayOf)
  if (weekdays.includes(null)) return 'unreadable'
  return {
    every: frequency === 'Daily' ? 'day' : 'week',
    interval: interval ?? 1,
    weekdays: weekdays as number[],
    until: expirationDate.slice(0, 10),
  }
}
