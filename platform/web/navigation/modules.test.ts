import { expect, it } from 'vitest'
import { ROLES } from '../../contract/words/role.ts'
import { screensOf, tabEntriesOf } from '../shell/module.ts'
import { modules } from '@trainyard/modules/web.ts'
import { reachableOf } from './menu.ts'

const screens = screensOf(modules)

/** Screens that are neither in the menu nor a tab, and what leads to them. */
const LINKED: Readonly<Record<string, string>> = {
  '/account': 'the person in the top bar',
  '/admin/guides/edit': 'the list of guides',
  '/ledger/invoice': 'lists of invoices',
  '/notifications': 'the bell in the top bar',
}

/** Screens that a role may open by their address alone (spec.md). */
const HIDDEN: Readonly<Partial<Record<string, readonly string[]>>> = {
  sandboxuser: ['/vm/logs'],
  awssandboxuser: ['/vm/logs'],
}

it('leads to every screen by the menu, a tab or a link', () => {
  expect(
    screens
      .filter(({ menu, tab }) => !menu && !tab)
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(Object.keys(LINKED))
  const paths: ReadonlySet<string> = new Set(screens.map(({ path }) => path))
  expect(screens.flatMap(tabEntriesOf).filter(({ of }) => !paths.has(of))).toEqual([])
})

it.each(ROLES)('leads %s to every screen that the role may open', (role) => {
  const reachable = reachableOf({ role, instructorOf: [] }, screens, null)
  const open = screens.filter((screen) => screen.for.includes(role) && !(screen.path in LINKED))
  expect(open.filter((screen) => !reachable.includes(screen)).map(({ path }) => path)).toEqual(HIDDEN[role] ?? [])
})

it('has no two modules of a name, screens of a path, menu entries of an icon or place', () => {
  const repeated = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index)
  expect(repeated(modules.map(({ name }) => name))).toEqual([])
  expect(repeated(screens.map(({ path }) => path))).toEqual([])
  expect(repeated(screens.flatMap(({ menu }) => (menu ? [`${menu.group} ${menu.order}`] : [])))).toEqual([])
  expect(repeated(screens.flatMap((screen) => tabEntriesOf(screen).map(({ of, order }) => `${of} ${order}`)))).toEqual(
    [],
  )
  const icons = screens.flatMap(({ menu }) => menu?.icon ?? [])
  expect(new Set(icons).size).toBe(icons.length)
})
