import { Content, contentOf } from './content.ts'

/** Limits on a machine's disk, which is in the emulator's memory. */
const MAX_BYTES = 1024 * 1024
const MAX_ENTRIES = 2_000
/**
 * Limit on uploaded bytes, which are stored on the host's disk. Allows two files of maximum size and some smaller ones.
 */
const MAX_SENT = 3 * 1024 ** 3

export interface File {
  readonly kind: 'file'
  content: Content
  changedAt: number
}
export interface Folder {
  readonly kind: 'folder'
  readonly entries: Map<string, Entry>
  changedAt: number
}
export type Entry = File | Folder

export class FileError extends Error {
  override readonly name = 'FileError'
}

/** A machine's disk: a tree in memory without access to the host's files. Paths are absolute and normalised. */
export class Files {
  readonly #root: Folder
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
    this.#root = { kind: 'folder', entries: new Map(), changedAt: now() }
  }

  find(path: string): Entry | undefined {
    let entry: Entry | undefined = this.#root
    for (const name of namesOf(path)) {
      entry = entry?.kind === 'folder' ? entry.entries.get(name) : undefined
    }
    return entry
  }

  read(path: string): string {
    const entry = this.#get(path)
    if (entry.kind === 'folder') throw new FileError('Is a directory')
    return entry.content.text()
  }

  list(path: string): [string, Entry][] {
    const entry = this.#get(path)
    if (entry.kind === 'file') throw new FileError('Not a directory')
    return [...entry.entries].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  write(path: string, text: string, mode: 'replace' | 'append' = 'replace'): void {
    const [folder, name] = this.#parentAndName(path)
    const before = folder.entries.get(name)
    if (before?.kind === 'folder') throw new FileError('Is a directory')
    const added = Buffer.from(text)
    const growth = mode === 'append' ? added.length : added.length - (before?.content.memoryBytes ?? 0)
    this.#refuseOverflow(growth, before === undefined ? 1 : 0)
    if (before === undefined)
      this.#add(folder, name, { kind: 'file', content: contentOf(text), changedAt: this.#now() })
    else if (mode === 'append') {
      before.content.write(before.content.size, added)
      before.changedAt = this.#now()
    } else Object.assign(before, { content: contentOf(text), changedAt: this.#now() })
  }

  /** Writes to an uploaded file, which is limited by disk space instead of memory. */
  writeUpload(file: File, offset: number, bytes: Buffer): void {
    const growth = offset + bytes.length - file.content.size
    if (growth > 0 && measure(this.#root).sent + growth > MAX_SENT) throw new FileError('No space left on device')
    file.content.write(offset, bytes)
    file.changedAt = this.#now()
  }

  rename(from: string, to: string): void {
    const entry = this.#get(from)
    const [folder, name] = this.#parentAndName(to)
    if (folder.entries.has(name)) throw new FileError('File exists')
    this.remove(from)
    this.#add(folder, name, entry)
  }

  touch(path: string): void {
    const entry = this.find(path)
    if (entry === undefined) this.write(path, '')
    else entry.changedAt = this.#now()
  }

  makeFolder(path: string): void {
    const [folder, name] = this.#parentAndName(path)
    if (folder.entries.has(name)) throw new FileError('File exists')
    this.#refuseOverflow(0, 1)
    this.#add(folder, name, { kind: 'folder', entries: new Map(), changedAt: this.#now() })
  }

  remove(path: string): void {
    const [folder, name] = this.#parentAndName(path)
    if (!folder.entries.delete(name)) throw new FileError('No such file or directory')
    folder.changedAt = this.#now()
  }

  #add(folder: Folder, name: string, entry: Entry): void {
    folder.entries.set(name, entry)
    folder.changedAt = this.#now()
  }

  #get(path: string): Entry {
    const entry = this.find(path)
    if (entry === undefined) throw new FileError('No such file or directory')
    return entry
  }

  #parentAndName(path: string): [Folder, string] {
    const names = namesOf(path)
    const name = names.pop()
    const folder = this.find(`/${names.join('/')}`)
    if (folder === undefined) throw new FileError('No such file or directory')
    if (folder.kind === 'file') throw new FileError('Not a directory')
    if (name === undefined) throw new FileError('Permission denied')
    return [folder, name]
  }

  #refuseOverflow(bytes: number, entries: number): void {
    const usage = measure(this.#root)
    if (usage.bytes + bytes > MAX_BYTES || usage.entries + entries > MAX_ENTRIES) {
      throw new FileError('No space left on device')
    }
  }
}

export function resolvePath(from: string, path: string, home: string): string {
  const absolute =
    path === '~' || path.startsWith('~/') ? home + path.slice(1) : path.startsWith('/') ? path : `${from}/${path}`
  const names: string[] = []
  for (const name of namesOf(absolute)) {
    if (name === '..') names.pop()
    else if (name !== '.') names.push(name)
  }
  return `/${names.join('/')}`
}

const namesOf = (path: string): string[] => path.split('/').filter(Boolean)

function measure(folder: Folder): { bytes: number; entries: number; sent: number } {
  const usage = { bytes: 0, entries: 0, sent: 0 }
  const open = [folder]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of next.entries.values()) {
      usage.entries += 1
      if (entry.kind === 'folder') open.push(entry)
      else {
        usage.bytes += entry.content.memoryBytes
        usage.sent += entry.content.size
      }
    }
  }
  return usage
}
