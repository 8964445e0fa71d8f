import type { Role } from '@trainyard/contract/words/role.ts'
import { MENU_GROUPS, type MenuGroup, type Route, routes } from './routes.ts'

interface Visitor {
  readonly role: Role
  /** Trainings of which a user is an instructor; null if not known yet. */
  readonly instructorOf: readonly string[] | null
}

/** Returns true if the user may open the screen for the selected training, if any; null if that is not known yet. */
export function mayOpen(
  { role, instructorOf }: Visitor,
  row: Pick<Route, 'roles' | 'instructors'>,
  training: string | null,
): boolean | null {
  if (row.roles.includes(role)) return true
  if (row.instructors !== true || role !== 'user') return false
  if (instructorOf === null) return null
  return training === null ? instructorOf.length > 0 : instructorOf.includes(training)
}

export function menuOf(visitor: Visitor, rows: readonly Route[] = routes): { group: MenuGroup; rows: Route[] }[] {
  return MENU_GROUPS.map((group) => ({
    group,
    rows: rows.filter(
      ({ menu, roles, instructors }) =>
        menu?.group === group && mayOpen(visitor, { roles: menu.roles ?? roles, instructors }, null) === true,
    ),
  })).filter(({ rows }) => rows.length > 0)
}
