import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'

/** `@azure/arm-compute 25.1.1`: the real name and version of an installed package, also of one under an alias. */
export function packageVersion(installed: string): string {
  const file = findPackageJSON(installed, import.meta.url)
  if (file === undefined) throw new Error(`${installed} is not installed.`)
  const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string }
  return `${name} ${version}`
}

/** Says in the run's output which clients lived against the emulator. */
export function sayVersions(...installed: string[]): void {
  process.stdout.write(`Lived by ${installed.map(packageVersion).join(', ')}.\n`)
}
