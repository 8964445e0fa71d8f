import { describe, expect, it } from 'vitest'
import { ROLES } from '@trainyard/contract/words/role.ts'
import { mayOpen, menuOf } from './menu.ts'
import { routes } from './routes.ts'

const pathsOf = (visitor: Parameters<typeof menuOf>[0]) =>
  menuOf(visitor).flatMap(({ rows }) => rows.map(({ path }) => path))

describe('route table', () => {
  it('lists each path once', () => {
    expect(new Set(routes.map((row) => row.path)).size).toBe(routes.length)
  })
})

describe('menu', () => {
  it.each(ROLES)('shows %s only routes that the role may open', (role) => {
    const rows = menuOf({ role, instructorOf: [] }).flatMap(({ rows }) => rows)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter((row) => !row.roles.includes(role))).toEqual([])
  })

  it('adds the class and its schedule for an instructor, and no screen of money', () => {
    const learner = pathsOf({ role: 'user', instructorOf: [] })
    const instructor = pathsOf({ role: 'user', instructorOf: ['Linux'] })
    expect(instructor.filter((path) => !learner.includes(path))).toEqual([
      '/vm/class',
      '/vm/scheduler',
      '/vm/attendance',
      '/vm/registration',
    ])
    expect(pathsOf({ role: 'user', instructorOf: null })).toEqual(learner)
  })

  it('omits groups without entries', () => {
    const row = { ...routes[0]!, roles: ['admin'] as const, menu: { group: 'Sandboxes' } as const }
    expect(menuOf({ role: 'admin', instructorOf: [] }, [row]).map(({ group }) => group)).toEqual(['Sandboxes'])
    expect(menuOf({ role: 'user', instructorOf: [] }, [row])).toEqual([])
  })
})

describe('mayOpen', () => {
  const row = routes.find(({ path }) => path === '/vm/class')!
  it.each([
    ['admin', [], 'Linux', true],
    ['user', ['Linux'], 'Linux', true],
    ['user', ['Linux'], null, true],
    ['user', ['Linux'], 'Windows', false],
    ['user', [], null, false],
    ['user', null, 'Linux', null],
    ['sandboxuser', ['Linux'], 'Linux', false],
  ] as const)('answers %s, instructor of %j, for the training %s with %s', (role, instructorOf, training, answer) => {
    expect(mayOpen({ role, instructorOf }, row, training)).toBe(answer)
  })
})
