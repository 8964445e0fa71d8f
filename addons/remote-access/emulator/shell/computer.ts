import type { MachineFacts } from '@trainyard/azure/emulator/network/reachable-machine.ts'
import { Files } from './files.ts'

export interface Computer {
  readonly facts: MachineFacts
  readonly files: Files
  readonly home: string
  now(): number
  bootedAt(): number
  recordLine(): void
  /** Shuts the machine down from inside. A halted machine is still billed. */
  halt(): void
}

export function makeFiles(facts: MachineFacts, now: () => number): Files {
  const files = new Files(now)
  const home = homeOf(facts)
  for (const folder of ['/etc', '/home', home, '/tmp', '/usr', '/usr/bin', '/var', '/var/log']) files.makeFolder(folder)
  files.write('/etc/hostname', `${facts.hostname}\n`)
  files.write('/etc/os-release', 'PRETTY_NAME="Trainyard emulated Linux"\nNAME="Linux"\nID=linux\nVERSION_ID="1"\n')
  files.write('/etc/hosts', `127.0.0.1 localhost\n${facts.address} ${facts.hostname}\n`)
  files.write(
    `${home}/README.txt`,
    'This machine is emulated: it stores files and supports a few commands, so that remote access\ncan be tested without a cloud. Type help for a list of commands.\n',
  )
  return files
}

export const homeOf = ({ account }: Pick<MachineFacts, 'account'>): string => `/home/${account}`
