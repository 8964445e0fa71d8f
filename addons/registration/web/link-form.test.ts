import { expect, test } from 'vitest'
import { linkOf, type EnteredLink, formValuesOf } from './link-form.ts'

const entered: EnteredLink = { ...formValuesOf(undefined, 'Asia/Kolkata'), name: ' Mondays ' }
const more = { needsApproval: false, guacamole: true, timeZone: 'Asia/Kolkata' }
const read = (changes: Partial<EnteredLink>) => linkOf({ ...entered, ...changes }, more)

test('reads times in the organisation’s zone, domains in any form, and hours as minutes', () => {
  const { settings } = read({
    opensAt: '2026-11-20T09:30',
    domains: '@Acme.test; acme.test, lab.acme.test',
    template: 'Ubuntu small',
    hours: '1.5',
  })
  expect(settings).toEqual({
    name: 'Mondays',
    seats: 30,
    opensAt: '2026-11-20T04:00:00.000Z',
    closesAt: null,
    domains: ['acme.test', 'lab.acme.test'],
    needsApproval: false,
    machine: { templateName: 'Ubuntu small', allocatedHours: 90, guacamole: true },
  })
})

test.each<[keyof EnteredLink, Partial<EnteredLink>]>([
  ['name', { name: ' ' }],
  ['seats', { seats: '0' }],
  ['seats', { seats: '1001' }],
  ['seats', { seats: '2.5' }],
  ['closesAt', { opensAt: '2026-11-20T09:30', closesAt: '2026-11-20T09:30' }],
  ['domains', { domains: 'acme' }],
  ['hours', { template: 'Ubuntu small', hours: 'many' }],
])('reports a problem of %s: %j', (field, changes) => {
  const { problems } = read(changes)
  expect(Object.entries(problems ?? {}).flatMap(([name, problem]) => (problem === false ? [] : [name]))).toEqual([
    field,
  ])
})

test('ignores hours without a machine, and shows a link as it was entered', () => {
  expect(read({ hours: 'many' }).settings?.machine).toBeNull()
  const link = {
    ...read({ closesAt: '2026-11-21T18:00', domains: 'acme.test', template: 'Ubuntu small', hours: '2' }).settings!,
    _id: 'x',
    state: 'open',
    code: null,
    url: null,
    taken: 0,
    pending: 0,
    waiting: 0,
    problem: null,
    madeBy: '',
    madeAt: '',
  } as const
  expect(formValuesOf(link, 'Asia/Kolkata')).toEqual({
    name: 'Mondays',
    seats: '30',
    opensAt: '',
    closesAt: '2026-11-21T18:00',
    domains: 'acme.test',
    template: 'Ubuntu small',
    hours: '2',
  })
})
