import { expect, test } from 'vitest'
import { problemsIn } from '@trainyard/platform/web/forms/problems.ts'
import { linkSettings } from '../contract/registration.ts'
import { linkOf, type EnteredLink, formValuesOf } from './link-form.ts'

const entered: EnteredLink = { ...formValuesOf(undefined, 'Asia/Kolkata'), name: ' Mondays ' }
const read = (changes: Partial<EnteredLink>) => linkOf({ ...entered, ...changes }, 'Asia/Kolkata')
const machine = { templateName: 'Ubuntu small', allocatedHours: '1.5', guacamole: true }

test('reads times in the organisation’s zone, domains in any form, and hours as minutes', () => {
  expect(read({ opensAt: '2026-11-20T09:30', domains: '@Acme.test; acme.test, lab.acme.test', machine })).toEqual({
    name: 'Mondays',
    seats: 30,
    opensAt: '2026-11-20T04:00:00.000Z',
    closesAt: null,
    domains: ['acme.test', 'lab.acme.test'],
    needsApproval: false,
    machine: { templateName: 'Ubuntu small', allocatedHours: 90, guacamole: true },
  })
})

test('leaves a time that is none to the call, which refuses it', () => {
  const settings = read({ opensAt: '20266-01-01T00:00' })
  expect(settings.opensAt).toBe('20266-01-01T00:00')
  expect(Object.keys(problemsIn(linkSettings, settings))).toEqual(['opensAt'])
})

test('ignores hours without a machine, and shows a link as it was entered', () => {
  expect(read({ machine: { ...machine, templateName: '' } }).machine).toBeNull()
  const link = {
    ...read({ closesAt: '2026-11-21T18:00', domains: 'acme.test', machine }),
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
    needsApproval: false,
    machine,
  })
})
