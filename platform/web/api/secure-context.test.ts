import { createHash, randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { newId } from './new-id.ts'
import { hexOf, sha256 } from './sha256.ts'

afterEach(() => void vi.unstubAllGlobals())

/** Stubs the `crypto` of a page without TLS on a host name. */
const asWithoutTls = () =>
  vi.stubGlobal('crypto', {
    getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => bytes.set(randomBytes(bytes.length)) ?? bytes,
  })

describe('on a page without TLS', () => {
  test('each call has a separate idempotency key', () => {
    asWithoutTls()
    const ids = Array.from({ length: 1_000 }, newId)
    expect(new Set(ids).size).toBe(1_000)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
  })

  test('the SHA-256 hash is the same as on other pages', async () => {
    const around = [0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1_000, 100_001]
    const texts = around.map((length) => new Uint8Array(randomBytes(length)))
    const expected = texts.map((bytes) => createHash('sha256').update(bytes).digest('hex'))
    expect(await Promise.all(texts.map(async (bytes) => hexOf(await sha256(bytes))))).toEqual(expected)
    asWithoutTls()
    expect(await Promise.all(texts.map(async (bytes) => hexOf(await sha256(bytes))))).toEqual(expected)
    expect(hexOf(await sha256(texts[12]!.buffer))).toBe(expected[12])
  })
})

test('no other file uses functions that pages without TLS lack', () => {
  const root = join(import.meta.dirname, '../../..')
  const files = globSync('{platform,core/*,addons/*,apps}/web/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => /\.test\.|node_modules|dist$/.test(path),
  })
  const filesUsing = files.filter((file) => /\brandomUUID\b|\.subtle\b/.test(readFileSync(join(root, file), 'utf8')))
  expect(filesUsing).toEqual(['platform/web/api/sha256.ts'])
})
