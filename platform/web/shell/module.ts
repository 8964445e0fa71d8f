import type { ComponentType, ReactNode } from 'react'
import type { Role } from '../../contract/words/role.ts'
import type { Api, Reader } from '../api/client.ts'
import type { query } from '../api/queries.ts'
import type { Choice, TrainingQuery } from '../navigation/selection.ts'
import type { Me } from '../session/me.ts'

/** Sidebar groups in display order. Entries of 'Start' come first, without a heading. */
export const MENU_GROUPS = ['Start', 'Instance Overview', 'Sandboxes', 'Ledger', 'Administration'] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

export const ADMINS: readonly Role[] = ['admin', 'superadmin']
export const LAB_ROLES: readonly Role[] = ['user', 'admin', 'superadmin']

export interface Screen {
  readonly path: `/${string}`
  readonly title: string
  readonly for: readonly Role[]
  /** Also for users who are instructors, for their trainings. */
  readonly instructors?: true
  readonly menu?: MenuEntry
  /** Makes the screen a tab of another screen, which may belong to another module: of the first that the user may open. */
  readonly tab?: TabEntry | readonly TabEntry[]
  /** Of a screen with tabs: the title of its own tab, and whether the tabs are a list beside the content. */
  readonly tabs?: { readonly own: string; readonly aside?: true }
  /** Actions on the screen, for the command palette: 'New customer'. Words after a bar are found but not shown. */
  readonly tasks?: readonly string[]
  /** Component after the title of its menu entry, or of that of the screen whose tab it is, for the given roles. */
  readonly badge?: { readonly for: readonly Role[]; readonly load: Load<object> }
  /** Choice that the top bar shows, by default the training on screens of 'Instance Overview' and their tabs. */
  readonly context?: 'organisation'
  readonly load: Load<object>
  /** Makes the screen's first call for the selected training, while the application loads. */
  readonly fetch?: (api: Api, training: TrainingQuery) => Promise<unknown>
  /** Slots whose fills are loaded with the screen, so that they appear with it. */
  readonly slots?: readonly Slot<unknown>[]
}

/**
 * A screen that needs no session. The build renders it as a separate page, `<path>.html`, which is shown before any
 * script has run. In the browser, the application hydrates it.
 */
export interface OpenScreen {
  /** Path of one segment. The server also serves the page at longer paths: those of registration links and LMSs. */
  readonly path: `/${string}`
  readonly title: string
  readonly for: 'anyone'
  readonly load: Load<object>
  readonly slots?: readonly Slot<unknown>[]
  /** Style sheet of the page, which contains it; by default that of sign-in. */
  readonly sheet?: string
  /** When the page loads the application's script: at once by default, at the first use of a button, or never. */
  readonly script?: 'on use' | 'never'
  /** The page sends forms to other sites. The server restricts their origins. */
  readonly sendsForms?: true
}

interface MenuEntry {
  readonly group: MenuGroup
  readonly order: number
  readonly icon: ComponentType<{ readonly size?: number; readonly 'aria-hidden'?: boolean }>
  /** Narrows the roles that see the entry. */
  readonly roles?: readonly Role[]
  /** Entry that is marked instead, for other roles. */
  readonly otherwise?: `/${string}`
}

export interface TabEntry {
  readonly of: `/${string}`
  /** By default the screen's title. */
  readonly title?: string
  readonly order: number
  /** Shows the tab only for some trainings. */
  readonly onlyIf?: Condition
}

/** A call about a training, and whether its reply meets the condition. */
interface Condition {
  readonly callOf: (api: Api) => Reader<TrainingQuery, unknown>
  readonly isMetBy: (reply: unknown) => boolean
}

export const onlyIf = <R>(
  callOf: (api: Api) => Reader<TrainingQuery, R>,
  isMetBy: (reply: NoInfer<R>) => boolean,
): Condition => ({ callOf, isMetBy: isMetBy as (reply: unknown) => boolean })

export const tabEntriesOf = ({ tab = [] }: Screen): readonly TabEntry[] => [tab].flat()

export type Load<Props, Known = Props> = () => Promise<Loaded<Props, Known>>

export interface Loaded<Props, Known = Props> {
  readonly default: ((props: Props) => ReactNode) & {
    /** First calls of a component in `useSections`. What follows it is shown once they have replied. */
    readonly queriesOf?: (known: Known) => readonly AnyQuery[]
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- queries of any calls
export type AnyQuery = ReturnType<typeof query<any, any>>

/** A place in a screen. The module of the screen exports it, other modules fill it with components. */
export interface Slot<Props, Known = Props> {
  readonly name: string
  readonly props?: Props
  /** Props that a screen has before its first reply. */
  readonly known?: Known
}

export const slot = <Props, Known = Props>(name: string): Slot<Props, Known> => ({ name })

export interface Fill {
  readonly slot: Slot<unknown>
  readonly order: number
  readonly load: Load<never>
  /** By default all roles. */
  readonly for?: readonly Role[]
  /** Loads the component when it is rendered, instead of with the screen. */
  readonly lazy?: true
}

export const fill = <Props, Known>(
  into: Slot<Props, Known>,
  order: number,
  load: Load<NoInfer<Props>, NoInfer<Known>>,
  how?: Pick<Fill, 'for' | 'lazy'>,
): Fill => ({ slot: into, order, load, ...how })

/** An entry of the command palette. */
export interface Entry {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly go: Destination | (() => void)
}

interface Destination {
  readonly to: string
  readonly search: Choice | Readonly<Record<string, string>>
}

interface Command extends Entry {
  readonly order: number
}

/** Values on which the commands depend. */
interface Offered {
  readonly me: Pick<Me, 'role' | 'instructorOf' | 'organization' | 'abilities'>
  readonly chosen: Choice
  readonly trainingQuery: TrainingQuery | null
  /** Machines that match the typed text. */
  readonly machines: readonly {
    readonly organization: string
    readonly training: string
    readonly machine: string
    readonly email: string
  }[]
  readonly openDialog: (dialogOf: DialogOf) => void
}

export type DialogOf = (close: () => void) => ReactNode

export type CommandsOf = (offered: Offered) => readonly Command[]

/** A function or value that one module needs and another provides. */
export interface Service<Value> {
  readonly name: string
  readonly value?: Value
}

export const service = <Value>(name: string): Service<Value> => ({ name })

export interface Provided {
  readonly to: Service<unknown>
  readonly value: unknown
}

export const provide = <Value>(to: Service<Value>, value: NoInfer<Value>): Provided => ({ to, value })

export interface WebModule {
  readonly name: string
  readonly screens?: readonly (Screen | OpenScreen)[]
  readonly fills?: readonly Fill[]
  readonly provides?: readonly Provided[]
  /** Groups of calls, each with the groups whose cached replies become stale with it because of this module. */
  readonly refetches?: { readonly [group in keyof Api]?: readonly (keyof Api)[] }
  /** Commands of the palette. */
  readonly commands?: () => Promise<{ readonly default: CommandsOf }>
}

export const webModule = (module: WebModule): WebModule => module

const allScreensOf = (modules: readonly WebModule[]) => modules.flatMap(({ screens = [] }) => screens)

/** Returns the screens of the console, which need a session. */
export const screensOf = (modules: readonly WebModule[]): readonly Screen[] =>
  allScreensOf(modules).filter((screen) => screen.for !== 'anyone')

export const openScreensOf = (modules: readonly WebModule[]): readonly OpenScreen[] =>
  allScreensOf(modules).filter((screen) => screen.for === 'anyone')
