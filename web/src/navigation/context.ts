import { routes } from './routes.ts'

/** The part of the sidebar's choice that a screen is about. */
export type Context = 'training' | 'organisation' | null

/** Screens about a customer as a whole. */
const OF_ORGANISATION: ReadonlySet<string> = new Set(['/', '/ledger/account', '/createvm', '/admin/organisation'])

/** Returns the part of the choice that the screen at a path is about; null: none, so the top bar names none. */
export function contextOf(path: string): Context {
  if (OF_ORGANISATION.has(path)) return 'organisation'
  return routes.find((route) => route.path === path)?.menu?.group === 'Instance Overview' ? 'training' : null
}
