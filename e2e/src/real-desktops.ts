import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'

/** Third-party Remote Desktop server with a terminal on its desktop. */
export interface RealDesktop {
  readonly port: number
  /** Reads a file that the terminal wrote into its home folder. Returns null if there is none yet. */
  readHomeFile(name: string): string | null
  output(): string
  stop(): Promise<void>
}

const isInstalled = (program: string): boolean =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin'].some((folder) => {
    try {
      fs.accessSync(join(folder, program), fs.constants.X_OK)
      return true
    } catch {
      return false
    }
  })
const whyIncomplete = (programs: readonly string[]): string | null => {
  const missing = programs.filter((program) => !isInstalled(program))
  return missing.length === 0 ? null : `not installed: ${missing.join(', ')}`
}

export const whyShadowUnavailable = (): string | null =>
  whyIncomplete(['freerdp-shadow-cli', 'winpr-hash', 'Xvfb', 'xterm'])

/** Returns the reason why xrdp cannot run here. It reads its accounts from /etc, which must be replaced for it. */
export function whyXrdpUnavailable(): string | null {
  const reason = whyIncomplete(['xrdp', 'xrdp-sesman', 'xrdp-keygen', 'Xorg', 'xterm', 'openssl', 'unshare'])
  if (reason !== null) return reason
  if (process.getuid?.() !== 0) return 'needs root for its own accounts'
  try {
    execFileSync('unshare', ['--mount', '--pid', '--fork', 'true'], { stdio: 'ignore' })
    return fs.existsSync('/etc/X11/xrdp/xorg.conf') ? null : 'not installed: xorgxrdp'
  } catch {
    return 'needs namespaces'
  }
}

/** Terminal that sets the clipboard by an escape sequence and pastes it with Ctrl+V. */
const XTERM = `xterm -geometry 60x12+0+0 -xrm '*VT100.translations: #override Ctrl <Key>v: insert-selection(CLIPBOARD)' -xrm '*allowWindowOps: true' -xrm '*disallowedWindowOps: 1' -e sh`

/** Starts FreeRDP's shadow server, which shares an X server's screen and accepts only network level authentication. */
export async function startShadow(account: string, password: string): Promise<RealDesktop> {
  const folder = newFolder()
  const port = await freePort()
  const sam = execFileSync('winpr-hash', ['-u', account, '-p', password, '-f', 'sam'], { encoding: 'utf8' })
  fs.writeFileSync(join(folder, 'sam'), `${sam.trim()}\n`, { mode: 0o600 })
  const script = `Xvfb -displayfd 3 -screen 0 1024x768x24 -nolisten tcp 3>display 2>>said & 
    until [ -s display ]; do sleep 0.1; done
    export DISPLAY=:$(cat display)
    (cd home && exec ${XTERM} >/dev/null 2>&1) &
    exec freerdp-shadow-cli /port:${port} /bind-address:127.0.0.1 /sec:nla /sam-file:${folder}/sam >>said 2>&1`
  return startServer(folder, port, ['sh', '-c', script])
}

/** Starts xrdp with TLS and a single PAM account in a private mount namespace: nothing on this machine is changed. */
export async function startXrdp(account: string, password: string): Promise<RealDesktop> {
  const folder = newFolder()
  const [port, sesman] = [await freePort(), await freePort()]
  const etc = join(folder, 'etc')
  fs.mkdirSync(etc)
  const file = (name: string, text: string, mode = 0o644) => fs.writeFileSync(join(folder, name), text, { mode })
  const hash = execFileSync('openssl', ['passwd', '-6', '-stdin'], { input: password, encoding: 'utf8' }).trim()
  file('passwd', `root:x:0:0::/root:/bin/sh\n${account}:x:1000:1000::${folder}/home:/bin/sh\n`)
  file('shadow', `root:*:1::::::\n${account}:${hash}:19000::::::\n`, 0o600)
  file('pam', 'auth required pam_unix.so\naccount required pam_unix.so\nsession required pam_permit.so\n')
  execFileSync('chown', ['1000:1000', join(folder, 'home')])
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${etc}/key.pem`, '-out', `${etc}/cert.pem`]
  execFileSync('openssl', ['req', '-x509', ...key, '-days', '30', '-subj', '/CN=far'], { stdio: 'ignore' })
  execFileSync('xrdp-keygen', ['xrdp', join(etc, 'rsakeys.ini')], { stdio: 'ignore' })
  fs.copyFileSync('/etc/xrdp/km-00000409.ini', join(etc, 'km-00000409.ini'))
  fs.copyFileSync('/etc/xrdp/xrdp_keyboard.ini', join(etc, 'xrdp_keyboard.ini'))
  file('etc/startwm.sh', `#!/bin/sh\ncd\necho yes >begun\nexec ${XTERM}\n`, 0o755)
  const log = (name: string) => `LogFile=${folder}/${name}\nLogLevel=INFO\nEnableSyslog=false\n`
  file(
    'etc/xrdp.ini',
    `[Globals]\nini_version=1\nport=tcp://127.0.0.1:${port}\nsecurity_layer=tls\ncertificate=/etc/xrdp/cert.pem
key_file=/etc/xrdp/key.pem\nssl_protocols=TLSv1.2, TLSv1.3\nallow_channels=true\nmax_bpp=32\nuse_fastpath=both
[Logging]\n${log('said')}[Channels]\ndrdynvc=true\ncliprdr=true
[Xorg]\nname=Xorg\nlib=libxup.so\nusername=ask\npassword=ask\nip=127.0.0.1\nport=-1\ncode=20\n`,
  )
  file(
    'etc/sesman.ini',
    `[Globals]\nListenAddress=127.0.0.1\nListenPort=${sesman}\nEnableUserWindowManager=false
DefaultWindowManager=/etc/xrdp/startwm.sh\n[Security]\nMaxLoginRetry=4
[Sessions]\nX11DisplayOffset=${100 + (port % 800)}\nMaxSessions=5\nKillDisconnected=true\n[Logging]\n${log('said-too')}
[Xorg]\nparam=/usr/lib/xorg/Xorg\nparam=-config\nparam=xrdp/xorg.conf\nparam=-noreset\nparam=-nolisten\nparam=tcp\nparam=-logfile\nparam=${folder}/home/xorg.log
[Chansrv]\nFuseMountName=drives\n[ChansrvLogging]\nLogLevel=INFO\nEnableSyslog=false\n`,
  )
  const script = `mount -t proc proc /proc && mount --bind passwd /etc/passwd && mount --bind shadow /etc/shadow &&
    mount --bind etc /etc/xrdp && mount --bind pam /etc/pam.d/xrdp-sesman && mount -t tmpfs tmpfs /run &&
    mkdir /run/xrdp && { xrdp-sesman --nodaemon >>said 2>&1 & exec xrdp --nodaemon >>said 2>&1; }`
  return startServer(folder, port, [
    'unshare',
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    '--propagation',
    'private',
    'sh',
    '-c',
    script,
  ])
}

function newFolder(): string {
  const folder = fs.mkdtempSync(join(tmpdir(), 'trainyard-rdp-'))
  // The home folder of the account is in here and must be accessible.
  fs.chmodSync(folder, 0o755)
  fs.mkdirSync(join(folder, 'home'))
  return folder
}

async function startServer(folder: string, port: number, [program, ...args]: readonly string[]): Promise<RealDesktop> {
  const child = spawn(program!, args, {
    cwd: folder,
    stdio: 'ignore',
    // A separate process group, so that stopping ends all its processes.
    detached: true,
    env: { PATH: `${process.env['PATH']}:/usr/sbin:/usr/bin`, HOME: join(folder, 'home'), LANG: 'C.UTF-8' },
  })
  const read = (name: string) =>
    fs.existsSync(join(folder, name)) ? fs.readFileSync(join(folder, name), 'utf8') : null
  return {
    port,
    readHomeFile: (name) => read(`home/${name}`),
    output: () => `${read('said') ?? ''}${read('said-too') ?? ''}`,
    async stop() {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
      if (ended !== null) process.kill(-child.pid!, 'SIGKILL')
      await ended
      removeFolder(folder)
    },
  }
}
