import type { AuditRow } from './chain.ts'

export interface Finding {
  readonly kind: 'changed' | 'cut out' | 'swapped' | 'inserted' | 'cut off' | 'made anew' | 'forged'
  /** IDs of the affected rows; empty if the rows are missing together with their seals. */
  readonly rows: readonly number[]
  readonly message: string
}

const at = (position: number) => `position ${position}`
const span = (from: number, to: number) => (from === to ? at(from) : `positions ${from} to ${to}`)

export const changed = (id: number, position: number, row: AuditRow): Finding => ({
  kind: 'changed',
  rows: [id],
  message: `Row ${id} (${at(position)}) was changed and now reads: ${row.call} by ${row.actorEmail ?? 'no user'} at ${row.at}.`,
})

export const swapped = (a: number, b: number): Finding => ({
  kind: 'swapped',
  rows: [a, b],
  message: `Rows ${a} and ${b} were swapped: each has the content of the other.`,
})

export const misplaced = (id: number, position: number): Finding => ({
  kind: 'swapped',
  rows: [id],
  message: `Row ${id} is at the wrong position. Its correct position is ${at(position)}.`,
})

export const rowGone = (id: number, position: number): Finding => ({
  kind: 'cut out',
  rows: [id],
  message: `Row ${id} (${at(position)}) was deleted: only its seal is left.`,
})

export const linksGone = (from: number, to: number): Finding => ({
  kind: 'cut out',
  rows: [],
  message: `The rows at ${span(from, to)} were deleted with their seals.`,
})

export const insertedRow = (id: number): Finding => ({
  kind: 'inserted',
  rows: [id],
  message: `Row ${id} was inserted: it has no seal although it should have been sealed already.`,
})

export const insertedLink = (id: number, position: number): Finding => ({
  kind: 'inserted',
  rows: [id],
  message: `Row ${id} was inserted: ${at(position)} belongs to another row.`,
})

export const brokenSeal = (id: number, position: number): Finding => ({
  kind: 'changed',
  rows: [id],
  message: `The seal of row ${id} (${at(position)}) was changed: its hashes do not match.`,
})

export const brokenLink = (position: number, earlier: number | null, id: number): Finding => ({
  kind: 'made anew',
  rows: earlier === null ? [id] : [earlier, id],
  message:
    earlier === null
      ? `Row ${id} (${at(position)}) does not link to the row before it.`
      : `Row ${id} (${at(position)}) does not link to row ${earlier}: row ${earlier} was replaced together with its seal, or rows between them were deleted.`,
})

export const otherPast = (position: number, signedAt: string): Finding => ({
  kind: 'made anew',
  rows: [],
  message: `The chain up to ${at(position)} was replaced: it is not the one signed at ${signedAt}.`,
})

export const cutOff = (from: number, to: number, signedAt: string): Finding => ({
  kind: 'cut off',
  rows: [],
  message: `The end of the chain is missing: ${span(from, to)} existed when the head was signed at ${signedAt}.`,
})

export const forgedHead = (position: number, signedAt: string): Finding => ({
  kind: 'forged',
  rows: [],
  message: `The head of ${at(position)}, of ${signedAt}, is forged: its signature is not valid.`,
})

export const foreignHead = (position: number, publicKey: string): Finding => ({
  kind: 'forged',
  rows: [],
  message: `The head of ${at(position)} is signed with the key ${publicKey}, which is not trusted (--key).`,
})

export const unsignedEnd = (position: number): Finding => ({
  kind: 'cut off',
  rows: [],
  message: `The end of the chain is not proven: there is no signed head of ${at(position)} or later, in the copy or given with --head.`,
})

export const changedRow = (id: number, row: AuditRow): Finding => ({
  kind: 'changed',
  rows: [id],
  message: `Row ${id} differs from its seal and reads: ${row.call} by ${row.actorEmail ?? 'no user'} at ${row.at}.`,
})
