import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, expect, test } from 'vitest'
import { removeFolder } from '../../../../test/remove-folder.ts'
import { copyDecrypted, copyEncrypted, copyFile } from './copy-file.ts'

const dir = mkdtempSync(join(tmpdir(), 'trainyard-copy-'))
afterAll(() => removeFolder(dir))
const [plain, encrypted, decrypted] = ['plain', 'encrypted', 'decrypted'].map((name) => join(dir, name)) as [
  string,
  string,
  string,
]
const key = await generateX25519Identity()
const recipient = await identityToRecipient(key)

test.each([0, 1, 65_536, 3_000_001])('a file of %i bytes can be decrypted only with its key', async (bytes) => {
  const content = randomBytes(bytes)
  writeFileSync(plain, content)
  const copied = await copyEncrypted(plain, encrypted, recipient)
  expect(copied).toEqual(await copyFile(plain, join(dir, 'copy')))
  expect(statSync(encrypted).mode & 0o777).toBe(0o600)
  expect(readFileSync(encrypted).subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  expect(bytes > 16 && readFileSync(encrypted).includes(content.subarray(0, 17))).toBe(false)

  expect(await copyDecrypted(encrypted, decrypted, key)).toEqual(copied)
  expect(readFileSync(decrypted).equals(content)).toBe(true)
  await expect(copyDecrypted(encrypted, decrypted, await generateX25519Identity())).rejects.toThrow(
    'no identity matched',
  )
})

test('refuses to decrypt a changed file', async () => {
  writeFileSync(plain, 'data')
  await copyEncrypted(plain, encrypted, recipient)
  const bytes = readFileSync(encrypted)
  bytes[bytes.length - 1]! ^= 1
  writeFileSync(encrypted, bytes)
  await expect(copyDecrypted(encrypted, decrypted, key)).rejects.toThrow('invalid tag')
})
