import { describe, expect, it } from 'vitest'
import { ROLES } from '@trainyard/contract/words/role.ts'
import { menuOf } from './menu.ts'
import { routes } from './routes.ts'

describe('route table', () => {
  it('lists each path once', () => {
    expect(new Set(routes.map((row) => row.path)).size).toBe(routes.length)
  })
})

describe('menu', () => {
  // @covers R2.25
  it.each(ROLES)('shows %s only routes that the role may open', (role) => {
    const rows = menuOf(role).flatMap(({ rows }) => rows)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter((row) => !row.roles.includes(role))).toEqual([])
  })

  it('omits groups without entries', () => {
    const row = { ...routes[0]!, roles: ['admin'] as const, menu: { group: 'Sandboxes' } as const }
    expect(menuOf('admin', [row]).map(({ group }) => group)).toEqual(['Sandboxes'])
    expect(menuOf('user', [row])).toEqual([])
  })
})
