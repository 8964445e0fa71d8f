import { type KeyObject, randomUUID } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { CommandError } from '@trainyard/platform/server/core/errors.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import { type FormerKey, publicKeyOf } from '@trainyard/platform/server/run/secrets/signing-key.ts'
import { archives, signedLink } from './archive-record.ts'
import { archiveAudit } from './archive.ts'
import type { Seal } from './chain.ts'
import { linksIn, parseHead, writeLine } from './copy.ts'
import { type Head, signedHeads, signEnd, signHead } from './head.ts'
import { sealAudit } from './seal.ts'
import { type Verdict, verifyCopy, verifyTable } from './verify.ts'

export interface CommandDependencies {
  readonly folder: string
  readonly retentionDays: number | null
  readonly key: () => KeyObject | null
  readonly formerKeys: () => readonly FormerKey[]
  readonly makeKey: () => KeyObject
  readonly replaceKey: (lastPosition: number) => void
  readonly withDb: <T>(as: 'app' | 'owner', callback: (db: Db) => Promise<T>) => Promise<T>
  readonly print: (line: string) => void
  readonly printError: (sentence: string) => void
}

const USAGE = `npm run audit -- verify [FILE] [--key PUBLIC_KEY] [--head HEAD]   verifies the audit or a copy of it
npm run audit -- copy FILE                                        writes a complete copy with its seals
npm run audit -- archive                                          archives rows older than AUDIT_RETENTION_DAYS
npm run audit -- key                                              prints the public key of the heads
npm run audit -- rotate-key                                       signs with a new key from now on`

/** Returns the exit code: 1 if problems were found, 2 for a usage error. */
export async function runAudit(parts: CommandDependencies, args: readonly string[]): Promise<number> {
  const command = parseCommand(args)
  if (typeof command === 'string') {
    parts.printError(`${command}\n${USAGE}`)
    return 2
  }
  switch (command.name) {
    case 'verify':
      return printVerdict(parts, await verify(parts, command).catch(rethrowAsFileError(command.file)))
    case 'copy':
      if (!existsSync(dirname(command.file!))) {
        throw new CommandError(
          `${dirname(command.file!)} does not exist. Create the folder first, or give another one.`,
        )
      }
      return copy(parts, command.file!).catch(rethrowAsFileError(command.file))
    case 'archive':
      return archive(parts)
    case 'key':
      parts.print(publicKeyOf(parts.makeKey()).toString('hex'))
      return 0
    case 'rotate-key':
      return rotateKey(parts)
  }
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EEXIST: 'it already exists',
  EISDIR: 'it is a folder',
  EACCES: 'access is denied',
}

const rethrowAsFileError =
  (file: string | undefined) =>
  (error: unknown): never => {
    const { code } = error as { code?: unknown }
    if (file === undefined || typeof code !== 'string' || FILE_ERRORS[code] === undefined) throw error
    throw new CommandError(`${file} cannot be used: ${FILE_ERRORS[code]}.`, { cause: error })
  }

const NAMES = ['verify', 'copy', 'archive', 'key', 'rotate-key'] as const
type Name = (typeof NAMES)[number]
const isName = (name: string | undefined): name is Name => NAMES.some((each) => each === name)

interface Command {
  readonly name: Name
  readonly file: string | undefined
  readonly keys: readonly string[]
  readonly heads: readonly Head[]
}

function parseCommand(args: readonly string[]): Command | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        key: { type: 'string', multiple: true, default: [] },
        head: { type: 'string', multiple: true, default: [] },
      },
    })
    const [name, file, extra] = positionals
    if (!isName(name)) return 'Give one of these commands.'
    if (extra !== undefined || ((name === 'copy') !== (file !== undefined) && name !== 'verify'))
      return 'Give one file.'
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
    throw new Error('--head takes a head as in the log: {"position":...,"chain":...,"signedAt":...}')
  }
}

async function verify(parts: CommandDependencies, { file, keys, heads }: Command): Promise<Verdict> {
  const own = parts.key()
  const trusted = [...keys, ...(own === null ? [] : [publicKeyOf(own).toString('hex')])]
  const former = parts.formerKeys().map(({ publicKey, lastPosition }) => [publicKey, lastPosition] as const)
  const trust = { keys: new Map([...former, ...trusted.map((key) => [key, Infinity] as const)]), heads }
  if (file === undefined) return parts.withDb('app', (db) => verifyTable(db, parts.folder, trust))
  return verifyCopy(file, trust, (callback) => parts.withDb('app', callback))
}

function printVerdict({ print }: CommandDependencies, { findings, notes }: Verdict): number {
  for (const { message } of findings) print(message)
  for (const note of notes) print(note)
  print(
    findings.length === 0
      ? 'The audit matches its seals.'
      : `The audit does NOT match its seals: ${findings.length} ${findings.length === 1 ? 'problem' : 'problems'} found.`,
  )
  return findings.length === 0 ? 0 : 1
}

async function copy({ withDb, makeKey, print }: CommandDependencies, file: string): Promise<number> {
  return withDb('app', async (db) => {
    await sealAudit(db)
    let end: Seal | null = null
    async function* lines() {
      const heads = await signedHeads(db)
      const archived = (await archives(db)).at(-1)
      if (archived !== undefined) yield writeLine({ archived: signedLink(archived) })
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
    if (existsSync(file)) throw new CommandError(`${file} cannot be used: ${FILE_ERRORS['EEXIST']}.`)
    // The file gets its final name once it is complete.
    const draft = `${file}.part`
    try {
      await pipeline(lines, createWriteStream(draft, { mode: 0o600 }))
      await rename(draft, file)
    } finally {
      await rm(draft, { force: true })
    }
    print(`The audit up to position ${(end as Seal | null)?.position ?? 0} was copied to ${file}.`)
    return 0
  })
}

async function archive({ withDb, makeKey, folder, retentionDays: days, print }: CommandDependencies): Promise<number> {
  if (days === null) {
    print('AUDIT_RETENTION_DAYS is not set. All rows are kept and nothing was archived.')
    return 0
  }
  const done = await withDb('owner', (owner) => archiveAudit(owner, { folder, days, key: makeKey() }))
  print(done ?? `No audit row is older than ${days} days. Nothing was archived.`)
  return 0
}

/**
 * Rotates the key. The former key signs the end of the chain a last time, and the new key signs the row that records
 * the rotation, so that no link between them is unsigned.
 */
async function rotateKey({ withDb, makeKey, replaceKey, print }: CommandDependencies): Promise<number> {
  return withDb('app', async (db) => {
    makeKey()
    await sealAudit(db)
    const last = await signEnd(db, makeKey(), print)
    replaceKey(last)
    await writeAudit(db, {
      call: 'audit.rotateKey',
      requestId: randomUUID(),
      actor: null,
      claimed: null,
      request: { lastPosition: last },
    })
    await sealAudit(db)
    await signEnd(db, makeKey(), print)
    print(
      `The audit is signed with a new key from position ${last + 1}. Its public key: ${publicKeyOf(makeKey()).toString('hex')}`,
    )
    print('Back up audit.key. It contains the former public keys, which verify what they signed.')
    return 0
  })
}
