import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeFolder } from '../../../test/remove-folder.ts'
import { readKeyFile } from './keys.ts'
import { makeSeal } from './seal.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trainyard-keys-'))
})
afterEach(() => removeFolder(dir))

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const fileWith = (text: string) => {
  writeFileSync(join(dir, 'secret.key'), text)
  return readKeyFile(dir)
}

test('each new key file has its own ID, derived from the key', () => {
  const [first] = readKeyFile(dir)
  const other = mkdtempSync(join(dir, 'other-'))
  const [second] = readKeyFile(other)
  expect(first.id).toMatch(/^k-[0-9a-f]{12}$/)
  expect(second.id).not.toBe(first.id)
  expect(readKeyFile(dir)[0]).toEqual(first)
})

test('keys of two installations with the former ID work together in one file', () => {
  const [formerFile] = fileWith(`installation:${key(1)}\n`)
  expect(formerFile.id).toMatch(/^k-/)
  const [restored] = fileWith(`installation:${key(2)}\n`)
  // A ciphertext of an earlier version names the key "installation".
  const sealedWithFormer = makeSeal([{ id: 'installation', bytes: Buffer.alloc(32, 1) }]).seal('old', 'row')
  const ofRestored = makeSeal([{ id: 'installation', bytes: Buffer.alloc(32, 2) }]).seal('new', 'row')
  const both = makeSeal(fileWith(`installation:${key(2)}\ninstallation:${key(1)}\n`))
  expect([both.open(sealedWithFormer, 'row'), both.open(ofRestored, 'row')]).toEqual(['old', 'new'])
  const sealed = both.seal('now', 'row')
  expect(sealed.subarray(1, 1 + sealed[0]!).toString()).toBe(restored.id)
  expect(both.open(sealed, 'row')).toBe('now')
})

test('names the key that a secret needs if the key is missing or different, or the secret is damaged', () => {
  const sealed = makeSeal([{ id: 'a', bytes: Buffer.alloc(32, 1) }]).seal('secret', 'row')
  const unreadable = expect.objectContaining({ name: 'UnreadableSecret', keyId: 'a' })
  for (const id of ['a', 'b']) {
    expect(() => makeSeal([{ id, bytes: Buffer.alloc(32, 2) }]).open(sealed, 'row')).toThrow(unreadable)
  }
  expect(() => makeSeal([{ id: 'a', bytes: Buffer.alloc(32, 1) }]).open(sealed.subarray(0, 8), 'row')).toThrow(
    unreadable,
  )
  expect(() => makeSeal([{ id: 'a', bytes: Buffer.alloc(32, 1) }]).open(Buffer.alloc(0), 'row')).toThrow('decrypt')
})
