import { expect, test } from 'vitest'
import { openId } from './openid-open-id.ts'

const policy = { emulator: null, privateHosts: [] }

test.each([
  ['http://login.example.com/'],
  ['ftp://login.example.com/'],
  ['https://127.0.0.1/'],
  ['https://[::1]/'],
  ['https://[::ffff:10.0.0.1]/'],
  ['https://0x7f000001/'],
  ['https://2130706433/'],
  ['https://localhost/'],
  ['https://portal.localhost/'],
  ['https://user:password@login.example.com/'],
])('rejects the issuer %s', (issuer) => {
  expect(openId(policy).issuerRefusal(issuer)).not.toBeNull()
})

test.each([
  'https://login.microsoftonline.com/common/v2.0',
  'https://login.microsoftonline.com/Organizations/v2.0',
  'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
  'https://login.example.com/?tenant=a',
  'https://login.example.com/#a',
])('rejects %s, which is not the issuer of a single organisation', (issuer) => {
  expect(openId(policy).issuerRefusal(issuer)).not.toBeNull()
})

test('allows a private address that a setting names', () => {
  const issuer = 'https://10.0.0.7/adfs'
  expect(openId({ ...policy, privateHosts: ['10.0.0.7'] }).issuerRefusal(issuer)).toBeNull()
})
