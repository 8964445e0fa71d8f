import { describe, expect, it } from 'vitest'
import { ROLES, type Role } from '@trainyard/contract/words/role.ts'
import { screens } from '#src/screens.tsx'
import { menuOf } from './menu.ts'

/** The route table of the specification: who may see which screen, and what it is called. */
const table: Record<string, { title: string; roles: readonly Role[] }> = {
  '/': { title: 'Home', roles: ROLES },
  '/dashboard': { title: 'Control Center', roles: ['superadmin'] },
  '/overview': { title: 'System Admin Panel', roles: ['superadmin'] },
  '/vm/vmdetails': { title: 'Virtual Lab Console', roles: ['user', 'admin', 'superadmin'] },
  '/vm/billing': { title: 'Usage and Billing Summary', roles: ['user', 'admin', 'superadmin'] },
  '/vm/logs': { title: 'Session Logs', roles: ROLES },
  '/vm/ports': { title: 'Networking (Ports)', roles: ['admin', 'superadmin'] },
  '/vm/scheduler': { title: 'Schedule Task', roles: ['admin', 'superadmin'] },
  '/vm/restriction': { title: 'User Permissions', roles: ['admin', 'superadmin'] },
  '/createvm': { title: 'Provision New Instance', roles: ['admin', 'superadmin'] },
  '/vm/quota': { title: 'Quota Assignment', roles: ['superadmin'] },
  '/vm/deletelogs': { title: 'Logs Cleanup', roles: ['superadmin'] },
  '/vm/deletetraining': { title: 'Remove Lab Course', roles: ['superadmin'] },
  '/sandbox/azure': { title: 'Azure Sandbox', roles: ['sandboxuser'] },
  '/sandbox/aws': { title: 'AWS Sandbox', roles: ['awssandboxuser'] },
  '/sandbox/azure/users': { title: 'Azure Lab Users', roles: ['superadmin'] },
  '/sandbox/aws/users': { title: 'AWS Lab Users', roles: ['superadmin'] },
  '/ledger': { title: 'Billing History', roles: ['superadmin'] },
  '/ledger/account': { title: 'Account', roles: ['admin', 'superadmin'] },
}

describe('the table of screens', () => {
  const known = screens.filter((row) => row.path in table)

  it.each(known.map((row) => [row.path, row] as const))(
    '%s has the title and the roles of the route table',
    (path, row) => {
      expect({ title: row.title, roles: new Set(row.roles) }).toEqual({
        title: table[path]!.title,
        roles: new Set(table[path]!.roles),
      })
    },
  )

  it('has each path once', () => {
    expect(new Set(screens.map((row) => row.path)).size).toBe(screens.length)
  })
})

describe('the menu', () => {
  it.each(ROLES)('of %s holds only what the role may see', (role) => {
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
