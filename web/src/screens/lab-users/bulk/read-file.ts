import { readCsv, type Reading } from './read-csv.ts'

/** A file that somebody chose, read. */
export type Chosen = Reading & { readonly name: string }

const BYTES_MAX = 2_000_000

export async function readFile(file: File): Promise<Chosen> {
  if (file.size > BYTES_MAX) return { name: file.name, problem: 'The file is larger than 2 MB. Please split it.' }
  const bytes = new Uint8Array(await file.arrayBuffer())
  // Some spreadsheets write two bytes a letter, and say so with the first two.
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  return { name: file.name, ...readCsv(new TextDecoder(encoding).decode(bytes)) }
}
