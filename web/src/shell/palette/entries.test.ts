import { expect, test } from 'vitest'
import { foundGroups, holds } from './entries.ts'

test('a label holds the words of a text in any order and case', () => {
  expect(holds('Usage and Billing Summary', 'bill usa')).toBe(true)
  expect(holds('Usage and Billing Summary', 'usage logs')).toBe(false)
  expect(holds('Session Logs', '')).toBe(true)
})

const found = {
  organizations: ['Acme Learning'],
  trainings: [{ organization: 'Acme Learning', training: 'Linux 101' }],
  machines: [{ organization: 'Acme Learning', training: 'Linux 101', machine: 'linux-10-1', email: 'a@b.test' }],
}

test('an entry names its organisation where several are visible', () => {
  const entries = foundGroups(found, true).flatMap((group) => group.entries)
  expect(entries.map(({ hint, go }) => [hint, go])).toEqual([
    ['Acme Learning', { to: '/vm/vmdetails', search: { organization: 'Acme Learning', training: 'Linux 101' } }],
    [
      'a@b.test · Linux 101 · Acme Learning',
      { to: '/vm/vmdetails', search: { organization: 'Acme Learning', training: 'Linux 101', find: 'linux-10-1' } },
    ],
    [undefined, { to: '/', search: { organization: 'Acme Learning' } }],
  ])
})

test('an admin’s entries name no organisation, since there is only one', () => {
  const [trainings] = foundGroups(found, false)
  expect(trainings!.entries).toEqual([
    {
      id: 'training Acme Learning Linux 101',
      label: 'Linux 101',
      go: { to: '/vm/vmdetails', search: { training: 'Linux 101' } },
    },
  ])
})
