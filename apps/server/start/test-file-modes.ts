import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the folder and all entries in it that are accessible to a group or to others, as mode and path. */
export function openToOthers(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return ['.', ...names].flatMap((name) => {
    // A running database may have removed the file in the meantime.
    const mode = (lstatSync(join(folder, name), { throwIfNoEntry: false })?.mode ?? 0) & 0o777
    return (mode & 0o077) === 0 ? [] : [`${mode.toString(8)} ${name}`]
  })
}
