import type { Files } from './files.ts'
import { resolvePath } from './files.ts'
import { ShellSyntaxError } from './syntax-error.ts'

/**
 * Returns the paths that match a pattern with `*` and `?` in its last part, or the pattern itself if no path matches.
 */
export function pathsMatching(pattern: string, context: { files: Files; folder: string; home: string }): string[] {
  const slash = pattern.lastIndexOf('/') + 1
  const [before, last] = [pattern.slice(0, slash), pattern.slice(slash)]
  if (/[*?]/.test(before)) throw new ShellSyntaxError('a pattern in the name of a folder is not supported')
  const folder = resolvePath(context.folder, before === '' ? '.' : before, context.home)
  if (context.files.find(folder)?.kind !== 'folder') return [pattern]
  const names = context.files
    .list(folder)
    .map(([name]) => name)
    .filter((name) => matches(last, name) && (last.startsWith('.') || !name.startsWith('.')))
  return names.length === 0 ? [pattern] : names.toSorted().map((name) => before + name)
}

/**
 * Returns true if the name matches the pattern. The time is proportional to the length of the pattern times the length
 * of the name.
 */
function matches(pattern: string, name: string): boolean {
  let positions = new Set([0])
  for (const sign of pattern) {
    const start = Math.min(...positions)
    if (sign === '*') positions = new Set(Array.from({ length: name.length - start + 1 }, (_, i) => start + i))
    else
      positions = new Set(
        [...positions].filter((i) => (sign === '?' ? i < name.length : name[i] === sign)).map((i) => i + 1),
      )
    if (positions.size === 0) return false
  }
  return positions.has(name.length)
}
