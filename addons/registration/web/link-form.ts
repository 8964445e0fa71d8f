import type { z } from 'zod'
import type { linkSettings, RegistrationLink } from '../contract/registration.ts'
import { lowerAscii } from '@trainyard/platform/contract/words/email.ts'
import { numberIn } from '@trainyard/platform/contract/words/money.ts'
import { allottedIn, hoursFieldValue } from '@trainyard/trainings/web/allotted.ts'
import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'

/** Entries of the form. Times are local to the organisation's zone, as the browser's field writes them. */
export type EnteredLink = {
  name: string
  seats: string
  opensAt: string
  closesAt: string
  domains: string
  needsApproval: boolean
  /** The name of the template is empty for seats without a machine. */
  machine: { templateName: string; allocatedHours: string; guacamole: boolean }
}

export type LinkSettings = z.output<typeof linkSettings>

const LOCAL = 'YYYY-MM-DDTHH:mm'

export const formValuesOf = (link: RegistrationLink | undefined, timeZone: string): EnteredLink => {
  const local = (instant: string | null | undefined) => (instant ? dayjs(instant).tz(timeZone).format(LOCAL) : '')
  return {
    name: link?.name ?? '',
    seats: String(link?.seats ?? 30),
    opensAt: local(link?.opensAt),
    closesAt: local(link?.closesAt),
    domains: link?.domains.join(', ') ?? '',
    needsApproval: link?.needsApproval ?? false,
    machine: {
      templateName: link?.machine?.templateName ?? '',
      allocatedHours: hoursFieldValue(link?.machine?.allocatedHours ?? null),
      guacamole: link?.machine?.guacamole ?? true,
    },
  }
}

/** Returns the settings as the calls take them, which validate them: a time that is none stays as it was entered. */
export function linkOf({ domains, machine, ...entered }: EnteredLink, timeZone: string): LinkSettings {
  const instantOf = (local: string) => (local === '' ? null : (dayjs.tz(local, timeZone).toJSON() ?? local))
  const each = domains.split(/[\s,;]+/).filter(Boolean)
  return {
    ...entered,
    name: entered.name.trim(),
    seats: numberIn(entered.seats),
    opensAt: instantOf(entered.opensAt),
    closesAt: instantOf(entered.closesAt),
    domains: [...new Set(each.map((domain) => lowerAscii(domain.replace(/^@/, ''))))],
    machine: machine.templateName === '' ? null : { ...machine, allocatedHours: allottedIn(machine.allocatedHours) },
  }
}
