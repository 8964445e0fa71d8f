import { expect, test } from 'vitest'
import { refuseWeak } from './weak-password.ts'

const of = { email: 'jane.doe@acme.test', organisation: 'Acme Learning' }

test.each(['password', '12345678', 'PassWord', 'sunshine', 'iloveyou'])('%s is too common', (password) => {
  expect(() => refuseWeak(password, of)).toThrow('among the most common ones')
})

test.each(['jane.doe@acme.test', 'Jane.Doe-2026', 'my acme learning 1', 'AcmeLearning!'])(
  '%s holds who has it',
  (password) => {
    expect(() => refuseWeak(password, of)).toThrow('must not hold')
  },
)

test('a whole e-mail is too much of it, however short its name', () => {
  expect(() => refuseWeak('Ed@b.test-2026', { email: 'ed@b.test', organisation: null })).toThrow('must not hold')
})

test.each(['correct horse battery staple', 'demo-Trainyard-1', 'acme is not enough', 'ünïcödé wörds'])(
  '%s will do',
  (password) => {
    expect(() => refuseWeak(password, of)).not.toThrow()
    expect(() => refuseWeak(password, { email: 'ed@b.test', organisation: null })).not.toThrow()
  },
)
