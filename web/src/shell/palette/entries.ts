import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { search } from '@trainyard/contract/calls/search.ts'
import type { Route } from '#src/navigation/routes.ts'
import type { Choice } from '#src/navigation/selection.ts'

export interface Entry {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly go: Destination | (() => void)
}

interface Destination {
  readonly to: string
  readonly search: Choice & { readonly find?: string }
}

export interface Group {
  readonly title: string
  readonly entries: readonly Entry[]
}

export function matchesWords(label: string, text: string): boolean {
  const lower = label.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}

export const screenEntries = (rows: readonly Route[], chosen: Choice): readonly Entry[] =>
  rows.map(({ path, title }) => ({ id: `screen ${path}`, label: title, go: { to: path, search: chosen } }))

export function foundGroups(found: ReplyOf<typeof search.find>, seesSeveral: boolean): readonly Group[] {
  const organisationQuery = (organization: string) => (seesSeveral ? { organization } : {})
  return [
    {
      title: 'Lab modules',
      entries: found.trainings.map(({ organization, training }) => ({
        id: `training ${organization} ${training}`,
        label: training,
        ...(seesSeveral ? { hint: organization } : {}),
        go: { to: '/vm/vmdetails', search: { ...organisationQuery(organization), training } },
      })),
    },
    {
      title: 'Instances',
      entries: found.machines.map(({ organization, training, machine, email }) => ({
        id: `machine ${machine}`,
        label: machine,
        hint: [email, training, ...(seesSeveral ? [organization] : [])].join(' · '),
        go: { to: '/vm/vmdetails', search: { ...organisationQuery(organization), training, find: machine } },
      })),
    },
    {
      title: 'Customers',
      entries: found.organizations.map((organization) => ({
        id: `organisation ${organization}`,
        label: organization,
        go: { to: '/', search: { organization } },
      })),
    },
  ]
}
