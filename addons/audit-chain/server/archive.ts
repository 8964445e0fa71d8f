import { createHash, type KeyObject } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { CommandError } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import { archives, signedLink } from './archive-record.ts'
import { GENESIS } from './chain.ts'
import { ChainCheck } from './chain-check.ts'
import { linksIn, writeLine } from './copy.ts'
import { type Head, signHead } from './head.ts'
import { selectPositionsBefore, deleteAudit } from './queries.ts'

const RETENTION_DAYS_MIN = 365

export interface ArchiveDependencies {
  readonly folder: string
  readonly days: number
  readonly key: KeyObject
  readonly signal?: AbortSignal
}

/**
 * @param owner login of the database owner, which alone can delete rows @throws CommandError if a row does not match
 * its seal
 */
export async function archiveAudit(owner: Db, parts: ArchiveDependencies): Promise<string | null> {
  const { folder, days } = parts
  if (days < RETENTION_DAYS_MIN)
    throw new CommandError(`Audit rows must be kept for at least ${RETENTION_DAYS_MIN} days.`)
  const upTo = await lastOlderThan(owner, days)
  if (upTo === null) return null
  const written = await writeArchive(owner, parts, upTo)
  await owner.transaction().execute((tx) => deleteArchived(tx, written))
  const { firstPosition, file, head } = written
  return `Positions ${firstPosition} to ${head.position} of the audit were moved to ${join(folder, file)}.`
}

interface ArchiveFile {
  readonly file: string
  readonly fileHash: Buffer
  readonly firstPosition: number
  readonly head: Head
}

/**
 * Returns the position of the last row that is older than `days`; null if there is none. The last row of the chain is
 * never archived.
 */
async function lastOlderThan(db: Db, days: number): Promise<number | null> {
  const { rows } = await selectPositionsBefore(db, days)
  const { first, last } = rows[0]!
  return first === null || last === null || last < first ? null : last
}

async function writeArchive(db: Db, { folder, key, signal }: ArchiveDependencies, upTo: number): Promise<ArchiveFile> {
  const archived = (await archives(db)).at(-1)
  const before = archived ?? { position: 0, chain: GENESIS }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const check = new ChainCheck([], null, { position: before.position, chain: before.chain })
  const file = `audit-${before.position + 1}-${upTo}.jsonl`
  const hash = createHash('sha256')
  const draft = await open(join(folder, `${file}.part`), 'w', 0o600)
  try {
    const writeText = async (text: string) => {
      hash.update(text)
      await draft.write(text)
    }
    if (archived !== undefined) await writeText(writeLine({ archived: signedLink(archived) }))
    for await (const link of linksIn(db, upTo)) {
      signal?.throwIfAborted()
      check.add(link)
      await writeText(writeLine(link))
    }
    const { findings, last } = check.end()
    if (findings.length > 0) {
      throw new CommandError(['Nothing was archived:', ...findings.map(({ message }) => message)].join('\n'))
    }
    const head = signHead({ ...last, signedAt: (await portalNow(db)).toISOString() }, key)
    await writeText(writeLine({ head }))
    // Sync to disk before the rows are deleted.
    await draft.sync()
    await rename(join(folder, `${file}.part`), join(folder, file))
    return { file, fileHash: hash.digest(), firstPosition: before.position + 1, head }
  } finally {
    await draft.close()
  }
}

async function deleteArchived(tx: Tx, { file, fileHash, firstPosition, head }: ArchiveFile): Promise<void> {
  await tx
    .insertInto('audit_archive')
    .values({
      last_position: head.position,
      first_position: firstPosition,
      chain: Buffer.from(head.chain, 'hex'),
      file,
      file_hash: fileHash,
      signed_at: new Date(head.signedAt),
      public_key: Buffer.from(head.publicKey, 'hex'),
      signature: Buffer.from(head.signature, 'hex'),
    })
    .execute()
  const deleted = await tx
    .deleteFrom('audit_seal')
    .where('position', '<=', head.position)
    .returning('audit_id')
    .execute()
  await deleteAudit(
    tx,
    deleted.map(({ audit_id }) => audit_id),
  )
  await writeAudit(tx, {
    call: 'operator.archiveAudit',
    requestId: file,
    actor: null,
    request: { file, from: firstPosition, to: head.position },
  })
}
