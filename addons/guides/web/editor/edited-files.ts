import { GUIDE_FILE_MAX, GUIDE_FILES_MAX, GUIDE_PATH, GUIDE_PATH_MAX } from '../../contract/guide-words.ts'

/** Content of a file: a text that can be edited, otherwise bytes. */
export type Content = string | Uint8Array<ArrayBuffer>

/** Files of a guide by their path. */
export type Files = ReadonlyMap<string, Content>

const TEXT_MAX = 256 * 1024

export const GUIDE_FILE = 'guide.yaml'

const encoder = new TextEncoder()

/** Returns the text of UTF-8; the bytes if they are something else, or too long to edit. */
export function contentOf(bytes: Uint8Array<ArrayBuffer>): Content {
  if (bytes.length > TEXT_MAX || bytes.includes(0)) return bytes
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return bytes
  }
}

export const bytesOf = (content: Content): Uint8Array<ArrayBuffer> =>
  typeof content === 'string' ? encoder.encode(content) : content

export const isMarkdown = (path: string): boolean => path.endsWith('.md')

const PICTURE_TYPES: Readonly<Partial<Record<string, string>>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

/** Returns the media type of a picture; undefined for other files. */
export const pictureType = (path: string): string | undefined =>
  PICTURE_TYPES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]

/** Returns the paths in the order of the list: guide.yaml, then folder by folder. */
export const pathsOf = (files: Files): readonly string[] =>
  [...files.keys()].toSorted((a, b) =>
    a === GUIDE_FILE ? -1 : b === GUIDE_FILE ? 1 : a.localeCompare(b, 'en', { numeric: true }),
  )

/** Returns what is wrong with the path of a new file; null if nothing is. */
export function problemOfPath(path: string, files: Files): string | null {
  if (path === '') return 'Enter a name.'
  if (path.length > GUIDE_PATH_MAX) return `The name can have ${GUIDE_PATH_MAX} characters.`
  if (!GUIDE_PATH.test(path) || path.endsWith('/'))
    return 'Use letters, digits, dots, hyphens, underscores and slashes, without the parts .., . and .git.'
  if (files.has(path)) return 'There is a file with this name.'
  return [...files.keys()].some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`))
    ? 'A file and a folder cannot have the same name.'
    : null
}

/** Returns the path at which a dropped file is added: a free one in the folder for pictures or other files. */
export function pathOfDropped(name: string, files: Files): string {
  const folder = pictureType(name) === undefined ? 'files' : 'images'
  const [, stem, ending] = /^(.*?)(\.[^.]*)?$/s.exec(name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^\.+/, ''))!
  for (let count = 1; ; count += 1) {
    const path = `${folder}/${stem || 'file'}${count === 1 ? '' : `-${count}`}${ending ?? ''}`
    if (problemOfPath(path, files) === null) return path
  }
}

/** Returns why a dropped file cannot be added; null if it can. */
export function problemOfDropped({ name, size }: Pick<File, 'name' | 'size'>, files: Files): string | null {
  if (size > GUIDE_FILE_MAX) return `${name} is larger than ${GUIDE_FILE_MAX / 1024 / 1024} MB.`
  return files.size >= GUIDE_FILES_MAX ? `A guide can have ${GUIDE_FILES_MAX} files.` : null
}

/** A file that was dropped; its bytes are null if it is too large to be read. */
interface Dropped {
  readonly file: Pick<File, 'name' | 'size'>
  readonly bytes: Uint8Array<ArrayBuffer> | null
}

/** Adds dropped files under free names. */
export function withDropped(before: Files, dropped: readonly Dropped[]) {
  const files = new Map(before)
  const added: string[] = []
  const problems: string[] = []
  for (const { file, bytes } of dropped) {
    const problem = problemOfDropped(file, files)
    if (problem !== null || bytes === null) {
      if (problem !== null) problems.push(problem)
      continue
    }
    const path = pathOfDropped(file.name, files)
    files.set(path, contentOf(bytes))
    added.push(path)
  }
  return { files, added, problems }
}

/** Returns the Markdown of pictures for a place in a text. */
export function picturesAt(text: string, at: number, path: string, pictures: readonly string[]): string {
  // A picture below a line would be part of its paragraph.
  const isBelow = /[^\n]\n$/.test(text.slice(0, at))
  return `${isBelow ? '\n' : ''}${pictures.map((picture) => pictureIn(path, picture)).join('\n\n')}`
}

/** Returns the Markdown that shows a picture in a text. */
export function pictureIn(text: string, picture: string): string {
  const up = '../'.repeat(text.split('/').length - 1)
  const name = picture.slice(picture.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
  return `![${name.replaceAll(/[-_.]+/g, ' ').trim()}](${up}${picture})`
}

/** Returns where a line begins and ends. */
export function placeOfLine(text: string, line: number): readonly [from: number, to: number] {
  let from = 0
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf('\n', from)
    if (next < 0) break
    from = next + 1
  }
  const end = text.indexOf('\n', from)
  return [from, end < 0 ? text.length : end]
}
