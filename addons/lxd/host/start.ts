import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { main, Refusal, requireHost, run } from './commands.ts'

const LOG = '/var/log/lxd'

/** The portal creates networks and names every device, so neither a network nor a profile is needed. */
const PRESEED = `config: {images.auto_update_interval: "0"}
storage_pools: [{name: default, driver: btrfs, config: {size: 20GiB}}]
`

const isReady = (seconds: number): boolean => spawnSync('lxd', ['waitready', '--timeout', String(seconds)]).status === 0

function startAlone(): void {
  mkdirSync(LOG, { recursive: true })
  const output = openSync(`${LOG}/start.log`, 'a')
  const group = /^lxd:/m.test(readFileSync('/etc/group', 'utf8')) ? 'lxd' : 'root'
  const args = ['--group', group, '--logfile', `${LOG}/lxd.log`]
  spawn('lxd', args, { detached: true, stdio: ['ignore', output, output] }).unref()
}

/** With Debian's default, the 13th machine of a host never gets an address. */
function allowManyMachines(): void {
  const setting = 'fs.inotify.max_user_instances'
  if (Number(run('sysctl', ['-n', setting])) < 8192) run('sysctl', ['-qw', `${setting}=8192`])
}

/**
 * `npm run host -w @trainyard/lxd`: starts LXD on this host, also without systemd, and prepares it for the portal.
 * Can be repeated.
 */
await main(async () => {
  requireHost({ lxd: 'lxd', lxc: 'lxd-client', nft: 'nftables', dnsmasq: 'dnsmasq-base', 'mkfs.btrfs': 'btrfs-progs' })
  allowManyMachines()
  if (!isReady(1)) {
    if (existsSync('/run/systemd/system')) run('systemctl', ['start', 'lxd'])
    else startAlone()
    if (!isReady(60)) throw new Refusal(`LXD does not answer. Read ${LOG}/lxd.log.`)
  }
  const pools = JSON.parse(run('lxc', ['query', '/1.0/storage-pools'])) as string[]
  if (!pools.includes('/1.0/storage-pools/default')) {
    run('lxd', ['init', '--preseed'], { input: PRESEED })
    process.stdout.write('Created the storage pool default: btrfs, 20 GiB.\n')
  }
  process.stdout.write('LXD is ready. Stop it with: lxd shutdown\n')
})
