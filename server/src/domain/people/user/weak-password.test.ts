import { expect, test } from 'vitest'
import { refuseWeak } from './weak-password.ts'

const of = { email: 'jane.doe@acme.test', organisation: 'Acme Learning' }

// @covers A22
test.each(['password', '12345678', 'PassWord', 'sunshine', 'iloveyou'])('%s is too common', (password) => {
  expect(() => refuseWeak(password, of)).toThrow('among the most common ones')
})

// @covers A22
test.each(['jane.doe@acme.test', 'Jane.Doe-2026', 'my acme learning 1', 'AcmeLearning!'])(
  '%s holds who has it',
  (password) => {
    expect(() => refuseWeak(password, of)).toThrow('must not hold')
  },
)

test('a whole e-mail is too much of it, however short its name', () => {
  expect(() => refuseWeak('Ed@b.test-2026', { email: 'ed@b.test', organisation: null })).toThrow('must not hold')
})

test.each([
  ['caf\u0065\u0301 Berlin 1', 'Caf\u00e9 Berlin'],
  ['ＡＣＭＥ learning 1', 'Acme Learning'],
  ['acme learning 1', 'Ａｃｍｅ Learning'],
  ['GROSSE STRASSE 7', 'Große Straße'],
  ['ﬁrst school!', 'First School'],
])('%s holds %s, however both are written', (password, organisation) => {
  expect(() => refuseWeak(password, { email: 'x@y.test', organisation })).toThrow('must not hold')
})

test('an e-mail is found in other letters, too', () => {
  expect(() => refuseWeak('ｊａｎｅ.doe 2026', of)).toThrow('must not hold')
  expect(() => refuseWeak('jane.doe 2026', { ...of, email: 'ｊａｎｅ.doe@acme.test' })).toThrow('must not hold')
})

test.each(['ｐａｓｓｗｏｒｄ', 'ＰＡＳＳＷＯＲＤ'])('%s is too common, however it is written', (password) => {
  expect(() => refuseWeak(password, of)).toThrow('among the most common ones')
})

test.each(['correct horse battery staple', 'demo-Trainyard-1', 'acme is not enough', 'ünïcödé wörds'])(
  '%s will do',
  (password) => {
    expect(() => refuseWeak(password, of)).not.toThrow()
    expect(() => refuseWeak(password, { email: 'ed@b.test', organisation: null })).not.toThrow()
  },
)
