import { routes } from './routes.ts'

/** The part of the sidebar's selection that a screen shows. */
export type Context = 'training' | 'organisation' | null

/** Screens about a whole customer. */
const OF_ORGANISATION: ReadonlySet<string> = new Set(['/', '/ledger/account', '/createvm', '/admin/organisation'])

/** Returns what the screen at a path shows; null: the top bar shows no selection. */
export function contextOf(path: string): Context {
  if (OF_ORGANISATION.has(path)) return 'organisation'
  return routes.find((route) => route.path === path)?.menu?.group === 'Instance Overview' ? 'training' : null
}
