import type { Command, Outcome, ShellContext } from './command.ts'
import type { Computer } from './computer.ts'
import { type Entry, FileError, resolvePath } from './files.ts'
import { refusedOption } from './options.ts'
import { textCommands } from './text-commands.ts'

const KERNEL = '6.8.0-emulated'

const commands: Readonly<Record<string, Command>> = {
  ...textCommands,

  help: () => ({
    out: `This machine is emulated. It supports these commands:\n  ${Object.keys(commands).sort().join(' ')}\nand > >> | && || ; between commands.\n`,
  }),

  pwd: ({ at }) => ({ out: `${at.folder}\n` }),

  cd({ args, at }) {
    const path = resolvePath(at.folder, args[0] ?? '~', at.computer.home)
    const found = at.computer.files.find(path)
    if (found === undefined) return fileError('cd', args[0]!, 'No such file or directory')
    if (found.kind === 'file') return fileError('cd', args[0]!, 'Not a directory')
    at.folder = path
    return {}
  },

  ls({ args, at }) {
    const flags = args.filter((arg) => arg.startsWith('-')).join('')
    const [path = '.', ...more] = args.filter((arg) => !arg.startsWith('-'))
    if (more.length > 0) return listFolders(at, args, [path, ...more])
    const { files, facts, home } = at.computer
    const target = resolvePath(at.folder, path, home)
    const found = files.find(target)
    if (found === undefined) return fileError('ls', path, 'No such file or directory', 2)
    const entries = found.kind === 'file' ? ([[path, found]] as [string, Entry][]) : files.list(target)
    const visible = entries.filter(([name]) => flags.includes('a') || !name.startsWith('.'))
    if (flags.includes('1') && !flags.includes('l')) return { out: visible.map(([name]) => `${name}\n`).join('') }
    if (flags.includes('l')) return { out: visible.map((entry) => longLine(entry, facts.account)).join('') }
    const names = visible.map(([name]) => name)
    return { out: names.length === 0 ? '' : inColumns(names, at.columns) }
  },

  cat({ args, input, at }) {
    if (args.length === 0) return { out: input }
    return { out: args.map((path) => at.computer.files.read(pathOf(at, path))).join('') }
  },

  touch: ({ args, at }) => forEachPath('touch', args, (path) => at.computer.files.touch(pathOf(at, path))),

  mkdir({ args, at }) {
    const parents = args.includes('-p')
    return forEachPath('mkdir', args, (path) => {
      const target = pathOf(at, path)
      if (parents) makeParents(at.computer, target)
      else at.computer.files.makeFolder(target)
    })
  },

  rm({ args, at }) {
    const flags = args.filter((arg) => arg.startsWith('-')).join('')
    return forEachPath('rm', args, (path) => {
      const target = pathOf(at, path)
      const found = at.computer.files.find(target)
      if (found === undefined && flags.includes('f')) return
      if (found?.kind === 'folder' && !/r/i.test(flags)) throw new FileError('Is a directory')
      at.computer.files.remove(target)
    })
  },

  whoami: ({ at }) => ({ out: `${at.as ?? at.computer.facts.account}\n` }),
  id: ({ at: { as, computer } }) => {
    if (as === 'root') return { out: 'uid=0(root) gid=0(root) groups=0(root)\n' }
    const { account } = computer.facts
    return { out: `uid=1000(${account}) gid=1000(${account}) groups=1000(${account}),27(sudo)\n` }
  },
  hostname: ({ at }) => ({ out: `${at.computer.facts.hostname}\n` }),
  uname({ args, at }) {
    const requested = args.join('')
    const parts = { s: 'Linux', n: at.computer.facts.hostname, r: KERNEL, m: 'x86_64' }
    if (requested.includes('a')) return { out: `${Object.values(parts).join(' ')} GNU/Linux\n` }
    const selected = Object.entries(parts).filter(([each]) =>
      requested === '' ? each === 's' : requested.includes(each),
    )
    return { out: `${selected.map(([, part]) => part).join(' ')}\n` }
  },
  nproc: ({ at }) => ({ out: `${at.computer.facts.cores}\n` }),
  date({ args, at }) {
    if (args.length > 0) return { err: 'date: formats are not supported: this machine is emulated\n', code: 1 }
    const [day, number, month, year, clock] = new Date(at.computer.now()).toUTCString().replace(',', '').split(' ')
    return { out: `${day} ${month} ${String(Number(number)).padStart(2)} ${clock} UTC ${year}\n` }
  },

  uptime({ at: { computer } }) {
    const minutes = Math.max(0, Math.floor((computer.now() - computer.bootedAt()) / 60_000))
    const clock = new Date(computer.now()).toISOString().slice(11, 19)
    const days = Math.floor(minutes / 1440)
    const since = `${days > 0 ? `${days} days, ` : ''}${Math.floor((minutes % 1440) / 60)}:${String(minutes % 60).padStart(2, '0')}`
    return { out: ` ${clock} up ${since},  1 user,  load average: 0.00, 0.01, 0.05\n` }
  },

  ps: ({ args, at: { computer } }) => ({
    ...(args.length > 0 ? { err: 'ps: options are ignored: this machine is emulated\n' } : {}),
    out: `    PID USER      CMD\n      1 root      init\n    412 root      sshd\n    977 ${computer.facts.account.padEnd(9)} -sh\n    978 ${computer.facts.account.padEnd(9)} ps\n`,
  }),

  env: ({ at }) => ({
    out: `HOME=${at.as === 'root' ? '/root' : at.computer.home}\nPWD=${at.folder}\nSHELL=/bin/sh\nUSER=${at.as ?? at.computer.facts.account}\n`,
  }),
  export({ args, at }) {
    for (const arg of args) {
      const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(arg) ?? []
      if (name === undefined) return { err: `export: ${arg}: not a valid identifier\n`, code: 1 }
      at.exported.set(name, value!)
    }
    return {}
  },
  history: ({ at }) => ({ out: at.history.map((line, i) => `${String(i + 1).padStart(5)}  ${line}\n`).join('') }),
  clear: () => ({ out: '\x1b[H\x1b[2J\x1b[3J' }),
  test({ args, at }) {
    const [first = '', second = '', third] = args
    const found = at.computer.files.find(pathOf(at, second))
    if (args.length === 2 && first === '-e') return { code: found === undefined ? 1 : 0 }
    if (args.length === 2 && first === '-f') return { code: found?.kind === 'file' ? 0 : 1 }
    if (args.length === 2 && first === '-d') return { code: found?.kind === 'folder' ? 0 : 1 }
    if (args.length === 3 && second === '=') return { code: first === third ? 0 : 1 }
    return { err: 'test: only -e, -f, -d and = are supported: this machine is emulated\n', code: 2 }
  },
  true: () => ({}),
  false: () => ({ code: 1 }),
  exit: ({ args }) => ({ effect: 'exit', code: Number(args[0] ?? 0) & 255 }),
  logout: () => ({ effect: 'exit' }),

  sudo: (given) => {
    const [name, ...args] = given.args
    if (name === undefined) return { err: 'usage: sudo command\n', code: 1 }
    if (name.startsWith('-')) return { err: 'sudo: an option is not supported: this machine is emulated\n', code: 1 }
    return runCommand(name, { ...given, args, at: { ...given.at, as: 'root' } })
  },
  shutdown: ({ args }) =>
    args.includes('now') || args.includes('+0') || args.length === 0
      ? { out: 'The system will power off now!\n', effect: 'halt' }
      : { err: "shutdown: only 'now' is supported: shutdown -h now\n", code: 1 },
  poweroff: () => ({ out: 'The system will power off now!\n', effect: 'halt' }),
}

export function runCommand(name: string, given: Parameters<Command>[0]): Outcome {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) return { err: `${name}: command not found (type help for a list)\n`, code: 127 }
  const refusal = refusedOption(name, given.args)
  if (refusal !== null) return { err: refusal, code: 2 }
  try {
    return command(given)
  } catch (error) {
    if (error instanceof FileError) return { err: `${name}: ${given.args.at(-1) ?? ''}: ${error.message}\n`, code: 1 }
    throw error
  }
}

const pathOf = (at: ShellContext, path: string): string => resolvePath(at.folder, path, at.computer.home)

function forEachPath(name: string, args: readonly string[], run: (path: string) => void): Outcome {
  const paths = args.filter((arg) => !arg.startsWith('-'))
  if (paths.length === 0) return { err: `${name}: missing operand\n`, code: 1 }
  const refusals = paths.flatMap((path) => {
    try {
      run(path)
      return []
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      return [`${name}: ${path}: ${error.message}\n`]
    }
  })
  return refusals.length === 0 ? {} : { err: refusals.join(''), code: 1 }
}

const fileError = (name: string, path: string, reason: string, code = 1): Outcome => ({
  err: `${name}: ${path}: ${reason}\n`,
  code,
})

function listFolders(at: ShellContext, args: readonly string[], paths: readonly string[]): Outcome {
  const options = args.filter((arg) => arg.startsWith('-'))
  const { files, home } = at.computer
  const isFolder = (path: string) => files.find(resolvePath(at.folder, path, home))?.kind === 'folder'
  const outcomes = paths
    .toSorted((a, b) => Number(isFolder(a)) - Number(isFolder(b)))
    .map((path) => ({ path, ...commands['ls']!({ args: [...options, path], input: '', at }) }))
  return {
    out: outcomes.map(({ path, out = '' }) => (isFolder(path) ? `\n${path}:\n${out}` : out)).join(''),
    err: outcomes.map(({ err = '' }) => err).join(''),
    code: Math.max(...outcomes.map(({ code = 0 }) => code)),
  }
}

function makeParents({ files }: Computer, path: string): void {
  const names = path.split('/').filter(Boolean)
  for (let depth = 1; depth <= names.length; depth += 1) {
    const folder = `/${names.slice(0, depth).join('/')}`
    if (files.find(folder) === undefined) files.makeFolder(folder)
  }
}

function longLine([name, entry]: [string, Entry], account: string): string {
  const size = entry.kind === 'file' ? entry.content.size : 4096
  const changedAt = new Date(entry.changedAt).toISOString().slice(0, 16).replace('T', ' ')
  const mode = entry.kind === 'file' ? '-rw-r--r--' : 'drwxr-xr-x'
  return `${mode} 1 ${account} ${account} ${String(size).padStart(7)} ${changedAt} ${name}\n`
}

function inColumns(names: readonly string[], columns: number): string {
  const width = Math.max(...names.map((name) => name.length)) + 2
  const columnCount = Math.max(1, Math.floor(columns / width))
  const lines: string[] = []
  for (let i = 0; i < names.length; i += columnCount) {
    lines.push(
      names
        .slice(i, i + columnCount)
        .map((name) => name.padEnd(width))
        .join('')
        .trimEnd(),
    )
  }
  return `${lines.join('\n')}\n`
}
