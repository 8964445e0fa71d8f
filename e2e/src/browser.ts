import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import type { LaunchOptions } from '@playwright/test'
import { memoryFolder } from '@trainyard/platform/test/memory.ts'

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Chromium's sandbox does not work as root; the disabled services are not needed by tests. */
const args = ['--no-sandbox', '--disable-background-networking', '--disable-component-update']

/**
 * By default, Playwright makes the browser's processes share memory through files on disk, for containers with a small
 * /dev/shm. Writing these files takes 5 % of the test time, so this is switched off if /dev/shm is large enough.
 */
const shared: LaunchOptions = memoryFolder() === null ? {} : { ignoreDefaultArgs: ['--disable-dev-shm-usage'] }

/**
 * Returns the launch options of a browser: one installed on the system, otherwise the one from npm. E2E_BROWSER selects
 * an executable; `npm` always selects the browser from npm.
 */
export async function findBrowser(): Promise<LaunchOptions> {
  const browserName = process.env['E2E_BROWSER']
  if (browserName !== undefined && browserName !== '' && browserName !== 'npm')
    return { executablePath: browserName, args, ...shared }
  const installed = SYSTEM_BROWSERS.find((path) => existsSync(path))
  if (installed !== undefined && browserName !== 'npm') return { executablePath: installed, args, ...shared }
  return browserFromNpm()
}

/** Unpacks the browser into a folder per version. The package reuses any copy that it finds in the temporary folder. */
async function browserFromNpm(): Promise<LaunchOptions> {
  const main = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const home = dirname(dirname(main))
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
  const folder = join(tmpdir(), `trainyard-browser-${version}-${userInfo().uid}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    const { default: chromium, inflate } = await import('@sparticuz/chromium')
    const executablePath = await chromium.executablePath()
    const env = environment()
    if (!existsSync('/etc/fonts/fonts.conf')) env['FONTCONFIG_FILE'] = fontsOf(folder)
    if (!isMissingLibraries(executablePath)) return { executablePath, args, ...shared, env }
    const libraries = join(folder, 'al2023', 'lib')
    if (!existsSync(libraries)) await inflate(join(home, 'bin', 'al2023.tar.br'))
    return { executablePath, args, ...shared, env: { ...env, LD_LIBRARY_PATH: libraries } }
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

/** Returns true if the system lacks a library that the browser is linked with. A minimal Debian has no libnss3. */
function isMissingLibraries(executable: string): boolean {
  return spawnSync('ldd', [executable], { encoding: 'utf8' }).stdout.includes('not found')
}

/** Writes a font configuration. Without any font, a page with text crashes the browser. */
function fontsOf(folder: string): string {
  const file = join(folder, 'fonts.conf')
  writeFileSync(
    file,
    `<?xml version="1.0"?><fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>\n`,
  )
  return file
}

const environment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
