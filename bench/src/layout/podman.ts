import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'

const run = promisify(execFile)

export interface Service {
  readonly image: string
  readonly restart?: string
  readonly read_only?: boolean
  readonly user?: string
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly env_file?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly command?: readonly string[]
}

export function servicesIn(file: string, variables: Readonly<Record<string, string>>): Record<string, Service> {
  const text = readFileSync(file, 'utf8').replaceAll(
    /\$\{(\w+):-([^}]*)\}/g,
    (_all, name: string, defaultValue: string) => variables[name] ?? defaultValue,
  )
  return (parse(text, { merge: true }) as { services: Record<string, Service> }).services
}

/** podman-compose is not used, because its version in Debian 12 does not wait for healthy services. */
export class Podman {
  readonly #folder: string
  readonly #project: string
  readonly #services: Readonly<Record<string, Service>>
  readonly #subnet = '10.89.77'
  /** Environment that limits ulimits to those of this host, for hosts that do not allow raising them. */
  readonly #environment: NodeJS.ProcessEnv

  constructor(folder: string, project: string, services: Readonly<Record<string, Service>>) {
    this.#folder = folder
    this.#project = project
    this.#services = services
    const files = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim()
    const conf = join(folder, 'containers.conf')
    writeFileSync(conf, `[containers]\ndefault_ulimits = ["nofile=${files}:${files}", "nproc=4096:4096"]\n`)
    this.#environment = { ...process.env, CONTAINERS_CONF: conf }
  }

  async podman(...args: readonly string[]): Promise<string> {
    const { stdout } = await run('podman', ['--runtime', 'runc', ...args], { env: this.#environment, timeout: 120_000 })
    return stdout.trim()
  }

  async makeNetwork(): Promise<void> {
    await this.podman('network', 'create', '--subnet', `${this.#subnet}.0/24`, this.#project)
  }

  async up(name: string, { wait = false } = {}): Promise<void> {
    const service = this.#services[name]!
    const names = Object.keys(this.#services)
    const flag = (option: string, values: readonly string[] = []) => values.flatMap((value) => [option, value])
    const volume = (text: string) =>
      text.startsWith('.') ? join(this.#folder, text) : text.startsWith('/') ? text : `${this.#project}_${text}`
    const secrets = (service.secrets ?? []).map((secret) => `${join(this.#folder, secret)}:/run/secrets/${secret}:ro`)
    await this.podman(
      'run',
      ...(wait ? [] : ['--detach']),
      ...flag('--name', [this.#container(name)]),
      ...flag('--network', [this.#project]),
      ...flag('--ip', [this.#addressOf(name)]),
      ...names.flatMap((other) => ['--add-host', `${other}:${this.#addressOf(other)}`]),
      ...flag('--restart', [service.restart === 'unless-stopped' ? 'always' : 'no']),
      ...(service.read_only === true ? ['--read-only'] : []),
      ...flag('--user', service.user === undefined ? [] : [service.user]),
      ...flag('--cap-drop', service.cap_drop),
      ...flag(
        '--security-opt',
        service.security_opt?.map((option) => option.replace(':true', '')),
      ),
      ...flag(
        '--tmpfs',
        service.tmpfs?.map((path) => `${path}:mode=1777`),
      ),
      ...flag(
        '--env-file',
        service.env_file?.map((file) => join(this.#folder, file)),
      ),
      ...flag(
        '--env',
        Object.entries(service.environment ?? {}).map(([key, value]) => `${key}=${value}`),
      ),
      ...flag('--volume', [...secrets, ...(service.volumes ?? []).map(volume)]),
      ...flag(
        '--publish',
        service.ports?.map((port) => `127.0.0.1:${port}`),
      ),
      ...(service.entrypoint === undefined ? [] : ['--entrypoint', JSON.stringify(service.entrypoint)]),
      service.image,
      ...(service.command ?? []),
    )
  }

  exec(name: string, ...command: readonly string[]): Promise<string> {
    return this.podman('exec', this.#container(name), ...command)
  }

  logs(name: string): Promise<string> {
    return run('sh', ['-c', `podman logs --tail 20 ${this.#container(name)} 2>&1`], { env: this.#environment }).then(
      ({ stdout }) => stdout,
    )
  }

  async kill(name: string): Promise<void> {
    process.kill(Number(await this.podman('inspect', '--format', '{{.State.Pid}}', this.#container(name))), 'SIGKILL')
  }

  healthy(name: string): Promise<boolean> {
    return this.exec(name, 'node', 'deploy/alive.mjs').then(
      () => true,
      () => false,
    )
  }

  async remove(): Promise<void> {
    const all = Object.keys(this.#services).map((name) => this.#container(name))
    await this.podman('rm', '--force', '--ignore', '--volumes', '--time', '5', ...all).catch(() => '')
    await this.podman('rm', '--force', '--ignore', '--volumes', ...all)
    await this.podman('volume', 'rm', '--force', `${this.#project}_database`, `${this.#project}_standby`).catch(
      () => '',
    )
    await this.podman('network', 'rm', '--force', this.#project).catch(() => '')
  }

  #container(name: string): string {
    return `${this.#project}-${name}`
  }

  #addressOf(name: string): string {
    return `${this.#subnet}.${10 + Object.keys(this.#services).indexOf(name)}`
  }
}
