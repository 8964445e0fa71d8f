import type { RegistrationLink } from '../contract/registration.ts'
import { isEmail, lowerAscii } from '@trainyard/platform/contract/words/email.ts'
import { LINK_DOMAINS_MAX, LINK_SEATS_MAX } from '../contract/registration-words.ts'
import { allottedOf, hoursFieldValue } from '@trainyard/trainings/web/allotted.ts'
import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'

/** Texts of the form. Times are local to the organisation's zone, as the browser's field writes them. */
export interface EnteredLink {
  readonly name: string
  readonly seats: string
  readonly opensAt: string
  readonly closesAt: string
  readonly domains: string
  /** Empty: no machine. */
  readonly template: string
  readonly hours: string
}

const LOCAL = 'YYYY-MM-DDTHH:mm'

export const formValuesOf = (link: RegistrationLink | undefined, timeZone: string): EnteredLink => {
  const local = (instant: string | null | undefined) => (instant ? dayjs(instant).tz(timeZone).format(LOCAL) : '')
  return {
    name: link?.name ?? '',
    seats: String(link?.seats ?? 30),
    opensAt: local(link?.opensAt),
    closesAt: local(link?.closesAt),
    domains: link?.domains.join(', ') ?? '',
    template: link?.machine?.templateName ?? '',
    hours: hoursFieldValue(link?.machine?.allocatedHours ?? null),
  }
}

interface Settings {
  readonly name: string
  readonly seats: number
  readonly opensAt: string | null
  readonly closesAt: string | null
  readonly domains: string[]
  readonly needsApproval: boolean
  readonly machine: {
    readonly templateName: string
    readonly allocatedHours: number | null
    readonly guacamole: boolean
  } | null
}

type Problems = Partial<Record<keyof EnteredLink, string | false>>

/** Returns the settings, or the problems by field. */
export function linkOf(
  entered: EnteredLink,
  more: { readonly needsApproval: boolean; readonly guacamole: boolean; readonly timeZone: string },
): { settings: Settings; problems: null } | { settings: null; problems: Problems } {
  const name = entered.name.trim()
  const seats = Number(entered.seats)
  const enteredDomains = entered.domains.split(/[\s,;]+/).filter((each) => each !== '')
  const domains = [...new Set(enteredDomains.map((each) => lowerAscii(each.replace(/^@/, ''))))]
  const isWrong = domains.some((each) => !isEmail(`x@${each}`))
  const [opensAt, closesAt] = [entered.opensAt, entered.closesAt].map((local) =>
    local === '' ? null : dayjs.tz(local, more.timeZone).toISOString(),
  ) as [string | null, string | null]
  const allotted = allottedOf(entered.hours)
  const hasMachine = entered.template !== ''
  const problems: Problems = {
    name: name === '' && 'Enter a name.',
    seats:
      !(Number.isInteger(seats) && seats >= 1 && seats <= LINK_SEATS_MAX) &&
      `Enter a whole number, 1 to ${LINK_SEATS_MAX}.`,
    closesAt: opensAt !== null && closesAt !== null && opensAt >= closesAt && 'Choose a time after the first one.',
    domains:
      (isWrong && 'Enter domains such as example.com.') ||
      (domains.length > LINK_DOMAINS_MAX && `Enter at most ${LINK_DOMAINS_MAX} domains.`),
    hours: hasMachine && 'problem' in allotted && allotted.problem,
  }
  if (Object.values(problems).some((problem) => problem !== false) || (hasMachine && 'problem' in allotted)) {
    return { settings: null, problems }
  }
  return {
    settings: {
      name,
      seats,
      opensAt,
      closesAt,
      domains,
      needsApproval: more.needsApproval,
      machine:
        hasMachine && 'minutes' in allotted
          ? { templateName: entered.template, allocatedHours: allotted.minutes, guacamole: more.guacamole }
          : null,
    },
    problems: null,
  }
}
