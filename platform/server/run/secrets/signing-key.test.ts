import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeSigningKey, publicKeyOf, readSigningKey, signingKeyIn, verifyingKey } from './signing-key.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trainyard-key-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('creates the key once when it is needed, readable by its owner only', () => {
  expect(signingKeyIn(dir)).toBeNull()
  const created = publicKeyOf(makeSigningKey(dir))
  expect(publicKeyOf(makeSigningKey(dir))).toEqual(created)
  expect(publicKeyOf(signingKeyIn(dir)!)).toEqual(created)
  expect(statSync(join(dir, 'audit.key')).mode & 0o777).toBe(0o600)
})

test('verifies a signature with the public key', () => {
  const key = makeSigningKey(dir)
  const text = Buffer.from('a head')
  const verifier = verifyingKey(publicKeyOf(key))
  expect(verify(null, text, verifier, sign(null, text, key))).toBe(true)
  expect(verify(null, Buffer.from('another'), verifier, sign(null, text, key))).toBe(false)
})

test('rejects keys of another type and text that is not a key', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  for (const text of [der, 'x', '']) expect(() => readSigningKey(text)).toThrow('must be the base64 of an ed25519 key')
  writeFileSync(join(dir, 'audit.key'), 'x')
  expect(() => signingKeyIn(dir)).toThrow(/audit\.key can't be used: it must be .*\. Restore your copy of this file\.$/)
})
