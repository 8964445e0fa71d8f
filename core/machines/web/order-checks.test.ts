import { expect, test } from 'vitest'
import { beyondCreditLimit, creditLimitWarning, learnersWithMachine, namesOf } from './order-checks.ts'

test('counts a machine that is alive and not being deleted', () => {
  const machine = (email: string, status: string) => ({ email, status, isAlive: status !== 'Terminated' })
  const machines = [
    machine('a@x.test', 'Running'),
    machine('a@x.test', 'Stopped'),
    machine('b@x.test', 'Terminated'),
    machine('c@x.test', 'Deleting'),
    machine('d@x.test', 'Failing'),
  ]
  const emails = ['d@x.test', 'c@x.test', 'b@x.test', 'a@x.test', 'e@x.test']
  expect(learnersWithMachine(emails, machines)).toEqual(['d@x.test', 'a@x.test'])
  expect(learnersWithMachine(emails, [])).toEqual([])
})

test('warns if an order costs more than the remaining credit, or has no limit and no credit remains', () => {
  const credit = (left: number) => ({ left })
  expect(beyondCreditLimit('Acme', 500, credit(500))).toBeNull()
  expect(beyondCreditLimit('Acme', 500.5, credit(500))).toBe('This exceeds the remaining credit of Acme by ₹0.50.')
  expect(beyondCreditLimit('Acme', null, credit(0.01))).toBeNull()
  expect(beyondCreditLimit('Acme', null, credit(-1))).toBe('No credit is left for Acme.')
})

test("returns undefined while the credit is loading, and a warning if it can't be loaded", () => {
  const creditQuery = (left?: number, isError = false) => ({
    isError,
    data: left === undefined ? undefined : { left },
  })
  expect(creditLimitWarning('Acme', 500, creditQuery())).toBeUndefined()
  expect(creditLimitWarning('Acme', 500, creditQuery(undefined, true))).toBe(
    'Could not check the remaining credit of Acme.',
  )
  expect(creditLimitWarning('Acme', 500, creditQuery(500))).toBeNull()
  expect(creditLimitWarning('Acme', 501, creditQuery(500))).toBe('This exceeds the remaining credit of Acme by ₹1.00.')
  // The cached credit is used even if the refetch failed.
  expect(creditLimitWarning('Acme', 501, creditQuery(500, true))).toBe(
    'This exceeds the remaining credit of Acme by ₹1.00.',
  )
})

test('names a few of many e-mails and counts the others', () => {
  const many = Array.from({ length: 10 }, (_, place) => `l${place}@x.test`)
  expect(namesOf(many.slice(0, 8))).toBe(many.slice(0, 8).join(', '))
  expect(namesOf(many)).toMatch(/l7@x\.test and 2 more$/)
})
