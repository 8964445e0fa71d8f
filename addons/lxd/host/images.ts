import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { main, Refusal, requireHost, run } from './commands.ts'

interface Recipe {
  readonly description: string
  readonly packages: string
  readonly hooks?: readonly string[]
}

// Without udev, systemd-networkd waits for ever, because LXD mounts /sys writable.
const TERMINAL =
  'systemd,systemd-sysv,systemd-resolved,udev,dbus,openssh-server,sudo,iproute2,iputils-ping,procps,less,nano,curl,ca-certificates'

const IMAGES: Readonly<Record<string, Recipe>> = {
  'lab-ssh': { description: 'Debian 12 with a terminal', packages: TERMINAL },
  'lab-guides': {
    description: 'Debian 12 with the programs of the example guides',
    packages: `${TERMINAL},git,nginx-light,acl,python3`,
  },
  'lab-desktop': {
    description: 'Debian 12 with a desktop',
    packages: `${TERMINAL},xrdp,xorgxrdp,dbus-x11,icewm,xterm`,
    hooks: [
      // Without its certificate, xrdp offers no TLS.
      'chroot "$1" adduser --quiet xrdp ssl-cert',
      // The browser draws a sign-in window askew if its width is not a multiple of four.
      'sed -i s/^ls_width=.*/ls_width=352/ "$1/etc/xrdp/xrdp.ini"',
    ],
  },
}

const FILES: Readonly<Record<string, string>> = {
  'etc/systemd/network/10-eth0.network':
    '[Match]\nName=eth0\n[Network]\nDHCP=ipv4\nIPv6AcceptRA=no\n[DHCPv4]\nClientIdentifier=mac\n',
  // Each machine has its own host key. One kind of key saves a second of the first start.
  'etc/systemd/system/ssh.service.d/hostkeys.conf': `[Service]
ExecStartPre=
ExecStartPre=/bin/sh -c "test -e /etc/ssh/ssh_host_ed25519_key || ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/ssh_host_ed25519_key"
ExecStartPre=/usr/sbin/sshd -t
`,
  'etc/default/locale': 'LANG=C.UTF-8\n',
}

/** Writes `rootfs.tar` and `meta.tar.gz` into the folder. */
function build(folder: string, { description, packages, hooks = [] }: Recipe): void {
  writeFiles(join(folder, 'files'), FILES)
  const steps = [
    `sync-in "${folder}/files" /`,
    'chroot "$1" systemctl -q enable systemd-networkd systemd-resolved',
    'chroot "$1" systemctl -q mask e2scrub_reap.service apt-daily.timer apt-daily-upgrade.timer',
    ...hooks,
    'rm -f "$1"/etc/ssh/ssh_host_*; : > "$1/etc/machine-id"',
  ]
  const args = [
    '--quiet',
    '--variant=minbase',
    `--include=${packages}`,
    '--dpkgopt=path-exclude=/usr/share/doc/*',
    '--dpkgopt=path-exclude=/usr/share/man/*',
    ...steps.map((step) => `--customize-hook=${step}`),
    'bookworm',
    join(folder, 'rootfs.tar'),
  ]
  run('mmdebstrap', args, { shown: true })
  const architecture = run('uname', ['-m']).trim()
  writeFiles(join(folder, 'meta'), {
    'metadata.yaml': `architecture: ${architecture}
creation_date: ${Math.floor(Date.now() / 1000)}
properties: {os: debian, release: bookworm, description: ${description}}
templates:
  /etc/hostname: {when: [create, copy], template: hostname.tpl}
`,
    'templates/hostname.tpl': '{{ container.name }}\n',
  })
  run('tar', ['czf', join(folder, 'meta.tar.gz'), '-C', join(folder, 'meta'), 'metadata.yaml', 'templates'])
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  // The temporary folder is private, and would become the root folder of the image.
  chmodSync(folder, 0o755)
}

/** Imports the image under the alias. Machines of the alias's former image keep running. */
function importAs(alias: string, folder: string): void {
  const aliases = JSON.parse(run('lxc', ['query', '/1.0/images/aliases'])) as string[]
  const imported = run('lxc', ['image', 'import', join(folder, 'meta.tar.gz'), join(folder, 'rootfs.tar')])
  const fingerprint = /[0-9a-f]{64}/.exec(imported)?.[0]
  if (fingerprint === undefined) throw new Refusal(`LXD did not name the imported image: ${imported}`)
  if (aliases.includes(`/1.0/images/aliases/${alias}`)) run('lxc', ['image', 'alias', 'delete', alias])
  run('lxc', ['image', 'alias', 'create', alias, fingerprint])
}

/**
 * `npm run images -w @trainyard/lxd [-- ALIAS]`: builds the images of a terminal and of a desktop from Debian's
 * packages and imports them into LXD. An alias that exists then names the new image.
 */
await main(async () => {
  const names = process.argv.slice(2)
  const unknown = names.find((name) => !(name in IMAGES))
  if (unknown !== undefined)
    throw new Refusal(`There is no recipe for ${unknown}, only ${Object.keys(IMAGES).join(', ')}.`)
  requireHost({ lxc: 'lxd-client', mmdebstrap: 'mmdebstrap', tar: 'tar' })
  run('lxc', ['query', '/1.0'])
  process.umask(0o022)
  for (const name of names.length === 0 ? Object.keys(IMAGES) : names) {
    const begun = performance.now()
    const folder = mkdtempSync(join(tmpdir(), 'lxd-image-'))
    try {
      build(folder, IMAGES[name]!)
      importAs(name, folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    process.stdout.write(`${name} is ready, after ${Math.round((performance.now() - begun) / 1000)} s.\n`)
  }
})
