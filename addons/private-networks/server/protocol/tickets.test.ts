import { createPrivateKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { enrolmentToken, readEnrolmentToken } from './enrolment-token.ts'
import { fingerprintOf, isSignedFor, makeSigningKeys, signFor } from './signatures.ts'
import { type ConnectionTicket, parseTicket, signTicket, Tickets } from './tickets.ts'

const keys = makeSigningKeys()
const others = makeSigningKeys()
const keyOf = ({ privateKey }: { readonly privateKey: string }) =>
  createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
const NOW = 1_800_000_000_000
const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const TICKET: ConnectionTicket = {
  id: uuid(1),
  network: uuid(2),
  connection: uuid(3),
  address: '10.20.0.4',
  port: 22,
  expires: NOW + 30_000,
}
const tickets = () => new Tickets(keys.publicKey, TICKET)
const sign = (change: Partial<ConnectionTicket> = {}, by = keys) => signTicket(keyOf(by), { ...TICKET, ...change })
const [content, signature] = sign().split('.') as [string, string]
const otherContent = sign({ address: '10.20.0.5' }).split('.')[0]!

test('a ticket is accepted once', () => {
  const accepted = tickets()
  expect(accepted.take(sign(), NOW)).toEqual(TICKET)
  expect(accepted.take(sign(), NOW)).toBeNull()
  expect(accepted.take(sign({ id: uuid(9) }), NOW)).not.toBeNull()
  // Expired tickets are deleted from memory, and still refused.
  expect(accepted.take(sign({ id: uuid(8), expires: NOW + 90_000 }), NOW + 60_000)).not.toBeNull()
  expect(accepted.take(sign(), NOW + 60_000)).toBeNull()
})

test.each([
  ['of another signer', sign({}, others)],
  ['for another connection of the agent', sign({ connection: uuid(4) })],
  ['for another network', sign({ network: uuid(4) })],
  ['that has expired', sign({ expires: NOW })],
  ['with the signature of another machine’s ticket', `${otherContent}.${signature}`],
  ['without a signature', `${content}.`],
  ['with another part', `${content}.${signature}.${signature}`],
  ['for a name', sign({ address: 'machine.example.com' })],
  ['for an address with a port', sign({ address: '10.20.0.4:22' })],
  ['for no port', sign({ port: 0 })],
  ['with an additional field', sign({ admin: true } as never)],
  ['that is not JSON', `${Buffer.from('{').toString('base64url')}.${signature}`],
  ['that is empty', ''],
  ['that is too long', `${'a'.repeat(2_000)}.${signature}`],
])('a ticket %s is refused', (_what, text) => {
  expect(tickets().take(text, NOW)).toBeNull()
})

test('a signature is valid for its purpose and its exact values only', () => {
  const signed = signFor(keyOf(keys), 'agent', 'a', 'bc')
  expect(isSignedFor(keys.publicKey, signed, 'agent', 'a', 'bc')).toBe(true)
  expect(isSignedFor(keys.publicKey, signed, 'portal', 'a', 'bc')).toBe(false)
  expect(isSignedFor(keys.publicKey, signed, 'agent', 'ab', 'c')).toBe(false)
  expect(isSignedFor(others.publicKey, signed, 'agent', 'a', 'bc')).toBe(false)
  expect(parseTicket(sign())).toEqual(TICKET)
})

test('reads an enrolment token that was copied completely', () => {
  const token = { network: uuid(1), secret: 's'.repeat(43), portal: fingerprintOf(keys.publicKey) }
  const text = enrolmentToken(token)
  expect(readEnrolmentToken(` ${text}\n`)).toEqual(token)
  for (const invalid of [text.slice(0, -1), text.slice(1), `${text}x`, '', 'tyg1...']) {
    expect(readEnrolmentToken(invalid)).toBeNull()
  }
})
