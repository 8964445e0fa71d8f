import { routes } from './routes.ts'

export type Context = 'training' | 'organisation' | null

const OF_ORGANISATION: ReadonlySet<string> = new Set(['/', '/ledger/account', '/createvm', '/admin/organisation'])

export function contextOf(path: string): Context {
  if (OF_ORGANISATION.has(path)) return 'organisation'
  return routes.find((route) => route.path === path)?.menu?.group === 'Instance Overview' ? 'training' : null
}
