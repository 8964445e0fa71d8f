import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'vitest'
import { decode, encode, FORMAT, type Header, type Part } from './format.ts'

const HEADER: Header = {
  format: FORMAT,
  version: '1.0.0',
  portal: null,
  until: '',
  keys: ['k'],
  encryptedFor: null,
  tables: {},
}
const ROWS = Buffer.from(`${randomBytes(200_000).toString('hex')}\nsecond\n`)
const PARTS: Part[] = [
  { kind: 'table', table: { schema: 'public', name: 'one', columns: ['a'] } },
  { kind: 'data', data: ROWS },
  { kind: 'table', table: { schema: 'public', name: 'empty', columns: ['a'] } },
  { kind: 'end', end: { rows: 2, sequences: { s: '7' } } },
]

async function write(recipients: readonly string[] = []): Promise<Buffer> {
  const pieces: Buffer[] = []
  const header = { ...HEADER, encryptedFor: recipients[0] ?? null }
  for await (const piece of encode(header, Readable.from(PARTS), recipients)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function read(bytes: Buffer, identity: string | null = null): Promise<Part[]> {
  const parts: Part[] = []
  const pieces = Array.from({ length: Math.ceil(bytes.length / 1_000) }, (_, at) =>
    bytes.subarray(at * 1_000, (at + 1) * 1_000),
  )
  for await (const part of (await decode('it', Readable.from(pieces))).parts(identity)) parts.push(part)
  return parts
}

test('reads what was written, with each key for which it is encrypted', async () => {
  expect(await read(await write())).toEqual(PARTS)
  const identities = [await generateX25519Identity(), await generateX25519Identity()]
  const encrypted = await write(await Promise.all(identities.map(identityToRecipient)))
  for (const identity of identities) expect(await read(encrypted, identity)).toEqual(PARTS)
  // A key is not needed for a plain one.
  expect(await read(await write(), identities[0])).toEqual(PARTS)
  await expect(read(encrypted, 'AGE-SECRET-KEY-WRONG')).rejects.toThrow('not a valid age key')
  await expect(read(encrypted, await generateX25519Identity())).rejects.toThrow('The key does not decrypt it')
})

test('notices every change of the content and every missing byte', async () => {
  const identity = await generateX25519Identity()
  for (const [bytes, key] of [
    [await write(), null],
    [await write([await identityToRecipient(identity)]), identity],
  ] as const) {
    for (let at = 20; at < bytes.length; at += Math.floor(bytes.length / 40)) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 0x10
      const refusal = /^it is (truncated or damaged|not a backup)|^The key does not decrypt it/
      // The last byte of compressed data has bits that mean nothing.
      const found = await read(changed, key).catch((error: Error) => refusal.test(error.message) && 'refused')
      const isSame = typeof found === 'object' && isDeepStrictEqual(found, PARTS)
      expect(isSame ? 'the same' : found, `byte ${at}`).toMatch(/^(?:the same|refused)$/)
      await expect(read(bytes.subarray(0, at), key), `${at} bytes`).rejects.toThrow(refusal)
    }
  }
})

test('reports an error of the source of a backup', async () => {
  const failing = (async function* (): AsyncGenerator<Part> {
    yield PARTS[0]!
    throw new Error('connection lost')
  })()
  const writing = async () => {
    for await (const _ of encode(HEADER, failing, []));
  }
  await expect(writing()).rejects.toThrow('connection lost')
})
