import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { until } from '@trainyard/platform/test/until.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const execute = promisify(execFile)

const PACKAGES = 'lxd lxd-client dnsmasq-base nftables btrfs-progs mmdebstrap'.split(' ')
export const IMAGE = 'lab-ssh'

/** Runs a program, at most for these minutes. @throws Error with its output */
export async function run(program: string, args: readonly string[], minutes = 1): Promise<string> {
  const running = execute(program, args, {
    cwd: root,
    timeout: minutes * 60_000,
    killSignal: 'SIGKILL',
    maxBuffer: 32 * 1024 * 1024,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  // `lxc` reads its standard input to the end.
  running.child.stdin?.end()
  return (await running).stdout
}

export const lxc = (...args: readonly string[]): Promise<string> => run('lxc', args)

export interface LxdHost {
  /** Null if the daemon ran before, so that the tests must not kill it. */
  readonly started: { kill(): Promise<void>; start(): Promise<void> } | null
  readonly pool: string
  stop(): Promise<void>
}

const isInstalled = () => ['lxd', 'lxc', 'nft', 'dnsmasq', 'mkfs.btrfs', 'mmdebstrap'].every(isCommand)
const isCommand = (name: string) => spawnSync('which', [name]).status === 0
const startDaemon = () => run(process.execPath, ['addons/lxd/host/start.ts'], 2)

/**
 * Installs and starts LXD with the image of a terminal, and starts a machine as a proof that this host can.
 * Returns the reason as a string if this host cannot.
 */
export async function bringUpLxd(): Promise<LxdHost | string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux'
  try {
    if (!isInstalled()) {
      if (!isCommand('apt-get')) return 'LXD is not installed, and there is no apt-get'
      await run('apt-get', ['update', '-qq'], 2)
      await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...PACKAGES], 4)
    }
    const ranBefore = spawnSync('lxd', ['waitready', '--timeout', '2']).status === 0
    await startDaemon()
    const stop = async () => void (ranBefore || (await run('lxd', ['shutdown', '--timeout', '60'], 2)))
    try {
      const aliases = JSON.parse(await lxc('query', '/1.0/images/aliases')) as string[]
      if (!aliases.includes(`/1.0/images/aliases/${IMAGE}`))
        await run(process.execPath, ['addons/lxd/host/images.ts', IMAGE], 6)
      const pools = JSON.parse(await lxc('query', '/1.0/storage-pools')) as string[]
      const pool = pools.map((each) => each.split('/').at(-1)!).toSorted((a) => (a === 'default' ? -1 : 0))[0]!
      await proveThatMachinesRun(pool)
      const started = ranBefore ? null : { kill: killDaemon, start: async () => void (await startDaemon()) }
      return { started, pool, stop }
    } catch (error) {
      await stop()
      throw error
    }
  } catch (error) {
    return `LXD does not run here: ${(error as Error).message.trim().split('\n').slice(0, 3).join(' ')}`
  }
}

/** Without these mounts and namespaces, no machine would run, whatever the portal does. */
async function proveThatMachinesRun(pool: string): Promise<void> {
  const name = `probe-${process.pid}`
  try {
    await lxc('launch', IMAGE, name, '--no-profiles', '--storage', pool)
    await until(
      'a machine has started systemd',
      () => lxc('exec', name, '--', 'systemctl', 'is-active', 'ssh').catch(() => ''),
      (state) => state.trim() === 'active',
      60_000,
    )
  } finally {
    await lxc('delete', '--force', name).catch(() => {})
  }
}

async function killDaemon(): Promise<void> {
  const isDaemon = (pid: string) => {
    try {
      return /(^|\/)lxd\0--group\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    } catch {
      return false
    }
  }
  for (const pid of readdirSync('/proc')) if (/^\d+$/.test(pid) && isDaemon(pid)) process.kill(Number(pid), 'SIGKILL')
}
