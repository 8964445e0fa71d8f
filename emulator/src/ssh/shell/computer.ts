import { Files } from '#src/ssh/shell/files.ts'

/** The emulator's facts about a machine that somebody can log in to. */
export interface MachineFacts {
  readonly uid: string
  readonly name: string
  /** The machine's own name for itself, given when it was made. */
  readonly hostname: string
  readonly account: string
  readonly address: string
  readonly cores: number
}

/** A machine as seen from inside: its disk and its clock, in the emulator's memory alone. */
export interface Computer {
  readonly facts: MachineFacts
  readonly files: Files
  readonly home: string
  /** Milliseconds since 1970, by the emulator's clock. */
  now(): number
  /** When it was last started. */
  bootedAt(): number
  /** A line was run on it. */
  worked(): void
  /** Shuts it down from inside: it is halted, and stays billed. */
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
    'This machine is emulated: it keeps files and knows a few commands, so that the way in\ncan be tried without a cloud. Type help for what it knows.\n',
  )
  return files
}

export const homeOf = ({ account }: Pick<MachineFacts, 'account'>): string => `/home/${account}`
