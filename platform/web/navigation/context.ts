import { type Screen, tabEntriesOf } from '../shell/module.ts'

export type Context = 'training' | 'organisation' | null

/** Returns true if the screen, or the screen whose tab it is, is in the group of the screens of a training. */
export function isOfTraining(screens: readonly Screen[], screen: Screen): boolean {
  if (screen.menu) return screen.menu.group === 'Instance Overview'
  const root = firstRootOf(screens, screen)
  return root !== undefined && isOfTraining(screens, root)
}

/** Returns the choice that a screen shows: its own, or that of the first screen whose tab it is. */
export function contextOf(screens: readonly Screen[], screen: Screen): Context {
  const context = screen.context ?? firstRootOf(screens, screen)?.context
  return context ?? (isOfTraining(screens, screen) ? 'training' : null)
}

const firstRootOf = (screens: readonly Screen[], screen: Screen): Screen | undefined =>
  screens.find(({ path }) => path === tabEntriesOf(screen)[0]?.of)
