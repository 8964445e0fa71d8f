import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** All that stands in a folder, itself included, that a group or everybody else has any right to: mode and path. */
export function openToOthers(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return ['.', ...names].flatMap((name) => {
    // A file that a running database made and removed meanwhile is no longer there.
    const mode = (lstatSync(join(folder, name), { throwIfNoEntry: false })?.mode ?? 0) & 0o777
    return (mode & 0o077) === 0 ? [] : [`${mode.toString(8)} ${name}`]
  })
}
