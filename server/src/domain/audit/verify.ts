import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { CommandError } from '../../core/errors.ts'
import type { Db } from '../../db/schema.ts'
import { archives } from './archive-record.ts'
import { type Anchor, ChainCheck } from './chain-check.ts'
import { linksIn, readCopy } from './copy.ts'
import { type Finding, insertedRow, otherThanInTable, unsignedEnd } from './findings.ts'
import { type Head, isSigned, signedHeads } from './head.ts'
import { rowHashOf } from './chain.ts'

/** The outcome of looking at an audit, or a copy of one. */
export interface Verdict {
  readonly findings: readonly Finding[]
  /** Sentences on what was looked at, and on what could not be. */
  readonly notes: readonly string[]
}

interface Trust {
  /** Public keys that heads may be signed with, in hexadecimal digits. */
  readonly keys: ReadonlySet<string>
  /** Heads from elsewhere: the log has each. */
  readonly heads: readonly Head[]
}

/** Rows without a seal of which none is said. */
const NAMED = 1_000

/** Proves the table, and what was cut from it into the archive folder. */
export async function verifyTable(db: Db, folder: string, { keys, heads }: Trust): Promise<Verdict> {
  const [cut, signed] = [await archives(db), await signedHeads(db)]
  const check = new ChainCheck([...signed, ...cut, ...heads], keys)
  const notes: string[] = []
  for (const { file, position, chain } of cut) {
    if (existsSync(join(folder, file))) {
      for await (const line of readCopy(join(folder, file))) {
        if ('row' in line && line.seal !== null) check.add({ row: line.row, seal: line.seal })
      }
    } else {
      notes.push(
        `${file}, with what stood up to position ${position}, is not in ${folder}: its last link was taken on trust.`,
      )
      check.goOnFrom({ position, chain })
    }
  }
  for await (const link of linksIn(db)) check.add(link)
  const { findings, ...seen } = check.end()
  const { inserted, waiting } = await unsealed(db)
  if (waiting > 0) notes.push(`${waiting} rows of the last moments have no seal yet.`)
  return { findings: [...findings, ...inserted.map(insertedRow)], notes: [said(seen), ...notes] }
}

const said = ({ links, heads, last }: { links: number; heads: number; last: Anchor }) =>
  `${links} rows up to position ${last.position}, and ${heads} signed heads.`

/** Rows that have no seal: those from before everything was sealed came in behind the chain's back. */
async function unsealed(db: Db): Promise<{ inserted: number[]; waiting: number }> {
  const { rows } = await sql<{ id: number; late: boolean }>`
    select id, xid < coalesce((select complete_below from audit_seal order by position desc limit 1), '0') as late
    from audit where not exists (select from audit_seal where audit_id = audit.id) order by id limit ${NAMED}`.execute(
    db,
  )
  const inserted = rows.filter(({ late }) => late).map(({ id }) => id)
  return { inserted, waiting: rows.length - inserted.length }
}

/** Looks something up where the database is at hand. */
type InTable = (look: (db: Db) => Promise<Verdict>) => Promise<Verdict>

/**
 * Proves a whole copy by itself, and of a selection each row by the table's seals.
 * @throws CommandError where there is nothing to prove: no row is sealed, and no head is there
 */
export async function verifyCopy(file: string, { keys, heads }: Trust, inTable: InTable): Promise<Verdict> {
  const inCopy: Head[] = []
  let selection = false
  let archived: Head | null = null
  for await (const line of readCopy(file)) {
    if ('head' in line) inCopy.push(line.head)
    if ('archived' in line) archived ??= line.archived
    if ('selection' in line) selection = true
  }
  if (selection) return inTable((db) => verifySelection(file, db))
  const check = new ChainCheck([...inCopy, ...heads, ...(archived === null ? [] : [archived])], keys)
  // An unsigned one, or one of another's key, is a finding, and the places before are missing.
  const notes = archived === null ? [] : [goesOnFrom(archived)]
  if (archived !== null && isSigned(archived) && keys.has(archived.publicKey)) check.goOnFrom(archived)
  for await (const line of readCopy(file)) {
    if ('row' in line && line.seal !== null) check.add({ row: line.row, seal: line.seal })
  }
  const { findings, ...seen } = check.end()
  if (seen.links === 0 && archived === null && inCopy.length === 0 && heads.length === 0) {
    throw new CommandError(
      `${file} proves nothing: it has no sealed row and no signed head. ` +
        'When it was made nothing was sealed yet, or all was cut out of it since.',
    )
  }
  const isEndSigned = [...inCopy, ...heads].some(
    ({ position, publicKey }) => position >= seen.last.position && keys.has(publicKey),
  )
  return {
    findings: isEndSigned ? findings : [...findings, unsignedEnd(seen.last.position)],
    notes: [said(seen), ...notes],
  }
}

const goesOnFrom = ({ position, signedAt }: Head): string =>
  `What stood up to position ${position} was archived before: the link there, signed at ${signedAt}, was taken on trust.`

/** Holds each row of a selection against the seal of the table: the rows between are not there to follow the chain. */
async function verifySelection(file: string, db: Db): Promise<Verdict> {
  const findings: Finding[] = []
  let rows = 0
  let unsealedRows = 0
  for await (const line of readCopy(file)) {
    if (!('row' in line) || line.row === null) continue
    rows += 1
    if (line.seal === null) {
      unsealedRows += 1
      continue
    }
    const { row } = line
    const sealed = await db
      .selectFrom('audit_seal')
      .select(sql<string>`encode(row_hash, 'hex')`.as('hash'))
      .where('audit_id', '=', row.id)
      .executeTakeFirst()
    if (sealed === undefined) unsealedRows += 1
    else if (sealed.hash !== rowHashOf(row)) findings.push(otherThanInTable(row.id, row))
  }
  return {
    findings,
    notes: [
      `${rows} rows of a selection, each held against its seal in the database. Rows that are not in it can not be missed.`,
      ...(unsealedRows > 0
        ? [`${unsealedRows} of them are not proven: they had no seal yet, were not told whole, or are archived.`]
        : []),
    ],
  }
}
