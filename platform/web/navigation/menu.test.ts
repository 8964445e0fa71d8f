import { describe, expect, it } from 'vitest'
import { ROLES } from '../../contract/words/role.ts'
import { ADMINS, LAB_ROLES, screensOf, webModule, type Screen } from '../shell/module.ts'
import { modules } from '@trainyard/modules/web.ts'
import { contextOf } from './context.ts'
import { mayOpen, menuOf, tabsOf } from './menu.ts'

const screens = screensOf(modules)
const pathsOf = (visitor: Parameters<typeof menuOf>[0], of: readonly Screen[] = screens) =>
  menuOf(visitor, of).flatMap((group) => group.screens.map(({ path }) => path))

describe('menu', () => {
  it.each(ROLES)('shows %s only screens that the role may open', (role) => {
    const shown = menuOf({ role, instructorOf: [] }, screens).flatMap((group) => group.screens)
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.filter((screen) => !screen.for.includes(role))).toEqual([])
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
    const screen = {
      ...screens[0]!,
      for: ['admin'] as const,
      menu: { group: 'Sandboxes', order: 1, icon: '' } as const,
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
        tab: { of: '/vm/class', title: 'Notes', order: 20 },
        load,
      },
      {
        path: '/files',
        title: 'Files of the Class',
        for: LAB_ROLES,
        tab: { of: '/vm/class', title: 'Files', order: 10 },
        load,
      },
    ],
  })
  const all = screensOf([...modules, notes])
  const [own, files] = screensOf([notes])
  const root = all.find(({ path }) => path === '/vm/class')!
  const titlesOf = (visitor: Parameters<typeof tabsOf>[0], shown: Screen, training: string | null = null) =>
    tabsOf(visitor, all, shown, training).map(({ title }) => title)

  it('stands in the tab bar of the other screen and of all its tabs, in order, and not in the menu', () => {
    const admin = { role: 'admin', instructorOf: [] } as const
    for (const shown of [root, own!, files!]) expect(titlesOf(admin, shown)).toEqual(['Class', 'Files', 'Notes'])
    expect(pathsOf(admin, all)).toEqual(pathsOf(admin))
    expect(contextOf(all, '/notes')).toBe('training')
  })

  it('is shown only to users who may open it', () => {
    expect(titlesOf({ role: 'user', instructorOf: ['Linux'] }, root, 'Linux')).toEqual(['Class', 'Files', 'Notes'])
    // With one tab left there is no tab bar.
    expect(titlesOf({ role: 'user', instructorOf: ['Linux'] }, files!, 'Windows')).toEqual([])
    expect(mayOpen({ role: 'user', instructorOf: [] }, own!, null)).toBe(false)
    expect(mayOpen({ role: 'user', instructorOf: [] }, files!, null)).toBe(true)
  })

  it('changes nothing on a screen without tabs', () => {
    const home = all.find(({ path }) => path === '/')!
    expect(titlesOf({ role: 'admin', instructorOf: [] }, home)).toEqual([])
  })
})
