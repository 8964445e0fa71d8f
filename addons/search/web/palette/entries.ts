import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { search } from '../../contract/search.ts'
import type { Choice } from '@trainyard/platform/web/navigation/selection.ts'
import type { Entry, Screen } from '@trainyard/platform/web/shell/module.ts'

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

/** @param rootOf returns the screen whose tab a screen is, or the screen itself */
export const screenEntries = (
  screens: readonly Screen[],
  rootOf: (screen: Screen) => Screen,
  chosen: Choice,
): readonly Entry[] =>
  screens.map((screen) => {
    const { path, title } = screen
    const root = rootOf(screen)
    return {
      id: `screen ${path}`,
      label: title,
      ...(root === screen ? {} : { hint: root.title }),
      go: { to: path, search: chosen },
    }
  })

/** Entries for what people do on screens. The name of a screen finds the screen, not its tasks. */
export const taskEntries = (screens: readonly Screen[], chosen: Choice, text: string): readonly Entry[] =>
  screens.flatMap(({ path, title, tasks = [] }) =>
    tasks
      .filter((task) => text !== '' && matchesWords(task, text))
      .map((task) => {
        const [label] = task.split(' | ') as [string]
        return { id: `task ${path} ${label}`, label, hint: title, go: { to: path, search: chosen } }
      }),
  )

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
    ...Object.entries(Object.groupBy(found.pages, ({ group }) => group)).map(([title, pages = []]) => ({
      title,
      entries: pages.map(({ label, hint, path, search }) => ({
        id: `${title} ${label} ${hint}`,
        label,
        hint,
        go: { to: path, search },
      })),
    })),
  ]
}
