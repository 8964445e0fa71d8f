import { expect, test } from 'vitest'
import { increaseOf } from '@trainyard/machines/web/increase.ts'
import { areValid, BLANK_LINE, readLine } from '@trainyard/invoices/web/LineFields.tsx'
import { FIRST_CHOICES, NO_TEXTS, templateOf } from '@trainyard/templates/web/template-form.ts'
import { formValuesOf, profileChanges, type Settings } from '@trainyard/organisations/web/profile-form.ts'
import { linkOf } from '@trainyard/registration/web/link-form.ts'
import { allottedOf } from '@trainyard/trainings/web/allotted.ts'
import { problemsOf } from './transaction.ts'

const transaction = {
  organization: 'Acme',
  id: 'TY-1',
  amount: '1',
  date: '2026-11-21',
  tds: '',
  taxable: '',
  rate: '',
  sac: '',
}
const line = { ...BLANK_LINE, description: 'Training room', amount: '900000' }
const template = Object.fromEntries(Object.keys(NO_TEXTS).map((field) => [field, 'text'])) as typeof NO_TEXTS
const link = { name: 'Link', seats: '30', opensAt: '', closesAt: '', domains: '', template: 'Card', hours: '' }
const profile = { timeZone: 'Asia/Kolkata', creditLimit: 0, azureTags: {}, helpEmail: null, pseudonymsAllowed: false }

/** The reader of each field: returns the problem, the read amount, or null for a refused amount without a sentence. */
const FIELDS: Readonly<Record<string, (text: string) => unknown>> = {
  'amount of an invoice': (amount) => problemsOf({ ...transaction, amount }, 'invoice').amount,
  'amount of a payment': (amount) => problemsOf({ ...transaction, amount }, 'payment').amount,
  'amount before tax': (taxable) => problemsOf({ ...transaction, taxable }, 'invoice').taxable,
  TDS: (tds) => problemsOf({ ...transaction, tds }, 'payment').tds,
  'amount of a line': (amount) => areValid([{ ...line, amount }]) && readLine({ ...line, amount }).amount,
  'discount of a line': (discount) => areValid([{ ...line, discount }]) && readLine({ ...line, discount }).discount,
  'rate of a card': (rate) => {
    const { template: read, problems } = templateOf({ ...template, rate, tags: '' }, FIRST_CHOICES)
    return problems?.rate ?? read?.rate
  },
  'credit limit': (creditLimit) => {
    const settings = profile as unknown as Settings
    const { changes, problems } = profileChanges(settings, { ...formValuesOf(settings), creditLimit })
    return problems?.creditLimit ?? changes?.creditLimit
  },
  'allotted hours': (hours) => Object.values(allottedOf(hours))[0],
  'hours of a registration link': (hours) => {
    const { settings, problems } = linkOf(
      { ...link, hours },
      { needsApproval: false, guacamole: true, timeZone: 'Asia/Kolkata' },
    )
    return problems?.hours ?? settings?.machine?.allocatedHours
  },
  'increase of the quota': (hours) => increaseOf(hours)?.hours ?? null,
}

test.each(Object.entries(FIELDS))('refuses a comma that does not group and reads 1,000 in the field %s', (_, read) => {
  const refused = [false, null, 'Use commas only as in 1,00,000 or 100,000, and a point before decimals.']
  for (const text of ['800,00', '1,0', '12,34,5']) expect(refused).toContain(read(text))
  expect(read('1,000')).toEqual(read('1000'))
  expect(refused).not.toContain(read('1,000'))
})
