import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const PAGE = 'docs/third-party-licences.md'

/** Licences of packages whose package.json names none, read from the text of their LICENSE file. */
export const REVIEWED: Readonly<Record<string, string>> = {
  buildcheck: 'MIT',
  'cpu-features': 'MIT',
  'png-js': 'MIT',
  ssh2: 'MIT',
}

export interface Package {
  readonly name: string
  readonly version: string
  readonly licence: string
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { name?: string; version?: string; license?: string; dev?: boolean; link?: boolean }>
  >
}

/** @throws Error if the licence of a package is not known */
export function packagesIn(lock: Lock): Package[] {
  const packages = new Map<string, Package>()
  for (const [path, { name: alias, version, license, dev, link }] of Object.entries(lock.packages)) {
    const start = path.lastIndexOf('node_modules/')
    if (start < 0 || dev === true || link === true) continue
    const name = alias ?? path.slice(start + 'node_modules/'.length)
    const licence = license ?? REVIEWED[name]
    if (version === undefined || licence === undefined) {
      throw new Error(`The licence of ${name} is not known. Read its LICENSE file and add it to scripts/licences.ts.`)
    }
    packages.set(`${name} ${version}`, { name, version, licence })
  }
  return [...packages.values()].toSorted(
    (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || (a.version < b.version ? -1 : 1),
  )
}

export const pageOf = (packages: readonly Package[]): string => `# Third-party licences

Production dependencies and their licences, generated from \`package-lock.json\` by \`npm run licences\`. The reason for
each direct dependency is in [stack.md](stack.md). \`npm run sbom\` writes a CycloneDX SBOM of all packages, with
development packages marked. The licence texts are in the packages themselves, under \`node_modules\`.

| Package | Version | Licence |
| --- | --- | --- |
${packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |\n`).join('')}`

export const readLock = (root: string): Lock => JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as Lock

export function licenceTextOf(root: string, name: string): string | null {
  const file = `${root}node_modules/${name}/LICENSE`
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('../', import.meta.url))
  const packages = packagesIn(readLock(root))
  writeFileSync(root + PAGE, pageOf(packages))
  process.stdout.write(`${PAGE} lists ${packages.length} packages.\n`)
}
