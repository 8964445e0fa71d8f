import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { CommandError } from '@trainyard/platform/server/core/errors.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { Seal } from './chain.ts'
import type { Link } from './chain-check.ts'
import type { Head } from './head.ts'
import { selectLinks, COPIED_AT_ONCE } from './queries.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().positive()
const text = z.string().nullable()
const seal = z.strictObject({ position: count, auditId: count, rowHash: hash, previous: hash, chain: hash })
const row = z.strictObject({
  id: count,
  at: z.string(),
  requestId: z.string(),
  call: z.string(),
  actorId: text,
  actorEmail: text,
  actorRole: text,
  organisationId: text,
  address: text,
  refused: text,
  detail: z.unknown(),
  before: z.unknown(),
  after: z.unknown(),
})
const head = z.strictObject({
  position: count,
  chain: hash,
  signedAt: z.string(),
  publicKey: hash,
  signature: z.string().regex(/^[0-9a-f]{128}$/),
})
const erasure = z.strictObject({
  rowHash: hash,
  erasedAt: z.string(),
  publicKey: hash,
  signature: z.string().regex(/^[0-9a-f]{128}$/),
})
const line = z.union([
  // The seal is null if the row was exported before it was sealed, or without its details.
  z.strictObject({ row: row.nullable(), seal: seal.nullable(), erasure: erasure.optional() }),
  z.strictObject({ head }),
  // Last link of the archived rows before this copy.
  z.strictObject({ archived: head }),
  z.strictObject({ selection: z.unknown() }),
])

export type CopyLine = z.output<typeof line>
export type RowLine = Extract<CopyLine, { readonly row: unknown }>

export const linkOf = ({ row, erasure }: RowLine, seal: Seal): Link => ({
  seal,
  row,
  ...(erasure !== undefined && { erasure }),
})

export const parseHead = (written: string): Head => head.parse(JSON.parse(written))

export const writeLine = (content: CopyLine): string => `${JSON.stringify(content)}\n`

/** @throws CommandError with the number of the first invalid line */
export async function* readCopy(file: string): AsyncIterable<CopyLine> {
  let number = 0
  for await (const written of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number += 1
    if (written === '') continue
    const read = line.safeParse(parsed(written))
    if (!read.success) throw new CommandError(`Line ${number} of ${file} is not a valid line of an audit.`)
    yield read.data
  }
}

function parsed(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return undefined
  }
}

export async function* linksIn(db: Db, upTo?: number): AsyncIterable<Link> {
  let after = 0
  for (;;) {
    const { rows } = await selectLinks(db, after, upTo ?? Number.MAX_SAFE_INTEGER)
    for (const { seal: sealed, row: read, erasure: erased } of rows) {
      yield { seal: sealed, row: read, ...(erased !== null && { erasure: erased }) }
    }
    if (rows.length < COPIED_AT_ONCE) return
    after = rows.at(-1)!.seal.position
  }
}
