import type { Readable } from 'node:stream'
import type { Command } from 'commander'
import { type Client, clientOf, dataOf, type Machine, type Schemas } from './api/client.ts'
import { type Connection, connectionOf } from './config.ts'
import { EXIT, Failure } from './failure.ts'
import type { Output, Stream } from './output.ts'

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  readonly stdout: Stream
  readonly stderr: Stream
  readonly fetch: typeof fetch
}

export interface GlobalOptions {
  readonly json?: boolean
  readonly color: boolean
  readonly url?: string
  readonly organization?: string
}

type Key = Schemas['GetKeyReply']

/** Client, options and output of a command. */
export class CommandContext {
  readonly io: Io
  readonly out: Output
  readonly connection: Connection
  readonly client: Client
  readonly #organization: string | undefined
  #key: Promise<Key> | undefined

  constructor(io: Io, out: Output, { url, organization }: GlobalOptions) {
    this.io = io
    this.out = out
    this.connection = connectionOf(io.env, url)
    this.client = clientOf(this.connection, io.fetch)
    this.#organization = organization
  }

  /** Returns the description of the API key, which is fetched once. */
  key(): Promise<Key> {
    return (this.#key ??= dataOf(this.client.GET('/api/user/key')))
  }

  /** Returns the organisation of the option `--organization`, otherwise of the key. @throws Failure for a superadmin without it */
  async organization(): Promise<string> {
    const organization = this.#organization ?? (await this.key()).organization
    if (organization === null) {
      throw new Failure(EXIT.usage, 'A superadmin has no organisation.', { hint: 'Add --organization <name>.' })
    }
    return organization
  }

  /** Returns the parameters that identify a training in the API. */
  training(trainingName: string, organization = this.#organization): { trainingName: string; organization?: string } {
    return { trainingName, ...(organization !== undefined && { organization }) }
  }

  organizationOption(): { organization?: string } {
    return this.#organization === undefined ? {} : { organization: this.#organization }
  }

  async trainings(organization?: string): Promise<string[]> {
    const query = { organization: organization ?? (await this.organization()) }
    return (await dataOf(this.client.GET('/api/azure/trainingName', { params: { query } }))).trainingNames
  }

  machines(training: { trainingName: string; organization?: string }): Promise<Machine[]> {
    return dataOf(this.client.GET('/api/azure/machines', { params: { query: training } }))
  }

  /** Returns a function that formats an instant in the time zone of the organisation. */
  async clock(): Promise<(instant: string) => string> {
    const { timeZone } = await this.key()
    const format = new Intl.DateTimeFormat('sv-SE', {
      dateStyle: 'short',
      timeStyle: 'short',
      ...(timeZone !== null && { timeZone }),
    })
    return (instant) => format.format(new Date(instant))
  }

  /** Prompts the user to confirm. @throws Failure if the user declines, or there is no terminal */
  async confirm(question: string, yes: boolean | undefined): Promise<void> {
    if (yes === true) return
    if (this.io.stdin.isTTY !== true || this.out.json) {
      throw new Failure(EXIT.usage, `${question} This needs a confirmation.`, { hint: 'Add --yes to confirm.' })
    }
    const { createInterface } = await import('node:readline/promises')
    const terminal = createInterface({ input: this.io.stdin, output: process.stderr })
    const answer = await terminal.question(`${question} [y/N] `).finally(() => terminal.close())
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure(EXIT.failed, 'Nothing was changed.')
  }
}

/** Parses a list such as `a@example.com,b@example.com` of an option that may be repeated. */
export const list = (text: string, previous: readonly string[] = []): string[] => [
  ...previous,
  ...text.split(/[\s,;]+/).filter((part) => part !== ''),
]

export const rupees = (amount: number): string =>
  new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' }).format(amount)

export type Register = (
  command: Command,
  inContext: <Args extends readonly unknown[]>(
    callback: (context: CommandContext, ...args: Args) => Promise<void>,
  ) => (...args: Args) => Promise<void>,
) => void
