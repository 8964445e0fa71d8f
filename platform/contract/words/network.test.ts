import { expect, test } from 'vitest'
import { isAddressIn, isPrefix, isPrefixIn, isPrivatePrefix } from './network.ts'

test.each([
  ['10.0.0.0/8', true, true],
  ['10.20.0.0/16', true, true],
  ['172.16.0.0/12', true, true],
  ['172.31.255.255/32', true, true],
  ['192.168.4.0/22', true, true],
  ['100.64.0.0/10', true, true],
  ['100.128.0.0/10', true, false],
  ['172.32.0.0/16', true, false],
  ['172.0.0.0/8', true, false],
  ['203.0.113.0/24', true, false],
  ['127.0.0.0/8', true, false],
  ['169.254.0.0/16', true, false],
  ['0.0.0.0/0', true, false],
  ['10.0.0.1/8', false, false],
  ['10.0.0.0/33', false, false],
  ['10.0.0.0/08', false, false],
  ['10.0.0.0', false, false],
  ['010.0.0.0/8', false, false],
  ['10.0.0.256/32', false, false],
  ['10.0.0/8', false, false],
  ['::1/128', false, false],
  ['labs.example.com', false, false],
  ['', false, false],
])('%s is a prefix: %s, a private one: %s', (prefix, any, own) => {
  expect([isPrefix(prefix), isPrivatePrefix(prefix)]).toEqual([any, own])
})

test.each([
  ['10.20.0.4', ['10.20.0.0/16'], true],
  ['10.21.0.4', ['10.20.0.0/16'], false],
  ['10.21.0.4', ['10.20.0.0/16', '10.21.0.4/32'], true],
  ['10.20.255.255', ['10.20.0.0/16'], true],
  ['10.20.0.4', [], false],
  ['10.20.0.4', ['nonsense'], false],
  ['localhost', ['10.0.0.0/8'], false],
  ['10.20.0.4:22', ['10.0.0.0/8'], false],
  ['::ffff:10.20.0.4', ['10.0.0.0/8'], false],
])('%s is in %j: %s', (address, prefixes, inside) => {
  expect(isAddressIn(address, prefixes)).toBe(inside)
})

test.each([
  ['10.20.1.0/24', ['10.20.0.0/16'], true],
  ['10.20.0.0/16', ['10.30.0.0/16', '10.20.0.0/16'], true],
  ['10.20.0.0/15', ['10.20.0.0/16'], false],
  ['10.21.0.0/24', ['10.20.0.0/16'], false],
  ['fd00::/64', ['10.20.0.0/16'], false],
  ['10.20.0.0/16', [], false],
])('the prefix %s is in %j: %s', (inner, prefixes, inside) => {
  expect(isPrefixIn(inner, prefixes)).toBe(inside)
})
