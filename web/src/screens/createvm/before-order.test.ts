import { expect, test } from 'vitest'
import { beyondCredit, creditQuestion, havingMachines, namesOf } from './before-order.ts'

test('a learner has a machine when it is alive and not being deleted', () => {
  const machine = (email: string, status: string) => ({ email, status, isAlive: status !== 'Terminated' })
  const machines = [
    machine('a@x.test', 'Running'),
    machine('a@x.test', 'Stopped'),
    machine('b@x.test', 'Terminated'),
    machine('c@x.test', 'Deleting'),
    machine('d@x.test', 'Failing'),
  ]
  const emails = ['d@x.test', 'c@x.test', 'b@x.test', 'a@x.test', 'e@x.test']
  expect(havingMachines(emails, machines)).toEqual(['d@x.test', 'a@x.test'])
  expect(havingMachines(emails, [])).toEqual([])
})

test('an order is beyond the credit when it costs more than is left, or knows no end and nothing is left', () => {
  const credit = (left: number) => ({ balance: 0, limit: left, left })
  expect(beyondCredit('Acme', 500, credit(500))).toBeNull()
  expect(beyondCredit('Acme', 500.5, credit(500))).toBe('This is ₹0.50 more than Acme has left.')
  expect(beyondCredit('Acme', null, credit(0.01))).toBeNull()
  expect(beyondCredit('Acme', null, credit(-1))).toBe('Nothing is left of the credit limit of Acme.')
})

test('nobody agrees to an order whose credit is not known yet, and everybody must where it can not be known', () => {
  const asked = (left?: number, isError = false) => ({
    isError,
    data: left === undefined ? undefined : { balance: 0, limit: left, left },
  })
  expect(creditQuestion('Acme', 500, asked())).toBeUndefined()
  expect(creditQuestion('Acme', 500, asked(undefined, true))).toBe(
    'It could not be looked up what is left of the credit limit of Acme.',
  )
  expect(creditQuestion('Acme', 500, asked(500))).toBeNull()
  expect(creditQuestion('Acme', 501, asked(500))).toBe('This is ₹1.00 more than Acme has left.')
  // Looked up before, it stands though it could not be looked up again.
  expect(creditQuestion('Acme', 501, asked(500, true))).toBe('This is ₹1.00 more than Acme has left.')
})

test('many are named in part, and counted', () => {
  const many = Array.from({ length: 10 }, (_, place) => `l${place}@x.test`)
  expect(namesOf(many.slice(0, 8))).toBe(many.slice(0, 8).join(', '))
  expect(namesOf(many)).toMatch(/l7@x\.test and 2 more$/)
})
