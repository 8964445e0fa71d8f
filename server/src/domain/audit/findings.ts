import type { AuditRow } from './chain.ts'

/** Way in which an audit does not match its seals. */
export interface Finding {
  readonly kind: 'changed' | 'cut out' | 'swapped' | 'inserted' | 'cut off' | 'made anew' | 'forged'
  /** IDs of the affected rows; empty if the rows are missing together with their seals. */
  readonly rows: readonly number[]
  readonly says: string
}

const at = (position: number) => `position ${position}`
const span = (from: number, to: number) => (from === to ? at(from) : `positions ${from} to ${to}`)

export const changed = (id: number, position: number, row: AuditRow): Finding => ({
  kind: 'changed',
  rows: [id],
  says: `Row ${id} (${at(position)}) was changed: now it says ${row.call} by ${row.actorEmail ?? 'nobody'} at ${row.at}.`,
})

export const swapped = (a: number, b: number): Finding => ({
  kind: 'swapped',
  rows: [a, b],
  says: `Rows ${a} and ${b} were swapped: each says what the other said.`,
})

export const misplaced = (id: number, position: number): Finding => ({
  kind: 'swapped',
  rows: [id],
  says: `Row ${id} stands in another place than its own, ${at(position)}.`,
})

export const rowGone = (id: number, position: number): Finding => ({
  kind: 'cut out',
  rows: [id],
  says: `Row ${id} (${at(position)}) was cut out: its seal is there, and it is not.`,
})

export const linksGone = (from: number, to: number): Finding => ({
  kind: 'cut out',
  rows: [],
  says: `What stood at ${span(from, to)} was cut out, with its seals.`,
})

export const insertedRow = (id: number): Finding => ({
  kind: 'inserted',
  rows: [id],
  says: `Row ${id} was inserted: it has no seal, and should have had one long ago.`,
})

export const insertedLink = (id: number, position: number): Finding => ({
  kind: 'inserted',
  rows: [id],
  says: `Row ${id} was inserted: ${at(position)} is another row's.`,
})

export const brokenSeal = (id: number, position: number): Finding => ({
  kind: 'changed',
  rows: [id],
  says: `The seal of row ${id} (${at(position)}) was changed: it is no link of its own hashes.`,
})

export const brokenLink = (position: number, earlier: number | null, id: number): Finding => ({
  kind: 'made anew',
  rows: earlier === null ? [id] : [earlier, id],
  says:
    earlier === null
      ? `Row ${id} (${at(position)}) follows another link than the one before it.`
      : `Row ${id} (${at(position)}) follows another link than that of row ${earlier}: row ${earlier} was made anew with its seal, or what stood between them was cut out.`,
})

export const otherPast = (position: number, signedAt: string): Finding => ({
  kind: 'made anew',
  rows: [],
  says: `The chain up to ${at(position)} was made anew: it is not the one that was signed at ${signedAt}.`,
})

export const cutOff = (from: number, to: number, signedAt: string): Finding => ({
  kind: 'cut off',
  rows: [],
  says: `The end is cut off: ${span(from, to)} stood there when the head was signed at ${signedAt}.`,
})

export const forgedHead = (position: number, signedAt: string): Finding => ({
  kind: 'forged',
  rows: [],
  says: `The head of ${at(position)}, of ${signedAt}, is forged: nobody signed it.`,
})

export const foreignHead = (position: number, publicKey: string): Finding => ({
  kind: 'forged',
  rows: [],
  says: `The head of ${at(position)} is signed with the key ${publicKey}, which is not one of those given (--key).`,
})

export const unsignedEnd = (position: number): Finding => ({
  kind: 'cut off',
  rows: [],
  says: `The end is not proven: no head of ${at(position)} or later is signed, in the copy or given (--head).`,
})

export const otherThanInTable = (id: number, row: AuditRow): Finding => ({
  kind: 'changed',
  rows: [id],
  says: `Row ${id} is not as it was sealed: here it says ${row.call} by ${row.actorEmail ?? 'nobody'} at ${row.at}.`,
})
