import { describe, expect, it } from 'vitest'
import { ROLES } from '../../contract/words/role.ts'
import { ADMINS, LAB_ROLES, screensOf, webModule, type Screen } from '../shell/module.ts'
import { modules } from '@trainyard/modules/web.ts'
import { contextOf } from './context.ts'
import { mayOpen, menuOf, rootOf, tabsOf } from './menu.ts'

const screens = screensOf(modules)
const pathsOf = (visitor: Parameters<typeof menuOf>[0], of: readonly Screen[] = screens) =>
  menuOf(visitor, of).flatMap((group) => group.screens.map(({ path }) => path))

describe('menu', () => {
  it.each(ROLES)('shows %s only screens that the role may open', (role) => {
    const shown = menuOf({ role, instructorOf: [] }, screens).flatMap((group) => group.screens)
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.filter((screen) => !screen.for.includes(role))).toEqual([])
  })

  it('has few entries for each role', () => {
    expect(Object.fromEntries(ROLES.map((role) => [role, pathsOf({ role, instructorOf: [] }).length]))).toEqual({
      user: 4,
      admin: 10,
      superadmin: 18,
      sandboxuser: 2,
      awssandboxuser: 2,
    })
  })

  it('adds the schedule for an instructor, and no screen of money', () => {
    const learner = pathsOf({ role: 'user', instructorOf: [] })
    const instructor = pathsOf({ role: 'user', instructorOf: ['Linux'] })
    expect(instructor.filter((path) => !learner.includes(path))).toEqual(['/vm/scheduler'])
    expect(instructor.length).toBeLessThanOrEqual(6)
    expect(pathsOf({ role: 'user', instructorOf: null })).toEqual(learner)
  })

  it('omits groups without entries', () => {
    const screen = {
      ...screens[0]!,
      for: ['admin'] as const,
      menu: { group: 'Sandboxes', order: 1, icon: () => null } as const,
    }
    expect(menuOf({ role: 'admin', instructorOf: [] }, [screen]).map(({ group }) => group)).toEqual(['Sandboxes'])
    expect(menuOf({ role: 'user', instructorOf: [] }, [screen])).toEqual([])
  })
})

describe('mayOpen', () => {
  const screen = screens.find(({ path }) => path === '/vm/class')!
  it.each([
    ['admin', [], 'Linux', true],
    ['user', ['Linux'], 'Linux', true],
    ['user', ['Linux'], null, true],
    ['user', ['Linux'], 'Windows', false],
    ['user', [], null, false],
    ['user', null, 'Linux', null],
    ['sandboxuser', ['Linux'], 'Linux', false],
  ] as const)('answers %s, instructor of %j, for the training %s with %s', (role, instructorOf, training, answer) => {
    expect(mayOpen({ role, instructorOf }, screen, training)).toBe(answer)
  })
})

const TABS = ['Schedules', 'Calendar', 'Ready by', 'Files', 'Notes']

describe('a screen that is a tab', () => {
  const load = () => Promise.resolve({ default: () => null })
  const notes = webModule({
    name: 'notes',
    screens: [
      {
        path: '/notes',
        title: 'Notes',
        for: ADMINS,
        instructors: true,
        tab: { of: '/vm/scheduler', title: 'Notes', order: 90 },
        load,
      },
      {
        path: '/files',
        title: 'Files of the Class',
        for: LAB_ROLES,
        tab: { of: '/vm/scheduler', title: 'Files', order: 80 },
        load,
      },
    ],
  })
  const all = screensOf([...modules, notes])
  const [own, files] = screensOf([notes])
  const root = all.find(({ path }) => path === '/vm/scheduler')!
  const titlesOf = (visitor: Parameters<typeof tabsOf>[0], shown: Screen, training: string | null = null) =>
    tabsOf(visitor, all, shown, training).map(({ title }) => title)

  it('stands in the tab bar of the other screen and of all its tabs, in order, and not in the menu', () => {
    const admin = { role: 'admin', instructorOf: [] } as const
    for (const shown of [root, own!, files!]) expect(titlesOf(admin, shown)).toEqual(TABS)
    expect(pathsOf(admin, all)).toEqual(pathsOf(admin))
    expect(contextOf(all, own!)).toBe('training')
  })

  it('is shown only to users who may open it', () => {
    expect(titlesOf({ role: 'user', instructorOf: ['Linux'] }, root, 'Linux')).toEqual(TABS)
    // With one tab left there is no tab bar.
    expect(titlesOf({ role: 'user', instructorOf: ['Linux'] }, files!, 'Windows')).toEqual([])
    expect(titlesOf({ role: 'user', instructorOf: [] }, files!)).toEqual([])
    expect(mayOpen({ role: 'user', instructorOf: [] }, own!, null)).toBe(false)
    expect(mayOpen({ role: 'user', instructorOf: [] }, files!, null)).toBe(true)
  })

  it('is a tab of the first of its screens that the user may open', () => {
    const keys = all.find(({ path }) => path === '/admin/keys')!
    expect(rootOf({ role: 'admin', instructorOf: [] }, all, keys).path).toBe('/admin/organisation')
    expect(rootOf({ role: 'user', instructorOf: [] }, all, keys).path).toBe('/account')
  })

  it('changes nothing on a screen without tabs', () => {
    const home = all.find(({ path }) => path === '/')!
    expect(titlesOf({ role: 'admin', instructorOf: [] }, home)).toEqual([])
  })
})
