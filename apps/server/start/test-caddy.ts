import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { until } from '@trainyard/platform/test/until.ts'

export interface Proxy {
  readonly url: string
  stop(): Promise<void>
}

/** Starts Caddy, which must be installed, with the shipped configuration, but without TLS. @param apis ports of the APIs */
export async function startCaddy(apis: readonly number[]): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'trainyard-caddy-'))
  const url = `http://127.0.0.1:${await freePort()}`
  const shipped = readFileSync(new URL('../../../deploy/compose/Caddyfile', import.meta.url), 'utf8')
  const file = join(folder, 'Caddyfile')
  const upstreams = apis.map((port) => `127.0.0.1:${port}`).join(' ')
  const changed = shipped.replace('{$PORTAL_HOST:localhost}', url).replaceAll('api1:4000 api2:4000', upstreams)
  writeFileSync(file, `{\n\tadmin off\n}\n${changed}`)
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    stdio: 'ignore',
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  await once(caddy, 'spawn')
  await until(
    'Caddy answers',
    () => fetch(url).catch(() => null),
    (reply) => reply !== null,
  )
  return {
    url,
    async stop() {
      caddy.kill('SIGTERM')
      await once(caddy, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
