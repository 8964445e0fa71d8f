import type { Machine, Schemas } from '../api/client.ts'
import type { WantedPort, WantedClassSession, WantedTraining } from './file.ts'

export type CurrentClassSession = Schemas['ListClassSessionsReply']['sessions'][number]
type CurrentPort = Schemas['ListPortsReply']['rules'][number]

/** State of a training at the portal. Empty if the training does not exist. */
export interface CurrentState {
  readonly machines: readonly Machine[]
  readonly ports: readonly CurrentPort[]
  /** Sessions that have not ended. */
  readonly sessions: readonly CurrentClassSession[]
  /** Template of the latest order. */
  readonly template: string | null
  /** Date in the organisation's time zone. */
  readonly today: string
}

export type Change =
  | {
      readonly kind: 'order'
      readonly learners: readonly { readonly email: string; readonly name?: string | undefined }[]
    }
  | { readonly kind: 'closePort'; readonly port: number }
  | ({ readonly kind: 'openPort' } & WantedPort)
  | { readonly kind: 'deleteSession'; readonly session: CurrentClassSession }
  | { readonly kind: 'createSession'; readonly session: WantedClassSession }
  | { readonly kind: 'deleteMachine'; readonly machine: Machine }

export interface Plan {
  /** The changes are applied in this order, because sessions need machines. */
  readonly changes: readonly Change[]
  /** Differences that are only reported. */
  readonly notes: readonly string[]
}

/** Returns the changes that bring the portal to the state of the file. */
export function planOf(wanted: WantedTraining, current: CurrentState, { prune }: { readonly prune: boolean }): Plan {
  const plans = [
    planLearners(wanted, current, prune),
    wanted.ports === undefined ? NONE : planPorts(wanted.ports, current.ports, prune),
    wanted.sessions === undefined ? NONE : planClassSessions(wanted.sessions, current, prune),
  ]
  const changes = plans.flatMap((plan) => plan.changes)
  return {
    changes: [...changes].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind)),
    notes: plans.flatMap((plan) => plan.notes),
  }
}

const NONE: Plan = { changes: [], notes: [] }
const ORDER: readonly Change['kind'][] = [
  'order',
  'closePort',
  'openPort',
  'deleteSession',
  'createSession',
  'deleteMachine',
]

function planLearners({ learners, template }: WantedTraining, current: CurrentState, prune: boolean): Plan {
  const live = current.machines.filter(({ isAlive }) => isAlive)
  const emails = new Set(live.map(({ email }) => email))
  const missing = learners.filter(({ email }) => !emails.has(email))
  const wanted = new Set(learners.map(({ email }) => email))
  const extra = live.filter(({ email }) => !wanted.has(email))
  return {
    changes: [
      ...(missing.length > 0 ? [{ kind: 'order' as const, learners: missing }] : []),
      ...(prune ? extra.map((machine) => ({ kind: 'deleteMachine' as const, machine })) : []),
    ],
    notes: [
      ...(current.template !== null && live.length > 0 && current.template !== template
        ? [`Existing machines stay on the template ${current.template}.`]
        : []),
      ...(prune ? [] : extra.map(({ name, email }) => `${name} of ${email} is not in the file. --prune deletes it.`)),
    ],
  }
}

function planPorts(wanted: readonly WantedPort[], current: readonly CurrentPort[], prune: boolean): Plan {
  const openAt = new Map(current.map((rule) => [rule.port, rule]))
  const isAsWanted = ({ port, protocol, source }: WantedPort) => {
    const rule = openAt.get(port)
    return rule?.protocol === protocol && rule.source === source
  }
  const toOpen = wanted.filter((each) => !isAsWanted(each))
  const numbers = new Set(wanted.map(({ port }) => port))
  const extra = current.filter(({ port }) => !numbers.has(port))
  const toClose = [...toOpen.filter(({ port }) => openAt.has(port)), ...(prune ? extra : [])]
  return {
    changes: [
      ...toClose.map(({ port }) => ({ kind: 'closePort' as const, port })),
      ...toOpen.map((port) => ({ kind: 'openPort' as const, ...port })),
    ],
    notes: prune ? [] : extra.map(({ port }) => `Port ${port} is open but not in the file. --prune closes it.`),
  }
}

/**
 * Returns a key that is the same for all sessions of one class. The key excludes the first day, because past sessions
 * are not listed.
 */
const classKey = (weekdays: readonly number[] | null, date: string, until: string, times: Times): string =>
  JSON.stringify([weekdays ?? date, weekdays === null ? date : until, times.start, times.stop, times.limits])

interface Times {
  readonly start: string
  readonly stop: string
  readonly limits: boolean
}

function planClassSessions(
  wanted: readonly WantedClassSession[],
  { sessions, today }: CurrentState,
  prune: boolean,
): Plan {
  const ahead = wanted.filter(({ until }) => until >= today)
  const past = wanted.filter(({ until }) => until < today)
  const keyOfWanted = ({ weekdays, from, until, start, stop, limitAccess }: WantedClassSession) =>
    classKey(weekdays, from, until, { start, stop, limits: limitAccess })
  const keyOfCurrent = ({ weekly, date, start, stop, limitsAccess }: CurrentClassSession) =>
    classKey(weekly?.weekdays ?? null, date, weekly?.until ?? date, { start, stop, limits: limitsAccess })
  // Sessions that were moved or skipped in the portal still belong to their class and are not changed.
  const planned = sessions.filter(({ moved, skipped }) => !moved && !skipped)
  const currentKeys = new Set(planned.map(keyOfCurrent))
  const wantedKeys = new Set(ahead.map(keyOfWanted))
  // First session of each class to delete. Deleting this session also deletes all following sessions of the class.
  const extra = new Map<string, CurrentClassSession>()
  for (const session of planned) {
    const key = keyOfCurrent(session)
    if (!wantedKeys.has(key) && !extra.has(key)) extra.set(key, session)
  }
  return {
    changes: [
      ...(prune ? [...extra.values()].map((session) => ({ kind: 'deleteSession' as const, session })) : []),
      ...ahead
        .filter((session) => !currentKeys.has(keyOfWanted(session)))
        .map((session) => ({ kind: 'createSession' as const, session })),
    ],
    notes: [
      ...past.map((session) => `The session ${describeTimes(session)} is in the past.`),
      ...(prune
        ? []
        : [...extra.values()].map(
            ({ date, start, stop }) => `The session ${date} ${start}-${stop} is not in the file. --prune cancels it.`,
          )),
    ],
  }
}

const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const describeTimes = ({ weekdays, from, until, start, stop }: WantedClassSession): string =>
  weekdays === null
    ? `${from} ${start}-${stop}`
    : `${weekdays.map((day) => DAY_NAMES[day - 1]).join(', ')} ${start}-${stop}, ${from} to ${until}`

/** Returns a line that describes the change: + for an addition, - for a removal. */
export function describe(change: Change, { template, hours }: WantedTraining): string {
  switch (change.kind) {
    case 'order': {
      const { length } = change.learners
      const limit = hours === null ? 'without a limit of hours' : `with ${hours} hours each`
      const emails = change.learners.map(({ email }) => `\n    ${email}`).join('')
      return `+ order ${length === 1 ? 'one machine' : `${length} machines`} from ${template} ${limit}${emails}`
    }
    case 'openPort':
      return `+ open port ${change.port} (${change.protocol}) for ${change.source ?? 'any address'}`
    case 'closePort':
      return `- close port ${change.port}`
    case 'createSession':
      return `+ plan session ${describeTimes(change.session)}${change.session.limitAccess ? ', access limited' : ''}`
    case 'deleteSession': {
      const { date, start, stop, weekly } = change.session
      return `- cancel session ${date} ${start}-${stop}${weekly === null ? '' : ' and all following of its weekly class'}`
    }
    case 'deleteMachine':
      return `- delete ${change.machine.name} of ${change.machine.email} with its disks`
  }
}
