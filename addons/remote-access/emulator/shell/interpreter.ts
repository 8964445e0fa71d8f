import type { Effect, Outcome, ShellContext } from './command.ts'
import { runCommand } from './commands.ts'
import type { Computer } from './computer.ts'
import { FileError, resolvePath } from './files.ts'
import { pathsMatching } from './patterns.ts'
import { ShellSyntaxError } from './syntax-error.ts'
import { textOf, type Word } from './tokens.ts'
import { readLine } from './parse-line.ts'

/** Maximum number of remembered lines, and of characters that one line may print. */
const MAX_HISTORY = 500
const MAX_OUTPUT = 256 * 1024

export interface RunResult {
  readonly out: string
  readonly err: string
  readonly code: number
  readonly effect: Effect | null
}

export class Interpreter implements ShellContext {
  readonly computer: Computer
  folder: string
  columns = 80
  readonly history: string[] = []
  readonly exported = new Map<string, string>()
  #args: readonly string[] = []
  #code = 0

  constructor(computer: Computer) {
    this.computer = computer
    this.folder = computer.home
  }

  get prompt(): string {
    const { facts, home } = this.computer
    const promptFolder =
      this.folder === home || this.folder.startsWith(`${home}/`) ? `~${this.folder.slice(home.length)}` : this.folder
    return `${facts.account}@${facts.hostname}:${promptFolder}$ `
  }

  remember(line: string): void {
    if (line.trim() === '' || this.history.at(-1) === line) return
    this.history.push(line)
    if (this.history.length > MAX_HISTORY) this.history.shift()
  }

  run(line: string): RunResult {
    this.computer.recordLine()
    try {
      const lineOutcome = this.#steps(line)
      this.#code = lineOutcome.code
      return lineOutcome
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error
      this.#code = 2
      return { out: '', err: `sh: ${error.message}\n`, code: 2, effect: null }
    }
  }

  /** Runs a script line by line until one exits, as a shell that reads it from standard input. */
  runScript(script: string, args: readonly string[]): RunResult {
    this.#args = args
    let out = ''
    let err = ''
    for (const line of script.split('\n')) {
      if (line.trim() === '' || line.startsWith('#')) continue
      const result = this.run(line)
      out = truncate(out + result.out)
      err = truncate(err + result.err)
      if (result.effect !== null) return { ...result, out, err }
    }
    return { out, err, code: this.#code, effect: null }
  }

  #steps(line: string): RunResult {
    let output = ''
    let err = ''
    let input = ''
    let code = 0
    let isSkipped = false
    for (const { words, redirect, operator } of readLine(line)) {
      if (!isSkipped) {
        const [name, ...args] = words.flatMap((word) => this.#expand(word))
        let outcome: Outcome = name === undefined ? {} : runCommand(name, { args, input, at: this })
        let printed = outcome.out ?? ''
        if (redirect !== null) {
          const path = textOf(redirect.path, (each) => this.#variable(each))
          const refusal = this.#redirect({ path, how: redirect.how }, printed)
          printed = ''
          if (refusal !== null) outcome = { err: refusal, code: 1 }
        }
        code = outcome.code ?? 0
        this.#code = code
        err += outcome.err ?? ''
        input = operator === '|' ? printed : ''
        if (operator !== '|') output += printed
        if (outcome.effect !== undefined) return { out: truncate(output), err, code, effect: outcome.effect }
      }
      if (operator === ';') isSkipped = false
      else if (operator === '&&') isSkipped = code !== 0
      else if (operator === '||') isSkipped = code === 0
    }
    return { out: truncate(output), err: truncate(err), code, effect: null }
  }

  #redirect({ path, how }: { path: string; how: 'replace' | 'append' }, text: string): string | null {
    const target = resolvePath(this.folder, path, this.computer.home)
    if (target === '/dev/null') return null
    try {
      this.computer.files.write(target, text, how)
      return null
    } catch (error) {
      if (error instanceof FileError) return `sh: ${path}: ${error.message}\n`
      throw error
    }
  }

  #expand(word: Word): string[] {
    const text = textOf(word, (name) => this.#variable(name))
    const { files, home } = this.computer
    return word.pattern ? pathsMatching(text, { files, folder: this.folder, home }) : [text]
  }

  #variable(name: string): string {
    if (name === '?') return String(this.#code)
    if (/^\d+$/.test(name)) return this.#args[Number(name) - 1] ?? ''
    const exported = this.exported.get(name)
    if (exported !== undefined) return exported
    const { facts, home } = this.computer
    return { HOME: home, USER: facts.account, PWD: this.folder, HOSTNAME: facts.hostname, SHELL: '/bin/sh' }[name] ?? ''
  }
}

const truncate = (text: string): string => (text.length > MAX_OUTPUT ? text.slice(0, MAX_OUTPUT) : text)
