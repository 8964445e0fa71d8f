import type { Role } from '@trainyard/contract/words/role.ts'
import { MENU_GROUPS, type MenuGroup, type Route, routes } from './routes.ts'

export function menuOf(role: Role, rows: readonly Route[] = routes): { group: MenuGroup; rows: Route[] }[] {
  return MENU_GROUPS.map((group) => ({
    group,
    rows: rows.filter((row) => row.menu?.group === group && (row.menu.roles ?? row.roles).includes(role)),
  })).filter(({ rows }) => rows.length > 0)
}
