import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { EXIT, Failure } from './failure.ts'

type Environment = Readonly<Record<string, string | undefined>>

const stored = z.object({ url: z.string(), key: z.string() })
export type Connection = z.output<typeof stored>

/** Returns the path of the configuration (https://specifications.freedesktop.org/basedir-spec). */
function configFile(env: Environment): string {
  const folder = env['XDG_CONFIG_HOME']
  const base = folder === undefined || folder === '' ? join(env['HOME'] ?? homedir(), '.config') : folder
  return join(base, 'trainyard', 'config.json')
}

/** Stores URL and key in a file that only the user can read. */
export function writeConfig(env: Environment, connection: Connection): string {
  const file = configFile(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 })
  // The mode above applies only to a new file.
  chmodSync(file, 0o600)
  return file
}

export const removeConfig = (env: Environment): void => rmSync(configFile(env), { force: true })

function readConfig(env: Environment): Connection | null {
  const file = configFile(env)
  let text: string
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      throw new Failure(EXIT.access, `Other users can read ${file}, which contains an API key.`, {
        hint: `Run chmod 600 ${file}. If others may have read the key, revoke it and create another.`,
      })
    }
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Failure) throw error
    return null
  }
  try {
    return stored.parse(JSON.parse(text))
  } catch {
    throw new Failure(EXIT.usage, `${file} is not valid.`, { hint: 'Run trainyard login to write it again.' })
  }
}

/**
 * Returns the portal's URL and the API key: from the options, the variables TRAINYARD_URL and TRAINYARD_API_KEY, or the
 * configuration. A stored key is sent only to the portal for which it was stored.
 */
export function connectionOf(env: Environment, option: string | undefined): Connection {
  const config = env['TRAINYARD_API_KEY'] !== undefined && env['TRAINYARD_URL'] !== undefined ? null : readConfig(env)
  const urlText = option ?? env['TRAINYARD_URL'] ?? config?.url
  if (urlText === undefined) {
    throw new Failure(EXIT.access, 'You are not logged in.', {
      hint: 'Run trainyard login, or set TRAINYARD_URL and TRAINYARD_API_KEY.',
    })
  }
  const url = portalUrl(urlText)
  const key = env['TRAINYARD_API_KEY'] ?? (config?.url === url ? config.key : undefined)
  if (key === undefined) {
    throw new Failure(EXIT.access, `There is no API key for ${url}.`, {
      hint: `Run trainyard login --url ${url}, or set TRAINYARD_API_KEY.`,
    })
  }
  return { url, key }
}

/** Returns the origin of a portal. @throws Failure for a URL over which the key would be sent without encryption */
export function portalUrl(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new Failure(EXIT.usage, `${text} is not the URL of a portal.`, {
      hint: 'Give a URL such as https://portal.example.com.',
    })
  }
  if (url.protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)) {
    throw new Failure(EXIT.usage, `${url.origin} would receive the API key without encryption.`, {
      hint: `Use https://${url.host}.`,
    })
  }
  return url.origin
}
