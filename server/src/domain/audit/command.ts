import type { KeyObject } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import type { Db } from '../../db/schema.ts'
import { CommandError } from '../../core/errors.ts'
import { portalNow } from '../../db/client.ts'
import { publicKeyOf } from '../../secrets/signing-key.ts'
import { archives, lastLink } from './archive-record.ts'
import { archiveAudit } from './archive.ts'
import type { Seal } from './chain.ts'
import { linksIn, parseHead, writeLine } from './copy.ts'
import { type Head, signedHeads, signHead } from './head.ts'
import { sealAudit } from './seal.ts'
import { type Verdict, verifyCopy, verifyTable } from './verify.ts'

export interface CommandParts {
  /** Folder of the archives. */
  readonly folder: string
  readonly retentionDays: number | null
  /** Returns the signing key of heads, or null if none exists yet. */
  readonly key: () => KeyObject | null
  readonly makeKey: () => KeyObject
  /** Runs work with a database connection. */
  readonly withDb: <T>(as: 'app' | 'owner', work: (db: Db) => Promise<T>) => Promise<T>
  readonly print: (line: string) => void
  /** Prints a usage error. */
  readonly complain: (sentence: string) => void
}

const USAGE = `npm run audit -- verify [FILE] [--key PUBLIC_KEY] [--head HEAD]   proves the audit, or a copy of it
npm run audit -- copy FILE                                        writes a whole copy with its seals
npm run audit -- archive                                          cuts what is older than AUDIT_RETENTION_DAYS
npm run audit -- key                                              prints the public key of the heads`

/** Runs `npm run audit`. Returns the exit code: 1 if problems were found, 2 for a usage error. */
export async function runAudit(parts: CommandParts, args: readonly string[]): Promise<number> {
  const asked = read(args)
  if (typeof asked === 'string') {
    parts.complain(`${asked}\n${USAGE}`)
    return 2
  }
  switch (asked.name) {
    case 'verify':
      return judge(parts, await verify(parts, asked).catch(told(asked.file)))
    case 'copy':
      if (!existsSync(dirname(asked.file!))) {
        throw new CommandError(`${dirname(asked.file!)} is not there: make that folder first, or name another.`)
      }
      return copy(parts, asked.file!).catch(told(asked.file))
    case 'archive':
      return archive(parts)
    case 'key':
      parts.print(publicKeyOf(parts.makeKey()).toString('hex'))
      return 0
  }
}

const OF_FILES: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EEXIST: 'it is there already',
  EISDIR: 'it is a folder',
  EACCES: 'it is not open to you',
}

/** Returns an error handler that explains why a file cannot be read or written. */
const told =
  (file: string | undefined) =>
  (error: unknown): never => {
    const { code } = error as { code?: unknown }
    if (file === undefined || typeof code !== 'string' || OF_FILES[code] === undefined) throw error
    throw new CommandError(`${file} can not be used: ${OF_FILES[code]}.`, { cause: error })
  }

interface Asked {
  readonly name: 'verify' | 'copy' | 'archive' | 'key'
  readonly file: string | undefined
  readonly keys: readonly string[]
  readonly heads: readonly Head[]
}

/** Parses the arguments. Returns a message if they are invalid. */
function read(args: readonly string[]): Asked | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        key: { type: 'string', multiple: true, default: [] },
        head: { type: 'string', multiple: true, default: [] },
      },
    })
    const [name, file, more] = positionals
    if (name !== 'verify' && name !== 'copy' && name !== 'archive' && name !== 'key') return 'Say which of these.'
    if (more !== undefined || ((name === 'copy') !== (file !== undefined) && name !== 'verify')) return 'Name one file.'
    if (values.key.some((key) => !/^[0-9a-f]{64}$/.test(key)))
      return '--key takes a public key of 64 hexadecimal digits.'
    return { name, file, keys: values.key, heads: values.head.map(headIn) }
  } catch (error) {
    return (error as Error).message
  }
}

function headIn(written: string): Head {
  try {
    return parseHead(written)
  } catch {
    throw new Error('--head takes a head as the log has it: {"position":...,"chain":...,"signedAt":...}')
  }
}

async function verify(parts: CommandParts, { file, keys, heads }: Asked): Promise<Verdict> {
  const own = parts.key()
  const trust = { keys: new Set([...keys, ...(own === null ? [] : [publicKeyOf(own).toString('hex')])]), heads }
  if (file === undefined) return parts.withDb('app', (db) => verifyTable(db, parts.folder, trust))
  return verifyCopy(file, trust, (look) => parts.withDb('app', look))
}

function judge({ print }: CommandParts, { findings, notes }: Verdict): number {
  for (const { says } of findings) print(says)
  for (const note of notes) print(note)
  print(
    findings.length === 0
      ? 'The audit is as it was sealed.'
      : `The audit is NOT as it was sealed: ${findings.length} found.`,
  )
  return findings.length === 0 ? 0 : 1
}

/** Writes all rows of the table, starting after the last archive, with the signed heads and a new head of the end. */
async function copy({ withDb, makeKey, print }: CommandParts, file: string): Promise<number> {
  return withDb('app', async (db) => {
    await sealAudit(db)
    let end: Seal | null = null
    async function* lines() {
      const heads = await signedHeads(db)
      const archived = (await archives(db)).at(-1)
      if (archived !== undefined) yield writeLine({ archived: lastLink(archived) })
      for await (const link of linksIn(db)) {
        end = link.seal
        yield writeLine(link)
      }
      for (const head of heads) yield writeLine({ head })
      if (end === null) return
      const { position, chain } = end
      const signedAt = (await portalNow(db)).toISOString()
      yield writeLine({ head: signHead({ position, chain, signedAt }, makeKey()) })
    }
    await pipeline(lines, createWriteStream(file, { mode: 0o600, flags: 'wx' }))
    print(`The audit up to position ${(end as Seal | null)?.position ?? 0} is in ${file}.`)
    return 0
  })
}

async function archive({ withDb, makeKey, folder, retentionDays: days, print }: CommandParts): Promise<number> {
  if (days === null) {
    print('AUDIT_RETENTION_DAYS is not set: everything is kept, and nothing is archived.')
    return 0
  }
  const done = await withDb('owner', (owner) => archiveAudit(owner, { folder, days, key: makeKey() }))
  print(done ?? `No audit row is older than ${days} days: nothing is archived.`)
  return 0
}
