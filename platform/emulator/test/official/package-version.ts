import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'

/**
 * Returns the real name and version of an installed package, such as `@azure/arm-compute 25.1.1`, also for an alias.
 */
function packageVersion(installed: string): string {
  const file = findPackageJSON(installed, import.meta.url)
  if (file === undefined) throw new Error(`${installed} is not installed.`)
  const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string }
  return `${name} ${version}`
}

export function printVersions(...installed: string[]): void {
  process.stdout.write(`Clients: ${installed.map(packageVersion).join(', ')}.\n`)
}
