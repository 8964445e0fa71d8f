import type { Role } from '../../contract/words/role.ts'
import { MENU_GROUPS, type MenuGroup, type Screen, tabEntriesOf, type TabEntry } from '../shell/module.ts'

interface Visitor {
  readonly role: Role
  /** Trainings of which a user is an instructor; null if not known yet. */
  readonly instructorOf: readonly string[] | null
}

/** Returns true if the user may open the screen for the selected training, if any; null if that is not known yet. */
export function mayOpen(
  { role, instructorOf }: Visitor,
  screen: Pick<Screen, 'for' | 'instructors'>,
  training: string | null,
): boolean | null {
  if (screen.for.includes(role)) return true
  if (screen.instructors !== true || role !== 'user') return false
  if (instructorOf === null) return null
  return training === null ? instructorOf.length > 0 : instructorOf.includes(training)
}

type MenuScreen = Screen & { readonly menu: object }

export function menuOf(visitor: Visitor, screens: readonly Screen[]): { group: MenuGroup; screens: MenuScreen[] }[] {
  return MENU_GROUPS.map((group) => ({
    group,
    screens: screens
      .filter(
        (screen): screen is MenuScreen =>
          screen.menu?.group === group &&
          mayOpen(visitor, { for: screen.menu.roles ?? screen.for, instructors: screen.instructors }, null) === true,
      )
      .toSorted((a, b) => a.menu.order - b.menu.order),
  })).filter(({ screens }) => screens.length > 0)
}

/** Returns the user's place of a screen in a tab bar, or undefined if it is not a tab of a screen they may open. */
function placeOf(
  visitor: Visitor,
  screens: readonly Screen[],
  screen: Screen,
): (TabEntry & { root: Screen }) | undefined {
  for (const entry of tabEntriesOf(screen)) {
    const root = screens.find(({ path }) => path === entry.of)
    if (root !== undefined && mayOpen(visitor, root, null) === true) return { ...entry, root }
  }
  return undefined
}

/** Returns the screen in the menu: of a tab, the screen that it belongs to. */
export const rootOf = (visitor: Visitor, screens: readonly Screen[], screen: Screen): Screen =>
  placeOf(visitor, screens, screen)?.root ?? screen

export interface Tab {
  readonly screen: Screen
  readonly title: string
  readonly onlyIf?: TabEntry['onlyIf']
}

/** Returns the tabs of a screen's tab bar, or none if the user may open only one of them. */
export function tabsOf(
  visitor: Visitor,
  screens: readonly Screen[],
  shown: Screen,
  training: string | null,
): readonly Tab[] {
  const root = rootOf(visitor, screens, shown)
  const others = screens
    .flatMap((screen) => {
      const place = placeOf(visitor, screens, screen)
      return place?.root === root ? [{ ...place, screen, title: place.title ?? screen.title }] : []
    })
    .toSorted((a, b) => a.order - b.order)
  const own: Tab = { screen: root, title: root.tabs?.own ?? root.title }
  const tabs = [own, ...others].filter(({ screen }) => mayOpen(visitor, screen, training) === true)
  return tabs.length > 1 ? tabs : []
}

/** Returns the screens that the menu and links of the shell lead to, each followed by its tabs. */
export function reachableOf(visitor: Visitor, screens: readonly Screen[], training: string | null): readonly Screen[] {
  const entries: readonly Screen[] = menuOf(visitor, screens).flatMap((group) => group.screens)
  const others = screens.filter(
    (screen) => screen.tabs && !entries.includes(screen) && mayOpen(visitor, screen, null) === true,
  )
  return [...entries, ...others].flatMap((root) => {
    const tabs = tabsOf(visitor, screens, root, training)
    return tabs.length === 0 ? [root] : tabs.map(({ screen }) => screen)
  })
}
