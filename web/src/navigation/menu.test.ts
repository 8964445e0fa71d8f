import { describe, expect, it } from 'vitest'
import { ROLES } from '@trainyard/contract/words/role.ts'
import { screens } from '#src/screens.tsx'
import { menuOf } from './menu.ts'

describe('the table of screens', () => {
  it('has each path once', () => {
    expect(new Set(screens.map((row) => row.path)).size).toBe(screens.length)
  })
})

describe('the menu', () => {
  it.each(ROLES)('of %s holds only the screens that the role may see', (role) => {
    const rows = menuOf(role).flatMap(({ rows }) => rows)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter((row) => !row.roles.includes(role))).toEqual([])
  })

  it('leaves out a group without entries', () => {
    const row = { ...screens[0]!, roles: ['admin'] as const, menu: { group: 'Sandboxes', label: 'X' } as const }
    expect(menuOf('admin', [row]).map(({ group }) => group)).toEqual(['Sandboxes'])
    expect(menuOf('user', [row])).toEqual([])
  })
})
