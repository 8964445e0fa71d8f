import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { counted } from '@trainyard/platform/contract/words/counted.ts'
import { CommandError } from '@trainyard/platform/server/core/errors.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { archives } from './archive-record.ts'
import { type Anchor, ChainCheck } from './chain-check.ts'
import { linkOf, linksIn, readCopy, type RowLine } from './copy.ts'
import { type Finding, insertedRow, changedRow, unsignedEnd } from './findings.ts'
import { type Head, isSigned, isTrusted, signedHeads, type TrustedKeys } from './head.ts'
import { rowHashOf, type Seal } from './chain.ts'
import { isErasedRow } from './erasure.ts'
import { selectUnsealedRows, REPORTED_MAX } from './queries.ts'
import { backdatedRows } from './seal.ts'

export interface Verdict {
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
}

interface Trust {
  readonly keys: TrustedKeys
  readonly heads: readonly Head[]
}

export async function verifyTable(db: Db, folder: string, { keys, heads }: Trust): Promise<Verdict> {
  const [cut, signed] = [await archives(db), await signedHeads(db)]
  const check = new ChainCheck([...signed, ...cut, ...heads], keys)
  const notes: string[] = []
  for (const { file, position, chain } of cut) {
    if (existsSync(join(folder, file))) {
      for await (const line of readCopy(join(folder, file))) {
        if ('row' in line && line.seal !== null) check.add(linkOf(line, line.seal))
      }
    } else {
      notes.push(
        `${file}, with the rows up to position ${position}, is not in ${folder}: its last link was trusted without a check.`,
      )
      check.continueFrom({ position, chain })
    }
  }
  for await (const link of linksIn(db)) check.add(link)
  const { findings, ...seen } = check.end()
  const { inserted, waiting } = await unsealed(db)
  if (waiting > 0) notes.push(`${counted(waiting, 'recent row')} ${waiting === 1 ? 'has' : 'have'} no seal yet.`)
  notes.push(...(await backdatedRows(db, REPORTED_MAX)))
  return { findings: [...findings, ...inserted.map(insertedRow)], notes: [checkedSummary(seen), ...notes] }
}

interface Checked {
  readonly links: number
  readonly heads: number
  readonly erased: number
  readonly last: Anchor
}

const checkedSummary = ({ links, heads, erased, last }: Checked) =>
  `${counted(links, 'row')} up to position ${last.position}, and ${counted(heads, 'signed head')}.${
    erased === 0 ? '' : ` Personal data was erased from ${erased} of the rows.`
  }`

/** Returns the rows without a seal. Rows in `inserted` should have been sealed already. */
async function unsealed(db: Db): Promise<{ inserted: number[]; waiting: number }> {
  const { rows } = await selectUnsealedRows(db)
  const inserted = rows.filter(({ late }) => late).map(({ id }) => id)
  return { inserted, waiting: rows.length - inserted.length }
}

type WithDb = (callback: (db: Db) => Promise<Verdict>) => Promise<Verdict>

/** @throws CommandError if there is neither a sealed row nor a head */
export async function verifyCopy(file: string, { keys, heads }: Trust, inTable: WithDb): Promise<Verdict> {
  const inCopy: Head[] = []
  let selection = false
  let archived: Head | null = null
  for await (const line of readCopy(file)) {
    if ('head' in line) inCopy.push(line.head)
    if ('archived' in line) archived ??= line.archived
    if ('selection' in line) selection = true
  }
  if (selection) return inTable((db) => verifySelection(file, db, keys))
  const check = new ChainCheck([...inCopy, ...heads, ...(archived === null ? [] : [archived])], keys)
  // An unsigned or untrusted link is reported. In this case the positions before the link are missing.
  const notes = archived === null ? [] : [archivedNote(archived)]
  if (archived !== null && isSigned(archived) && isTrusted(keys, archived)) check.continueFrom(archived)
  for await (const line of readCopy(file)) {
    if ('row' in line && line.seal !== null) check.add(linkOf(line, line.seal))
  }
  const { findings, ...seen } = check.end()
  if (seen.links === 0 && archived === null && inCopy.length === 0 && heads.length === 0) {
    throw new CommandError(
      `${file} proves nothing: it has no sealed row and no signed head. ` +
        'It was made before anything was sealed, or everything was deleted from it.',
    )
  }
  const isEndSigned = [...inCopy, ...heads].some((head) => head.position >= seen.last.position && isTrusted(keys, head))
  return {
    findings: isEndSigned ? findings : [...findings, unsignedEnd(seen.last.position)],
    notes: [checkedSummary(seen), ...notes],
  }
}

const archivedNote = ({ position, signedAt }: Head): string =>
  `The rows up to position ${position} were archived earlier. The link there, signed at ${signedAt}, was trusted without a check.`

/** Returns true if the row has the hash of its seal, or the signed hash of an erasure. */
function matchesSeal({ row, erasure }: RowLine, seal: Seal, hash: string, keys: TrustedKeys): boolean {
  if (erasure !== undefined) return seal.rowHash === hash && isErasedRow(row!, seal, erasure, keys)
  return hash === rowHashOf(row!)
}

/** Verifies rows individually, because a chain cannot be followed across missing rows. */
async function verifySelection(file: string, db: Db, keys: TrustedKeys): Promise<Verdict> {
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
    else if (!matchesSeal(line, line.seal, sealed.hash, keys)) findings.push(changedRow(row.id, row))
  }
  return {
    findings,
    notes: [
      `${counted(rows, 'row')} of a selection, each compared with its seal in the database. Rows missing from a selection cannot be detected.`,
      ...(unsealedRows > 0
        ? [
            `${unsealedRows} of them are not proven: they had no seal yet, were exported without details, or are archived.`,
          ]
        : []),
    ],
  }
}
