import { expect, test } from 'vitest'
import { foundGroups, matchesWords, taskEntries } from './entries.ts'

test('finds a task by its synonyms, but not by the name of its screen', () => {
  const screen = {
    path: '/vm/logs',
    title: 'Session Logs',
    tasks: ['See who used a machine | hours'],
    for: ['admin'],
    load: () => Promise.reject(new Error('not loaded')),
  } as const
  const found = (text: string) => taskEntries([screen], {}, text).map(({ label, hint }) => [label, hint])
  expect(found('machine hours')).toEqual([['See who used a machine', 'Session Logs']])
  expect([found('session logs'), found('')]).toEqual([[], []])
})

test('matches all words of a text in any order and case', () => {
  expect(matchesWords('Usage and Billing Summary', 'bill usa')).toBe(true)
  expect(matchesWords('Usage and Billing Summary', 'usage logs')).toBe(false)
  expect(matchesWords('Session Logs', '')).toBe(true)
})

const found = {
  organizations: ['Acme Learning'],
  trainings: [{ organization: 'Acme Learning', training: 'Linux 101' }],
  machines: [{ organization: 'Acme Learning', training: 'Linux 101', machine: 'linux-10-1', email: 'a@b.test' }],
  pages: [
    {
      group: 'Invoices',
      label: 'TY/26-27/00001',
      hint: 'invoice · Acme Learning',
      path: '/ledger/invoice',
      search: { number: 'TY/26-27/00001' },
    },
  ],
}

test('names the organisation if several are visible', () => {
  const entries = foundGroups(found, true).flatMap((group) => group.entries)
  expect(entries.map(({ hint, go }) => [hint, go])).toEqual([
    ['Acme Learning', { to: '/vm/vmdetails', search: { organization: 'Acme Learning', training: 'Linux 101' } }],
    [
      'a@b.test · Linux 101 · Acme Learning',
      { to: '/vm/vmdetails', search: { organization: 'Acme Learning', training: 'Linux 101', find: 'linux-10-1' } },
    ],
    [undefined, { to: '/', search: { organization: 'Acme Learning' } }],
    ['invoice · Acme Learning', { to: '/ledger/invoice', search: { number: 'TY/26-27/00001' } }],
  ])
})

test('omits the organisation for an admin', () => {
  const [trainings] = foundGroups(found, false)
  expect(trainings!.entries).toEqual([
    {
      id: 'training Acme Learning Linux 101',
      label: 'Linux 101',
      go: { to: '/vm/vmdetails', search: { training: 'Linux 101' } },
    },
  ])
})
