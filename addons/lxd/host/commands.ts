import { type SpawnSyncOptions, spawnSync } from 'node:child_process'

/** A reason for the operator why the command cannot continue. */
export class Refusal extends Error {}

interface Options extends Pick<SpawnSyncOptions, 'cwd' | 'input' | 'timeout'> {
  /** True if the output goes to the terminal. Default: it is returned. */
  readonly shown?: boolean
}

/** Runs a program and returns its output. @throws Refusal with its errors if it fails */
export function run(program: string, args: readonly string[], { shown = false, ...options }: Options = {}): string {
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, {
    ...options,
    encoding: 'utf8',
    stdio: [options.input === undefined ? 'ignore' : 'pipe', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe'],
  })
  if (error !== undefined) throw new Refusal(`${program} could not run: ${error.message}`)
  if (status !== 0)
    throw new Refusal(
      `${program} ${args[0] ?? ''} ended with ${status ?? signal}. ${shown ? '' : stderr.trim()}`.trim(),
    )
  return stdout ?? ''
}

/** @throws Refusal if the user is not root or a program is missing */
export function requireHost(programs: Readonly<Record<string, string>>): void {
  if (process.getuid?.() !== 0) throw new Refusal('Only root can do this. Repeat the command as root.')
  const missing = Object.keys(programs).filter((each) => spawnSync('which', [each]).status !== 0)
  if (missing.length === 0) return
  const packages = [...new Set(missing.map((each) => programs[each]))].join(' ')
  throw new Refusal(
    `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing. Install with: apt-get install -y --no-install-recommends ${packages}`,
  )
}

/** Runs the work of a script and ends the process. A refusal is one sentence on the terminal. */
export async function main(work: () => Promise<void>): Promise<never> {
  try {
    await work()
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${error instanceof Refusal ? error.message : (error as Error).stack}\n`)
    process.exit(1)
  }
}
