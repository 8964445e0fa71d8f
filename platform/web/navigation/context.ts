import type { Screen } from '../shell/module.ts'
import { rootOf } from './menu.ts'

export type Context = 'training' | 'organisation' | null

/** Returns true if the screen shows one training. */
export const isOfTraining = (screens: readonly Screen[], screen: Screen): boolean =>
  rootOf(screens, screen).menu?.group === 'Instance Overview'

export function contextOf(screens: readonly Screen[], path: string): Context {
  const screen = screens.find((each) => each.path === path)
  if (screen === undefined) return null
  return screen.context ?? (isOfTraining(screens, screen) ? 'training' : null)
}
