import { type Screen, tabEntriesOf } from '../shell/module.ts'

export type Context = 'training' | 'organisation' | null

/** Returns true if the screen shows one training. */
export const isOfTraining = (screens: readonly Screen[], screen: Screen): boolean =>
  contextOf(screens, screen) === 'training'

/** Returns the choice that a screen shows: its own, or that of the first screen whose tab it is. */
export function contextOf(screens: readonly Screen[], screen: Screen): Context {
  if (screen.context) return screen.context
  if (screen.menu) return screen.menu.group === 'Instance Overview' ? 'training' : null
  const [entry] = tabEntriesOf(screen)
  const root = screens.find(({ path }) => path === entry?.of)
  return root === undefined ? null : contextOf(screens, root)
}
